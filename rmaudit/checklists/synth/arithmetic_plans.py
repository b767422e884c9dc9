"""A plan says how a puzzle is solved step by step, and `work` carries it out on some numbers.

A plan line is text: `full = n × p : price before the discount : money`. A wrong number that enters
a step is carried on to the answer, as in a real solution, so that a fault (a miscopied value, a
slip in one step, another plan) needs no arithmetic of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor
from random import Random
from typing import NamedTuple

CURRENCIES = ("$", "€", "£")


class Amount(NamedTuple):
    """A number with its unit: a currency sign, `%`, a word, or nothing."""

    value: Decimal
    unit: str = ""

    @property
    def number(self) -> str:
        """The number alone: money with two decimals, others with as many as needed."""
        text = f"{self.value:,.2f}"
        return text if self.unit in CURRENCIES else text.removesuffix("0").removesuffix(".0")

    def __str__(self) -> str:
        if self.unit in CURRENCIES:
            return self.unit + self.number
        return self.number + (self.unit if self.unit == "%" else f" {self.unit}".rstrip())


Values = Mapping[str, Amount]


class PlanLine(NamedTuple):
    """A parsed line of a plan: `variable = operands[0] sign operands[1] ...`."""

    variable: str
    operands: tuple[str, ...]
    sign: str
    name: str
    unit: str


Plan = tuple[PlanLine, ...]


class PlanStep(NamedTuple):
    """One line of working: what it computes and how. rounding: `up`, `down` or nothing."""

    name: str
    expression: str
    result: Amount
    rounding: str = ""

    def __str__(self) -> str:
        if self.rounding:
            return f"{self.expression} ≈ {self.result}, rounded {self.rounding}"
        return f"{self.expression} = {self.result}"


class Worked(NamedTuple):
    """A solution. clean: all results are positive and exact to two decimals.

    answer is the result of the last step, unless it was miscopied from it.
    """

    values: Values
    steps: tuple[PlanStep, ...]
    answer: Amount
    clean: bool


class Slip(NamedTuple):
    """A miscalculated step: its number, and by how much its result is off."""

    step: int
    shift: Decimal


class Blunder(NamedTuple):
    """A wrong plan. note: what it leaves out or answers instead, with values as `{name}`."""

    kind: str
    plan: Plan
    note: str = ""


class PuzzleRule(NamedTuple):
    """The rule of a puzzle in words, `subject` is `right`, and a misstatement of it."""

    subject: str
    right: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Puzzle:
    """draw: numbers that often, not always, have a clean solution; a scene gives units their names.

    copied: values that are easily miscopied. wrong_units: units mistaken for that of the answer,
    none for money.
    """

    draw: Callable[[Random], dict[str, Amount]]
    plan: Plan
    blunders: tuple[Blunder, ...]
    copied: tuple[str, ...]
    rule: PuzzleRule
    wrong_units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanPart:
    """A puzzle in a scene.

    question: with values as `{name}`. what: the quantity asked, as a noun phrase. given: the data
    in brief. units: names of units in this scene; wrong_units overrides the puzzle's.
    """

    puzzle: Puzzle
    question: str
    what: str
    given: str
    units: Mapping[str, str] = field(default_factory=dict)
    wrong_units: tuple[str, ...] = ()


class Scene(NamedTuple):
    """intro: with `{name}`. reminder: with `{time}`, a clause that an answer closes with."""

    intro: str
    reminder: str
    parts: tuple[PlanPart, ...]


def amount(value: Decimal | int, unit: str = "") -> Amount:
    """A number with its unit."""
    return Amount(Decimal(value), unit)


def halves(rng: Random, low: int, high: int) -> Decimal:
    """A multiple of one half from `low` to `high`."""
    return Decimal(rng.randint(2 * low, 2 * high)) / 2


def plan(*lines: str) -> Plan:
    """Parse a plan.

    `x = a + b + ...` may have many terms, `x = q up` and `x = q down` round to a whole number.
    """
    return tuple(_line(line) for line in lines)


def edit(base: Plan, *dropped: str, **changed: str) -> Plan:
    """A plan without the lines of some variables and with other expressions for others."""
    return tuple(
        _line(f"{line.variable} = {changed[line.variable]} : {line.name} : {line.unit}")
        if line.variable in changed
        else line
        for line in base
        if line.variable not in dropped
    )


def _line(text: str) -> PlanLine:
    step, name, unit = (field.strip() for field in text.split(":"))
    variable, _, expression = step.partition(" = ")
    words = expression.split()
    return PlanLine(variable, tuple(words[::2]), words[1], name, unit)


BINARY: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "−": lambda left, right: left - right,
    "×": lambda left, right: left * right,
    # No positive result comes before a division by zero, so that such a solution is not clean.
    "÷": lambda left, right: left / right if right else Decimal(0),
    "of": lambda left, right: left * right / 100,
}
ROUND: dict[str, Callable[[Decimal], int]] = {"up": ceil, "down": floor}


def work(lines: Plan, values: Values, units: Mapping[str, str], slip: Slip | None = None) -> Worked:
    """Carry out a plan. An operand is a value, an earlier result or a plain number.

    units: names that a scene gives to units, e.g. a currency sign to `money`.
    """
    known = dict(values)
    steps: list[PlanStep] = []
    clean = True
    for number, line in enumerate(lines):
        operands = [
            known[name] if name in known else Amount(Decimal(name)) for name in line.operands
        ]
        expression, value = _compute(line.sign, operands)
        if slip is not None and slip.step == number:
            value += slip.shift
        clean &= value > 0 and value == round(value, 2)
        rounding = line.sign if line.sign in ROUND else ""
        clean &= not rounding or operands[0].value % 1 != 0
        known[line.variable] = Amount(value, units.get(line.unit, line.unit))
        steps.append(PlanStep(line.name, expression, known[line.variable], rounding))
    return Worked(values, tuple(steps), steps[-1].result, clean)


def _compute(sign: str, operands: list[Amount]) -> tuple[str, Decimal]:
    first = operands[0]
    if sign in ROUND:
        return str(first), Decimal(ROUND[sign](first.value))
    if sign == "+":
        total = sum((operand.value for operand in operands), Decimal(0))
        return " + ".join(str(operand) for operand in operands), total
    return f"{first} {sign} {operands[1]}", BINARY[sign](first.value, operands[1].value)
