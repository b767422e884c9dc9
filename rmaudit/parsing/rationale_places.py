"""Where a grammar has the reasons, other than in the answer itself: thinking, tags, JSON keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rmaudit.parsing.grammar import Grammar
from rmaudit.parsing.json_answers import JsonAnswer
from rmaudit.parsing.json_paths import at_path
from rmaudit.parsing.thinking import answer_span, last_thinking


class Elsewhere(NamedTuple):
    """Texts of reasons outside the plain answer.

    alone: the only place for them, None where the answer is the place. shown: thinking that its tag
    calls reasoning, which counts where the answer gives none. whole: each text is one reason, as of
    a criterion.
    """

    alone: tuple[str, ...] | None
    shown: tuple[str, ...] = ()
    whole: bool = False


def reasons_elsewhere(text: str, objects: Sequence[JsonAnswer], *, grammar: Grammar) -> Elsewhere:
    """The texts for a grammar; `text` is the whole completion, `objects` the JSON of its answer."""
    if grammar.reasons == "none":
        return Elsewhere(())
    if grammar.reasons == "thinking":
        return Elsewhere(_thought(text))
    if grammar.reasons == "tags":
        found = [match.end() for match in _opening(grammar.reasons_in).finditer(text)]
        return Elsewhere(tuple(_until_closed(text, start) for start in found[:_MOST]))
    if grammar.reasons == "keys":
        texts = [
            text
            for one in objects
            for path in grammar.reasons_in
            for text in _texts(at_path(one.value, path))
        ]
        return Elsewhere(tuple(texts), whole=grammar.criteria is not None)
    found_thinking = last_thinking(text)
    if found_thinking is None or found_thinking.kind != "reasoning":
        return Elsewhere(None)
    return Elsewhere(None, (text[found_thinking.start : found_thinking.end],))


_MOST = 20
_LONGEST = 100_000


def _thought(text: str) -> tuple[str, ...]:
    """The closed thinking, or what a model thought whose template opened it and shows no mark."""
    found = last_thinking(text)
    if found is not None:
        return (text[found.start : found.end][-_LONGEST:],)
    return () if answer_span(text).open else (text[:_LONGEST],)


@lru_cache(maxsize=64)
def _opening(tags: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(tag) for tag in tags)
    return re.compile(rf"<(?:{names})(?:\s[^<>\n]{{0,80}})?>", re.IGNORECASE)


def _until_closed(text: str, start: int) -> str:
    end = text.find("</", start, start + _LONGEST)
    return text[start : end if end >= 0 else start + _LONGEST]


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]
    return []
