"""What the items of a report can be filtered by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rmaudit.checklists.schema import Item
from rmaudit.records import ReasonLabel, RowResult
from rmaudit.taxonomy import FLAWS

CELLS = {
    (True, False): "right, no reason matched",
    (True, True): "right, a reason matched",
    (False, False): "wrong, no reason matched",
    (False, True): "wrong, a reason matched",
}
READ = {
    "ok": "readable",
    "tie": "readable",
    "too_long": "not answered",
    "filtered": "not answered",
    "error": "not answered",
}


@dataclass(frozen=True, slots=True)
class Facets:
    """Values of one item: an answer of it suffices. `rc` is its least mean, None without.

    shows: the findings and missed rules that the item is an instance of.
    """

    cell: tuple[str, ...]
    domain: tuple[str, ...]
    flaw: tuple[str, ...]
    answer: tuple[str, ...]
    shows: tuple[str, ...]
    rc: float | None


def cells_of(item: Item, rows: Sequence[RowResult]) -> tuple[str, ...]:
    """The corners of the 2x2 that the answers to an item are in."""
    cells = [
        CELLS[row.correct, row.rc > 0]
        for row in rows
        if item.label != "tie" and row.n_refs and row.correct is not None and row.rc is not None
    ]
    return tuple(dict.fromkeys(cells))


def facets_of(
    item: Item,
    rows: Sequence[RowResult],
    labels: Iterable[ReasonLabel],
    shows: Sequence[str],
) -> Facets:
    """The facets of an item by these answers."""
    flaws = {flaw for label in labels for flaw in label.flaws}
    scores = [row.rc for row in rows if row.rc is not None]
    return Facets(
        cell=cells_of(item, rows),
        domain=(item.domain,),
        flaw=tuple(f"{flaw} {FLAWS[flaw].name}" for flaw in FLAWS if flaw in flaws),
        answer=tuple(dict.fromkeys(READ.get(row.outcome, "unreadable") for row in rows)),
        shows=tuple(dict.fromkeys(shows)),
        rc=sum(scores) / len(scores) if scores else None,
    )


def count_facets(found: Sequence[Facets]) -> dict[str, dict[str, int]]:
    """How many items have each value, by facet; a facet that all items share tells nothing."""
    counted = {
        "cell": Counter(value for one in found for value in one.cell),
        "shows": Counter(value for one in found for value in one.shows),
        "domain": Counter(value for one in found for value in one.domain),
        "flaw": Counter(value for one in found for value in one.flaw),
        "answer": Counter(value for one in found for value in one.answer),
    }
    return {
        name: dict(sorted(values.items(), key=lambda pair: _rank(name, pair[0])))
        for name, values in counted.items()
        if len(values) > 1 or (name in ("cell", "shows", "flaw") and values)
    }


def _rank(name: str, value: str) -> tuple[int, str]:
    order = list(CELLS.values()) if name == "cell" else []
    return (order.index(value) if value in order else len(order), value)


def is_spurious(row: RowResult, *, label: str | None) -> bool:
    """Right for the wrong reasons: the verdict is right, and no reason is matched."""
    return label != "tie" and row.correct is True and row.rc == 0
