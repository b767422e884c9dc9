"""Rows of recorded outputs that bring no pair along, and the set whose items they are about.

A row names its item by the item's id, by `ITEM/ORDER` or `ITEM/ORDER/SAMPLE`, or shows the two
responses. What finds no item, and what comes a second time for one item, order and sample, is
counted and named, never dropped in silence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.records import FinishReason, Generation, Key, Verdict

ShownOrder = Literal["ab", "ba"]
_SWAPPED: dict[Verdict, Verdict] = {"a": "b", "b": "a", "tie": "tie", None: None}


class LooseRow(NamedTuple):
    """One recorded answer before its item is known; verdict and scores as shown.

    item: its id as the file has it, '' where `shown` tells it. order, sample: None where the
    file does not say. shown: the two responses in the order shown. error: why the call failed.
    decided: the file says what was decided.
    """

    line: int
    item: str
    order: ShownOrder | None = None
    sample: int | None = None
    text: str = ""
    finish_reason: FinishReason = "stop"
    thinking: str | None = None
    error: str | None = None
    decision: Verdict = None
    decided: bool = False
    scores: tuple[float, float] | None = None
    shown: tuple[str, str] | None = None


class Found(NamedTuple):
    """The rows by key, in item coordinates, and what became of the others."""

    generations: dict[Key, Generation]
    decisions: dict[Key, Verdict]
    scores: dict[Key, tuple[float, float]]
    facts: dict[str, object]


def find_items(rows: Sequence[LooseRow], items: Iterable[Item]) -> Found:
    """The rows of a file with the keys of the items that they are about."""
    known = _Known(items)
    found = Found({}, {}, {}, {})
    counted: Counter[str] = Counter()
    strangers: list[str] = []
    taken: set[Key] = set()
    for row in rows:
        key = known.key_of(row)
        if key is None:
            strangers.append(row.item or f"line {row.line}")
        elif key in taken:
            counted["rows_of_a_key_that_came_before"] += 1
        else:
            taken.add(key)
            counted["failed_calls"] += row.error is not None
            _take(found, key, row)
    counted["rows"] = len(rows)
    counted["rows_of_no_item"] = len(strangers)
    found.facts.update({name: count for name, count in counted.items() if count})
    if strangers:
        found.facts["first_of_no_item"] = strangers[0]
    return found


def _take(found: Found, key: Key, row: LooseRow) -> None:
    swapped = key.order == "ba"
    finish: FinishReason = "error" if row.error is not None else row.finish_reason
    found.generations[key] = Generation(key, row.text, finish, row.thinking, error=row.error)
    if row.decided and row.error is None:
        found.decisions[key] = _SWAPPED[row.decision] if swapped else row.decision
    if row.scores is not None and row.error is None:
        found.scores[key] = row.scores[::-1] if swapped else row.scores


_PARTS = re.compile(r"(?P<item>.*?)[/:|](?P<order>ab|ba)(?:[/:|](?P<sample>\d{1,6}))?\Z", re.DOTALL)


class _Known:
    """Items by id and by their responses."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._ids: set[str] = set()
        self._texts: dict[tuple[str, str], tuple[str, ShownOrder]] = {}
        for item in items:
            self._ids.add(item.id)
            self._texts.setdefault((item.response_b, item.response_a), (item.id, "ba"))
            self._texts[item.response_a, item.response_b] = (item.id, "ab")

    def key_of(self, row: LooseRow) -> Key | None:
        """The key of a row, None where no item is its."""
        place = self._named(row.item) if row.item else None
        if place is None and row.shown is not None:
            shown = self._texts.get(row.shown)
            place = None if shown is None else (*shown, None)
        if place is None:
            return None
        item, order, sample = place
        order = order or row.order or "ab"
        sample = row.sample if sample is None else sample
        return Key(item, order=order, sample=sample or 0)

    def _named(self, name: str) -> tuple[str, ShownOrder | None, int | None] | None:
        if name in self._ids:
            return name, None, None
        parts = _PARTS.match(name)
        if parts is None or parts["item"] not in self._ids:
            return None
        order: ShownOrder = "ba" if parts["order"] == "ba" else "ab"
        return parts["item"], order, int(parts["sample"]) if parts["sample"] else None


def remarks_on(facts: Mapping[str, object], *, name: str) -> list[str]:
    """What a reader has to know of the rows that were not used, each with its count."""
    told = []
    if count := facts.get("rows_of_no_item"):
        told.append(
            f"{count} of {facts['rows']} rows of {name} are about no item of the set, the first "
            f"of them {facts['first_of_no_item']}"
        )
    if count := facts.get("rows_of_a_key_that_came_before"):
        told.append(
            f"rows of {name} that repeat an item, order and sample: {count}; of each one is kept"
        )
    if count := facts.get("labels_of_another_type"):
        told.append(f"rows of {name} whose label names no side: {count}, counted as failures")
    if count := facts.get("failed_calls"):
        told.append(f"rows of {name} that hold a failed call: {count}, no verdicts and no ties")
    return told
