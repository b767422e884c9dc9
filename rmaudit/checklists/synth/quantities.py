"""Family `quantities`: twelve conversions of units and sums with dates, a line each.

A fault is the result of one mistake that people make: a factor of ten, the inverse factor, a day
more or less, a month that is taken to have thirty days.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import NamedTuple

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth.base import Family, Fault, near_order, pick_style

QUESTIONS = 12
LETTERS = "abcdefghijkl"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
# From, to, and how many of the second are one of the first.
UNITS: tuple[tuple[str, str, Fraction], ...] = (
    ("km", "m", Fraction(1000)),
    ("m", "cm", Fraction(100)),
    ("kg", "g", Fraction(1000)),
    ("litres", "ml", Fraction(1000)),
    ("hours", "minutes", Fraction(60)),
    ("days", "hours", Fraction(24)),
    ("km/h", "m/s", Fraction(5, 18)),
    ("hectares", "square metres", Fraction(10000)),
    ("cm", "mm", Fraction(10)),
    ("tonnes", "kg", Fraction(1000)),
    ("weeks", "days", Fraction(7)),
    ("minutes", "seconds", Fraction(60)),
)
PROMPTS = (
    "Work out all of these. Write a line for each, with its letter first.",
    "Please answer the questions below, one line each, letter first.",
    "Solve these for a worksheet: one line for each, beginning with the letter.",
    "I need the results of the following; give each its own line under its letter.",
)
LINES = (
    "({letter}) The result is {value}.",
    "({letter}) That gives {value}.",
    "({letter}) {value} is what comes out.",
    "({letter}) We get {value} here.",
    "({letter}) The answer: {value}.",
    "({letter}) This makes {value} in all.",
)
OPENINGS = (
    "Here are the results.", "All of them, one by one:", "Results of the worksheet:",
    "Each line stands for one question.", "The lines follow below.",
)  # fmt: skip
WORDINGS = (
    "{side} gives {wrong} for {letter} instead of {right}.",
    "The result of {letter} should be {right}, but {side} has {wrong}.",
    "In {letter} of {side} stands {wrong} where {right} belongs.",
    "For {letter} it should be {right}; {side} writes {wrong}.",
)


class Quantity(NamedTuple):
    """A question, its result, and what common mistakes make of it: {kind: result}."""

    ask: str
    right: str
    wrong: Mapping[str, str]
    weight: int


@dataclass(frozen=True, slots=True)
class QuantityTask:
    """The questions of one worksheet, in the order of their letters."""

    questions: tuple[Quantity, ...]
    prompt: str

    @property
    def requirements(self) -> Sequence[Check]:
        """One a question: its result stands on the line of its letter."""
        return tuple(
            _check(letter, one.right) for letter, one in zip(LETTERS, self.questions, strict=True)
        )

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a question."""
        return tuple(
            _fault(letter, one, rng) for letter, one in zip(LETTERS, self.questions, strict=True)
        )

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """A line a question in a near order."""
        rng = pick_style(style, "quantities")
        wrong = {fault.slot: str(fault.value) for fault in faults}
        lines = [
            rng.choice(LINES).format(letter=letter, value=wrong.get(letter, one.right))
            for letter, one in zip(LETTERS, self.questions, strict=True)
        ]
        keys = near_order(len(lines), rng)
        ordered = [line for _, line in sorted(zip(keys, lines, strict=True))]
        return "\n".join([rng.choice(OPENINGS), *ordered])


def _check(letter: str, right: str) -> Check:
    return {"kind": "together", "values": [f"({letter})", right]}


def _fault(letter: str, question: Quantity, rng: Random) -> Fault:
    kind = rng.choice(list(question.wrong))
    words = {
        "side": "{side}", "letter": f"({letter})",
        "right": question.right, "wrong": question.wrong[kind],
    }  # fmt: skip
    return Fault(
        slot=letter,
        kind=kind,
        weight=question.weight,
        check=_check(letter, question.right),
        facts=(f"({letter})", question.right, question.wrong[kind]),
        wordings=tuple(wording.format(**words) for wording in WORDINGS),
        value=question.wrong[kind],
    )


def draw(rng: Random) -> QuantityTask:
    """Twelve questions with results that all differ."""
    questions: list[Quantity] = []
    seen: set[str] = set()
    while len(questions) < QUESTIONS:
        question = rng.choice(MAKERS)(rng)
        values = {question.right, *question.wrong.values()}
        if len(values) == 1 + len(question.wrong) and not values & seen:
            seen |= values
            questions.append(question)
    asks = "\n".join(
        f"({letter}) {one.ask}" for letter, one in zip(LETTERS, questions, strict=True)
    )
    return QuantityTask(tuple(questions), f"{rng.choice(PROMPTS)}\n\n{asks}")


def _unit(rng: Random) -> Quantity:
    source, target, factor = rng.choice(UNITS)
    # Speeds are multiples of 18, so that every result is a whole number.
    amount = Fraction(rng.randint(2, 30) * 18 if factor.denominator > 1 else rng.randint(3, 89))
    result = amount * factor
    slip = rng.choice((-2, -1, 1, 2)) * max(factor, Fraction(1))
    wrong = {"slip_in_calculation": f"{result + slip} {target}"}
    if not result % 10:
        # Either way, so that long numbers are no clue.
        tens = result * 10 if rng.random() < 0.5 else result / 10
        wrong["wrong_power_of_ten"] = f"{tens} {target}"
    return Quantity(f"How many {target} are {amount} {source}?", f"{result} {target}", wrong, 2)


def _later(rng: Random) -> Quantity:
    start = date(2025, 1, 1) + timedelta(rng.randrange(720))
    days = rng.randint(33, 160)
    right = start + timedelta(days)
    months, rest = divmod(days, 30)
    month = start.month - 1 + months
    thirty = date(start.year + month // 12, month % 12 + 1, min(start.day, 28)) + timedelta(rest)
    wrong = {
        "counts_first_day": spelled(right - timedelta(1)),
        "day_too_many": spelled(right + timedelta(1)),
    }
    if thirty not in (right, right - timedelta(1), right + timedelta(1)):
        wrong["months_of_thirty_days"] = spelled(thirty)
    return Quantity(f"Which day is {days} days after {spelled(start)}?", spelled(right), wrong, 3)


def _between(rng: Random) -> Quantity:
    start = date(2025, 1, 1) + timedelta(rng.randrange(500))
    days = rng.randint(40, 300)
    end = start + timedelta(days)
    wrong = {"counts_both_ends": f"{days + 1} days", "counts_no_end": f"{days - 1} days"}
    ask = f"How many days lie from {spelled(start)} to {spelled(end)}, the first not counted?"
    return Quantity(ask, f"{days} days", wrong, 2)


def _lasts(rng: Random) -> Quantity:
    start, minutes = rng.randrange(360, 840), rng.randint(75, 400)
    end = start + minutes
    way = rng.choice((-1, 1))
    wrong = {
        "hour_off": _clock(end + 60 * way),
        "hour_of_hundred_minutes": _clock(end + 40 * way),
    }
    ask = f"It starts at {_clock(start)} and takes {minutes} minutes. When does it end?"
    return Quantity(ask, _clock(end), wrong, 1)


def spelled(day: date) -> str:
    """A date in words."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24}:{minutes % 60:02d}"


MAKERS: tuple[Callable[[Random], Quantity], ...] = (_unit, _unit, _later, _between, _lasts)

FAMILY = Family("quantities", "stem", draw)
