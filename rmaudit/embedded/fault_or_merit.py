"""Whether a reason states a fault or a merit, for a reader who sees nothing but the reason."""

from __future__ import annotations

import regex

from rmaudit.embedded import critique
from rmaudit.embedded import critique_words as words
from rmaudit.embedded.fault_phrases import CLAIMS
from rmaudit.text.masking import FILL, mask_quoted
from rmaudit.text.normalise import normalise

_WORD = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}]+)*")
_SIDE = regex.compile(r"\bresponses? (?:a and b|a|b)\b|['’]s\b")


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
