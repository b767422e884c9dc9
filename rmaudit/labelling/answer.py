"""Reads a labeller's answer; what is not readable in full is malformed, never "no flaws".

The answer is the text after the thinking: JSON, anywhere in it and once, since of two lists that
differ one may be quoted; else one line a reason such as `S1 EG F4` or `S2: GS, none`, and
`gold: correct`.
Every reason is labelled exactly once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from rmaudit.judging.answers import Malformed, after_thinking, numbered, only_value
from rmaudit.records import Category, Flaw, Gold, ReasonLabel
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES, GOLD


class Labelled(NamedTuple):
    """The labels of the reasons, in their order, and the gold verdict where it was asked for."""

    labels: tuple[ReasonLabel, ...]
    gold: Gold | None


class _Entry(NamedTuple):
    number: int
    label: ReasonLabel


def read_labels(text: str, *, n_reasons: int, gold: bool) -> Labelled:
    """The labels that the answer `text` gives.

    Raises:
        Malformed: nothing readable, a label that there is none of, a reason labelled twice, not at
            all or not there, or no gold verdict where `gold` says that one was asked for.
    """
    answer = after_thinking(text)
    value = only_value(answer, _labels_of, key="labels")
    if value is None:
        entries, said = _lines(answer)
    else:
        entries, said = [_entry(one) for one in value["labels"]], value.get("gold")
    by_number = {entry.number: entry.label for entry in entries}
    if len(by_number) < len(entries):
        raise Malformed("it labels a reason twice")
    if sorted(by_number) != list(range(1, n_reasons + 1)):
        raise Malformed(f"it does not label each of the {n_reasons} reasons")
    labels = tuple(by_number[number] for number in range(1, n_reasons + 1))
    return Labelled(labels, _gold(said) if gold else None)


def _labels_of(value: object) -> dict[str, Any] | None:
    if isinstance(value, dict) and isinstance(value.get("labels"), list):
        return value
    if isinstance(value, list) and value and all(_looks_like_label(one) for one in value):
        return {"labels": value}
    return None


def _looks_like_label(entry: object) -> bool:
    return isinstance(entry, dict) and entry.keys() >= {"s", "category"}


def _entry(entry: object) -> _Entry:
    if not isinstance(entry, dict) or not entry.keys() >= {"s", "category", "flaws"}:
        raise Malformed("a label lacks s, category or flaws")
    flaws = entry["flaws"]
    if not isinstance(flaws, list) or not all(isinstance(flaw, str) for flaw in flaws):
        raise Malformed("flaws are not a list of names")
    return _Entry(
        numbered(entry["s"], "S"), ReasonLabel(_category(entry["category"]), _flaws(flaws))
    )


def _category(name: object) -> Category:
    for category in CATEGORY_NAMES:
        if category == name:
            return category
    raise Malformed("it names a category that there is none of")


def _flaws(names: Iterable[str]) -> tuple[Flaw, ...]:
    found = set(names)
    if not found <= set(FLAW_NAMES):
        raise Malformed("it names a flaw that there is none of")
    return tuple(flaw for flaw in FLAW_NAMES if flaw in found)


def _gold(said: object) -> Gold:
    for verdict in GOLD:
        if verdict == said:
            return verdict
    raise Malformed("it does not say whether the reasons give the ground of the gold judgment")


_LINE = re.compile(r"[\W_]*S([0-9]{1,4})\b[\W_]*(.*)")
_REST = re.compile(r"(EG|CG|GS)\b[\W_]*((?:F[1-9]\b[\W_]*)*|none\W*)", re.IGNORECASE)
_GOLD_LINE = re.compile(r"\W*gold\W+(correct|incorrect)\W*", re.IGNORECASE)


def _lines(answer: str) -> tuple[list[_Entry], str | None]:
    entries, gold = [], None
    for line in answer.splitlines():
        if found := _GOLD_LINE.fullmatch(line):
            gold = found[1].casefold()
        elif start := _LINE.match(line):
            rest = _REST.fullmatch(start[2])
            if rest is None:
                raise Malformed("a line names a reason and gives no readable label")
            flaws = re.findall(r"F[1-9]", rest[2].upper())
            entries.append(
                _Entry(int(start[1]), ReasonLabel(_category(rest[1].upper()), _flaws(flaws)))
            )
    if not entries:
        raise Malformed("it holds no list of labels")
    return entries, gold
