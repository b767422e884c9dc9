"""Reads the reasons of an answer around its verdict, or where its grammar has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rmaudit.parsing.grammar import Grammar
from rmaudit.parsing.json_answers import JsonAnswer
from rmaudit.parsing.marks import Mark
from rmaudit.parsing.own_solution import argument
from rmaudit.parsing.rationale_places import reasons_elsewhere
from rmaudit.parsing.reasons import claimed_reasons, holds_prose, list_reasons, prose_reasons
from rmaudit.parsing.sides import Names, reason_about
from rmaudit.records import ModelReason
from rmaudit.text.masking import blank


class Reader:
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
        grammar: Grammar,
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
        self._elsewhere = reasons_elsewhere(text, objects, grammar=grammar)
        self.free_text = False
        """Whether the reasons of the last reading are sentences of a text."""

    def reasons_before(self, mark: Mark) -> bool:
        """Whether reasons stand before a verdict."""
        return next(first_of(*self._before(0, mark.start)), None) is not None

    def first_complete(self, marks: Sequence[Mark]) -> Mark:
        """The first verdict that reasons stand before, else the first."""
        start = 0
        for mark in marks:
            if mark.source and mark.source.claims:
                return mark
            if next(first_of(*self._before(start, mark.start)), None):
                return mark
            start = mark.end
        return marks[0]

    def beside(self, mark: Mark, stop: int, *, trusted: bool, cut: bool) -> Iterator[ModelReason]:
        """The reasons of a verdict: its JSON object's, the list before it, after it, or prose.

        Past an answer that is not trusted, only where nothing stands before the verdict. Where the
        grammar has the reasons elsewhere, they are read there alone.
        """
        self.free_text = False
        if self._elsewhere.alone is not None:
            return self._said(self._elsewhere.alone)
        if mark.source and mark.source.claims:
            self.free_text = holds_prose(mark.source.claims, names=self._names)
            return claimed_reasons(mark.source.claims, names=self._names)
        listed, prose = self._before(0, mark.start)
        after = argument(self._slice(mark.end, stop), names=self._names)
        listed_after = list_reasons(after, names=self._names, cut=cut)
        prose = self._free(prose)
        readings = [listed, listed_after, prose] if trusted else [listed, prose, listed_after]
        shown = self._said(self._elsewhere.shown)
        return first_of(*readings, self._free(prose_reasons(after, names=self._names)), shown)

    def _free(self, reasons: Iterator[ModelReason]) -> Iterator[ModelReason]:
        """The same; whoever takes one of them has read free text."""
        for reason in reasons:
            self.free_text = True
            yield reason

    def _said(self, texts: Sequence[str]) -> Iterator[ModelReason]:
        """The reasons of texts that hold nothing but reasons."""
        for text in texts:
            if self._elsewhere.whole:
                about, ambiguous = reason_about(text, names=self._names)
                yield ModelReason(" ".join(text.split()), about, ambiguous)
                continue
            listed = list_reasons(text, names=self._names)
            yield from first_of(listed, self._free(prose_reasons(text, names=self._names)))

    def without_verdict(self, stop: int, *, cut: bool) -> Iterator[ModelReason]:
        """The reasons of a list or a JSON object alone; prose without a verdict gives none."""
        if self._elsewhere.alone is not None:
            return self._said(self._elsewhere.alone)
        listed = list_reasons(self._slice(0, stop), names=self._names, cut=cut)
        return first_of(listed, self._claimed(0, stop))

    def _before(self, start: int, end: int) -> tuple[Iterator[ModelReason], Iterator[ModelReason]]:
        """The reasons before a verdict, as a list or JSON object and as prose."""
        text = argument(self._slice(start, end), names=self._names)
        listed = list_reasons(text, names=self._names)
        return (
            first_of(listed, self._claimed(start, end)),
            prose_reasons(text, names=self._names),
        )

    def _claimed(self, start: int, end: int) -> Iterator[ModelReason]:
        for found in reversed(self._objects):
            if found.claims and start <= found.start < end:
                return claimed_reasons(found.claims, names=self._names)
        return iter(())

    def _slice(self, start: int, end: int) -> str:
        return self._text[self._at[start] : self._at[end]]


def first_of(*readings: Iterator[ModelReason]) -> Iterator[ModelReason]:
    """The first reading that gives any reason."""
    for reading in readings:
        for reason in reading:
            return chain([reason], reading)
    return iter(())
