"""Family `arithmetic`: word problems in several independent parts with worked solutions.

A problem asks for four to six quantities, each with its own numbers, working and answer line. So a
wrong number is carried on to the end of its part, as in a real solution, and yet spoils no other
answer: errors stay independent without a solution that silently repairs itself half-way. Units,
the rule in words, the greeting and the closing reminder are requirements of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import regex

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth import arithmetic_words as words
from rmaudit.checklists.synth.arithmetic_errors import find_mistake
from rmaudit.checklists.synth.arithmetic_plans import CURRENCIES, PlanPart, Worked, work
from rmaudit.checklists.synth.arithmetic_scenes import SCENES
from rmaudit.checklists.synth.base import Family, Fault
from rmaudit.checklists.synth.rules import upper_first

FEWEST_PARTS, MOST_PARTS = 4, 6
LETTERS = "abcdef"
# How often a draw of faults offers a wrong unit for a part, and a wrong rule, name or time.
UNIT_SHARE = 0.35
ASIDE_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class WordProblem:
    """One lettered part: its story, its right solution, and its requirements by slot.

    The slots are `value` and, where there is one, `unit` and `rule`.
    """

    letter: str
    part: PlanPart
    units: Mapping[str, str]
    right: Worked
    checks: Mapping[str, Check]

    @property
    def question(self) -> str:
        """The part as the prompt asks it."""
        text = f"({self.letter}) {self.part.question.format(**self.right.values)}"
        return f"{text} {words.RULE_ASK}" if "rule" in self.checks else text

    def faults(self, rng: Random) -> list[Fault]:
        """A wrong number or a wrong unit, not both: a reason names the number with its unit."""
        puzzle, answer = self.part.puzzle, self.right.answer
        found: list[Fault] = []
        if "unit" in self.checks and rng.random() < UNIT_SHARE:
            wrong = rng.choice(self.part.wrong_units or puzzle.wrong_units)
            found.append(self._fault("unit", "wrong_unit", wrong, wrong=wrong, unit=answer.unit))
        else:
            # With the rule stated right, working that breaks it would contradict itself.
            avoid = "wrong_operation" if "rule" in self.checks else ""
            mistake = find_mistake(puzzle, self.right, self.units, rng, avoid=avoid)
            found.append(self._fault("value", mistake.kind, mistake.worked, **mistake.words))
        if "rule" in self.checks and rng.random() < ASIDE_SHARE:
            subject, rule, wrong = puzzle.rule
            found.append(
                self._fault(
                    "rule", "misstated_rule", wrong, subject=subject, rule=rule, wrong=wrong
                )
            )
        return found

    def _fault(self, slot: str, kind: str, value: object, **fields: object) -> Fault:
        what = self.part.what.format(**self.right.values)
        return _fault(
            f"{slot}-{self.letter}",
            kind,
            self.checks[slot],
            value,
            part=f"part ({self.letter})",
            letter=self.letter,
            what=what,
            What=upper_first(what),
            right=self.right.answer,
            **fields,
        )

    def render(self, faulty: Mapping[str, object], layout: words.MessageLayout) -> str:
        """The solution of this part; `faulty` holds the values of faults by slot and letter."""
        worked = faulty.get(f"value-{self.letter}", self.right)
        assert isinstance(worked, Worked)
        what = self.part.what.format(**worked.values)
        lines = [layout.heading.format(letter=self.letter, what=what, What=upper_first(what))]
        if layout.given:
            lines.append(layout.given.format(given=self.part.given.format(**worked.values)))
        if "rule" in self.checks:
            subject, right, _ = self.part.puzzle.rule
            rule = faulty.get(f"rule-{self.letter}", right)
            lines.append(
                layout.rule.format(subject=subject, Subject=upper_first(subject), rule=rule)
            )
        unit = str(faulty.get(f"unit-{self.letter}", self.right.answer.unit))
        last = worked.steps[-1]
        steps = [*worked.steps[:-1], last._replace(result=last.result._replace(unit=unit))]
        lines += [
            layout.step.format(
                number=number, name=step.name, Name=upper_first(step.name), step=step
            )
            for number, step in enumerate(steps, start=1)
        ]
        lines.append(f"Answer ({self.letter}): {worked.answer._replace(unit=unit)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class ArithmeticTask:
    """A message to write: a greeting, the parts, and a reminder of a time."""

    name: str
    time: str
    reminder: str
    problems: tuple[WordProblem, ...]
    prompt: str
    requirements: tuple[Check, ...]

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One of each part, and at times the rule, the name or the time of the message."""
        found = [fault for problem in self.problems for fault in problem.faults(rng)]
        if rng.random() < ASIDE_SHARE:
            wrong = rng.choice([name for name in words.NAMES if name != self.name])
            check = _mentions(self.name)
            found.append(_fault("name", "wrong_name", check, wrong, wrong=wrong, name=self.name))
        if rng.random() < ASIDE_SHARE:
            wrong = rng.choice([time for time in words.TIMES if time != self.time])
            check = _mentions(self.time)
            found.append(_fault("time", "wrong_time", check, wrong, wrong=wrong, time=self.time))
        return found

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """The message; a style has one way to set out all parts."""
        faulty = {fault.slot: fault.value for fault in faults}
        layout = words.pick_layout(style)
        reminder = self.reminder.format(time=faulty.get("time", self.time))
        blocks = [layout.opening.format(name=faulty.get("name", self.name))]
        blocks += [problem.render(faulty, layout) for problem in self.problems]
        blocks.append(layout.closing.format(reminder=reminder))
        return "\n\n".join(blocks)


def draw(rng: Random) -> ArithmeticTask:
    """A scene with four to six of its parts in random order, one of them with its rule."""
    scene = rng.choice(SCENES)
    count = rng.randint(FEWEST_PARTS, MOST_PARTS)
    with_rule = rng.randrange(count)
    currency = rng.choice(CURRENCIES)
    problems = tuple(
        _draw_problem(rng, letter, part, currency, asks_rule=number == with_rule)
        for number, (letter, part) in enumerate(
            zip(LETTERS, rng.sample(scene.parts, count), strict=False)
        )
    )
    name, time = rng.choice(words.NAMES), rng.choice(words.TIMES)
    ask = rng.choice(words.ASKS).format(name=name, reminder=scene.reminder.format(time=time))
    questions = "\n".join(problem.question for problem in problems)
    of_parts = [check for problem in problems for check in problem.checks.values()]
    return ArithmeticTask(
        name=name,
        time=time,
        reminder=scene.reminder,
        problems=problems,
        prompt=f"{scene.intro.format(name=name)}\n\n{questions}\n\n{ask}",
        requirements=(*of_parts, _mentions(name), _mentions(time)),
    )


def _draw_problem(
    rng: Random, letter: str, part: PlanPart, currency: str, *, asks_rule: bool
) -> WordProblem:
    """A part with numbers whose solution is clean."""
    puzzle, units = part.puzzle, {"money": currency, **part.units}
    while True:
        values = {
            name: amount._replace(unit=units.get(amount.unit, amount.unit))
            for name, amount in puzzle.draw(rng).items()
        }
        right = work(puzzle.plan, values, units)
        if right.clean:
            break
    answer, label = right.answer, f"Answer ({letter}): "
    has_unit = bool(part.wrong_units or puzzle.wrong_units)
    checks = {"value": _mentions(label + (answer.number if has_unit else str(answer)))}
    if has_unit:
        pattern = rf"(?m){regex.escape(label)}[\d.,]+ {regex.escape(answer.unit)}[ \t]*$"
        checks["unit"] = {"kind": "regex", "value": pattern}
    if asks_rule:
        checks["rule"] = _mentions(puzzle.rule.right)
    return WordProblem(letter, part, units, right, checks)


def _mentions(text: str) -> Check:
    return {"kind": "contains", "value": text}


def _fault(slot: str, kind: str, check: Check, value: object, **fields: object) -> Fault:
    entry = words.KINDS[kind]
    return Fault(
        slot=slot,
        kind=kind,
        weight=entry.weight,
        check=check,
        facts=tuple(str(fields[name]) for name in entry.facts),
        wordings=tuple(wording.format(side="{side}", **fields) for wording in entry.wordings),
        value=value,
    )


FAMILY = Family("arithmetic", "stem", draw)
