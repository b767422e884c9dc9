"""Limits of length on hand-worked numbers, and the small helpers of rule-based families."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rmaudit.checklists.synth.rules import GAP, Limit, a_or_an, bullets_or_prose, size, upper_first

# Ten characters with the space before it.
FILLERS = ("filler 12.",) * 40


def _length(limit: Limit, *, broken: bool, seed: int) -> int:
    count = limit.filler_count("x" * 100, FILLERS, broken=broken, rng=Random(seed))
    return 100 + 11 * count


@given(st.integers(0, 10_000))
def test_filler_lands_beyond_the_gap_on_the_right_side(seed: int) -> None:
    # Gap 50, spread 70, aims at 0.4 to 0.6 of the spread: 78 to 92 from the limit of 300.
    # Fillers of 11 characters miss an aim by at most 6 (rounded up).
    for bound, broken, above in [
        ("max", False, False),
        ("max", True, True),
        ("min", False, True),
        ("min", True, False),
    ]:
        limit = Limit("characters", "max" if bound == "max" else "min", 300)
        distance = (_length(limit, broken=broken, seed=seed) - 300) * (1 if above else -1)
        assert 72 <= distance <= 98


@given(st.integers(0, 10_000), st.integers(20, 60))
def test_a_drawn_limit_leaves_room_for_the_text(seed: int, words: int) -> None:
    text = " ".join(["word"] * words)
    limit = Limit.draw(Random(seed), text)
    assert size(text, limit.unit) + GAP[limit.unit] <= limit.value
    assert limit.value % 5 == 0


def test_the_rule_of_a_limit() -> None:
    rule = Limit("words", "min", 60).rule(Random(0))
    assert rule.check == {"kind": "min_words", "value": 60}
    fault = rule.fault(Random(0))
    assert (fault.kind, fault.facts, fault.value) == ("under_limit", ("60",), True)
    assert all("60 words" in wording for wording in fault.wordings)


def test_helpers() -> None:
    assert [a_or_an(noun) for noun in ("office chair", "desk lamp")] == [
        "an office chair",
        "a desk lamp",
    ]
    assert upper_first("rain Jacket") == "Rain Jacket"
    assert size("two words", "words") == 2
    asks = ["Do this.", "Do that."]
    assert bullets_or_prose("Hi.", asks, bulleted=False, lead="So:") == "Hi. Do this. Do that."
    assert bullets_or_prose("Hi.", asks, bulleted=True, lead="So:") == (
        "Hi. So:\n- Do this.\n- Do that."
    )
