"""What a family of program-made items supplies: tasks, their faults, and how they render.

A task holds requirements. A fault breaks exactly one of them and touches nothing else, so that a
response is the rendering of a set of faults and its repair is the rendering without one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth.cues import GENERAL, Phrases


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


def arranged(style: int, openings: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> str:
    """A template: one of the openings, then one sentence a slot, in an order of the style's own."""
    order = list(sentences)
    pick_style(style, "order").shuffle(order)
    parts = [pick_style(style, "opening").choice(openings)]
    return " ".join([*parts, *(pick_style(style, slot).choice(sentences[slot]) for slot in order)])
