"""The judge of program-made sets that knows the truth: it decides what reasons claim.

A generated item records what each fault consists of (`meta.facts`), how it is checked, and the
response without it. So what a reason says of a response (has, lacks, exceeds, returns) is true or
false of that very response, whatever words it uses. A false claim earns 0, a true one earns what it
states of a fault. It needs no model, and knows nothing of sets that no program made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from re import Pattern
from typing import NamedTuple

from rmaudit.checklists.schema import Item, Reason
from rmaudit.records import ModelReason, Side
from rmaudit.truth.claims import Texts, refuted, stated
from rmaudit.truth.families import arithmetic, copy, formats, python
from rmaudit.truth.language import read
from rmaudit.truth.slots import Slot, finder
from rmaudit.truth.values import folded

NAME = "truth"
VERSION = "2"
"""1 compared words; 2 decides claims."""
UNKNOWN = "the item records no facts of its reasons, so their truth is not known"
READERS: dict[str, Callable[[Item, Reason, Sequence[str]], Slot]] = {
    "slogan": copy.slot_of,
    "ad-copy": copy.slot_of,
    "formats": formats.slot_of,
    "arithmetic": arithmetic.slot_of,
    "python": python.slot_of,
}


_DECIMAL = re.compile(r"\d+(?:\.\d+)?\Z")


class Decided(NamedTuple):
    """What is decided of the reasons of one answer.

    matrix: [n references, m reasons] on the grid. claims: whether what each reason claims is true,
    None where nothing of it could be looked up.
    """

    matrix: tuple[tuple[float, ...], ...]
    claims: tuple[bool | None, ...]


def facts_of(item: Item) -> Mapping[str, Sequence[str]]:
    """The facts of each reason by its id; empty for items that record none."""
    facts = item.meta.get("facts")
    if not isinstance(facts, dict) or not all(facts.get(reason.id) for reason in item.reasons):
        return {}
    return facts


def matrix(item: Item, reasons: Sequence[ModelReason]) -> tuple[tuple[float, ...], ...]:
    """How far each model reason states each fault of a generated item, on the grid.

    Args:
        item: with `meta.facts`.
        reasons: in item coordinates.
    """
    return decide(item, reasons).matrix


def decide(item: Item, reasons: Sequence[ModelReason]) -> Decided:
    """The scores of reasons, and whether what they claim is true.

    Args:
        item: with `meta.facts`.
        reasons: in item coordinates.
    """
    known = _known(item)
    columns: list[list[float]] = []
    claims: list[bool | None] = []
    for reason in reasons:
        scores, claim = _decide_one(known, reason)
        columns.append(scores)
        claims.append(claim)
    rows = zip(*columns, strict=True) if columns else [() for _ in known.slots]
    return Decided(tuple(map(tuple, rows)), tuple(claims))


class _Known(NamedTuple):
    """What is worked out once an item."""

    slots: tuple[Slot, ...]
    values: Pattern[str]
    texts: dict[Side, Texts]


def _decide_one(known: _Known, reason: ModelReason) -> tuple[list[float], bool | None]:
    nothing = [0.0] * len(known.slots)
    if reason.about not in ("a", "b"):
        return nothing, None
    reading = read(reason.text, reason.about, known.values)
    own = [slot for slot in known.slots if slot.about == reason.about]
    false, decided = refuted(reading, known.texts[reason.about], own)
    if reading.shared:
        return nothing, False if false else None
    verdicts = [
        stated(reading, slot) if slot.about == reason.about else None for slot in known.slots
    ]
    true = any(verdict.true for verdict in verdicts if verdict)
    denied = not true and any(verdict.false for verdict in verdicts if verdict)
    if false or denied:
        return nothing, False
    scores = [verdict.score if verdict else 0.0 for verdict in verdicts]
    return scores, True if true or decided else None


_CACHE: dict[int, tuple[Item, _Known]] = {}


def _known(item: Item) -> _Known:
    kept = _CACHE.get(id(item))
    if kept is not None and kept[0] is item:
        return kept[1]
    facts = facts_of(item)
    reader = READERS.get(item.family, copy.slot_of)
    slots = tuple(reader(item, reason, list(facts[reason.id])) for reason in item.reasons)
    literals = {fact for reason in item.reasons for fact in facts[reason.id]}
    literals |= {value for slot in slots for value in slot.values()}
    if item.family in ("slogan", "ad-copy"):
        literals |= copy.demanded(item)
    request = " ".join(turn.content for turn in item.prompt)
    repairs = {
        side: " ".join(one.text for one in item.repairs or () if one.response == side)
        for side in ("a", "b")
    }
    checks = " ".join(str(reason.check) for reason in item.reasons)
    limits = frozenset(str(slot.size.needed) for slot in slots if slot.size)
    if item.family == "formats":
        limits |= formats.keys_of(item)
    texts: dict[Side, Texts] = {}
    sides: tuple[tuple[Side, Side], ...] = (("a", "b"), ("b", "a"))
    for side, other in sides:
        texts[side] = Texts(
            own=folded(item.response(side)),
            other=folded(item.response(other)),
            wanted=folded(" ".join((request, repairs[side], checks))),
            plain=item.family in ("slogan", "ad-copy"),
            numbers=limits | {"you", "your", "yours"},
            differences=_differences(slots),
            sections=arithmetic.sections(item.response(side))
            if item.family == "arithmetic"
            else (),
        )
    found = _Known(slots, finder(literals, cased=item.family == "python"), texts)
    if len(_CACHE) > 1 << 10:
        _CACHE.clear()
    _CACHE[id(item)] = item, found
    return found


def _differences(slots: Sequence[Slot]) -> frozenset[str]:
    """By how much a wrong number is off: a reason may say so."""
    found = {
        f"{abs(Decimal(wrong) - Decimal(right)).normalize():f}"
        for slot in slots
        for wrong in slot.wrong
        for right in slot.right
        if _DECIMAL.match(wrong) and _DECIMAL.match(right)
    }
    return frozenset(found)
