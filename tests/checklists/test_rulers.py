"""Rulers by hand: what one look at a pair predicts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.metrics_rows import pair

from rmaudit.checklists.rulers import RULERS, best, picks, ruler_scores


def test_what_each_ruler_picks() -> None:
    """The request is `Say it.`: its words are say and it."""
    shown = picks(pair("i", "# Say it\n- **now**", "Just saying that is what it was, it is."))
    assert dict(zip(RULERS, shown, strict=True)) == {
        "longest": "b",
        "shortest": "a",
        "markup": "a",
        "first": "a",
        "request_words": "a",  # say, it; on the other side it alone, though twice
    }
    equal = picks(pair("i", "Say it ", "IT say"))
    assert equal == (None, None, None, "a", None)


def test_words_of_a_language_without_spaces() -> None:
    turns = [{"role": "user", "content": "红茶好吗"}]
    assert picks(pair("i", "红茶很好", "绿的很好", prompt=turns))[4] == "a"


def test_scores_by_hand() -> None:
    """Labels b, a, a and a tie: lengths 9:5, 9:5, 4:4. The longer is right once and equal once:
    (1 + 1/2) / 3; the shorter as often; response A twice.
    """
    items = [
        pair("i0", "x" * 9, "y" * 5, label="b"),
        pair("i1", "x" * 9, "y" * 5),
        pair("i2", "x" * 4, "y" * 4),
        pair("i3", "x" * 9, "y" * 5, label="tie"),
    ]
    scores = {score.name: score for score in ruler_scores(items)}
    assert scores["longest"].accuracy == scores["shortest"].accuracy == pytest.approx(0.5)
    assert scores["first"].accuracy == pytest.approx(2 / 3)
    assert scores["markup"].accuracy == scores["request_words"].accuracy == 0.5
    assert (scores["longest"].n, scores["longest"].undecided) == (3, 1)
    assert best(list(scores.values())) == scores["first"]
    assert scores["longest"].sentence == "the longer response alone: 50.0 %, 1 equal"
    assert ruler_scores(items[3:]) == []
    assert best([]) is None


@given(
    st.lists(
        st.tuples(st.text("ab #*-\n", min_size=1), st.text("ab #*-\n", min_size=1), st.booleans()),
        max_size=8,
    )
)
def test_laws(drawn: list[Any]) -> None:
    """Longest and shortest share the pairs; turning every pair leaves all but the first slot."""
    pairs = [("x" + a, "x" + b, "a" if right else "b") for a, b, right in drawn]
    items = [pair(f"i{k}", a, b, label=label) for k, (a, b, label) in enumerate(pairs)]
    turned = [
        pair(f"i{k}", b, a, label="b" if label == "a" else "a")
        for k, (a, b, label) in enumerate(pairs)
    ]
    here, there = (
        {score.name: score.accuracy for score in ruler_scores(some)} for some in (items, turned)
    )
    if items:
        assert here["longest"] + here["shortest"] == pytest.approx(1)
        assert here["first"] + there["first"] == pytest.approx(1)
    for name in ("longest", "shortest", "markup", "request_words"):
        assert here.get(name) == there.get(name)
