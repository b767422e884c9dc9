"""metrics.json as records: what it holds is checked once, for all who read it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from rmaudit.errors import InputError
from rmaudit.metrics.parts import is_part
from rmaudit.records import Metric
from rmaudit.run.directory import METRICS, RunDir
from rmaudit.run.faults import fault_of
from rmaudit.run.schema import SCHEMA_VERSION

_EVERYWHERE = ("accuracy", "rc")
"""Metrics that every run has, with a value or with why it has none."""


class Numbers(NamedTuple):
    """The metrics of the whole run, of each domain, and of each part of `metrics.parts`."""

    metrics: dict[str, Metric]
    slices: dict[str, dict[str, Metric]]
    parts: dict[str, dict[str, Metric]]


@dataclass(slots=True)
class _File:
    schema_version: int
    metrics: dict[str, Metric]
    slices: dict[str, dict[str, Metric]]


@cache
def _adapter() -> TypeAdapter[_File]:
    return TypeAdapter(_File)


def read_numbers(run: RunDir) -> Numbers:
    """What metrics.json says.

    Raises:
        InputError: it is missing, or holds what no metric is.
    """
    data = run.read_json(METRICS)  # refuses what JSON is not, which pydantic reads
    try:
        found = _adapter().validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        field, what = fault_of(error)
        raise InputError(
            f"{run.path / METRICS} is damaged, field {field}: {what}", "scan again"
        ) from error
    lacking = [name for name in _EVERYWHERE if name not in found.metrics]
    if lacking:
        raise InputError(f"{run.path / METRICS} is damaged: it has no {lacking[0]}", "scan again")
    slices = {name: one for name, one in found.slices.items() if not is_part(name)}
    parts = {name: one for name, one in found.slices.items() if is_part(name)}
    return Numbers(found.metrics, slices, parts)


def metrics_json(
    metrics: dict[str, Metric], slices: dict[str, dict[str, Metric]]
) -> dict[str, Any]:
    """What metrics.json holds."""
    return {
        "schema_version": SCHEMA_VERSION,
        "metrics": {name: dataclasses.asdict(metric) for name, metric in metrics.items()},
        "slices": {
            domain: {name: dataclasses.asdict(metric) for name, metric in slice_.items()}
            for domain, slice_ in slices.items()
        },
    }
