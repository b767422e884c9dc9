"""The 2x2 that people remember: is the verdict right, and does a reason match."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.metrics.formats import show
from rmaudit.records import Metric
from rmaudit.report.data import RunData
from rmaudit.report.facets import CELLS
from rmaudit.report.lines import Head


class Quadrant(NamedTuple):
    """Answers in one corner of the 2x2, their share of all four, and the corner in words."""

    rows: str
    share: str
    cell: str


class Quadrants(NamedTuple):
    """Answers by verdict and reasons, over (item, order, sample) rows.

    `why` says why there are none. `note` counts the rows that are in no cell.
    """

    run: Head
    right_matched: Quadrant
    right_unmatched: Quadrant
    wrong_matched: Quadrant
    wrong_unmatched: Quadrant
    note: str
    why: str


def _why(metric: Metric) -> str:
    return f"{'not measured' if metric.n_excluded else 'not applicable'}: {metric.why}"


def quadrants(head: Head, one: RunData) -> Quadrants:
    """Counts the rows of a run by verdict and reasons."""
    rows = [(result.label, row) for result in one.results.values() for row in result.rows]
    among = [row for label, row in rows if label != "tie" and row.n_refs]
    counted = [(row.correct, row.rc > 0) for row in among if row.rc is not None]
    why = _why(one.metrics["f_rc@0+"]) if one.metrics["f_rc@0+"].value is None else ""

    def cell(*, right: bool, matched: bool) -> Quadrant:
        count = counted.count((right, matched))
        share = show("rc", count / len(counted)) if counted else ""
        return Quadrant(f"{count:,}", share, CELLS[right, matched])

    answers = "answer" if len(counted) == 1 else "answers"
    notes = [f"{len(counted):,} {answers}, one for each item, order and sample"]
    if len(among) > len(counted):
        lost = len(among) - len(counted)
        notes.append(f"{lost:,} left out, since the model did not answer or the judge failed")
    if len(rows) > len(among):
        rest = len(rows) - len(among)
        notes.append(f"{rest:,} on items that are labelled a tie or have no reference reasons")
    return Quadrants(
        head,
        right_matched=cell(right=True, matched=True),
        right_unmatched=cell(right=True, matched=False),
        wrong_matched=cell(right=False, matched=True),
        wrong_unmatched=cell(right=False, matched=False),
        note="; ".join(notes),
        why=why,
    )
