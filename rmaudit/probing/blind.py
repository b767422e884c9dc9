"""Whom do the reasons speak for, told by one who sees nothing else.

The embedded reading counts: a fault speaks against the response that has it, a merit for it. It
reads English, approximately.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.embedded import polarity
from rmaudit.records import ModelReason, Verdict


def winner(reasons: Sequence[ModelReason]) -> Verdict:
    """The side that the reasons speak for on balance, each counted once; None on a par."""
    balance = 0
    for reason in reasons:
        if reason.about in ("a", "b"):
            balance += polarity(reason.text) * (1 if reason.about == "a" else -1)
    return None if balance == 0 else "a" if balance > 0 else "b"
