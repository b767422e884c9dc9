"""Numbers of a row from its matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.metrics.matching import GRID, average_precision, match
from rmaudit.metrics.scores import RowKey, RowScores, score_matrices, score_row, score_rows
from rmaudit.records import MatchSet


def judged(*matrix: tuple[float, ...]) -> MatchSet:
    return MatchSet(matrix, ())


FAILED = MatchSet((), (), failure="cut")


def test_row_by_hand() -> None:
    # Two references, three reasons. Matching: r0-s1 (.75) + r1-s0 (.5) = 1.25; the alternative
    # r0-s0 (1) + r1-s2 (0) = 1. rc = 1.25 / 2 = .625.
    # ap: hits at ranks 1, 2: (1 + 1) / 2 = 1. At .75 only rank 2 is a hit: (1/2) / 2 = .25.
    # reuse = (1 + .5) / 2 = .75, the row maxima.
    scores = score_row(judged((1.0, 0.75, 0.0), (0.5, 0.0, 0.0)))
    assert scores == RowScores(rc=0.625, ap=1.0, ap_50=1.0, ap_75=0.25, reuse=0.75)


def test_one_reason_for_two_references_earns_one() -> None:
    scores = score_row(judged((1.0,), (1.0,)))
    assert (scores.rc, scores.reuse) == (0.5, 1.0)


def test_a_single_hit_at_rank_five_of_five() -> None:
    assert score_row(judged((0.0, 0.0, 0.0, 0.0, 1.0))).ap == pytest.approx(0.2)


def test_zero_scores_are_no_hits() -> None:
    # One full match among four references, the rest zero: ap = 1/4, not .52.
    zero = (0.0,) * 4
    assert score_row(judged((1.0, 0.0, 0.0, 0.0), zero, zero, zero)).ap == 0.25


def test_an_answer_without_reasons_scores_zero() -> None:
    expected = RowScores(rc=0.0, ap=0.0, ap_50=0.0, ap_75=0.0, reuse=0.0)
    assert score_row(judged((), (), ())) == expected


def test_nothing_judged_is_none_not_zero() -> None:
    assert score_row(FAILED) == RowScores()
    assert score_row(None) == RowScores()
    assert score_row(judged()) == RowScores()  # no references


def test_chance_comes_from_the_other_matrix() -> None:
    # Another item's three references: one quarter match, 0.25 / 3.
    scores = score_row(judged((1.0, 0.0)), chance=judged((0.25, 0.0), (0.0, 0.0), (0.0, 0.0)))
    assert scores.rc == 1.0
    assert scores.chance == pytest.approx(0.25 / 3)
    assert not scores.chance_failed


def test_a_failed_chance_is_marked() -> None:
    assert score_row(judged((1.0,)), chance=FAILED).chance_failed
    unanswered = score_row(None, chance=MatchSet((), (), failure="target: no answer"))
    assert unanswered == RowScores(chance_failed=True)


def test_rows_keep_their_keys() -> None:
    matches: dict[RowKey, MatchSet] = {
        ("x", "ab", 0): judged((1.0,)),
        ("x", "ba", 0): FAILED,
        ("y", "ab", 0): judged((0.5, 0.0), (0.0, 0.5)),
    }
    scores = score_rows(matches, {("y", "ab", 0): judged((0.0, 0.0))})
    assert [(key, s.rc, s.chance) for key, s in scores.items()] == [
        (("x", "ab", 0), 1.0, None),
        (("x", "ba", 0), None, None),
        (("y", "ab", 0), 0.5, 0.0),
    ]


@pytest.mark.parametrize("matrix", [((0.3,),), ((1.0, 0.0), (1.0,)), ((2.0,),)])
def test_a_bad_matrix_is_refused(matrix: tuple[tuple[float, ...], ...]) -> None:
    with pytest.raises(ValueError, match=r"grid|inhomogeneous"):
        score_matrices([matrix])


def test_the_batch_equals_one_at_a_time() -> None:
    rng = np.random.default_rng(3)
    matrices = []
    for _ in range(400):
        n, m = (int(k) for k in rng.integers(1, 7, size=2))
        matrices.append(tuple(map(tuple, rng.choice(GRID, size=(n, m)).tolist())))
    for matrix, scores in zip(matrices, score_matrices(matrices), strict=True):
        n, m = len(matrix), len(matrix[0])
        found = {t: match(matrix, n_refs=n, n_reasons=m, tau=t) for t in (0.25, 0.5, 0.75)}
        assert scores.rc == pytest.approx(sum(edge.score for edge in found[0.25]) / n)
        assert scores[1:4] == pytest.approx(
            [average_precision(edges, n_refs=n, tau=t) for t, edges in found.items()]
        )
        assert scores.reuse == pytest.approx(sum(max(row) for row in matrix) / n)


@settings(max_examples=150)
@given(
    st.tuples(st.integers(1, 5), st.integers(0, 5)).flatmap(
        lambda shape: st.lists(
            st.lists(st.sampled_from(GRID), min_size=shape[1], max_size=shape[1]).map(tuple),
            min_size=shape[0],
            max_size=shape[0],
        ).map(tuple)
    )
)
def test_bounds(matrix: tuple[tuple[float, ...], ...]) -> None:
    (scores,) = score_matrices([matrix])
    ceiling = min(len(matrix[0]), len(matrix)) / len(matrix)
    assert 0 <= scores.rc <= ceiling + 1e-12
    assert scores.rc <= scores.reuse + 1e-12
    assert scores.ap_75 <= scores.ap_50 + 1e-12 <= scores.ap + 2e-12 <= ceiling + 3e-12
