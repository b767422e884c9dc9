"""Whether a reason is a copy of a response: words repeated in place of something said of them."""

from __future__ import annotations

import re
from functools import lru_cache

LEAST_WORDS, LEAST_SHARE = 6, 0.6
"""A reason of fewer words is no copy; of a longer one, so much must stand in a response."""

_WORD = re.compile(r"\w+")
Run = tuple[str, str, str]


def is_copy(reason: str, responses: tuple[str, str]) -> bool:
    """Whether most runs of three words of a reason stand so in one of the responses."""
    runs = _runs(reason)
    if len(runs) < LEAST_WORDS - 2:
        return False
    return any(len(runs & _runs(text)) >= LEAST_SHARE * len(runs) for text in responses)


@lru_cache(maxsize=64)
def _runs(text: str) -> frozenset[Run]:
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False))
