"""What RationaleRM's released scripts make of a matching (arXiv 2602.04649), faults included.

One reason may be matched to many references; ranks count matched reasons only, and each adds the
running mean of scores; at most five reasons count, so that a match to a later one is lost; rows
whose list is empty or longer than ten are passed over in silence, unreadable ones left out of the
means; the first block of results in an answer counts, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rmaudit.metrics.compat.own import mean
from rmaudit.records import Metric

LONGEST_LIST = 10
COUNTED = 5
_BLOCK = re.compile(r"<RESULT_START>(.*?)<RESULT_END>", re.DOTALL)
_LINE = re.compile(r"- R(\d+)@S(\d+): (\d+(?:\.\d+)?)")
Edge = tuple[int, int, float]


class ScriptScores(NamedTuple):
    """The four numbers of one row."""

    precision: float
    recall: float
    f1: float
    average_precision: float


class JudgedRow(NamedTuple):
    """One row: the judge's answer (None where it gave none), and how long the two lists are."""

    item: str
    answer: str | None
    references: int
    reasons: int


def edges_in(answer: str) -> list[Edge] | None:
    """The lines of the first block of results; None where there is none or a score exceeds 1."""
    block = _BLOCK.search(answer)
    edges = [(int(r), int(s), float(x)) for r, s, x in _LINE.findall(block[1])] if block else []
    return edges if edges and all(score <= 1 for *_, score in edges) else None


def row_scores(edges: Sequence[Edge], *, references: int, reasons: int) -> ScriptScores | None:
    """The four numbers of a row; None unless it has a line for each reference, by count."""
    if not edges or len(edges) != references:
        return None
    counted = min(reasons, COUNTED)
    by_reference: dict[int, float] = {}
    by_reason: dict[int, float] = {}
    for r, s, score in edges:
        if s and r <= references and s <= counted:
            by_reference[r] = max(score, by_reference.get(r, 0.0))
            by_reason[s] = max(score, by_reason.get(s, 0.0))
    recall = sum(by_reference.values()) / references
    precision = sum(by_reason.values()) / counted
    ranked = [by_reason[s] for s in sorted(by_reason)]
    running = sum(sum(ranked[: k + 1]) / (k + 1) for k in range(len(ranked)))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return ScriptScores(precision, recall, f1, running / references)


def numbers(rows: Iterable[JudgedRow]) -> dict[str, Metric]:
    """The means that the analysis script prints, over the rows that it keeps."""
    kept, left_out = [], 0
    for row in rows:
        edges = None if row.answer is None else edges_in(row.answer)
        found = None
        if edges is not None and 0 < row.reasons <= LONGEST_LIST:
            found = row_scores(edges, references=row.references, reasons=row.reasons)
        if found is None:
            left_out += 1
        else:
            kept.append(found)
    return {
        f"compat.rationalerm.{name}": mean(
            [getattr(one, name) for one in kept], excluded=left_out, why="no row is kept"
        )
        for name in ("recall", "precision", "f1", "average_precision")
    }
