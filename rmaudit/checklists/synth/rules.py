"""A rule is one line of a brief: its check, the words that ask for it, and ways to break it.

Families that fill a template from rules keep the label out of the surface by construction: what a
fault renders is drawn from the same kind of values as what it replaces, and a broken length limit
is missed by the same distance as a kept one, in both directions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, NamedTuple

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth.base import Fault

# What the slots hold; only the renderer of a family knows the types.
Values = dict[str, Any]


class FaultKind(NamedTuple):
    """A kind of fault with its severity and the templates of its wordings.

    Templates name the response as `{side}` and the facts as `{right}` and `{wrong}`.
    """

    name: str
    weight: int
    wordings: tuple[str, ...]


class Break(NamedTuple):
    """One way to break a rule: what is rendered, and what a reason quotes of it."""

    kind: FaultKind
    value: Any
    quote: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a brief.

    slot: the part of the response that meets it. ask: the sentence of the prompt.
    right: what a reason quotes as demanded. good: values that meet the rule; a style picks one.
    breaks: ways to break it. names: further words that the wordings use.
    """

    slot: str
    check: Check
    ask: str
    right: str
    good: Sequence[Any]
    breaks: Sequence[Break]
    names: Mapping[str, str] = field(default_factory=dict)

    def fault(self, rng: Random) -> Fault:
        """One of the ways to break this rule."""
        kind, value, quote = rng.choice(self.breaks)
        words = {"side": "{side}", "right": self.right, "wrong": quote, **self.names}
        return Fault(
            slot=self.slot,
            kind=kind.name,
            weight=kind.weight,
            check=self.check,
            facts=(self.right,) if quote in ("", self.right) else (self.right, quote),
            wordings=tuple(wording.format(**words) for wording in kind.wordings),
            value=value,
        )


def good_values(rules: Sequence[Requirement], rng: Random) -> Values:
    """A clean value for every slot."""
    return {rule.slot: rng.choice(rule.good) for rule in rules}


def with_faults(values: Values, faults: Sequence[Fault]) -> Values:
    """The values with those of the faults in place."""
    return values | {fault.slot: fault.value for fault in faults}


def others(pool: Sequence[str], right: str) -> list[str]:
    """The pool without the right value."""
    return [entry for entry in pool if entry != right]


def a_or_an(noun: str) -> str:
    """The noun with its indefinite article, by its first letter."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def upper_first(text: str) -> str:
    """The text with a capital first letter and the rest as it is."""
    return text[:1].upper() + text[1:]


def bullets_or_prose(opening: str, asks: Sequence[str], *, bulleted: bool, lead: str) -> str:
    """A prompt from its sentences: one paragraph, or a list under a lead-in line."""
    if bulleted:
        return f"{opening} {lead}\n" + "\n".join(f"- {ask}" for ask in asks)
    return " ".join([opening, *asks])


Unit = Literal["characters", "words"]
# Distance between a limit and the nearest aim, and how far aims spread. The gap covers what faults
# in other slots add or take; the spread is wider than any filler sentence, so that one always fits.
GAP: dict[Unit, int] = {"characters": 50, "words": 12}
SPREAD: dict[Unit, int] = {"characters": 70, "words": 14}
ROUND: dict[Unit, int] = {"characters": 10, "words": 5}

TOO_LONG = FaultKind("over_limit", 2, (
    "{side} is longer than the limit of {right} {unit}.",
    "The limit is {right} {unit}, and {side} goes past it.",
    "{side} does not stay within {right} {unit} as asked.",
    "With more than {right} {unit}, {side} breaks the length limit.",
))  # fmt: skip
TOO_SHORT = FaultKind("under_limit", 2, (
    "{side} falls short of the minimum of {right} {unit}.",
    "At least {right} {unit} were asked for, and {side} has fewer.",
    "{side} does not reach the required {right} {unit}.",
    "With fewer than {right} {unit}, {side} is shorter than the request allows.",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on the length of a response, kept or broken by the number of filler sentences."""

    unit: Unit
    bound: Literal["max", "min"]
    value: int

    @classmethod
    def draw(cls, rng: Random, longest: str) -> Limit:
        """A limit that `longest`, the longest text without filler, stays well below."""
        unit: Unit = rng.choice(("characters", "words"))
        room = rng.randint(0, 6) * ROUND[unit]
        lowest = size(longest, unit) + GAP[unit]
        value = -(-lowest // ROUND[unit]) * ROUND[unit] + room
        return cls(unit, rng.choice(("max", "min")), value)

    def rule(self, rng: Random) -> Requirement:
        """The rule; its values say whether the limit is broken."""
        kind = f"{self.bound}_{'chars' if self.unit == 'characters' else 'words'}"
        spaces = ", spaces included" if self.unit == "characters" else ""
        asks = {
            "max": (
                f"Use at most {self.value} {self.unit}{spaces}.",
                f"Keep it within {self.value} {self.unit}{spaces}.",
                f"The limit is {self.value} {self.unit}{spaces}.",
            ),
            "min": (
                f"Use at least {self.value} {self.unit}{spaces}.",
                f"Write no fewer than {self.value} {self.unit}{spaces}.",
                f"The minimum length is {self.value} {self.unit}{spaces}.",
            ),
        }
        return Requirement(
            slot="limit",
            check={"kind": kind, "value": self.value},
            ask=rng.choice(asks[self.bound]),
            right=str(self.value),
            good=(False,),
            breaks=(Break(TOO_LONG if self.bound == "max" else TOO_SHORT, True, ""),),
            names={"unit": self.unit},
        )

    def filler_count(self, core: str, fillers: Sequence[str], *, broken: bool, rng: Random) -> int:
        """How many of the fillers, in order, bring `core` to an aim on the right side."""
        above = (self.bound == "min") != broken
        nearest = self.value + (1 if above else -1) * GAP[self.unit]
        spread = SPREAD[self.unit] * rng.uniform(0.4, 0.6)
        aim = nearest + spread if above else nearest - spread
        best, best_miss, total = 0, float("inf"), size(core, self.unit)
        for count in range(len(fillers) + 1):
            if count:
                total += size(f" {fillers[count - 1]}", self.unit)
            if abs(total - aim) < best_miss:
                best, best_miss = count, abs(total - aim)
        return best


def size(text: str, unit: Unit) -> int:
    """Length in the unit, as the checks count it."""
    return len(text) if unit == "characters" else len(text.split())
