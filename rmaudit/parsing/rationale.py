"""Splits a rationale that holds no verdict to read: a judge's explanation beside its label."""

from __future__ import annotations

from collections.abc import Iterator

from rmaudit.parsing.reader import first_of
from rmaudit.parsing.reasons import list_reasons, prose_reasons
from rmaudit.parsing.sides import Names
from rmaudit.parsing.thinking import answer_spans
from rmaudit.records import ModelReason

LONGEST = 100_000


def rationale_reasons(text: str, *, names: Names) -> Iterator[ModelReason]:
    """The reasons of a text that is a rationale and nothing else, in its order.

    The structure decides: a list, numbered or of bullets, else paragraphs and their sentences.
    """
    span = answer_spans(text)[-1]
    said = text[span.start : span.end][:LONGEST]
    return first_of(list_reasons(said, names=names), prose_reasons(said, names=names))


def is_free_text(text: str, *, names: Names) -> bool:
    """Whether a rationale holds no list."""
    span = answer_spans(text)[-1]
    return next(list_reasons(text[span.start : span.end][:LONGEST], names=names), None) is None
