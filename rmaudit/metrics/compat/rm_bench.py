"""RM-Bench's scores (arXiv 2410.16184): levels by domain, each domain counting the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rmaudit.metrics.compat.rewardbench import weighted
from rmaudit.records import Metric

LEVELS = ("easy", "normal", "hard")


class Cell(NamedTuple):
    """One pair: its domain, its level, and 1 where the right response has the higher score."""

    domain: str
    level: str
    right: float


def numbers(cells: Iterable[Cell]) -> dict[str, Metric]:
    """Each level as the mean over domains, and their mean over levels and domains."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        found[cell.level][cell.domain].append(cell.right)
        found["total"][f"{cell.domain}/{cell.level}"].append(cell.right)
    return {
        f"compat.rm_bench.{name}": weighted(found[name], _alike(found[name]))
        for name in (*LEVELS, "total")
        if found[name]
    }


def _alike(parts: Mapping[str, object]) -> dict[str, float]:
    return dict.fromkeys(parts, 1.0)
