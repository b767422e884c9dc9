"""The word-level diff behind the nulls: hand-worked runs, and what holds for any two texts."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.text.differences import (
    MOST_WORDS,
    Run,
    all_sentences,
    count_differences,
    own_sentences,
    word_runs,
)

TEXTS = st.text(alphabet=st.sampled_from("ab. \n-*é東1,\"'"), max_size=60) | st.text(max_size=80)


def test_runs_of_a_slogan() -> None:
    first = "Meet Luma, the new lamp. It costs 45 dollars."
    second = "Luma is the new lamp. It costs 60 dollars today."
    assert word_runs(first, second) == [
        Run("Meet", ""),
        Run(",", "is"),
        Run("45", "60"),
        Run("", "today"),
    ]
    assert count_differences(first, second) == 4


def test_runs_of_code_and_of_other_scripts() -> None:
    assert word_runs("if n < 2:\n    return 1", "if n <= 2:\n  return 1") == [Run("", "=")]
    assert word_runs("東京は晴れです。", "大阪は晴れです。") == [Run("東京", "大阪")]
    assert word_runs("Это стоит 1,50 евро", "Это стоит 2,50 евро") == [Run("1,50", "2,50")]


def test_equal_and_empty_texts() -> None:
    assert word_runs("", "") == []
    assert word_runs("the same\n\ntext", "the  same text ") == []
    assert word_runs("", "all of it") == [Run("", "all of it")]


def test_a_text_of_one_word_over_and_over_and_what_lies_beyond_the_bound() -> None:
    many = 100_000
    assert word_runs("a " * many, "a " * (many + 1)) == [Run("", "a")]
    rng = Random(1)
    first, second = (" ".join(str(rng.randrange(900)) for _ in range(many)) for _ in range(2))
    runs = word_runs(f"x {first} z", f"y {second} z")
    assert runs[0].first.startswith("x")
    assert len(runs) > 10
    assert len(runs[-1].first.split()) > many - 2 * MOST_WORDS


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_runs_hold_all_that_differs(first: str, second: str) -> None:
    runs = word_runs(first, second)
    assert word_runs(first, first) == []
    assert bool(runs) == (_dense(first) != _dense(second)) or not runs
    for run in runs:
        assert run.first or run.second
        assert _dense(run.first) in _dense(first)
        assert _dense(run.second) in _dense(second)


def _dense(text: str) -> str:
    return "".join(text.split())


def test_own_sentences_ignore_order_case_marks_and_line_breaks() -> None:
    first = "## Plan\n- Bring water.\n- Start at 8.\nIt rains.  Take a coat."
    second = "PLAN\n1. start at 8\nTake a coat. It snows."
    assert own_sentences(first, second) == ["Bring water.", "It rains."]
    assert own_sentences(second, first) == ["It snows."]
    assert own_sentences(first, first) == []
    assert own_sentences("", first) == []
    assert own_sentences("Go. Go.", "") == ["Go."]


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_own_sentences_are_sentences_of_the_text(first: str, second: str) -> None:
    found = own_sentences(first, second)
    assert set(found) <= set(all_sentences(first))
    assert len(found) == len(set(found))
