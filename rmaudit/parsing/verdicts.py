r"""Finds the verdicts of an answer: `\boxed{A>B}`, `[[A]]`, `<answer>A</answer>`, `Verdict: A>B`.

Only forms that no prose takes by chance count, never a bare letter in a sentence. What is quoted,
copied, negated or an option of the template is found and left out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from rmaudit.parsing.json_answers import JsonAnswer, json_answers
from rmaudit.parsing.negated import Copies, between_quotation_marks, hedged, template_runs
from rmaudit.parsing.sides import Names
from rmaudit.parsing.verdict_grammar import Label, options, read_label
from rmaudit.text.masking import FILL, fenced_lines, fold


class Mark(NamedTuple):
    """A verdict at [start, end) of the answer; `source` is the JSON object that holds it."""

    start: int
    end: int
    verdict: Literal["a", "b", "tie"]
    strength: int
    source: JsonAnswer | None = None

    @property
    def value(self) -> tuple[str, int]:
        """Verdict and strength."""
        return self.verdict, self.strength


class FoundVerdict(NamedTuple):
    """The verdicts that an answer means, in order, and where it repeats the template's options."""

    marks: list[Mark]
    templates: list[tuple[int, int]]


_BOX = re.compile(r"(?:boxed|fbox|(?<=\x08)oxed)\s{0,3}\{")
_BRACKETS = re.compile(r"\[\s{0,3}\[([^\[\]\n]{1,400})\]\s{0,3}\]")
_TAGS = re.compile(
    r"<(answer|verdict|preference|choice|winner|judge?ment|decision|result)>(.{1,400}?)</\1>",
    re.IGNORECASE | re.DOTALL,
)
_BRACE = re.compile(r"[{}]")
_LONGEST_BOX, _DEEPEST = 300, 5

_LEAD = (
    r"(?:(?:so|thus|hence|therefore|overall|finally|in conclusion|in summary|to conclude),?"
    r"[ \t]{1,3})?(?:(?:my|the|our|this)[ \t]{1,3})?(?:(?:final|overall|ultimate)[ \t]{1,3})?"
)
# A bare letter after `Answer:` may answer the request itself, say a multiple-choice question.
_STRONG = (
    r"(?:verdict|judge?ment|decision|winner|preference|choice|conclusion|"
    r"(?:preferred|better|best)[ \t](?:response|one))"
)
_WEAK = r"(?:(?:(?:preferred|better|best)[ \t])?answer|result|rating|ranking|evaluation|assessment)"
_CJK = (
    r"(?:我的)?(?:最终|最后)?(?:结论|判定|判断|裁决|裁定|决定|选择|胜者|赢家|评判|"
    r"(?:更好|更优)的(?:回答|回复|答案|响应))"
)
_AT_START = (
    r"(?:^[ \t]{0,12}(?:[-*+•#]{1,6}[ \t]{1,3}|\d{1,2}[.)][ \t]{1,3})?|(?<=[.!?] )|(?<=[。！？，]))"
)
_CAPTION = re.compile(
    rf"{_AT_START}[*_]{{0,3}}{_LEAD}(?:(?P<strong>{_STRONG}|{_CJK})|{_WEAK})[*_]{{0,3}}"
    r"(?:[ \t]{0,6}(?::|=|\bis\b:?|是|为)(?P<below>[ \t*_]{0,8}\n{1,2})?"
    r"|(?P<heading>[ \t]{0,3}\n{1,2}))"
    r"[ \t*_]{0,8}(?P<value>[^\n]{1,400})",
    re.IGNORECASE | re.MULTILINE,
)
_MAY_START = re.compile(r"\n|[.!?] |[。！？，]")
_VALUE_END = re.compile(r"[.;,。，；！!?？]|\s(?:because|since|as|due|given|over|[—–-])\s|\s\(|（")


def find_verdicts(
    answer: str,
    masked: str,
    *,
    names: Names,
    objects: Sequence[JsonAnswer] = (),
    copies: Copies | None = None,
) -> FoundVerdict:
    """The verdicts that the (folded) answer means; `masked` is its `mask_quoted`."""
    marks, templates = _all_marks(answer, masked, names, objects)
    listed = template_runs(answer, marks)
    templates += [(marks[first].start, marks[last - 1].end) for first, last in listed]
    dropped = {i for first, last in listed for i in range(first, last)}
    return FoundVerdict(
        [mark for i, mark in enumerate(marks) if i not in dropped and _meant(answer, mark, copies)],
        sorted(templates),
    )


@lru_cache(maxsize=1024)
def verdict_places(text: str, *, names: Names) -> tuple[tuple[str, int, int], ...]:
    """Where verdicts stand in a response, so that an answer that copies one can be told.

    Kept for the next call: a response is shown in both orders, and again for every sample.
    """
    text = fold(text).text
    marks, _ = _all_marks(text, text, names, json_answers(text, names=names))
    return tuple((text, mark.start, mark.end) for mark in marks)


def closing_verdict(
    answer: str, masked: str, *, names: Names, listed: bool, copies: Copies | None
) -> Mark | None:
    r"""The verdict that stands alone at the end in a form that elsewhere counts as quoted.

    The last line is a code span (`` `\boxed{A>B}` ``) or a plain comparison (`A>B`); after a list
    of reasons (`listed`) also a code block with nothing but the verdict. Where another verdict is
    quoted too, both are talked about and neither counts.
    """
    lines = answer.rstrip().split("\n")
    label: Label | None = None
    if fenced_lines(lines)[-1]:
        body = lines[-2].strip() if len(lines) > 2 else ""
        if body and listed and lines[-1].strip() == "```" == lines[-3].strip()[:3]:
            label = read_label(body, names=names)
    else:
        body = lines[-1].strip("*_$ \t\r")
        caption = _CAPTION.match(body)
        value = (caption["value"] if caption else body).strip("*_ \t.")
        code = len(value) > 2 and value[0] == value[-1] == "`"
        if code or FILL not in masked[answer.rindex(body) :]:
            label = read_label(value, names=names)
    if label is None or not (label.graded or _BOX.search(body) or _BRACKETS.search(body)):
        return None
    others = [content for _, _, content, _ in _containers(answer)]
    others += [line for line in lines[-_TAIL:] if _COMPARES.search(line)]
    if any((read_label(other, names=names) or label)[:2] != label[:2] for other in others):
        return None
    start = answer.rindex(body)
    mark = Mark(start, start + len(body), label.verdict, label.strength)
    return mark if _meant(answer, mark, copies) else None


_TAIL = 40
_COMPARES = re.compile(r"[<>=]")


def _meant(answer: str, mark: Mark, copies: Copies | None) -> bool:
    span = (mark.start, mark.end)
    return not (
        between_quotation_marks(answer, *span)
        or hedged(answer, *span)
        or (copies is not None and copies.holds(answer, *span))
    )


def _all_marks(
    answer: str, masked: str, names: Names, objects: Sequence[JsonAnswer]
) -> tuple[list[Mark], list[tuple[int, int]]]:
    """Every unquoted verdict by position, and the containers that hold several options."""
    marks = [
        Mark(found.start, found.end, found.label.verdict, found.label.strength, found)
        for found in _outer(objects)
        if found.label
    ]
    templates = []
    containers = sorted(found for found in _containers(answer) if masked[found[0]] != FILL)
    for start, end, content, kind in _outer(containers):
        label = _read(content, kind, names)
        if label:
            marks.append(Mark(start, end, label.verdict, label.strength))
        elif options(content, names=names) > 1:
            templates.append((start, end))
    marks += _captioned(answer, masked, names)
    return sorted(marks, key=lambda mark: mark[:2]), templates


_MANY = 200
_T = TypeVar("_T")


def _outer(found: Sequence[_T]) -> Sequence[_T]:
    """The first and the last `_MANY`: a text with more is a loop, which decides nothing between."""
    return found if len(found) <= 2 * _MANY else [*found[:_MANY], *found[-_MANY:]]


def _read(content: str, kind: str, names: Names) -> Label | None:
    if kind == "[[" and content.strip().casefold() == "c":
        return Label("tie", 0, False)
    return read_label(content, names=names)


def _containers(answer: str) -> Iterable[tuple[int, int, str, str]]:
    """(start, end, content, kind) of each box, pair of brackets and answer tag."""
    for match in _BOX.finditer(answer):
        end = _closing_brace(answer, match.end())
        if end is not None:
            start = match.start()
            while start > 0 and match.start() - start < 4 and answer[start - 1] in "\\\x08":
                start -= 1
            yield start, end + 1, answer[match.end() : end], "box"
    for match in _BRACKETS.finditer(answer):
        yield match.start(), match.end(), match[1], "[["
    for match in _TAGS.finditer(answer):
        yield match.start(), match.end(), match[2], "tag"


def _closing_brace(text: str, start: int) -> int | None:
    depth = 1
    for match in _BRACE.finditer(text, start, start + _LONGEST_BOX):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
        if depth > _DEEPEST:
            break
    return None


def _captioned(answer: str, masked: str, names: Names) -> Iterable[Mark]:
    """`Verdict: A>B`, `Better response: Response A`, or a heading with the verdict below it."""
    for match in _outer(_captions(answer)):
        start, value = match.start("value"), match["value"]
        if masked[start] == FILL or options(value, names=names) > 1:
            continue
        stop = None if match["heading"] or match["below"] else _VALUE_END.search(value)
        value = value[: stop.start()] if stop else value
        label = None if "boxed" in value or "[[" in value else read_label(value, names=names)
        if label and (label.graded or _decides(label, value, strong=bool(match["strong"]))):
            yield Mark(match.start(), start + len(value), label.verdict, label.strength)


def _captions(answer: str) -> list[re.Match[str]]:
    """Matches of `_CAPTION` as `finditer` gives them, tried only where one can start."""
    found = list[re.Match[str]]()
    end = 0
    for start in [0, *(match.end() for match in _MAY_START.finditer(answer))]:
        if start >= end and (match := _CAPTION.match(answer, start)):
            found.append(match)
            end = match.end()
    return found


# `The conclusion is the same` compares two conclusions; only these words always mean a tie.
_SURELY_A_TIE = re.compile(r"tie|draw|toss|preference|平|引き分け|同点", re.IGNORECASE)


def _decides(label: Label, value: str, *, strong: bool) -> bool:
    if label.verdict == "tie":
        return strong and bool(_SURELY_A_TIE.search(value))
    return strong or len(value.strip("*_ \t\r")) > 1
