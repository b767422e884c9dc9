"""Reasons that repeat a response."""

from __future__ import annotations

import pytest

from rmaudit.parsing.copied import repeats
from rmaudit.parsing.parse import parse_pairwise

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
        ("Response B says it costs 50 dollars, but the request says 45 and not 50.", False),
    ],
)
def test_a_copy_is_told_from_a_quotation(reason: str, copied: bool) -> None:
    assert repeats([reason], RESPONSES) is copied


def test_the_flag_needs_most_of_what_the_reasons_say() -> None:
    copies = [f"Response A: {RESPONSES[0]}", f"Response B: {RESPONSES[1]}"]
    own = ["Response A gives a price of 63 dollars, not of 50."]

    def flags(*reasons: str) -> tuple[str, ...]:
        text = "\n".join([*(f"- {reason}" for reason in reasons), "", r"\boxed{B>A}"])
        return parse_pairwise(text, finish_reason="stop", max_reasons=5, responses=RESPONSES).flags

    assert flags(*copies, *own) == ("copied",)
    assert flags(copies[0], *own, "Response B names no city, and Response A the wrong one.") == ()
    assert flags(*own) == ()
