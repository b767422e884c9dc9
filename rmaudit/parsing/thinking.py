"""The one reader of thinking: where a model's reasoning before its answer begins and ends.

Every family has marks of its own (`<think>`, `<thought>`, `[THINK]`, `<|START_THINKING|>`, the
channels of gpt-oss). Whoever reads an answer, of target, judge or labeller, cuts it here.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Span(NamedTuple):
    """The answer at [start, end) of the text; `open` if thinking that never closes follows it."""

    start: int
    end: int
    open: bool


class _Mark(NamedTuple):
    kind: str
    closes: bool
    start: int
    end: int


_NAMES = (
    r"think(?:ing)?|thoughts?|reasoning|scratch_?pad|reflection|inner_(?:monologue|thoughts)"
    r"|internal_(?:monologue|reasoning|thoughts)"
)
# A tag in quotation marks or backticks is talked about, not used.
_MARKS = re.compile(
    r"[<\[◁](?:"
    rf"(?P<close>/)?(?:seed:)?(?P<name>{_NAMES})[>\]▷]"
    r"|\|(?P<special>begin|end|START|END)(?:_of)?_(?P<special_name>thought|think|thinking)\|>"
    r"|\|channel\|>(?:(?P<final>final<\|message\|>)|(?P<analysis>analysis))"
    r"|unused(?P<unused>9[45])>"
    r")(?![`\"'”])",
    re.IGNORECASE,
)
_QUOTES = frozenset("`\"'“")
_FIRST, _LAST = 100, 1900
"""So many marks are looked at, at either end: a text with more of them is a loop."""
_TEMPLATE = "think"
"""The kind whose opening mark a chat template may have written into the prompt."""


def answer_span(text: str) -> Span:
    """The text after the last closed thinking, up to thinking that opens on a line and stays open.

    The opening mark may be missing: chat templates often write it into the prompt. Thinking may
    hold other marks; it ends where the mark that it began with is closed.
    """
    return answer_spans(text)[-1]


def answer_spans(text: str) -> list[Span]:
    """All stretches of the text outside thinking, at least one, in order."""
    spans: list[Span] = []
    start, openings = 0, list[_Mark]()
    for mark in _marks(text):
        if not mark.closes:
            if _begins_line(text, mark.start):
                if not openings and text[start : mark.start].strip():
                    spans.append(Span(start, mark.start, False))
                openings.append(mark)
            continue
        own = next((i for i, one in enumerate(openings) if one.kind == mark.kind), None)
        if own is not None:
            openings = openings[:own]
        elif mark.kind == _TEMPLATE:
            if not openings and start and text[start : mark.start].strip():
                spans.append(Span(start, mark.start, False))
            openings = []
        if not openings:
            start = mark.end
    end = openings[0].start if openings else len(text)
    if openings and spans and spans[-1].start == start:
        spans.pop()
    return [*spans, Span(start, end, bool(openings))]


class Thinking(NamedTuple):
    """Closed thinking: its text at [start, end), and the kind of its marks, such as `think`."""

    start: int
    end: int
    kind: str


def last_thinking(text: str) -> Thinking | None:
    """The last closed thinking; None where there is none.

    A draft of the verdict may stand in it, so that reasons may be read there and verdicts not.
    """
    begun: dict[str, int] = {}
    found: Thinking | None = None
    for mark in _marks(text):
        if mark.closes:
            begin = begun.pop(mark.kind, 0 if mark.kind == _TEMPLATE and found is None else None)
            if begin is not None:
                found = Thinking(begin, mark.start, mark.kind)
        elif _begins_line(text, mark.start):
            begun.setdefault(mark.kind, mark.end)
    return found


def _marks(text: str) -> list[_Mark]:
    found = [
        match
        for match in _MARKS.finditer(text)
        if not match.start() or text[match.start() - 1] not in _QUOTES
    ]
    if len(found) > _FIRST + _LAST:
        found = [*found[:_FIRST], *found[-_LAST:]]
    return [_Mark(_kind(one), _closes(one), one.start(), one.end()) for one in found]


def _kind(match: re.Match[str]) -> str:
    if match["final"] or match["analysis"]:
        return _TEMPLATE
    if match["unused"]:
        return "unused"
    name = (match["name"] or match["special_name"]).casefold()
    return _TEMPLATE if name.startswith("think") else name.rstrip("s").replace("_", "")


def _closes(match: re.Match[str]) -> bool:
    special = (match["special"] or "").casefold()
    return bool(match["close"] or match["final"] or special == "end" or match["unused"] == "95")


def _begins_line(text: str, position: int) -> bool:
    before = text[max(0, position - 80) : position]
    line = before.rpartition("\n")[2]
    return not line.strip() and (len(line) < len(before) or position <= 80)
