"""Reasons that repeat a response."""

from __future__ import annotations

import pytest

from rmaudit.judging.copied import is_copy
from rmaudit.judging.parsing import parse_pairwise

RESPONSES = (
    "Meet Otto, the ultimate tent. It is waterproof. It costs 63 dollars. It comes from Cairo.",
    "Meet Otto, the modern tent. It is wooden, and it costs 50 dollars. Order one today.",
)


@pytest.mark.parametrize(
    ("reason", "copied"),
    [
        ("Response A: Meet Otto, the ultimate tent. It is waterproof. It costs 63 dollars.", True),
        ("It is wooden, and it costs 50 dollars. Order one today", True),
        ("Response A gives the price as 63 dollars instead of 50.", False),
        ('Response A says "the ultimate tent", a word that the request rules out.', False),
        ("It costs 63 dollars.", False),  # too short to be told from a quotation
        ("", False),
    ],
)
def test_a_copy_is_told_from_a_quotation(reason: str, copied: bool) -> None:
    assert is_copy(reason, RESPONSES) is copied


def test_the_flag_needs_more_than_half_of_the_reasons() -> None:
    copy, own = f"Response A: {RESPONSES[0]}", "Response A gives a price of 63 dollars, not of 50."

    def flags(*reasons: str) -> tuple[str, ...]:
        text = "\n".join([*(f"- {reason}" for reason in reasons), "", r"\boxed{B>A}"])
        return parse_pairwise(text, finish_reason="stop", max_reasons=5, responses=RESPONSES).flags

    assert flags(copy, copy, own) == ("copied",)
    assert flags(copy, own) == ()
    assert flags(own) == ()
