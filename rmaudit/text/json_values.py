"""Finds the JSON values that stand in a text, in time linear in the text, whatever it holds.

One pass over the brackets finds where an array or object begins and ends; only a whole span is
given to the JSON parser. A stack of openings that never close costs one pass, not one for each.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple


class JsonValue(NamedTuple):
    """A JSON array or object at [start, end) of the text."""

    start: int
    end: int
    value: object


class _Span(NamedTuple):
    """A balanced pair of brackets, and the pairs directly inside it."""

    start: int
    end: int
    depth: int
    inner: list[_Span]


DEEPEST = 64
"""Nesting beyond which an object is no answer; the JSON parser is not called on it."""
_COST = 8
"""So many times the length of the text may be handed to the JSON parser in all."""
_UNENDED = 8
"""So many strings without an end are read to the end of the text; then no more are looked for."""
_OPENING = re.compile(r"[{\[]")
_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<open>[{\[])|(?P<close>[}\]])|(?P<text>\")|[,:]"
    r"|(?:-?[0-9][0-9.eE+-]*|true|false|null|NaN|-?Infinity))"
)
_STRING = re.compile(r"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"", re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_PAIRS = {"{": "}", "[": "]"}


def json_values(text: str) -> list[JsonValue]:
    """The outermost JSON arrays and objects of a text, in order; never raises.

    Where the outer brackets hold no JSON, as in `[see {"a": 1}]`, the values inside them count.
    Line breaks inside strings are allowed. Values nested deeper than `DEEPEST` are left out.
    """
    found: list[JsonValue] = []
    left = _COST * len(text) + 1000
    waiting = list(reversed(_spans(text)))
    while waiting:
        span = waiting.pop()
        if span.depth > DEEPEST:
            continue
        value = None
        if (left := left - (span.end - span.start)) >= 0:
            value = _decoded(text, span)
        if value is None:
            waiting += reversed(span.inner)
        else:
            found.append(value)
    return found


def _decoded(text: str, span: _Span) -> JsonValue | None:
    try:
        value = _DECODER.decode(text[span.start : span.end])
    except (ValueError, RecursionError):  # no JSON, or a number of thousands of digits
        return None
    return JsonValue(span.start, span.end, value)


def _spans(text: str) -> list[_Span]:
    """The outermost balanced brackets with nothing but JSON tokens inside, in order."""
    outer: list[_Span] = []
    open_at: list[int] = []
    inner: list[list[_Span]] = []
    unended, position = 0, 0
    while True:
        if not open_at:
            opening = _OPENING.search(text, position)
            if opening is None:
                return outer
            position = opening.start()
        token = _TOKEN.match(text, position)
        ended = token is not None and _token_end(text, token)
        if token is None or not ended:
            if token is not None:  # a string without an end
                unended += 1
                position = token.end()
            # What was complete before this place stays; the rest cannot become JSON any more.
            outer += [span for level in inner for span in level]
            open_at, inner = [], []
            if unended >= _UNENDED:
                return outer
            continue
        position = ended
        if token["open"]:
            open_at.append(position - 1)
            inner.append([])
        elif token["close"]:
            start, below = open_at.pop(), inner.pop()
            if _PAIRS[text[start]] != token["close"]:
                outer += [span for level in [*inner, below] for span in level]
                open_at, inner = [], []
                continue
            depth = 1 + max((span.depth for span in below), default=0)
            (inner[-1] if inner else outer).append(_Span(start, position, depth, below))


def _token_end(text: str, token: re.Match[str]) -> int:
    """Where a token ends; 0 for a string without an end."""
    if not token["text"]:
        return token.end()
    string = _STRING.match(text, token.end())
    return string.end() if string else 0


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """For `object_pairs_hook`: readers differ in which of two values with one key they take.

    Raises:
        ValueError: a key stands twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {json.dumps(twice)} stands twice in one object")
    return found
