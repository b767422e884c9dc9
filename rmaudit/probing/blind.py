"""Whom do the reasons speak for, told by one who sees nothing else.

The embedded reading counts: a fault speaks against the response that has it, a merit for it. It
reads English, approximately.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from rmaudit.embedded import critique
from rmaudit.embedded import critique_words as words
from rmaudit.embedded.fault_phrases import CLAIMS
from rmaudit.records import ModelReason, Verdict
from rmaudit.text.masking import FILL, mask_quoted
from rmaudit.text.normalise import normalise

_WORD = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}]+)*")
_SIDE = regex.compile(r"\bresponses? (?:a and b|a|b)\b|['’]s\b")


def winner(reasons: Sequence[ModelReason]) -> Verdict:
    """The side that the reasons speak for on balance, each counted once; None on a par."""
    balance = 0
    for reason in reasons:
        if reason.about in ("a", "b"):
            balance += polarity(reason.text) * (1 if reason.about == "a" else -1)
    return None if balance == 0 else "a" if balance > 0 else "b"


def polarity(text: str) -> int:
    """-1 for a fault, 1 for a merit, 0 where neither is told; quotations are not read."""
    masked = mask_quoted(normalise(text)).casefold()
    spoken = _SIDE.sub(" ", masked.replace(FILL, ""))
    said = set(_WORD.findall(spoken))
    if critique.FAULT.search(critique.NO_FAULT.sub(" ", spoken)):
        return -1
    if said & words.MERIT or critique.COMPARISON.search(spoken):
        return 1
    quoted = regex.sub(f"{FILL}+", "§", masked)
    if any(pattern.search(quoted) for pattern in CLAIMS.values()):
        return -1
    return 1 if critique.MERIT.search(spoken) else 0
