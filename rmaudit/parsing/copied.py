"""Whether reasons repeat a response: its words in place of something said of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

LEAST_WORDS, LEAST_SHARE = 8, 0.6
"""Reasons of fewer words are no copy; of others, so much must stand in a response."""

_WORD = re.compile(r"\w+")
Run = tuple[str, str, str]


def repeats(reasons: Sequence[str], responses: tuple[str, str]) -> bool:
    """Whether most runs of three words of the reasons stand so in one of the responses."""
    said = [_runs(reason) for reason in reasons]
    own: frozenset[Run] = frozenset().union(*said)
    if len(own) < LEAST_WORDS - 2:
        return False
    shown = _runs(responses[0]) | _runs(responses[1])
    return len(own & shown) >= LEAST_SHARE * len(own)


@lru_cache(maxsize=64)
def _runs(text: str) -> frozenset[Run]:
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False))
