"""The rows that changed most from before to after, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rmaudit.records import RowResult
from rmaudit.run.directory import RunDir
from rmaudit.run.files import RESULTS, VERDICTS

SHOWN = 40


class Place(NamedTuple):
    """One row of a run."""

    item: str
    order: str | None
    sample: int


def moved(before: RunDir, after: RunDir, *, most: int = SHOWN) -> list[dict[str, Any]]:
    """Rows whose verdict turned right or wrong, then those whose reasons changed most.

    Args:
        before: a finished run.
        after: another on the same items.
        most: so many rows at most.
    """
    rows = _rows(before), _rows(after)

    def size(place: Place) -> tuple[bool, float]:
        one, other = rows[0][place], rows[1][place]
        gap = 0.0 if one.rc is None or other.rc is None else abs(other.rc - one.rc)
        return one.correct != other.correct, gap

    shared = [place for place in rows[0] if place in rows[1]]
    ranked = sorted(shared, key=size, reverse=True)
    chosen = [place for place in ranked if any(size(place))][:most]
    reasons = _reasons(before, chosen), _reasons(after, chosen)
    return [
        {
            **place._asdict(),
            "before": _side(rows[0][place], reasons[0].get(place, [])),
            "after": _side(rows[1][place], reasons[1].get(place, [])),
        }
        for place in chosen
    ]


def _rows(run: RunDir) -> dict[Place, RowResult]:
    return {
        Place(result.item, row.order, row.sample): row
        for result in run.rows(RESULTS)
        for row in result.rows
    }


def _reasons(run: RunDir, wanted: Iterable[Place]) -> dict[Place, list[str]]:
    places, found = set(wanted), {}
    for row in run.rows(VERDICTS):
        place = Place(row.key.item, row.key.order, row.key.sample)
        if row.key.variant == "base" and place in places:
            found[place] = [reason.text for reason in row.judgment.reasons]
    return found


def _side(row: RowResult, reasons: list[str]) -> dict[str, Any]:
    return {"verdict": row.verdict, "correct": row.correct, "rc": row.rc, "reasons": reasons}
