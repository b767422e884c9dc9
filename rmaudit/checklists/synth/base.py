"""What a family of program-made items supplies: tasks, their faults, and how they render.

A task holds requirements. A fault breaks exactly one of them and touches nothing else, so that a
response is the rendering of a set of faults and its repair is the rendering without one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol, TypeVar

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth.cues import GENERAL, Phrases

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Fault:
    """One injectable fault.

    slot: the part of the response that it spoils; one response holds at most one fault a slot.
    kind: what is wrong, for counting (`wrong_price`). weight: severity, 1 to 3.
    check: the requirement of the task that it breaks.
    facts: what is specific to this item (numbers, names, quoted words); every wording names them.
    wordings: full sentences with `{side}` where the response is named. value: what is rendered.
    """

    slot: str
    kind: str
    weight: int
    check: Check
    facts: tuple[str, ...]
    wordings: tuple[str, ...]
    value: object = None


class Task(Protocol):
    """One request, with everything needed to answer it well or badly."""

    @property
    def prompt(self) -> str:
        """The request, as a user would type it."""
        ...

    @property
    def requirements(self) -> Sequence[Check]:
        """All that a clean response meets; a fault's check is one of them."""
        ...

    def faults(self, rng: Random) -> Sequence[Fault]:
        """Faults that one response can have, at most one a slot, drawn afresh at each call."""
        ...

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """The response with these faults; `style` picks wording and order, never a fault."""
        ...


class Family(NamedTuple):
    """A generator of tasks. `max_faults` bounds the reasons of an item (never above 7).

    phrases: what the cues among the controls say.
    """

    name: str
    domain: str
    draw: Callable[[Random], Task]
    max_faults: int = 7
    phrases: Phrases = GENERAL


def pick_style(style: int, salt: str) -> Random:
    """A stream for one independent choice of a style, so that choices do not shift each other."""
    return Random(f"{salt}/{style}")


REACH = 1.6
"""In a near order an entry overtakes the next one now and then."""


def near_order(count: int, rng: Random) -> list[float]:
    """A sort key for each of `count` entries, from 0 to about `count`.

    Two such orders have most in common, so that a diff of two texts finds many small differences
    where two orders drawn at will give a few large ones.
    """
    return [place + rng.uniform(0, REACH) for place in range(count)]


def moved(entries: Sequence[Entry], rng: Random) -> list[Entry]:
    """The entries in a near order."""
    keys = near_order(len(entries), rng)
    return [entries[place] for place in sorted(range(len(entries)), key=keys.__getitem__)]


def arranged(
    style: int,
    openings: Sequence[str],
    sentences: Mapping[str, Sequence[str]],
    *,
    near: bool = False,
) -> str:
    """A template: an opening, if there are any, then a sentence a slot, in the style's own order.

    near: the order stays near that of the mapping, see `near_order`.
    """
    order, rng = list(sentences), pick_style(style, "order")
    order = moved(order, rng) if near else rng.sample(order, len(order))
    parts = [pick_style(style, "opening").choice(openings)] if openings else []
    return " ".join([*parts, *(pick_style(style, slot).choice(sentences[slot]) for slot in order)])


def worded(core: str, heads: Sequence[str], tails: Sequence[str]) -> tuple[str, ...]:
    """Every head with every tail, around what the sentence states.

    Two responses share the core and seldom the rest, so that one sentence differs in two places.
    """
    return tuple(f"{head} {core} {tail}." for head in heads for tail in tails)
