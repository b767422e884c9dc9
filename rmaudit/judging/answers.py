"""Finds the JSON that a model was asked for in its answer; what is not readable is malformed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from rmaudit.parsing.thinking import answer_span
from rmaudit.text.json_values import json_values

T = TypeVar("T")

LONGEST = 200_000
"""An answer of more characters is a loop, and is not read."""


class Malformed(ValueError):
    """The answer is not readable; the message says why, in words of ours only."""


def after_thinking(text: str) -> str:
    """The text after the last thinking, in the marks of any family.

    Raises:
        Malformed: the thinking does not end, or more than `LONGEST` characters follow it.
    """
    span = answer_span(text)
    if span.open:
        raise Malformed("its thinking does not end")
    if span.end - span.start > LONGEST:
        raise Malformed("it does not end")
    return text[span.start : span.end]


def only_value(answer: str, pick: Callable[[object], T | None], *, key: str) -> T | None:
    """What `pick` takes of the JSON value that it takes anything of; None where of none.

    An answer holds one such value. Of two that differ nobody can say which is the answer and which
    is quoted, so that neither counts; the same value given twice is one.

    Raises:
        Malformed: two values differ, or `key`, as JSON writes it, stands after the last one: that
            one is damaged.
    """
    picked: list[T] = []
    end = 0
    for found in json_values(answer):
        for one in _picked(found.value, pick):
            end = found.end
            if one not in picked:
                picked.append(one)
    if f'"{key}"' in answer[end:]:
        raise Malformed(f"its last list of {key} is not readable")
    if len(picked) > 1:
        raise Malformed(f"it gives two lists of {key} that differ")
    return picked[0] if picked else None


def _picked(value: object, pick: Callable[[object], T | None]) -> list[T]:
    """What `pick` takes of a value or, where it takes nothing, of the values inside it."""
    one = pick(value)
    if one is not None:
        return [one]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [found for below in inner for found in _picked(below, pick)]


def numbered(value: object, letter: str) -> int:
    """The number that 1, "1" or, with the letter R, "R1" gives.

    Raises:
        Malformed: it gives none.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and (match := re.fullmatch(rf"{letter}?([0-9]{{1,4}})", value)):
        return int(match[1])
    raise Malformed("the number of a reference or reason is not readable")
