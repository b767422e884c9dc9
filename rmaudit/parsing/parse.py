r"""Turns one raw completion into a judgment: what it decides, and why.

The last verdict after the thinking wins, and reasons stand before it. An answer that runs on into
a new prompt, or that the token limit cuts, counts as far as its first complete answer. Nothing is
guessed: an answer without a readable verdict is unparsed, truncated or refused, never a side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Literal, NamedTuple

from rmaudit.parsing.boundaries import answer_span, end_of_tokens, new_blocks, new_lists, new_turns
from rmaudit.parsing.copied import repeats
from rmaudit.parsing.json_answers import JsonAnswer, json_answers
from rmaudit.parsing.negated import Copies
from rmaudit.parsing.own_solution import argument
from rmaudit.parsing.reasons import claimed_reasons, list_reasons, prose_reasons
from rmaudit.parsing.refusals import refuses
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.parsing.verdicts import (
    FoundVerdict,
    Mark,
    closing_verdict,
    find_verdicts,
    verdict_places,
)
from rmaudit.records import FinishReason, Judgment, ModelReason, Outcome
from rmaudit.text.masking import FILL, blank, fold, mask_blocks, mask_quotations


def parse_pairwise(
    text: str,
    *,
    finish_reason: FinishReason,
    max_reasons: int,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
) -> Judgment:
    """`parse_with_form` without the form."""
    return parse_with_form(
        text,
        finish_reason=finish_reason,
        max_reasons=max_reasons,
        responses=responses,
        names=names,
    ).judgment


class Parsed(NamedTuple):
    """A judgment, and whether its answer has the strict form: one verdict, last, ended."""

    judgment: Judgment
    strict: bool


def parse_with_form(
    text: str,
    *,
    finish_reason: FinishReason,
    max_reasons: int,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
) -> Parsed:
    """The judgment that a completion states, as shown: verdict `a` is the response shown first.

    `responses` are the texts shown; a verdict copied out of one with the words around it does not
    count. Where a chat template opens the thinking itself, put `<think>` before the completion:
    otherwise one that is cut before the closing tag looks like an answer.

    The outcome is `ok`, `tie`, `unparsed`, `truncated` or `refused`; `conflict` means verdicts for
    different sides, not of different strength. Never raises.
    """
    cut = finish_reason == "length"
    read = _read(text, responses, names)
    answer, found, reader = read.answer, read.found, read.reader
    stop, ran_on = _trusted_end(read.masked, found, names)
    ran_on = ran_on or read.open
    marks = [mark for mark in found.marks if mark.end <= stop]
    if cut:
        marks = [mark for mark in marks if mark.end < len(answer) or answer[-1] in "}]>"]
    mark: Mark | None = None
    if marks:
        mark = reader.first_complete(marks) if ran_on or cut else marks[-1]
    elif not cut:
        mark = read.closing(stop, names)

    if mark:
        reasons = reader.beside(mark, stop, trusted=not (ran_on or cut), cut=cut)
    else:
        reasons = reader.without_verdict(stop, cut=cut and stop == len(answer))
    taken = list(islice(reasons, max_reasons + 1))
    outcome = _outcome(mark, answer, cut=cut or read.open, listed=bool(taken))
    kept = tuple(taken[:max_reasons]) if outcome != "refused" else ()
    raised = {
        "conflict": not (ran_on or cut) and len({mark.verdict for mark in marks}) > 1,
        "ran_on": ran_on or (cut and mark is not None),
        "over_max_reasons": len(taken) > max_reasons,
        "no_reasons": not kept,
        "ambiguous_side": any(reason.ambiguous for reason in kept),
        "copied": repeats([reason.text for reason in kept], responses),
    }
    judgment = Judgment(
        verdict=mark.verdict if mark else None,
        outcome=outcome,
        reasons=kept,
        strength=mark.strength if mark else None,
        flags=tuple(flag for flag, is_raised in raised.items() if is_raised),
    )
    strict = (
        mark is not None
        and found.marks in ([], [mark])  # none: the closing line alone gave it
        and not (found.templates or cut or ran_on)
        and not any(character.isalnum() for character in answer[mark.end :])
    )
    return Parsed(judgment, strict)


class Stated(NamedTuple):
    """A verdict as an answer states it, at [start, end) of the whole text.

    begin: where the answer begins, after the thinking. in_object: it stands in a JSON object.
    reasoned: reasons stand between `begin` and `start`.
    """

    begin: int
    start: int
    end: int
    verdict: Literal["a", "b", "tie"]
    in_object: bool
    reasoned: bool


def stated_verdict(
    text: str,
    *,
    after: int = 0,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
) -> Stated | None:
    """The first verdict of an answer that ends past `after`, wherever reasons stand; as shown."""
    read = _read(text, responses, names)
    marks = read.found.marks
    if not marks:
        closing = read.closing(len(read.answer), names)
        marks = [closing] if closing else []
    for mark in marks:
        start, end = read.origin[mark.start], read.origin[mark.end]
        if end > after:
            reasoned = read.reader.reasons_before(mark)
            begin = read.origin[0]
            return Stated(begin, start, end, mark.verdict, mark.source is not None, reasoned)
    return None


class _Read(NamedTuple):
    """An answer with its verdicts found: what every reading of it begins with."""

    answer: str
    masked: str
    origin: Sequence[int]
    open: bool
    found: FoundVerdict
    copies: Copies
    reader: _Reader

    def closing(self, stop: int, names: Names) -> Mark | None:
        """The verdict of a form that counts only at the end of the answer."""
        listed = bool(new_lists(self.masked))
        return closing_verdict(
            self.answer[:stop], self.masked[:stop], names=names, listed=listed, copies=self.copies
        )


def _read(text: str, responses: tuple[str, str], names: Names) -> _Read:
    folded = fold(text)
    span = answer_span(folded.text)
    answer = folded.text[span.start : span.end]
    answer = answer[: end_of_tokens(answer)]
    origin = folded.origin[span.start : span.start + len(answer) + 1]

    objects = _own_objects(answer, names)
    masked = mask_quotations(
        blank(mask_blocks(answer), [(found.start, found.end) for found in objects])
    )
    copies = Copies.of(place for shown in responses for place in verdict_places(shown, names=names))
    found = find_verdicts(answer, masked, names=names, objects=objects, copies=copies)
    spans = [(mark.start, mark.end) for mark in found.marks] + found.templates
    spans += [(found.start, found.end) for found in objects]
    reader = _Reader(text, origin, spans=sorted(spans), objects=objects, names=names)
    return _Read(answer, masked, origin, span.open, found, copies, reader)


_FENCE_BEFORE = re.compile(r"[ \t]{0,8}(?:`{3,}|~{3,})\w{0,12}")


def _own_objects(answer: str, names: Names) -> list[JsonAnswer]:
    """The JSON answers in the model's own voice: bare, or the body of a fenced block."""
    blocks = mask_blocks(answer)
    return [
        found
        for found in json_answers(answer, names=names)
        if blocks[found.start] != FILL
        or _FENCE_BEFORE.fullmatch(
            answer[max(0, found.start - 40) : found.start].rstrip().rpartition("\n")[2]
        )
    ]


def _trusted_end(masked: str, found: FoundVerdict, names: Names) -> tuple[int, bool]:
    """Where the answer runs on into something else, else its end."""
    turns, lists = new_turns(masked), new_lists(masked)
    ends: list[int] = []
    if found.marks:
        first = found.marks[0]
        echoes = [
            *turns,
            *new_blocks(masked, names=names),
            *(start for start, _ in found.templates),
        ]
        ends += [position for position in echoes if position >= first.end]
        if lists and lists[0] < first.start:
            last = found.marks[-1].start
            ends += [start for start in lists if first.end <= start < last]
    opens_with_echo = bool(turns) and not masked[: turns[0]].strip()
    if lists and not opens_with_echo:
        # A list without a verdict, then a new turn: what is decided there decides something else.
        ends += [turn for turn in turns if turn > lists[0]]
    return (min(ends), True) if ends else (len(masked), False)


class _Reader:
    """Reads reasons out of stretches of the answer, in the characters of the original text.

    `origin` maps positions of the answer to the original; what stands at `spans` (verdicts,
    templates, JSON objects) is no reason.
    """

    def __init__(
        self,
        text: str,
        origin: Sequence[int],
        *,
        spans: Sequence[tuple[int, int]],
        objects: Sequence[JsonAnswer],
        names: Names,
    ) -> None:
        self._at = (
            range(origin[-1] - origin[0] + 1)
            if isinstance(origin, range)
            else [position - origin[0] for position in origin]
        )
        self._text = blank(
            text[origin[0] : origin[-1]],
            [(self._at[start], self._at[end]) for start, end in spans],
            fill=" ",
        )
        self._objects = objects
        self._names = names

    def reasons_before(self, mark: Mark) -> bool:
        """Whether reasons stand before a verdict."""
        return next(_first_of(*self._before(0, mark.start)), None) is not None

    def first_complete(self, marks: Sequence[Mark]) -> Mark:
        """The first verdict that reasons stand before, else the first."""
        start = 0
        for mark in marks:
            if mark.source and mark.source.claims:
                return mark
            if next(_first_of(*self._before(start, mark.start)), None):
                return mark
            start = mark.end
        return marks[0]

    def beside(self, mark: Mark, stop: int, *, trusted: bool, cut: bool) -> Iterator[ModelReason]:
        """The reasons of a verdict: its JSON object's, the list before it, after it, or prose.

        Past an answer that is not trusted, only where nothing stands before the verdict.
        """
        if mark.source and mark.source.claims:
            return claimed_reasons(mark.source.claims, names=self._names)
        listed, prose = self._before(0, mark.start)
        after = argument(self._slice(mark.end, stop), names=self._names)
        listed_after = list_reasons(after, names=self._names, cut=cut)
        readings = [listed, listed_after, prose] if trusted else [listed, prose, listed_after]
        return _first_of(*readings, prose_reasons(after, names=self._names))

    def without_verdict(self, stop: int, *, cut: bool) -> Iterator[ModelReason]:
        """The reasons of a list or a JSON object alone; prose without a verdict gives none."""
        listed = list_reasons(self._slice(0, stop), names=self._names, cut=cut)
        return _first_of(listed, self._claimed(0, stop))

    def _before(self, start: int, end: int) -> tuple[Iterator[ModelReason], Iterator[ModelReason]]:
        """The reasons before a verdict, as a list or JSON object and as prose."""
        text = argument(self._slice(start, end), names=self._names)
        listed = list_reasons(text, names=self._names)
        return (
            _first_of(listed, self._claimed(start, end)),
            prose_reasons(text, names=self._names),
        )

    def _claimed(self, start: int, end: int) -> Iterator[ModelReason]:
        for found in reversed(self._objects):
            if found.claims and start <= found.start < end:
                return claimed_reasons(found.claims, names=self._names)
        return iter(())

    def _slice(self, start: int, end: int) -> str:
        return self._text[self._at[start] : self._at[end]]


def _first_of(*readings: Iterator[ModelReason]) -> Iterator[ModelReason]:
    """The first reading that gives any reason."""
    for reading in readings:
        for reason in reading:
            return chain([reason], reading)
    return iter(())


def _outcome(mark: Mark | None, answer: str, *, cut: bool, listed: bool) -> Outcome:
    if mark:
        return "tie" if mark.verdict == "tie" else "ok"
    if cut:
        return "truncated"
    return "refused" if not listed and refuses(answer) else "unparsed"
