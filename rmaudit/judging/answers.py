"""Finds the JSON that a model was asked for in its answer; what is not readable is malformed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_DECODER = json.JSONDecoder(strict=False)
_OPENING = re.compile(r"[{\[]")
_MOST = 1000
"""Attempts at most: each one that fails has read all before it."""


class Malformed(ValueError):
    """The answer is not readable; the message says why, in words of ours only."""


def after_thinking(text: str) -> str:
    """The text after the last `</think>`.

    Raises:
        Malformed: the thinking does not end.
    """
    answer = text.rpartition("</think>")[2]
    if "<think>" in answer:
        raise Malformed("its thinking does not end")
    return answer


def last_value(answer: str, pick: Callable[[object], T | None], *, key: str) -> T | None:
    """What `pick` takes of the last JSON value that it takes anything of; None where of none.

    Raises:
        Malformed: `key`, as JSON writes it, stands after that value: the last one is damaged.
    """
    found = None
    end = 0
    for attempt, opening in enumerate(_OPENING.finditer(answer)):
        if attempt == _MOST:
            break
        if opening.start() < end:
            continue
        try:
            value, after = _DECODER.raw_decode(answer, opening.start())
        except (ValueError, RecursionError):
            # No JSON, a number of thousands of digits, or nesting past the interpreter's stack.
            continue
        picked = pick(value)
        if picked is not None:
            found, end = picked, after
    if f'"{key}"' in answer[end:]:
        raise Malformed(f"its last list of {key} is not readable")
    return found


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
