"""The rows that changed most from before to after, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rmaudit.run.directory import RESULTS, VERDICTS, RunDir
from rmaudit.run.rows import key_of

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
        known = one["rc"] is not None and other["rc"] is not None
        return one["correct"] != other["correct"], abs(other["rc"] - one["rc"]) if known else 0.0

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


def _rows(run: RunDir) -> dict[Place, dict[str, Any]]:
    return {
        Place(result["item"], row["order"], row["sample"]): row
        for result in run.rows(RESULTS)
        for row in result["rows"]
    }


def _reasons(run: RunDir, wanted: Iterable[Place]) -> dict[Place, list[str]]:
    places, found = set(wanted), {}
    for row in run.rows(VERDICTS):
        key = key_of(row)
        place = Place(key.item, key.order, key.sample)
        if key.variant == "base" and place in places:
            found[place] = [reason["text"] for reason in row["reasons"]]
    return found


def _side(row: dict[str, Any], reasons: list[str]) -> dict[str, Any]:
    return {name: row[name] for name in ("verdict", "correct", "rc")} | {"reasons": reasons}
