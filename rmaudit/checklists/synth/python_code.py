"""Family `python`: small modules with two to four functions, whose bugs are proved by running them.

Each function has holes for bugs that do not interfere (see `python_routines`), so that several
independent faults fit into one response. Further requirements are read off the text: docstrings,
signatures, a constant, and what is said below the code. Nothing is executed to make an item: what
a bug returns is computed by the case that reveals it, and the tests run the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import Template
from textwrap import indent

import regex

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth import (
    python_amounts,
    python_groups,
    python_lists,
    python_loops,
    python_numbers,
    python_strings,
)
from rmaudit.checklists.synth import python_words as words
from rmaudit.checklists.synth.base import Family, Fault, pick_style
from rmaudit.checklists.synth.python_routines import Bug, CallCase, Routine

ROUTINES: tuple[Routine, ...] = tuple(
    routine
    for module in (
        python_numbers,
        python_loops,
        python_amounts,
        python_strings,
        python_groups,
        python_lists,
    )
    for routine in module.ROUTINES
)
FEWEST, MOST = 2, 4
INDENT = " " * 4
CASES = 2
# How often a draw of faults offers each fault that is read off the text; bugs are always offered.
TEXT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a module: its names, the cases of its bugs, and its requirements by slot.

    The slots are the holes of the routine, and `doc`, `note` (return type) or `param`.
    """

    routine: Routine
    names: Mapping[str, str]
    cases: Mapping[str, tuple[CallCase, ...]]
    example: CallCase
    checks: Mapping[str, Check]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.names["f"]

    @property
    def request(self) -> str:
        """Its entry in the prompt."""
        parameters, _ = self.routine.source(0, frozenset(), self.names)
        spec = Template(self.routine.spec).substitute(self.names)
        return f"- `{self.name}({parameters}) -> {self.routine.returns}`: {spec}"

    def bug_fault(self, slot: str, bug: Bug, rng: Random) -> Fault:
        """A bug, told by one of its cases."""
        case = rng.choice(self.cases[bug.hole])
        outcomes, facts = _told(case, self.name)
        clauses = {
            "fault": Template(bug.active).substitute(self.names),
            "clause": Template(bug.passive).substitute(self.names),
            "f": self.name,
        }
        wordings = tuple(
            _worded(wording, **clauses, outcome=outcomes[number % len(outcomes)])
            for number, wording in enumerate(words.BUGS)
        )
        return Fault(slot, bug.kind, bug.weight, self.checks[bug.hole], facts, wordings, True)

    def text_faults(self, prefix: str) -> list[Fault]:
        """Faults that are read off the text."""
        routine = self.routine
        found: list[tuple[str, str, object, dict[str, str]]] = []
        if "doc" in self.checks:
            found.append(("doc", "missing_docstring", True, {}))
        if "note" in self.checks:
            fields = {"wrong": routine.wrong_returns, "right": routine.returns}
            found.append(("note", "wrong_annotation", routine.wrong_returns, fields))
        if "param" in self.checks:
            fields = {"wrong": self.names["other"], "right": self.names["p"]}
            found.append(("param", "wrong_parameter", self.names["other"], fields))
        if routine.ban:
            kind = "missing_call" if routine.ban.required else "forbidden_call"
            found.append((routine.ban.hole, kind, True, {"builtin": routine.ban.builtin}))
        return [
            _fault(prefix + slot, kind, self.checks[slot], value, f=self.name, **fields)
            for slot, kind, value, fields in found
        ]

    def source(self, faulty: Mapping[str, object], style: int) -> str:
        """Its code; `faulty` holds the values of faults by slot."""
        rng = pick_style(style, self.name)
        body = rng.randrange(len(self.routine.bodies))
        summary = rng.choice(self.routine.summaries)
        names = {**self.names, "p": str(faulty.get("param", self.names["p"]))}
        parameters, code = self.routine.source(body, frozenset(faulty), names)
        returns = faulty.get("note", self.routine.returns)
        head = f"def {self.name}({parameters}) -> {returns}:"
        docstring = f'"""{summary}"""'
        if "doc" in faulty:
            return "\n".join([docstring, head, indent(code, INDENT)])
        return "\n".join([head, INDENT + docstring, indent(code, INDENT)])


@dataclass(frozen=True, slots=True)
class PythonTask:
    """A module to write, and two statements to make about it.

    timed: the function whose running time is asked, if any. shown: the one of the example call.
    notes: what every response says of its code besides, by number.
    """

    context: str
    constant: tuple[str, int]
    functions: tuple[Function, ...]
    shown: Function
    timed: Function | None
    notes: tuple[int, ...]
    prompt: str
    checks: Mapping[str, Check]

    @property
    def requirements(self) -> Sequence[Check]:
        """Those of the functions and those of the module."""
        of_functions = [check for one in self.functions for check in one.checks.values()]
        return (*of_functions, *self.checks.values())

    def faults(self, rng: Random) -> Sequence[Fault]:
        """Every bug, and some of the faults that are read off the text."""
        bugs: list[Fault] = []
        others: list[Fault] = []
        for number, function in enumerate(self.functions):
            for bug in function.routine.bugs:
                bugs.append(function.bug_fault(f"{number}-{bug.hole}", bug, rng))
            others += function.text_faults(f"{number}-")
        others += self._module_faults(rng)
        return bugs + [fault for fault in others if rng.random() < TEXT_SHARE]

    def _module_faults(self, rng: Random) -> list[Fault]:
        name, value = self.constant
        shift = rng.choice(
            [shift for shift in (-10, -5, -1, 1, 5, 10) if 10 <= value + shift < 100]
        )
        case, found = self.shown.example, []
        found.append(
            _fault(
                "constant",
                "wrong_constant",
                self.checks["constant"],
                str(value + shift),
                name=name,
                wrong=value + shift,
                right=value,
            )
        )
        found.append(
            _fault(
                "example",
                "wrong_example",
                self.checks["example"],
                repr(case.wrong),
                call=case.expression(self.shown.name),
                wrong=repr(case.wrong),
                right=repr(case.right),
            )
        )
        if self.timed:
            right = self.timed.routine.complexity
            wrong = rng.choice(words.WRONG_ORDERS[right])
            found.append(
                _fault(
                    "complexity",
                    "wrong_complexity",
                    self.checks["complexity"],
                    wrong,
                    f=self.timed.name,
                    wrong=wrong,
                    right=right,
                )
            )
        return found

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """A remark, the module, and the statements below it."""
        faulty = {fault.slot: fault.value for fault in faults}
        name, value = self.constant
        constant = f"{name} = {faulty.get('constant', value)}"
        header = pick_style(style, "module").choice(words.HEADERS).format(context=self.context)
        sources = [
            function.source(_of(faulty, f"{number}-"), style)
            for number, function in enumerate(self.functions)
        ]
        pick_style(style, "order").shuffle(sources)
        module = "\n\n\n".join([header + constant, *sources])
        opening = pick_style(style, "opening").choice(words.OPENINGS)
        return f"{opening}\n\n```python\n{module}\n```\n\n{self._remarks(faulty, style)}"

    def _remarks(self, faulty: Mapping[str, object], style: int) -> str:
        rng = pick_style(style, "remarks")
        call = self.shown.example.expression(self.shown.name)
        result = faulty.get("example", repr(self.shown.example.right))
        remarks = [rng.choice(words.EXAMPLES).format(call=call, result=result)]
        if self.timed:
            order = faulty.get("complexity", self.timed.routine.complexity)
            template = rng.choice(words.COMPLEXITIES)
            remarks.append(template.format(f=self.timed.name, order=order))
        rng.shuffle(remarks)
        remarks += [rng.choice(words.NOTES[note]) for note in self.notes]
        return rng.choice((" ".join(remarks), "\n".join(f"- {remark}" for remark in remarks)))


def draw(rng: Random) -> PythonTask:
    """Two to four functions, with a constant and a context."""
    functions = tuple(
        _draw_function(rng, routine) for routine in rng.sample(ROUTINES, rng.randint(FEWEST, MOST))
    )
    context = rng.choice(words.CONTEXTS)
    constant = rng.choice(words.CONSTANTS), rng.randint(12, 96)
    shown = rng.choice(functions)
    timed = rng.choice(
        [function for function in functions if function.routine.complexity] or [None]
    )
    line = f"{constant[0]} = {constant[1]}"
    call = shown.example.expression(shown.name)
    result = f"`{call}` returns `{shown.example.right!r}`"
    checks: dict[str, Check] = {
        "constant": {"kind": "regex", "value": rf"(?m)^{line}\s*$"},
        "example": {"kind": "contains", "value": result},
    }
    complexity = ""
    if timed:
        order = f"`{timed.name}` runs in {timed.routine.complexity} time"
        checks["complexity"] = {"kind": "contains", "value": order}
        complexity = words.COMPLEXITY_ASK.format(f=timed.name)
    prompt = "\n\n".join(
        (
            rng.choice(words.REQUESTS).format(context=context),
            "\n".join(function.request for function in functions),
            rng.choice(words.STYLE_ASKS).format(constant=line)
            + " "
            + rng.choice(words.EXAMPLE_ASKS).format(call=call, complexity=complexity),
        )
    )
    notes = rng.sample(range(len(words.NOTES)), rng.randint(words.FEWEST_NOTES, words.MOST_NOTES))
    return PythonTask(context, constant, functions, shown, timed, tuple(notes), prompt, checks)


def _draw_function(rng: Random, routine: Routine) -> Function:
    """Names, cases, and one of the requirements that are read off the signature."""
    names = routine.names(rng)
    name = names["f"]
    cases = {bug.hole: tuple(bug.case(rng, names) for _ in range(CASES)) for bug in routine.bugs}
    example = routine.example(rng, names)
    checks: dict[str, Check] = {
        hole: {"kind": "python_tests", "tests": [case.test(name) for case in drawn]}
        for hole, drawn in cases.items()
    }
    checks["example"] = {"kind": "python_tests", "tests": [example.test(name)]}
    head = rf"def {name}\("
    signature = rng.choice(("doc", "note", "param"))
    patterns = {
        "doc": rf'{head}.*\n\s*"""',
        "note": rf"{head}.*\) -> {regex.escape(routine.returns)}:",
        "param": rf"{head}(.*, )?{names['p']}: ",
    }
    checks[signature] = {"kind": "regex", "value": patterns[signature]}
    if routine.ban:
        inside = rf"{head}(?:(?!\ndef |```)[\s\S])*?\b{routine.ban.builtin}\("
        value = inside if routine.ban.required else rf"\A(?![\s\S]*{inside})"
        checks[routine.ban.hole] = {"kind": "regex", "value": value}
    return Function(routine, names, cases, example, checks)


def _of(faulty: Mapping[str, object], prefix: str) -> dict[str, object]:
    return {
        slot.removeprefix(prefix): value
        for slot, value in faulty.items()
        if slot.startswith(prefix)
    }


def _told(case: CallCase, function: str) -> tuple[tuple[str, str], tuple[str, ...]]:
    """Two clauses that say what comes out and what should, and the facts that both name."""
    subject, does = case.subject(function), case.verb
    wrong, right = (
        result.__name__ if isinstance(result, type) else repr(result)
        for result in (case.wrong, case.right)
    )
    instead = right
    if isinstance(case.wrong, type):
        does = "raises"
        instead = right if isinstance(case.right, type) else f"returning {right}"
    elif isinstance(case.right, type):
        instead = f"raising {right}"
    clauses = (
        f"{subject} {does} {wrong} instead of {instead}",
        f"{subject} {does} {wrong} where {right} is expected",
    )
    return clauses, (subject, wrong, right)


def _fault(slot: str, kind: str, check: Check, value: object, **fields: object) -> Fault:
    entry = words.KINDS[kind]
    return Fault(
        slot=slot,
        kind=kind,
        weight=entry.weight,
        check=check,
        facts=tuple(str(fields[name]) for name in entry.facts),
        wordings=tuple(_worded(wording, **fields) for wording in entry.wordings),
        value=value,
    )


def _worded(template: str, **fields: object) -> str:
    """The wording with `{side}` left open; braces of quoted code are doubled."""
    escaped = {
        name: str(value).replace("{", "{{").replace("}", "}}") for name, value in fields.items()
    }
    return template.format(side="{side}", **escaped)


FAMILY = Family("python", "code", draw)
