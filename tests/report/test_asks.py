"""Rules in words: each expected sentence is written by hand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.decisions import rule

from rmaudit.metrics.registry import REGISTRY
from rmaudit.report.asks import asked, in_words, title_of


def relative(difference: float, limit: float, direction: str = "min", **fields: Any) -> Any:
    spread = {"low": difference - 0.02, "high": difference + 0.02, "p_fail": 0.5}
    return rule(
        "r", kind="relative", direction=direction, limit=limit, difference=difference,
        baseline=0.9, value=0.9 + difference, **{**spread, **fields},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (relative(-0.964, -0.03), "may lose at most 3 points: lost 96"),
        (relative(0.025, -0.03), "may lose at most 3 points: gained 2.5"),
        (relative(0.0, -0.02), "may lose at most 2 points: unchanged"),
        (relative(-0.01, -0.01), "may lose at most 1 point: lost 1"),
        (relative(0.98, 0.05, "max"), "may gain at most 5 points: gained 98"),
        (relative(-0.02, 0.05), "must gain at least 5 points: lost 2"),
        (relative(0.07, 0.05, "abs"), "may move by at most 5 points: gained 7"),
        (relative(-0.2, 0.0), "may not lose: lost 20"),
        # Never rounded to the other side of what is allowed.
        (relative(-0.0304, -0.03), "may lose at most 3 points: lost 3.04"),
        (relative(-0.1504, -0.15), "may lose at most 15 points: lost 15.04"),
        (rule("r", value=0.1996, limit=0.2), "must be at least 20 %: is 19.96 %"),
        (rule("r", metric="ap", value=0.31, limit=0.2), "must be at least 0.200: is 0.310"),
        (
            rule("r", metric="coverage.error", kind="integrity", direction="max", limit=0.02,
                 value=0.031, low=None, high=None),
            "may be at most 2 %: is 3.1 %",
        ),
        (
            rule("r", metric="first_position_bias", direction="abs", limit=0.1, value=-0.2),
            "must be within ±10 points: is -20 points",
        ),
    ],
)  # fmt: skip
def test_what_a_rule_asks_and_what_came_of_it(found: Any, told: str) -> None:
    assert asked(found).told == told


@pytest.mark.parametrize(
    ("found", "sure"),
    [
        (relative(-0.96, -0.03, status="FAIL"), "lost at least 94, 95 % sure"),
        (relative(0.025, -0.03, status="PASS"), "gained at least 0.5, 95 % sure"),
        (relative(0.0, -0.03, status="PASS"), "lost at most 2, 95 % sure"),
        (relative(0.98, 0.05, "max", status="FAIL"), "gained at least 96, 95 % sure"),
        (relative(0.0, 0.05, "max", status="PASS"), "gained at most 2, 95 % sure"),
        (rule("r", status="PASS", p_fail=1.0), "at least 28 %, 95 % sure"),
        (rule("r", status="FAIL", limit=0.4, p_fail=0.0), "at most 34 %, 95 % sure"),
    ],
)
def test_the_bound_is_said_in_the_direction_that_decides(found: Any, sure: str) -> None:
    assert asked(found).sure == sure


def test_what_is_undecided_says_both_ends_and_what_would_decide() -> None:
    found = relative(-0.03, -0.03, status="INCONCLUSIVE", further=120)
    assert asked(found).sure == (
        "lost at most 5 and lost at least 1, each 95 % sure; undecided: about 120 more would "
        "decide it, if the value stays"
    )
    without = rule("r", status="INCONCLUSIVE", low=None, high=None, sentence="no rc of it")
    assert asked(without).sure == "no rationale consistency of it"


def test_every_metric_has_words_that_are_no_key() -> None:
    for key in REGISTRY:
        assert title_of(key) != key
        assert not re.search(r"@|[a-z]\.[a-z]|_|\brc\b", title_of(key)), key


def test_keys_in_a_sentence_become_words() -> None:
    assert in_words("rc is 0.3, metrics.json says 0.4") == (
        "rationale consistency is 0.3, metrics.json says 0.4"
    )
    assert in_words("s_rc@0+ of code, and flaw.F4.") == (
        "right for the wrong reasons of code, and f4 praises one side only."
    )
    assert in_words("no value: arc, rc/ and the rc.jsonl") == "no value: arc, rc/ and the rc.jsonl"
