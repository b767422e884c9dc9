"""What a small Python function to write consists of: its request, two solutions, and its bugs.

A solution is a template with holes; each hole has a right and a buggy filling, and holes of one
function do not interfere: the inputs that reveal one bug behave alike under all the others.
Templates are `string.Template` texts with `$f` for the function, `$p` for its main parameter,
`$hole` for holes and further names for constants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from string import Template
from textwrap import dedent
from typing import NamedTuple

Names = Mapping[str, str]


class CallCase(NamedTuple):
    """An input with its right result and that of a bug; an exception class is raised.

    wrap: the tested expression. shown, verb: how a reason tells of it. All know `{call}`, `{f}`
    and `{args}`.
    """

    args: tuple[object, ...]
    right: object
    wrong: object
    wrap: str = "{call}"
    shown: str = ""
    verb: str = "returns"

    def expression(self, function: str) -> str:
        """What is evaluated."""
        return self._fill(self.wrap, function)

    def subject(self, function: str) -> str:
        """The expression as a reason tells it, in backticks."""
        return self._fill(self.shown or f"`{self.wrap}`", function)

    def test(self, function: str) -> str:
        """A Python expression that is true where the result is right."""
        if isinstance(self.right, type):
            arguments = "".join(f", {argument!r}" for argument in self.args)
            case = "__import__('unittest').TestCase()"
            return f"{case}.assertRaises({self.right.__name__}, {function}{arguments}) is None"
        return f"{self.expression(function)} == {self.right!r}"

    def _fill(self, template: str, function: str) -> str:
        args = ", ".join(map(repr, self.args))
        return template.format(call=f"{function}({args})", f=function, args=args)


def changed(before: list[int], after: list[int], *more: object) -> CallCase:
    """A case that looks at what became of the list that was passed in."""
    rest = "".join(f", {argument!r}" for argument in more)
    return CallCase(
        (before, *more),
        before,
        after,
        wrap=f"(lambda x: ({{f}}(x{rest}), x)[1])({before!r})",
        shown=f"a list {before!r} passed to `{{f}}`",
        verb="ends up as",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """A hole of the bodies and its two fillings, one a body.

    active: the bug as a predicate of the response. passive: the same as a clause of its own.
    case: draws an input that reveals the bug.
    """

    hole: str
    kind: str
    weight: int
    good: tuple[str, ...]
    bad: tuple[str, ...]
    active: str
    passive: str
    case: Callable[[Random, Names], CallCase]


class Ban(NamedTuple):
    """A builtin that the function must call, or must not call, with both fillings of a hole."""

    hole: str
    builtin: str
    required: bool
    good: tuple[str, ...]
    bad: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A function to write.

    stems: its names, with `{n}` for a noun. params: names of the main parameter, the noun by
    default. signature, spec, summaries, bodies: templates. constants: draws further names.
    example: a call that no bug affects, with its result and a wrong one.
    complexity: with which order it runs, '' where that is not clear-cut.
    """

    stems: tuple[str, ...]
    nouns: tuple[str, ...]
    params: tuple[str, ...] = ()
    signature: str
    returns: str
    wrong_returns: str
    spec: str
    summaries: tuple[str, ...]
    bodies: tuple[str, ...]
    bugs: tuple[Bug, ...]
    example: Callable[[Random, Names], CallCase]
    complexity: str = ""
    ban: Ban | None = None
    constants: Callable[[Random], dict[str, str]] = lambda rng: {}

    def names(self, rng: Random) -> dict[str, str]:
        """A name for the function and its parameter, another for the latter, and constants."""
        noun = rng.choice(self.nouns)
        function = rng.choice(self.stems).format(n=noun)
        right = rng.choice(self.params) if self.params else noun
        pool = [name for name in self.params or self.nouns if name != right]
        return {"f": function, "p": right, "other": rng.choice(pool), **self.constants(rng)}

    def source(self, body: int, buggy: frozenset[str], names: Names) -> tuple[str, str]:
        """The parameters and the body, with the bad filling of the holes in `buggy`."""
        fillings = dict(names)
        for part in (*self.bugs, *((self.ban,) if self.ban else ())):
            fillings[part.hole] = (part.bad if part.hole in buggy else part.good)[body]
        return _filled(self.signature, fillings), _filled(
            dedent(self.bodies[body]).strip(), fillings
        )


def _filled(template: str, names: Names) -> str:
    """The template with its names, also those inside of fillings; these keep the indentation."""
    while "$" in template:
        template = "\n".join(
            _filled_line(line, names) if "$" in line else line for line in template.splitlines()
        )
    return template


def _filled_line(line: str, names: Names) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return Template(line).substitute(names).replace("\n", f"\n{indent}")


NUMBERS = (
    "prices", "scores", "readings", "weights", "ages", "heights", "ratings", "votes",
    "distances", "sales", "points", "marks", "levels", "amounts", "depths", "speeds",
)  # fmt: skip
WORDS = (
    "tags", "titles", "labels", "cities", "colours", "fruits", "topics", "streets",
    "genres", "brands", "rivers", "dishes", "plants", "badges", "hobbies", "tools",
)  # fmt: skip
TEXTS = (
    "text", "comment", "review", "message", "note", "caption", "headline", "answer",
    "subject", "slogan", "reply", "post", "memo", "quote", "abstract", "verse",
)  # fmt: skip
