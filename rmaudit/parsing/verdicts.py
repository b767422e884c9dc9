r"""Finds the verdicts of an answer: of the forms that its grammar takes, those that it gives.

Only forms that no prose takes by chance count, never a bare letter in a sentence. What is quoted,
copied, negated, an option of the template, the label of another role or the model's own solution
of the request is found and left out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from rmaudit.parsing.boundaries import new_turns
from rmaudit.parsing.criteria import decide
from rmaudit.parsing.forms import (
    Captioned,
    Container,
    boxed,
    containers,
    ends_in_caption,
    general_captions,
    lines_of,
    named_captions,
)
from rmaudit.parsing.grammar import RECORDED, Grammar
from rmaudit.parsing.json_answers import JsonAnswer, json_answers
from rmaudit.parsing.json_paths import labels_at
from rmaudit.parsing.marks import Mark, meant, worded
from rmaudit.parsing.negated import Copies, template_runs
from rmaudit.parsing.sides import Names, places_named
from rmaudit.parsing.statements import object_stands, standing
from rmaudit.parsing.verdict_grammar import Label, options, read_label
from rmaudit.text.masking import FILL, fold


@dataclass(frozen=True, slots=True)
class FoundVerdict:
    """The verdicts that an answer means, in order, and where it repeats the template's options.

    `passed`: it holds more in the form of a verdict than these, in its own voice.
    """

    marks: list[Mark]
    templates: list[tuple[int, int]]
    passed: bool = False


def find_verdicts(
    answer: str,
    masked: str,
    *,
    names: Names,
    grammar: Grammar = RECORDED,
    objects: Sequence[JsonAnswer] = (),
    copies: Copies | None = None,
) -> FoundVerdict:
    """The verdicts that the (folded) answer means; `masked` is its `mask_quoted`."""
    marks, templates = _all_marks(answer, masked, names, grammar, objects)
    places = list({(mark.start, mark.end): mark for mark in reversed(marks)}.values())[::-1]
    listed = template_runs(answer, places)
    templates += [(places[first].start, places[last - 1].end) for first, last in listed]
    dropped = {places[i].start for first, last in listed for i in range(first, last)}
    own = [mark for mark in marks if mark.start not in dropped and meant(answer, mark, copies)]
    standing_here = [_standing(answer, mark, names, grammar) for mark in own]
    given_here = [mark for mark in standing_here if mark]
    given_here = _without_solutions(answer, given_here, names)
    counted = [mark for mark in given_here if _counts(answer, mark, names, grammar)]
    given = [mark for mark in counted if mark.given]
    ends = [mark for mark in counted if mark.given or _at_an_end(answer, mark)]
    return FoundVerdict(given or ends, sorted(templates), len(counted) < len(own))


@lru_cache(maxsize=1024)
def verdict_places(text: str, *, names: Names) -> tuple[tuple[str, int, int], ...]:
    """Where verdicts stand in a response, so that an answer that copies one can be told.

    Kept for the next call: a response is shown in both orders, and again for every sample.
    """
    text = fold(text).text
    marks, _ = _all_marks(text, text, names, RECORDED, json_answers(text, names=names))
    return tuple((text, mark.start, mark.end) for mark in marks)


def _standing(answer: str, mark: Mark, names: Names, grammar: Grammar) -> Mark | None:
    """The mark with how it stands there; None where it plays another role."""
    if mark.form in ("caption", "line") or (grammar.captions and mark.form != "json"):
        return mark
    if mark.form == "json":
        return mark if object_stands(answer, mark.start, mark.end, names=names) else None
    if mark.label.rating is not None:
        return mark  # no sentence about two sides announces a score of one
    found = standing(answer, mark.start, mark.end, mark.label, bare=mark.bare, names=names)
    if found.kind == "mentioned":
        return None
    return replace(mark, said_from=found.begin, given=found.kind == "given")


def _without_solutions(answer: str, marks: list[Mark], names: Names) -> list[Mark]:
    """The marks without bare letters that solve the request, as with several choices.

    Such a letter stands after working that names no response, before the argument that does; or
    a verdict of a form that no solution takes follows it.
    """
    if not any(mark.bare for mark in marks):
        return marks
    sides = places_named(answer, names=names)
    kept = []
    for mark in marks:
        if mark.bare and (mark.start, mark.end) != (marks[-1].start, marks[-1].end):
            if not marks[-1].bare:
                continue
            if _works_before(answer, mark, sides):
                continue
        elif mark.bare and _works_before(answer, mark, sides):
            continue
        kept.append(mark)
    return kept


_WORKING = 3


def _works_before(answer: str, mark: Mark, sides: Sequence[int]) -> bool:
    if not any(place >= mark.end for place in sides):
        return False
    if any(place < mark.start for place in sides):
        return False
    return len(answer[: mark.start].split()) >= _WORKING


def _counts(answer: str, mark: Mark, names: Names, grammar: Grammar) -> bool:
    """Whether the grammar takes the form and offers the label there."""
    if not grammar.takes(mark.form):
        return False
    if grammar.allows(mark.label):
        return True
    if mark.label not in grammar.labels_at_end or not mark.given:
        return False
    last = not any(character.isalnum() for character in answer[mark.end :])
    return last and (
        not mark.bare or any(p < mark.start for p in places_named(answer, names=names))
    )


def _at_an_end(answer: str, mark: Mark) -> bool:
    """Whether a mark stands on the first or the last line that is not blank."""
    before, after = answer[: mark.start].rstrip(), answer[mark.end :].rstrip()
    first = "\n" not in answer[: mark.start].lstrip()
    return first or "\n" not in after or not before


def _all_marks(
    answer: str, masked: str, names: Names, grammar: Grammar, objects: Sequence[JsonAnswer]
) -> tuple[list[Mark], list[tuple[int, int]]]:
    """Every unquoted verdict by position, and the containers that hold several options."""
    marks = [
        Mark(found.start, found.end, label, "json", found)
        for found in _outer(objects)
        for label in _labels_of(found, names, grammar)
    ]
    templates = []
    single = "bracket" in grammar.forms
    found = [
        one
        for one in containers(answer, tags=grammar.tags, single=single)
        if masked[one.start] != FILL
    ]
    for one in _outer(found):
        label = _read(one, names, grammar)
        if label is None:
            if options(one.content, names=names) > 1:
                templates.append((one.start, one.end))
        elif not grammar.captions or ends_in_caption(answer[: one.start], grammar.captions):
            bare = not label.graded and one.form in ("box", "tag") and _is_bare(one, names)
            marks.append(Mark(*one.place, label, one.form, said_from=one.place[0], bare=bare))
    marks += _captioned(answer, masked, names, grammar)
    if grammar.takes("line"):
        marks += _lines(answer, masked, names, grammar)
    return sorted(_once(marks, grammar), key=lambda mark: (mark.start, mark.end)), templates


def _labels_of(found: JsonAnswer, names: Names, grammar: Grammar) -> tuple[Label, ...]:
    if grammar.criteria is not None:
        label = decide(found.value, grammar.criteria, grammar.scale, names)
        return (label,) if label else ()
    return labels_at(found.value, grammar, names=names) if grammar.keys else found.labels


def _once(marks: Iterable[Mark], grammar: Grammar) -> list[Mark]:
    """One mark for containers that stand in each other, of the form that the grammar takes."""
    by_place: dict[tuple[int, int, Label], Mark] = {}
    for mark in marks:
        place = mark.start, mark.end, mark.label
        if place not in by_place or grammar.takes(mark.form):
            by_place[place] = mark
    return list(by_place.values())


def _is_bare(one: Container, names: Names) -> bool:
    if one.form == "tag" and one.name not in ("answer", "result", "final_answer"):
        return False
    return re.sub(r"[^\w]|text\w*|math\w*", "", one.content).casefold() in (
        names.a.casefold(),
        names.b.casefold(),
    )


_MANY = 200
_T = TypeVar("_T")


def _outer(found: Sequence[_T]) -> Sequence[_T]:
    """The first and the last `_MANY`: a text with more is a loop, which decides nothing between."""
    return found if len(found) <= 2 * _MANY else [*found[:_MANY], *found[-_MANY:]]


def _read(one: Container, names: Names, grammar: Grammar) -> Label | None:
    if grammar.scale is not None:
        return grammar.scale.label(grammar.scale.read(one.content))
    if one.form == "bracket" and len(one.content.strip()) != 1:
        return None  # `[Response A]` marks a part of a prompt
    return worded(one, names)


def _captioned(answer: str, masked: str, names: Names, grammar: Grammar) -> Iterator[Mark]:
    """Verdicts after a caption of the grammar, else after a general one."""
    if not grammar.takes("caption"):
        return
    if grammar.captions:
        for one in _outer(list(named_captions(answer, grammar.captions))):
            if masked[one.caption] != FILL and (mark := _after_named(one, names, grammar)):
                yield mark
        return
    for one in _outer(general_captions(answer)):
        value = one.content
        quoted = _VALUE_IN_QUOTES.fullmatch(answer[one.caption : one.end])
        if quoted and one.strong:
            value = quoted["inside"]
        elif masked[one.start] == FILL:
            continue
        if options(value, names=names) > 1:
            continue
        stop = _VALUE_END.search(value) if one.loose else None
        value = value[: stop.start()] if stop else value
        label = None if boxed(value) else read_label(value, names=names)
        if label and (label.graded or _decides(label, value, strong=one.strong)):
            end = one.end if quoted and one.strong else one.start + len(value)
            yield Mark(one.caption, end, label, "caption", said_from=one.caption)


_VALUE_IN_QUOTES = re.compile(
    r"(?P<caption>[^\"“”]{3,80}?)[\"“](?P<inside>[^\"“”]{1,40})[\"”][ \t.*_]*"
)
_VALUE_END = re.compile(r"[.;,。，；！!?？]|\s(?:because|since|as|due|given|over|[—–-])\s|\s\(|（")
# `The conclusion is the same` compares two conclusions; only these words always mean a tie.
_SURELY_A_TIE = re.compile(
    r"tie|draw|toss|preference|平|引き分け|同点|一样好|不相上下|不分上下|难分高下", re.IGNORECASE
)


def _decides(label: Label, value: str, *, strong: bool) -> bool:
    if label.verdict == "tie":
        return strong and bool(_SURELY_A_TIE.search(value))
    return strong or len(value.strip("*_ \t\r")) > 1


def _after_named(one: Captioned, names: Names, grammar: Grammar) -> Mark | None:
    """The label or number that begins the words after a caption of the grammar."""
    if options(one.content, names=names) > 1:
        return None
    value = one.content.strip()
    stop = _VALUE_END.search(value)
    for words in (value, value[: stop.start()] if stop else value):
        words = words.strip(" *_`\"'")
        label = (
            grammar.scale.label(grammar.scale.read(words))
            if grammar.scale is not None
            else read_label(words, names=names)
        )
        if label:
            end = one.start + one.content.index(words) + len(words)
            return Mark(one.caption, end, label, "caption", said_from=one.caption)
    return None


def _lines(answer: str, masked: str, names: Names, grammar: Grammar) -> Iterator[Mark]:
    """A verdict that is all of the line on which the grammar has it."""
    turns = new_turns(masked)
    stop = turns[0] if turns and answer[: turns[0]].strip() else len(answer)
    lines = list(lines_of(answer[:stop]))
    for start, end, text in lines[:1] if grammar.at == "first" else lines[-1:]:
        if masked[start] == FILL:
            continue
        if grammar.scale is not None:
            label = grammar.scale.label(grammar.scale.read(text))
        else:
            label = read_label(text, names=names)
        if label:
            yield Mark(start, end, label, "line", said_from=start)
