"""Writes the reasons of planted models: true faults in other words, and every kind of bad reason.

All speak of the responses as shown: in order `ba`, response a of the item is Response B.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rmaudit.checklists.schema import Item, Reason
from rmaudit.recordings.recording import ShownOrder
from rmaudit.records import Side
from rmaudit.selftest.bad_reasons import FLAWED
from rmaudit.selftest.formats import Shown, WrittenReason
from rmaudit.selftest.wordings import WORDINGS

SIDES: tuple[Side, Side] = ("a", "b")


def shown(side: Side, order: ShownOrder) -> Shown:
    """The letter under which a response of the item was shown."""
    return "A" if (side == "a") == (order == "ab") else "B"


def other(side: Side) -> Side:
    """The other response."""
    return "b" if side == "a" else "a"


def named(letter: Shown) -> str:
    """The response's name, as the prompt defined it."""
    return f"Response {letter}"


def side_of(reason: Reason) -> Side:
    """The response that has the fault; program-made reasons are about one."""
    if reason.about not in SIDES:
        raise ValueError(f"reason '{reason.id}' is not about one response")
    return reason.about


def true_fault(item: Item, reason: Reason, order: ShownOrder, rng: Random) -> WrittenReason:
    """The fault of a reference in a judge's own words."""
    letter = shown(side_of(reason), order)
    kind = f"{item.family}/{item.meta['kinds'][reason.id]}"
    wording = rng.choice(WORDINGS[kind])
    return WrittenReason(wording.format(*item.meta["facts"][reason.id], side=named(letter)), letter)


def flawed(flaw: str, letter: Shown, n: int, rng: Random) -> list[WrittenReason]:
    """`n` reasons about one response that have one flaw, no two alike."""
    chosen = rng.sample(FLAWED[flaw], n)
    return [WrittenReason(wording.format(side=named(letter)), letter) for wording in chosen]


def one_sentence(said: Sequence[WrittenReason]) -> WrittenReason:
    """Several faults of one response run together into one reason."""
    clauses = [one.text.rstrip(".") for one in said]
    first, *rest = clauses
    return WrittenReason(
        first + "".join(f"; moreover, {clause}" for clause in rest) + ".", said[0].side
    )
