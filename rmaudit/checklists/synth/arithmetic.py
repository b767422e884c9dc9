"""Family `arithmetic`: word problems in several independent parts with worked solutions.

A problem asks for four to six quantities, each with its own numbers, working and answer line. So a
wrong number is carried on to the end of its part, as in a real solution, and yet spoils no other
answer: errors stay independent without a solution that silently repairs itself half-way. Units,
the rule in words, the greeting and the closing reminder are requirements of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

import regex

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth.arithmetic_plans import Amount, Blunder, Slip, Worked, work
from rmaudit.checklists.synth.arithmetic_scenes import SCENES, Part, Scene
from rmaudit.checklists.synth.arithmetic_words import (
    ASKS,
    CLOSINGS,
    HEADINGS,
    KINDS,
    LAYOUTS,
    NAMES,
    OPENINGS,
    REMINDERS,
    RULES,
    Layout,
)
from rmaudit.checklists.synth.base import Family, Fault, pick_style

LEAST_PARTS, MOST_PARTS = 4, 6
TRIES = 12
SHIFTS = tuple(Fraction(sign * size) for size in (1, 2, 3, 5, 9, 10, 18, 20, 100) for sign in (1, -1))
SLIPS = tuple(Fraction(sign * size) for size in (1, 2, 10, 20, 100) for sign in (1, -1))


@dataclass(frozen=True, slots=True)
class Problem:
    """One lettered part: its story, its right solution, and what else is asked of it."""

    letter: str
    part: Part
    units: dict[str, str]
    right: Worked
    asks_rule: bool

    @property
    def question(self) -> str:
        """The part as the prompt asks it."""
        text = f"({self.letter}) {self.part.question.format(**self.right.values)}"
        return text + " State the rule in words as well." * self.asks_rule

    @property
    def wrong_units(self) -> tuple[str, ...]:
        """Units that the answer could be mistaken in."""
        return self.part.wrong_units or self.part.puzzle.wrong_units

    @property
    def value_check(self) -> Check:
        """The answer line has the right number."""
        answer = self.right.answer
        shown = answer.number if self.wrong_units else str(answer)
        return {"kind": "contains", "value": f"Answer ({self.letter}): {shown}"}

    @property
    def unit_check(self) -> Check:
        """The answer line has the right unit, whatever its number."""
        unit = regex.escape(self.right.answer.unit)
        return {"kind": "regex", "value": rf"Answer \({self.letter}\): [\d.,]+ {unit}(?!\S)"}

    @property
    def rule_check(self) -> Check:
        """The rule in words is stated."""
        return {"kind": "contains", "value": self.part.puzzle.rule.right}

    @property
    def requirements(self) -> list[Check]:
        """Number, unit, rule."""
        checks = [self.value_check]
        if self.wrong_units:
            checks.append(self.unit_check)
        if self.asks_rule:
            checks.append(self.rule_check)
        return checks

    def words(self, **more: object) -> dict[str, object]:
        """What every wording about this part may name."""
        what = self.part.what.format(**self.right.values)
        return {"part": f"part ({self.letter})", "what": what, "right": self.right.answer, **more}
