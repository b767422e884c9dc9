"""Answers given as JSON objects: a verdict, reasons, or both, under the keys that models use.

The keys are a contract of structure, so objects are read by a JSON parser wherever one may start,
never by a regular expression.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from rmaudit.parsing.sides import Names
from rmaudit.parsing.verdict_grammar import Label, read_label
from rmaudit.records import About
from rmaudit.text.masking import fold


class JsonReason(NamedTuple):
    """A reason as the object holds it, and the side that the object gives for it."""

    text: str
    side: About


class JsonAnswer(NamedTuple):
    """An object that holds a verdict or reasons, at [start, end) of the answer."""

    start: int
    end: int
    label: Label | None
    claims: tuple[JsonReason, ...]


_VERDICT_KEYS = frozenset(
    "verdict finalverdict winner choice preference preferred preferredresponse better "
    "betterresponse betteranswer best bestresponse decision judgment judgement label score "
    "结论 判定 更好的回答 胜者".split()
)
_REASON_KEYS = frozenset(
    "reason reasons rationale rationales reasoning justification justifications explanation "
    "explanations analysis 理由 原因".split()
)
_TEXT_KEYS = frozenset("text reason description point explanation rationale claim fault".split())
_SIDE_KEYS = frozenset("about response side target name".split())
_DEEPEST = 6
_OPENING = re.compile(r'\{\s{0,80}"')
_MOST = 1000
"""Attempts at most, so that hostile text costs little: each one that fails reads all before it."""
_NOT_A_KEY_LETTER = re.compile(r"[\W_]+")
_DECODER = json.JSONDecoder(strict=False)


def json_answers(text: str, *, names: Names) -> list[JsonAnswer]:
    """Every JSON object in `text` that holds a verdict or reasons, in order."""
    found = []
    end = 0
    for attempt, match in enumerate(_OPENING.finditer(text)):
        if attempt == _MOST:
            break
        if match.start() < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            # No JSON, a number of thousands of digits, or nesting past the interpreter's stack.
            continue
        answer = _read(value, match.start(), end, names)
        if answer.label or answer.claims:
            found.append(answer)
    return found


def _read(value: object, start: int, end: int, names: Names) -> JsonAnswer:
    labels: list[Label] = []
    claims: list[JsonReason] = []
    _collect(value, labels, claims, names, depth=0)
    return JsonAnswer(start, end, labels[-1] if labels else None, tuple(claims))


def _collect(
    value: object, labels: list[Label], claims: list[JsonReason], names: Names, *, depth: int
) -> None:
    """Verdicts and reasons of an object and of the objects inside it."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    for name, inner in value.items():
        key = _key(name)
        if key in _REASON_KEYS:
            claims += _claims(inner, None, names, depth=0)
        elif key in _VERDICT_KEYS and isinstance(inner, str):
            if label := read_label(fold(inner).text, names=names):
                labels.append(label)
        else:
            _collect(inner, labels, claims, names, depth=depth + 1)


def _claims(value: object, side: About, names: Names, *, depth: int) -> list[JsonReason]:
    """Reasons under a key: a text, a list, objects with a text, or lists by response."""
    if isinstance(value, str):
        return [JsonReason(value, side)] if value.strip() else []
    if depth > _DEEPEST:
        return []
    if isinstance(value, list):
        return [claim for inner in value for claim in _claims(inner, side, names, depth=depth + 1)]
    if not isinstance(value, dict):
        return []
    keyed = {_key(name): inner for name, inner in value.items()}
    named = next((keyed[key] for key in keyed if key in _SIDE_KEYS), None)
    if isinstance(named, str):
        side = _side(named, names)
    texts = [keyed[key] for key in keyed if key in _TEXT_KEYS]
    if texts:
        return _claims(texts[0], side, names, depth=depth + 1)
    return [
        claim
        for name, inner in value.items()
        if isinstance(inner, str | list)
        for claim in _claims(inner, _side(name, names), names, depth=depth + 1)
    ]


def _side(name: str, names: Names) -> About:
    """Here a bare letter is a side: the structure says that it names one."""
    label = read_label(fold(name).text, names=names)
    if label is None or label.graded:
        return None
    return "both" if label.verdict == "tie" else label.verdict


def _key(name: str) -> str:
    return _NOT_A_KEY_LETTER.sub("", name).casefold()
