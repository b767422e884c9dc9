r"""Turns one raw completion into a judgment: what it decides, and why.

A grammar says which form at which place is a verdict; reasons stand before it. Verdicts that differ
contradict each other, and none of them counts. An answer that runs on into a new prompt, or that
the token limit cuts, counts as far as its first complete answer. Nothing is guessed: an answer
without a readable verdict is unparsed, truncated or refused, never a side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal, NamedTuple

from rmaudit.parsing.boundaries import end_of_tokens, new_blocks, new_lists, new_turns
from rmaudit.parsing.closing import closing_verdict
from rmaudit.parsing.copied import repeats
from rmaudit.parsing.grammar import RECORDED, Form, Grammar
from rmaudit.parsing.json_answers import JsonAnswer, json_answers
from rmaudit.parsing.marks import Mark
from rmaudit.parsing.negated import Copies
from rmaudit.parsing.reader import Reader
from rmaudit.parsing.refusals import refuses
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.parsing.thinking import Span, answer_spans
from rmaudit.parsing.verdicts import FoundVerdict, find_verdicts, verdict_places
from rmaudit.records import FinishReason, Judgment, Outcome
from rmaudit.text.masking import FILL, blank, fold, mask_blocks, mask_quotations


def parse_pairwise(
    text: str,
    *,
    finish_reason: FinishReason,
    max_reasons: int,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
    grammar: Grammar = RECORDED,
) -> Judgment:
    """`parse_with_form` without the form."""
    return parse_with_form(
        text,
        finish_reason=finish_reason,
        max_reasons=max_reasons,
        responses=responses,
        names=names,
        grammar=grammar,
    ).judgment


class Parsed(NamedTuple):
    """A judgment, and whether its answer has the strict form: one verdict, last, ended.

    form: that of the verdict, None without one. passed: the answer holds something else in the form
    of a verdict, in its own voice, that does not count. free_text: its reasons are the sentences of
    a text, not the points of a list. rating: the score of a response that is judged alone, where
    the grammar asks for one; the judgment is then no verdict on a pair.
    """

    judgment: Judgment
    strict: bool
    form: Form | None
    passed: bool
    free_text: bool = False
    rating: float | None = None

    @property
    def decides(self) -> bool:
        """Whether it holds what it was asked for: a verdict on a pair, or the score of one."""
        return self.judgment.verdict is not None


def parse_with_form(
    text: str,
    *,
    finish_reason: FinishReason,
    max_reasons: int,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
    grammar: Grammar = RECORDED,
) -> Parsed:
    """The judgment that a completion states, as shown: verdict `a` is the response shown first.

    `responses` are the texts shown; a verdict copied out of one with the words around it does not
    count. `grammar` says what is a verdict and where the reasons are. Where a chat template opens
    the thinking itself, put `<think>` before the completion: otherwise one that is cut before the
    closing tag looks like an answer.

    The outcome is `ok`, `tie`, `unparsed`, `truncated` or `refused`; the flag `conflict` means
    verdicts for different sides, not of different strength, so that none counts. An answer of more
    than `LONGEST` characters is read as if the limit had cut it there. Never raises.
    """
    read = _read(text, responses, names, grammar)
    cut = finish_reason == "length" or read.cut
    answer, found, reader = read.answer, read.found, read.reader
    stop, ran_on = _trusted_end(read.masked, found, names)
    ran_on = ran_on or read.open
    marks = [mark for mark in found.marks if mark.end <= stop]
    if grammar.at == "first":
        marks = _on_the_first_line(answer, marks)
    elif cut:
        marks = [mark for mark in marks if mark.end < len(answer) or answer[-1] in "}]>"]
    if grammar.at == "closing":
        marks = [] if ran_on or cut else _on_the_last_line(answer[:stop], marks)
    mark: Mark | None = None
    conflict = False
    if marks:
        mark, rivals = marks[-1], marks
        if ran_on or cut:
            mark = reader.first_complete(marks)
            rivals = [one for one in marks if one.start == mark.start]  # of one JSON value
        conflict = len({one.stance for one in rivals}) > 1
        mark = None if conflict else mark
    elif not cut and grammar.at == "last" and grammar.scale is None and not grammar.criteria:
        mark = read.closing(stop, names, grammar)

    if mark:
        reasons = reader.beside(mark, stop, trusted=not (ran_on or cut), cut=cut)
    else:
        reasons = reader.without_verdict(stop, cut=cut and stop == len(answer))
    taken = list(islice(reasons, max_reasons + 1))
    outcome = _outcome(mark, answer, cut=cut or read.open, listed=bool(taken), conflict=conflict)
    kept = tuple(taken[:max_reasons]) if outcome != "refused" else ()
    raised = {
        "conflict": conflict,
        "ran_on": ran_on or (cut and mark is not None),
        "over_max_reasons": len(taken) > max_reasons,
        "no_reasons": not kept,
        "ambiguous_side": any(reason.ambiguous for reason in kept),
        "copied": repeats([reason.text for reason in kept], responses),
        "unknown_keys": bool(mark and mark.source and mark.source.unknown and kept),
        "unread_texts": bool(mark and mark.source and mark.source.unread),
    }
    judgment = Judgment(
        verdict=mark.verdict if mark else None,
        outcome=outcome,
        reasons=kept,
        strength=mark.label.strength if mark else None,
        flags=tuple(flag for flag, is_raised in raised.items() if is_raised),
    )
    strict = (
        mark is not None
        and found.marks in ([], [mark])  # none: the closing line alone gave it
        and not (found.templates or found.passed or cut or ran_on)
        and not any(character.isalnum() for character in answer[mark.end :])
    )
    form = mark.form if mark else None
    rating = mark.label.rating if mark else None
    free = reader.free_text and bool(kept)
    return Parsed(judgment, strict, form, found.passed, free, rating)


LONGEST = 100_000
"""So many characters of an answer are read; what a model writes beyond is a loop."""


def _on_the_first_line(answer: str, marks: Sequence[Mark]) -> list[Mark]:
    """The mark on the first line that is not blank, and nothing else."""
    end = answer.find("\n", len(answer) - len(answer.lstrip()))
    return [mark for mark in marks if end < 0 or mark.start < end][:1]


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
    grammar: Grammar = RECORDED,
) -> Stated | None:
    """The first verdict of an answer that ends past `after`, wherever reasons stand; as shown."""
    read = _read(text, responses, names, grammar)
    marks = read.found.marks
    if not marks and grammar.scale is None and not grammar.criteria:
        closing = read.closing(len(read.answer), names, grammar)
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
    cut: bool
    found: FoundVerdict
    copies: Copies
    reader: Reader

    def closing(self, stop: int, names: Names, grammar: Grammar) -> Mark | None:
        """The verdict of a form that counts only at the end of the answer."""
        return closing_verdict(
            self.answer[:stop],
            self.masked[:stop],
            names=names,
            listed=bool(new_lists(self.masked)),
            copies=self.copies,
            grammar=grammar,
        )


def _read(text: str, responses: tuple[str, str], names: Names, grammar: Grammar) -> _Read:
    span = _first_answer(text)
    shown = text[span.start : min(span.end, span.start + LONGEST)]
    folded = fold(shown)
    answer = folded.text[: end_of_tokens(folded.text)]
    origin = _moved(folded.origin[: len(answer) + 1], span.start)

    objects = _own_objects(answer, names, whole=bool(grammar.keys))
    masked = mask_quotations(
        blank(mask_blocks(answer), [(found.start, found.end) for found in objects])
    )
    copies = Copies.of(
        place for response in responses for place in verdict_places(response, names=names)
    )
    found = find_verdicts(
        answer, masked, names=names, grammar=grammar, objects=objects, copies=copies
    )
    spans = [(min(mark.start, mark.said_from), mark.end) for mark in found.marks] + found.templates
    spans += [(one.start, one.end) for one in objects]
    reader = Reader(
        text, origin, spans=sorted(spans), objects=objects, names=names, grammar=grammar
    )
    cut = span.end - span.start > LONGEST
    return _Read(answer, masked, origin, span.open, cut, found, copies, reader)


def _first_answer(text: str) -> Span:
    """The stretch outside thinking that holds the answer: the last one, or one that runs on.

    What thinks again after a new turn answers another prompt.
    """
    spans = answer_spans(text)
    for span in spans[:-1]:
        stretch = text[span.start : span.end]
        turns = new_turns(mask_blocks(stretch[:LONGEST]))
        if turns and stretch[: turns[0]].strip():
            return span
    return spans[-1]


def _moved(origin: Sequence[int], by: int) -> Sequence[int]:
    if isinstance(origin, range):
        return range(by, by + len(origin))
    return [position + by for position in origin]


_FENCE_BEFORE = re.compile(r"[ \t]{0,8}(?:`{3,}|~{3,})\w{0,12}")


def _own_objects(answer: str, names: Names, *, whole: bool) -> list[JsonAnswer]:
    """The JSON answers in the model's own voice: bare, or the body of a fenced block."""
    blocks = mask_blocks(answer)
    return [
        found
        for found in json_answers(answer, names=names, whole=whole)
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


def _on_the_last_line(answer: str, marks: Sequence[Mark]) -> list[Mark]:
    """The last mark where no further line follows it; those before it are of parts."""
    return [mark for mark in marks[-1:] if "\n" not in answer[mark.end :].strip()]


def _outcome(mark: Mark | None, answer: str, *, cut: bool, listed: bool, conflict: bool) -> Outcome:
    if mark:
        return "tie" if mark.verdict == "tie" else "ok"
    if conflict:
        return "unparsed"
    if cut:
        return "truncated"
    return "refused" if not listed and refuses(answer) else "unparsed"
