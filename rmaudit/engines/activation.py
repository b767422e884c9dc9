"""Whether scores are raw, told from the scores of a few conversations. Pure.

A server that puts a sigmoid over a reward gives 1 for every good answer: two responses that the
model tells apart come out equal, and nothing in the reply says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_NEAR = 0.02
"""Servers in 16 bits give a conversation slightly other scores in another batch."""


def not_raw(asked_raw: Sequence[float], asked_active: Sequence[float] | None = None) -> str:
    """Why scores are not raw; '' where nothing speaks against it.

    Args:
        asked_raw: scores of different conversations, asked for without an activation.
        asked_active: the same asked for with one; None where the server has no such switch.
    """
    shown = ", ".join(f"{score:.4g}" for score in asked_raw)
    inside = all(0 <= score <= 1 for score in asked_raw)
    if asked_active is None:
        return f"all between 0 and 1 ({shown})" if inside else ""
    pairs = list(zip(asked_raw, asked_active, strict=True))
    if all(_near(active, sigmoid(raw)) for raw, active in pairs):
        return ""
    if all(_near(active, raw) for raw, active in pairs):
        return f"the same with and without one, between 0 and 1 ({shown})" if inside else ""
    active_shown = ", ".join(f"{score:.4g}" for score in asked_active)
    return f"{shown} without one, but {active_shown} with one"


def sigmoid(score: float) -> float:
    """The usual activation of a head of one number."""
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR * (1 + abs(other))
