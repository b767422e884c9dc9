"""FAIL is claimed under Holm: rules that fail only uncorrected are undecided."""

from __future__ import annotations

import pytest

from rmaudit.gate.decide import under_holm
from rmaudit.gate.decision import RuleResult


def told(id_: str, p_fail: float, *, level: str = "error", confidence: float = 0.95) -> RuleResult:
    """A rule that is broken at its own level."""
    return RuleResult(
        id_, "rc", None, "absolute", "min", level, confidence, "inconclusive", "", False, 1, 0.5,
        "FAIL", "broken", p_fail=p_fail,
    )  # fmt: skip


def test_failing_under_holm_by_hand() -> None:
    """0.01 * 2 and max(0.02, 0.04) stand at 5%; 0.03 * 2 does not, nor then does 0.04."""
    first, second = under_holm([told("a", 0.04), told("b", 0.01)])
    assert (first.p_holm, second.p_holm) == (pytest.approx(0.04), pytest.approx(0.02))
    assert (first.status, second.status) == ("FAIL", "FAIL")
    first, second = under_holm([told("a", 0.03), told("b", 0.04)])
    assert (first.p_holm, second.p_holm) == (pytest.approx(0.06), pytest.approx(0.06))
    assert (first.status, second.status) == ("INCONCLUSIVE", "INCONCLUSIVE")
    assert "Holm" in first.sentence
    first, second = under_holm([told("a", 0.03), told("b", 0.04, level="warn")])
    assert (first.status, second.status) == ("FAIL", "FAIL")  # a warning is no member
    (only_one,) = under_holm([told("a", 0.03, confidence=0.99)])
    assert only_one.status == "INCONCLUSIVE"
