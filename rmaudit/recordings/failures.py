"""Failed calls that were written down as if they were results.

A harness that must write a number writes -1, null or NaN for a call that failed, or puts the text
of an exception where the reasoning should be. Neither is a tie, a zero or a verdict.
"""

from __future__ import annotations

import math
import re

from rmaudit.checklists.importers.fields import number_of
from rmaudit.parsing.sides import DEFAULT_NAMES, sides_named
from rmaudit.parsing.verdicts import verdict_places

_EXCEPTION = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|"
    r"(?:[a-z_]\w*\.)*(?:[A-Za-z]*(?:Error|Exception|Timeout))\b\s?[:(]|"
    r"<?\bHTTP(?:/\d(?:\.\d)?)?\s+[45]\d\d\b|\{\"error\"\s*:)",
    re.IGNORECASE,
)
_LONGEST = 2_000


def error_text(text: str) -> str | None:
    """What an error says, where the whole text is the text of one; None for an answer.

    The form tells it: the name of an exception and a colon, a traceback, an HTTP status, or a JSON
    object with the one key `error`, at the very start of a short text that names no response.
    """
    if len(text) > _LONGEST or not _EXCEPTION.match(text):
        return None
    if sides_named(text, names=DEFAULT_NAMES) or verdict_places(text, names=DEFAULT_NAMES):
        return None  # it speaks of the responses: `Error: Response A names 9.`
    return " ".join(text.split())[:200]


def score_of(value: object, *, sentinel: float | None = None) -> float | None:
    """A recorded score; None for null, NaN, an infinity, text, or the sentinel of a failed call."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    number = number_of(value)
    return None if number is None or number == sentinel else number


def is_blank(value: object) -> bool:
    """Null, NaN or blank text: nothing was recorded."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    return isinstance(value, str) and not value.strip()
