r"""Whether a verdict that stands in an answer is meant.

A model also writes verdicts that it does not give: `I would not say \boxed{A>B}`, `\boxed{A>B} if
only the tone counted`, a line of options out of its instructions, a sentence copied out of a
response. Each test here looks at a bounded stretch around the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

_REACH = 200
_QUOTATION_MARKS = frozenset("\"'`“”„‘’「」『』«»")
_MARKUP = " \t\r\n*_`$(["


class Placed(Protocol):
    """A verdict at [start, end) of an answer."""

    @property
    def start(self) -> int:
        """Its first character."""
        ...

    @property
    def end(self) -> int:
        """One past its last character."""
        ...

    @property
    def value(self) -> tuple[str, int]:
        """Verdict and strength."""
        ...


_NEGATION = (
    r"(?:\b(?:not|never|cannot|nor|neither|hardly|no longer|rather than|instead of|against)|n['’]t)"
)
_FILLER = r"(?:\s{1,3}(?:an?|the|my|be|quite|really|simply|exactly|just|at|all|with|for|to)){0,3}"
_SAYING = (
    r"(?:say|call|think|believe|choose|pick|give|go|output|answer|judge|conclude|claim|vote|rate|"
    r"mean|agree|prefer|assign|award|write|select|support|justify|warrant|deserve|put|reach)"
)
_HEDGES_BEFORE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NEGATION}{_FILLER}\s{{0,3}}\Z",
        rf"{_NEGATION}(?:\s{{1,3}}[\w'’]{{1,20}}){{0,2}}\s{{1,3}}{_SAYING}\w{{0,3}}"
        r"(?:\s{1,3}[\w'’]{1,20}){0,8}[\s:]{0,3}\Z",
        r"\b(?:could|might|may)(?:\s{1,3}\w{1,12}){0,2}\s{1,3}"
        rf"(?:be|been|argue|{_SAYING})(?:\s{{1,3}}[\w'’]{{1,20}}){{0,4}}[\s:]{{0,3}}\Z",
        r"\b(?:some|someone|others|people|they|you)\s{1,3}would\b[^.!?,;]{0,60}\Z",
        r"\b(?:at first|initially|tempt(?:ed|ing)|my first (?:thought|instinct|impression))\b"
        r"[^.!?;]{0,80}\Z",
        r"(?:\A|[.!?;]\s)[^\w.!?;]{0,8}(?:if|unless|suppose|supposing|assuming|were|had)\b"
        r"(?!\s(?:i|we|you|one|forced|pressed|asked)\b)[^.!?;]{0,160}\Z",
        r"(?:\be\.g\.|\bfor (?:example|instance)|\bsuch as|\bexamples?)[\s,:]{0,3}\Z",
        r"(?:不是|并非|不会|不应|不能|而非|而不是|不选|不认为|如果|假如|例如|比如)[^，。；,;]{0,10}\Z",
    )
)
_HEDGE_AFTER = re.compile(
    r"[\s*_`\"')\]}$]{0,6}(?:(?:would|could|might|may|cannot|was)\b|(?:is|was)n['’]t\b|can['’]t\b"
    r"|is\s(?:not|too|wrong|incorrect|tempting|unjustified|unwarranted)\b|seems\stoo\b"
    r"|(?:only\s)?if\b|unless\b)",
    re.IGNORECASE,
)


def hedged(answer: str, start: int, end: int) -> bool:
    """Whether the verdict at [start, end) is negated, hypothetical or an example, on its line."""
    line = max(answer.rfind("\n", 0, start) + 1, start - _REACH)
    before = answer[line:start].rstrip(_MARKUP)
    following = answer[end : end + 40].split("\n", 1)[0]
    return bool(_HEDGE_AFTER.match(following)) or any(
        hedge.search(before) for hedge in _HEDGES_BEFORE
    )


def between_quotation_marks(answer: str, start: int, end: int) -> bool:
    """Whether a quotation mark touches the verdict, as where a quotation is never closed."""
    around = answer[max(0, start - 1) : start] + answer[end : end + 1]
    return not _QUOTATION_MARKS.isdisjoint(around)


_BETWEEN_OPTIONS = re.compile(r"[ \t,|/;、()*_`\"']{0,12}(?:or|and|或)?[ \t,|/;、()*_`\"']{0,12}")
_FAR = 100


def template_runs(answer: str, marks: Sequence[Placed]) -> list[tuple[int, int]]:
    """Index ranges of marks that list the options of the instructions instead of choosing one.

    Different verdicts in a row with nothing but separators between them, three different ones on
    one line, or four on one line each. A verdict that comes again is no option of the same list.
    """
    runs = []
    for near, least in ((_only_separators, 2), (_on_one_line, 3), (_on_the_next_line, 4)):
        first, values = 0, set[tuple[str, int]]()
        for i, mark in enumerate(marks):
            near_enough = i > 0 and near(answer[marks[i - 1].end : mark.start])
            if not near_enough or mark.value in values:
                if len(values) >= least:
                    runs.append((first, i))
                first, values = i, set()
            values.add(mark.value)
        if len(values) >= least:
            runs.append((first, len(marks)))
    return runs


def _only_separators(gap: str) -> bool:
    return bool(_BETWEEN_OPTIONS.fullmatch(gap))


def _on_one_line(gap: str) -> bool:
    return len(gap) <= _FAR and "\n" not in gap


def _on_the_next_line(gap: str) -> bool:
    return len(gap) <= _FAR and gap.count("\n") == 1


_WORD = re.compile(r"\w+")
# Words around a verdict that any answer may share with any response; they prove no copying.
_LEAD_WORDS = frozenset(
    "a an and answer b best better boxed choice conclude conclusion decision final hence i in is "
    "judgement judgment much my of our overall response slightly so than that the therefore this "
    "thus to verdict".split()
)
_PROOF = 3
_LONG = 40


class Copies(NamedTuple):
    """The verdicts that stand in the responses, each with the words around it."""

    keys: frozenset[tuple[str, tuple[str, ...], tuple[str, ...]]]

    @classmethod
    def of(cls, places: Iterable[tuple[str, int, int]]) -> Copies:
        """From every (response text, start, end) where a verdict stands."""
        return cls(frozenset(key for place in places for key in _surroundings(*place)))

    def holds(self, answer: str, start: int, end: int) -> bool:
        """Whether the verdict at [start, end) stands in a response in the same words."""
        return bool(self.keys) and not self.keys.isdisjoint(_surroundings(answer, start, end))


def _surroundings(
    text: str, start: int, end: int
) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The verdict with `_PROOF` telling words around it, however they fall before and after."""
    core = "".join(text[start:end].split())
    before = _telling(text[max(0, start - _REACH) : start])[-_PROOF:]
    after = _telling(text[end : end + _REACH])[:_PROOF]
    keys = [
        (core, tuple(before[len(before) - k :]), tuple(after[: _PROOF - k]))
        for k in range(_PROOF + 1)
        if k <= len(before) and _PROOF - k <= len(after)
    ]
    return [*keys, (core, (), ())] if len(core) >= _LONG else keys


def _telling(text: str) -> list[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return [word for word in words if word not in _LEAD_WORDS]
