"""The words of a text that a rewording may change, and how many of them it did."""

from __future__ import annotations

import re
from collections import Counter

from rmaudit.text.masking import mask_quoted

_WORD = re.compile(r"[^\W\d_]{3,}(?:['’][^\W\d_]+)*")


def plain_words(text: str) -> Counter[str]:
    """Words of three letters or more, without quotations, code and numbers."""
    return Counter(_WORD.findall(mask_quoted(text).lower()))


def share_changed(before: Counter[str], after: Counter[str]) -> float | None:
    """The share of the words of a text that its rewording does not have; None without words."""
    total = before.total()
    return (before - after).total() / total if total else None
