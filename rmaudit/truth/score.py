"""The judge of program-made sets that knows the truth: it decides what reasons claim.

A generated item records what each fault consists of (`meta.facts`), how it is checked, and the
response without it. So whether a response has a fault is known, and what is left to be read is
which fault a reason states or denies, whatever its values: that is the reader's part. A reason that
states a fault which the response does not have, or denies one that it has, is false and earns 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.schema import Item, Reason
from rmaudit.records import ModelReason, Side
from rmaudit.truth.families import arithmetic, copy, formats, python, tables
from rmaudit.truth.masking import MaskedReason, seen_from, told
from rmaudit.truth.reader import ClaimReader, Verdict, shipped
from rmaudit.truth.slots import Part, Slot, finder, same
from rmaudit.truth.values import Value, folded, holds

NAME = "truth"
VERSION = "5"
"""1 compared words; 2 read claims by a grammar; 3 by a small model; 5 pays with less doubt only."""
UNKNOWN = "the item records no facts of its reasons, so their truth is not known"
READERS: dict[str, Callable[[Item, Reason, Sequence[str]], Slot]] = {
    "slogan": copy.slot_of,
    "ad-copy": copy.slot_of,
    "formats": formats.slot_of,
    "arithmetic": arithmetic.slot_of,
    "python": python.slot_of,
    "table-facts": tables.slot_of,
    "sql": tables.slot_of,
    "quantities": tables.slot_of,
}
"""Families that are not named here state values as they stand, as `ad-copy` does."""
MOST_READ = 4096
"""Characters of a reason: a longer one is not read, since the reader sees its beginning only."""
_OTHER: dict[Side, Side] = {"a": "b", "b": "a"}
_QUOTED = re.compile(r'"([^"\n]{1,80})"')
_DECIMAL = re.compile(r"\d+(?:\.\d+)?\Z")


class Decided(NamedTuple):
    """What is decided of the reasons of one answer.

    matrix: [n references, m reasons] on the grid. claims: whether what each reason claims is true,
    None where nothing of it could be looked up.
    """

    matrix: tuple[tuple[float, ...], ...]
    claims: tuple[bool | None, ...]


class Known(NamedTuple):
    """What is worked out once an item.

    slots: the faults that the item records, in the order of its reasons, and `references`, how they
    are worded, masked. unreal: for each response the faults of the other one that it does not have.
    values: finds the values of the item. texts: where a value may stand that is no invention.
    """

    slots: tuple[Slot, ...]
    references: tuple[str, ...]
    unreal: Mapping[Side, tuple[tuple[Slot, str], ...]]
    values: re.Pattern[str]
    texts: tuple[str, ...]
    differences: frozenset[str]


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


def decide(
    item: Item, reasons: Sequence[ModelReason], reader: ClaimReader | None = None
) -> Decided:
    """The scores of reasons, and whether what they claim is true.

    Args:
        item: with `meta.facts`.
        reasons: in item coordinates.
        reader: another than the shipped one.
    """
    known = known_of(item)
    views = [_view(known, reason) for reason in reasons]
    pairs = [pair for view in views if view for pair in view.pairs]
    verdicts = iter((reader or shipped()).read(pairs) if pairs else ())
    columns, claims = [], []
    for view in views:
        scores, claim = [0.0] * len(known.slots), None
        if view is not None:
            read = list(islice(verdicts, len(view.pairs)))
            scores, claim = _decided(known, view, read)
        columns.append(scores)
        claims.append(claim)
    rows = zip(*columns, strict=True) if columns else [() for _ in known.slots]
    return Decided(tuple(map(tuple, rows)), tuple(claims))


class _View(NamedTuple):
    """A reason with what the reader is asked of it: first the faults that are there, by number.

    unreal: for each of the others, whether the reason names its wrong value.
    """

    told: MaskedReason
    real: tuple[int, ...]
    unreal: tuple[bool, ...]
    pairs: tuple[tuple[str, str], ...]


def _view(known: Known, reason: ModelReason) -> _View | None:
    """None for a reason that speaks of no response, or of both at once, or is too long to read."""
    if reason.about not in ("a", "b") or len(reason.text) > MOST_READ:
        return None
    one = told(reason.text, reason.about, known.values)
    if one.shared:
        return None
    pairs, real, unreal = [], [], []
    for number, slot in enumerate(known.slots):
        if slot.about == reason.about and (found := _seen(one, slot)):
            pairs.append((known.references[number], found[0]))
            real.append(number)
    for slot, reference in known.unreal[reason.about]:
        if found := _seen(one, slot):
            pairs.append((reference, found[0]))
            # What merely stands where that one lacks something, or a part of it, names it not.
            unreal.append("wrong" in found[1] and bool(slot.wrong) and _worth(one, slot) == 1.0)
    return _View(one, tuple(real), tuple(unreal), tuple(pairs))


def _decided(
    known: Known, view: _View, verdicts: Sequence[Verdict]
) -> tuple[list[float], bool | None]:
    scores = [0.0] * len(known.slots)
    denied = False
    for number, verdict in zip(view.real, verdicts, strict=False):
        worth = _worth(view.told, known.slots[number])
        scores[number] = worth if verdict == "states" else 0.0
        # Who names half of a fault may have left out the rest: that is no denial.
        denied |= verdict == "denies" and worth == 1.0
    others = zip(view.unreal, verdicts[len(view.real) :], strict=True)
    # A fault that is there may share what should stand in its place with one that is not.
    untrue = any(
        verdict == "states" and (names_it or not any(scores)) for names_it, verdict in others
    )
    denied = denied and not any(scores)
    if denied or untrue or any(_invented(known, value) for value in view.told.values):
        return [0.0] * len(scores), False
    return scores, True if any(scores) else None


def _seen(one: MaskedReason, slot: Slot) -> tuple[str, frozenset[Part]] | None:
    """The text as seen from a slot; None where it names nothing that is at issue there."""
    text, parts = seen_from(one, slot)
    issue = {part for _, part in slot.facts} - {"context"} or {"context"}
    named = parts & issue or parts & {"wrong", "right"}
    return (text, parts) if named and not _elsewhere(one, slot) else None


def _elsewhere(one: MaskedReason, slot: Slot) -> bool:
    """Whether the reason speaks of another part, key or function, and not of this one."""
    text = " ".join([one.masked, *(value.text for value in one.values)])
    if slot.place is None or slot.place.search(text):
        return False
    return slot.placed or bool(slot.places and slot.places.search(text))


def _worth(one: MaskedReason, slot: Slot) -> float:
    """1 where every fact of the reference is named, else a half."""
    texts = [one.masked, *(folded(value.text) for value in one.values)]
    named = (
        any(
            same(value.text, fact, cased=slot.cased)
            or (value.marked and holds(folded(value.text), fact))
            for value in one.values
        )
        or (not fact[:1].isdigit() and any(holds(text, fact) for text in texts))
        for fact, _ in slot.facts
    )
    return 1.0 if all(named) else 0.5


def _invented(known: Known, value: Value) -> bool:
    """Whether a number or quotation stands nowhere in the item."""
    if value.kind not in ("number", "quoted") or value.text in known.differences:
        return False
    return not any(holds(text, value.text) for text in known.texts)


_CACHE: dict[int, tuple[Item, Known]] = {}


def known_of(item: Item) -> Known:
    """What is known of an item; kept for as long as many items are in use."""
    kept = _CACHE.get(id(item))
    if kept is not None and kept[0] is item:
        return kept[1]
    found = _work_out(item)
    if len(_CACHE) > 1 << 10:
        _CACHE.clear()
    _CACHE[id(item)] = item, found
    return found


def _work_out(item: Item) -> Known:
    facts = facts_of(item)
    reader = READERS.get(item.family, copy.slot_of)
    slots = tuple(
        replace(slot, own=folded(item.response(slot.about)))
        for slot in (reader(item, one, list(facts[one.id])) for one in item.reasons)
    )
    literals = {fact for reason in item.reasons for fact in facts[reason.id]}
    literals |= {value for slot in slots for value in slot.values()}
    literals |= {quoted for slot in slots for quoted in _QUOTED.findall(slot.text)}
    if READERS.get(item.family, copy.slot_of) is copy.slot_of:
        literals |= copy.demanded(item)
    values = finder(literals, cased=item.family == "python")
    request = " ".join(turn.content for turn in item.prompt)
    checks = " ".join(str(reason.check) for reason in item.reasons)
    repairs = " ".join(one.text for one in item.repairs or ())
    stated = " ".join(reason.text for reason in item.reasons)
    texts = (item.response_a, item.response_b, request, repairs, checks, stated, *literals)
    references = tuple(seen_from(told(slot.text, slot.about, values), slot)[0] for slot in slots)
    unreal: dict[Side, list[tuple[Slot, str]]] = {"a": [], "b": []}
    for slot, reference, reason in zip(slots, references, item.reasons, strict=True):
        other = _OTHER[slot.about]
        if reason.check and run_check(reason.check, item.response(other)):
            unreal[other].append((slot, reference))
    return Known(
        slots,
        references,
        {side: tuple(found) for side, found in unreal.items()},
        values,
        tuple(map(folded, texts)),
        frozenset(_differences(slots)),
    )


def _differences(slots: Sequence[Slot]) -> Iterator[str]:
    """By how much a wrong number is off: a reason may say so."""
    for slot in slots:
        for wrong in filter(_DECIMAL.match, slot.wrong):
            for right in filter(_DECIMAL.match, slot.right):
                yield f"{abs(Decimal(wrong) - Decimal(right)).normalize():f}"
