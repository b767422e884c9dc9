"""Ways to get the number of one part wrong: a value miscopied, a step miscalculated, a wrong plan.

Every mistake is checked for what a reader must not see: its results are positive and exact to two
decimals like those of a right solution, and its answer is about as long as the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import NamedTuple

from rmaudit.checklists.synth.arithmetic_plans import (
    Amount,
    Blunder,
    PlanStep,
    Puzzle,
    Slip,
    Values,
    Worked,
    work,
)

# Differences between a number and the one that a miscopied or forgotten digit makes of it.
MISCOPIED = tuple(Decimal(s * size) for size in (1, 2, 3, 9, 10, 18, 20, 100) for s in (1, -1))
SLIPS = tuple(Decimal(s * size) for size in (1, 2, 10, 20, 100) for s in (1, -1))
SMALL = 20
EXTRA_LENGTH = 2


class Mistake(NamedTuple):
    """A wrong solution of one part, and what a reason says about it."""

    kind: str
    worked: Worked
    words: Mapping[str, object]


def find_mistake(
    puzzle: Puzzle, right: Worked, units: Mapping[str, str], rng: Random, *, avoid: str = ""
) -> Mistake:
    """A mistake of a random kind other than `avoid`.

    A miscopied answer line is always possible, so the search ends.
    """
    kinds = ["wrong_operand", "arithmetic_slip", "wrong_final"]
    kinds += sorted({blunder.kind for blunder in puzzle.blunders} - {avoid})
    rng.shuffle(kinds)
    for kind in kinds:
        for mistake in _of_kind(kind, puzzle, right, units, rng):
            if _passes_for_right(mistake.worked, right):
                return mistake
    raise ValueError(f"no way to get {right.answer} wrong")


def _of_kind(
    kind: str, puzzle: Puzzle, right: Worked, units: Mapping[str, str], rng: Random
) -> Iterator[Mistake]:
    if kind == "wrong_operand":
        return _wrong_operands(puzzle, right, units, rng)
    if kind == "arithmetic_slip":
        return _slips(puzzle, right, units, rng)
    if kind == "wrong_final":
        return _wrong_finals(right, rng)
    return _blunders(kind, puzzle, right, units, rng)


def _passes_for_right(wrong: Worked, right: Worked) -> bool:
    shown, expected = str(wrong.answer), str(right.answer)
    return (
        wrong.clean
        and wrong.answer.unit == right.answer.unit
        and abs(len(shown) - len(expected)) <= EXTRA_LENGTH
        # A number that goes on after the right one would contain it.
        and not wrong.answer.number.startswith(right.answer.number)
    )


def _wrong_operands(
    puzzle: Puzzle, right: Worked, units: Mapping[str, str], rng: Random
) -> Iterator[Mistake]:
    """One value is miscopied, also as another value of the same unit."""
    names = list(puzzle.copied)
    rng.shuffle(names)
    for name in names:
        given = right.values[name]
        wrong = [Amount(given.value + shift, given.unit) for shift in MISCOPIED]
        wrong += [value for value in right.values.values() if value.unit == given.unit]
        rng.shuffle(wrong)
        for used in wrong:
            if used.value <= 1 or used == given or len(str(used)) != len(str(given)):
                continue
            worked = work(puzzle.plan, {**right.values, name: used}, units)
            yield Mistake(
                "wrong_operand", worked, {"used": used, "given": given, "got": worked.answer}
            )


def _slips(
    puzzle: Puzzle, right: Worked, units: Mapping[str, str], rng: Random
) -> Iterator[Mistake]:
    """One step is miscalculated, as by a forgotten carry; small results come last."""
    steps = [number for number, step in enumerate(right.steps) if not step.rounding]
    rng.shuffle(steps)
    steps.sort(key=lambda number: right.steps[number].result.value < SMALL)
    for number in steps:
        step = right.steps[number]
        for shift in rng.sample(SLIPS, len(SLIPS)):
            bad = step.result._replace(value=step.result.value + shift)
            if bad.value <= 0 or len(str(bad)) != len(str(step.result)):
                continue
            worked = work(puzzle.plan, right.values, units, Slip(number, shift))
            words = {"expression": step.expression, "bad": bad, "good": step.result}
            yield Mistake("arithmetic_slip", worked, words)


def _wrong_finals(right: Worked, rng: Random) -> Iterator[Mistake]:
    """The answer line swaps two digits of the result, or changes one."""
    digits = right.answer.number
    spots = [spot for spot, character in enumerate(digits) if character.isdigit()]
    swapped = [
        _exchange(digits, left, other)
        for left, other in pairwise(spots)
        if digits[left] != digits[other] and not (left == 0 and digits[other] == "0")
    ]
    rng.shuffle(swapped)
    last = spots[-1]
    changed = [digits[:last] + str(d) + digits[last + 1 :] for d in range(1, 10)]
    rng.shuffle(changed)
    for number in swapped + changed:
        answer = right.answer._replace(value=Decimal(number.replace(",", "")))
        if answer != right.answer:
            yield Mistake("wrong_final", right._replace(answer=answer), {"got": answer})


def _exchange(text: str, left: int, other: int) -> str:
    characters = list(text)
    characters[left], characters[other] = characters[other], characters[left]
    return "".join(characters)


def _blunders(
    kind: str, puzzle: Puzzle, right: Worked, units: Mapping[str, str], rng: Random
) -> Iterator[Mistake]:
    """A wrong plan of this kind."""
    options = [blunder for blunder in puzzle.blunders if blunder.kind == kind]
    rng.shuffle(options)
    for blunder in options:
        worked = work(blunder.plan, right.values, units)
        yield Mistake(kind, worked, _blunder_words(blunder, worked, right))


def _blunder_words(blunder: Blunder, worked: Worked, right: Worked) -> dict[str, object]:
    bad, good = _first_difference(worked.steps, right.steps)
    return {
        "got": worked.answer,
        "note": _noted(blunder.note, right.values),
        "bad": bad.expression,
        "good": good.expression,
        "exact": good.expression,
    }


def _first_difference(
    wrong: tuple[PlanStep, ...], right: tuple[PlanStep, ...]
) -> tuple[PlanStep, PlanStep]:
    for bad, good in zip(wrong, right, strict=False):
        if bad != good:
            return bad, good
    return wrong[-1], right[-1]


def _noted(note: str, values: Values) -> str:
    return note.format(**values)
