"""A verdict as it stands in an answer, and whether it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rmaudit.parsing.forms import Container
from rmaudit.parsing.grammar import Form
from rmaudit.parsing.json_answers import JsonAnswer
from rmaudit.parsing.negated import Copies, between_quotation_marks, hedged
from rmaudit.parsing.sides import Names
from rmaudit.parsing.verdict_grammar import Label, read_label


@dataclass(frozen=True, slots=True)
class Mark:
    """A verdict at [start, end) of the answer.

    form: in which it stands. source: the JSON value that holds it. said_from: where the words that
    announce it begin. given: it stands on its own or is announced, not only in a sentence. bare: a
    single letter in a form in which solutions of the request are given as well.
    """

    start: int
    end: int
    label: Label
    form: Form
    source: JsonAnswer | None = None
    said_from: int = -1
    given: bool = True
    bare: bool = False

    @property
    def verdict(self) -> Literal["a", "b", "tie"]:
        """The side that it decides for, or a tie."""
        return self.label.verdict

    @property
    def stance(self) -> str | float:
        """What another verdict has to agree with: the side, or the score of a response alone."""
        return self.label.verdict if self.label.rating is None else self.label.rating

    @property
    def value(self) -> tuple[str, int]:
        """Verdict and strength."""
        return self.label[:2]


def meant(answer: str, mark: Mark, copies: Copies | None) -> bool:
    """Whether a verdict is the answer's own: not quoted, negated or copied out of a response."""
    span = (mark.start, mark.end)
    return not (
        between_quotation_marks(answer, *span)
        or hedged(answer, *span)
        or (copies is not None and copies.holds(answer, *span))
    )


def worded(one: Container, names: Names) -> Label | None:
    """The verdict that the words in a container spell; `[[C]]` is a tie."""
    if one.form == "brackets" and one.content.strip().casefold() == "c":
        return Label("tie", 0, False)
    return read_label(one.content, names=names)
