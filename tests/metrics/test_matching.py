"""The matching against brute force, and average precision against hand-worked numbers."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.metrics.matching import GRID, average_precision, match, match_many, snap_to_grid
from rmaudit.records import Edge

Matrix = tuple[tuple[float, ...], ...]


def matched(matrix: Matrix, tau: float = 0.25) -> tuple[Edge, ...]:
    return match(matrix, n_refs=len(matrix), n_reasons=len(matrix[0]), tau=tau)


def precision(matrix: Matrix, tau: float = 0.25) -> float:
    return average_precision(matched(matrix, tau), n_refs=len(matrix), tau=tau)


def best_by_brute_force(matrix: Matrix, tau: float) -> tuple[float, int, tuple[int, ...]]:
    """(weight, hits, ranks of hits) of the best matching by the rule as it is stated."""
    n, m = len(matrix), len(matrix[0])
    slots: list[int | None] = [*range(m), *[None] * n]
    best: tuple[float, int, list[int]] | None = None
    for columns in set(permutations(slots, n)):
        edges = [(j, matrix[i][j]) for i, j in enumerate(columns) if j is not None]
        ranks = sorted(j + 1 for j, score in edges if score >= tau)
        # Compared as tuples: heavier, then more hits, then earlier in the order of ranks.
        found = (sum(score for _, score in edges), len(ranks), [-rank for rank in ranks])
        best = found if best is None else max(best, found)
    assert best is not None
    return best[0], best[1], tuple(-rank for rank in best[2])


def summary(edges: tuple[Edge, ...], tau: float) -> tuple[float, int, tuple[int, ...]]:
    ranks = sorted(edge.reason + 1 for edge in edges if edge.score >= tau)
    return sum(edge.score for edge in edges), len(ranks), tuple(ranks)


def random_matrix(rng: np.random.Generator, n: int, m: int, zeros: float) -> Matrix:
    levels = rng.choice(GRID, size=(n, m), p=[zeros, *[(1 - zeros) / 4] * 4])
    return tuple(tuple(line) for line in levels.tolist())


@pytest.mark.parametrize("tau", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("zeros", [0.2, 0.6])
def test_equal_to_brute_force_on_random_matrices(tau: float, zeros: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(500):
        n, m = (int(k) for k in rng.integers(1, 5, size=2))
        matrix = random_matrix(rng, n, m, zeros)
        edges = matched(matrix, tau)
        assert summary(edges, tau) == best_by_brute_force(matrix, tau), matrix
        assert all(edge.score == matrix[edge.ref][edge.reason] > 0 for edge in edges)
        assert len({edge.ref for edge in edges}) == len(edges)
        assert len({edge.reason for edge in edges}) == len(edges)


def test_equal_to_brute_force_on_larger_matrices() -> None:
    rng = np.random.default_rng(8)
    for _ in range(15):
        matrix = random_matrix(rng, 5, 3, 0.3)
        assert summary(matched(matrix), 0.25) == best_by_brute_force(matrix, 0.25)
        square = random_matrix(rng, 5, 5, 0.3)
        # Five reasons for five references: every full assignment, since weights are not negative.
        heaviest = max(
            sum(square[i][j] for i, j in enumerate(order)) for order in permutations(range(5))
        )
        assert sum(edge.score for edge in matched(square)) == heaviest


def test_a_batch_equals_its_members() -> None:
    rng = np.random.default_rng(9)
    quarters = rng.integers(0, 5, size=(200, 4, 5)) * (rng.random((200, 4, 5)) < 0.5)
    batch = match_many(quarters, tau=0.5)
    for k in range(200):
        edges = matched(tuple(tuple(line) for line in (quarters[k] / 4).tolist()), 0.5)
        assert {(e.ref, e.reason) for e in edges} == {
            (i, j) for i, j in enumerate(batch[k].tolist()) if j >= 0
        }


def test_a_reason_is_paid_once() -> None:
    # Both references are best matched by the only reason; it can serve one of them.
    assert matched(((1.0,), (1.0,))) == (Edge(0, 0, 1.0),)
    # A broad reason, .75 for each of four references: .75 / 4 = .1875, not .75.
    assert sum(edge.score for edge in matched(((0.75,),) * 4)) / 4 == 0.1875


def test_greedy_choice_is_not_enough() -> None:
    # Greedy takes 1.0 and leaves 0; the best matching takes .75 + .75.
    assert matched(((1.0, 0.75), (0.75, 0.0))) == (Edge(0, 1, 0.75), Edge(1, 0, 0.75))


def test_ties_prefer_more_hits_then_earlier_ranks() -> None:
    # 1.0 + nothing or .5 + .5: the same weight, the second has two hits at tau .25.
    assert {e.score for e in matched(((1.0, 0.5), (0.5, 0.0)))} == {0.5}
    # At tau .75 the first has the only hit.
    assert {e.score for e in matched(((1.0, 0.5), (0.5, 0.0)), 0.75)} == {1.0}
    # Equal reasons at ranks 2 and 3: the earlier one is taken.
    assert matched(((0.0, 0.5, 0.5),)) == (Edge(0, 1, 0.5),)


def test_empty_sides_match_nothing() -> None:
    assert match((), n_refs=0, n_reasons=3) == ()
    assert match(((), ()), n_refs=2, n_reasons=0) == ()
    assert matched(((0.0, 0.0),)) == ()


@pytest.mark.parametrize(
    ("matrix", "complaint"),
    [
        (((0.5, 0.5),), "expected 2 x 2"),
        (((0.5, 0.5), (0.5,)), "expected 2 x 2"),
        (((0.3, 0.0), (0.0, 0.0)), "not on the grid"),
        (((1.25, 0.0), (0.0, 0.0)), "not on the grid"),
        (((-0.25, 0.0), (0.0, 0.0)), "not on the grid"),
        (((float("nan"), 0.0), (0.0, 0.0)), "not on the grid"),
    ],
)
def test_a_bad_matrix_is_refused(matrix: Matrix, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        match(matrix, n_refs=2, n_reasons=2)


def hits_at(*ranks: int) -> list[Edge]:
    return [Edge(ref, rank - 1, 1.0) for ref, rank in enumerate(ranks)]


@pytest.mark.parametrize(
    ("edges", "n_refs", "expected"),
    [
        (hits_at(5), 1, 1 / 5),  # a single hit at rank 5 of 5: P@5 = 1/5, not 1
        (hits_at(1, 2), 4, 0.5),  # (1/1 + 2/2) / 4
        (hits_at(4, 5), 4, 0.1625),  # (1/4 + 2/5) / 4: ranks are not compressed
        (hits_at(5, 4), 4, 0.1625),  # whichever reference they belong to
        (hits_at(1), 4, 0.25),  # one of four references: 1/1 / 4
        ([], 3, 0.0),  # an empty list counts 0
        ([Edge(0, 0, 1.0), Edge(1, 1, 0.25)], 2, 1.0),  # partial credit is a hit, in full
    ],
)
def test_average_precision_by_hand(edges: list[Edge], n_refs: int, expected: float) -> None:
    assert average_precision(edges, n_refs=n_refs) == pytest.approx(expected)


def test_average_precision_threshold() -> None:
    edges = [Edge(0, 0, 0.25), Edge(1, 1, 0.5), Edge(2, 2, 0.75)]
    assert average_precision(edges, n_refs=3, tau=0.25) == 1.0  # (1 + 1 + 1) / 3
    assert average_precision(edges, n_refs=3, tau=0.5) == pytest.approx((1 / 2 + 2 / 3) / 3)
    assert average_precision(edges, n_refs=3, tau=0.75) == pytest.approx(1 / 3 / 3)


def test_average_precision_needs_references() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        average_precision([], n_refs=0)


matrices = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(st.sampled_from(GRID), min_size=shape[1], max_size=shape[1]).map(tuple),
        min_size=shape[0],
        max_size=shape[0],
    ).map(tuple)
)
taus = st.sampled_from((0.25, 0.5, 0.75))


@settings(max_examples=150)
@given(matrix=matrices, tau=taus, data=st.data())
def test_ap_ignores_the_order_of_references(
    matrix: Matrix, tau: float, data: st.DataObject
) -> None:
    shuffled = tuple(data.draw(st.permutations(matrix)))
    assert precision(shuffled, tau) == pytest.approx(precision(matrix, tau))


@settings(max_examples=150)
@given(matrix=matrices, tau=taus)
def test_moving_a_hit_earlier_never_lowers_ap(matrix: Matrix, tau: float) -> None:
    ranks = {edge.reason for edge in matched(matrix, tau) if edge.score >= tau}
    for late in ranks:
        for early in set(range(late)) - ranks:
            moved = tuple(
                (*row[:early], row[late], *row[early:late], *row[late + 1 :]) for row in matrix
            )
            assert precision(moved, tau) >= precision(matrix, tau) - 1e-12


@settings(max_examples=100)
@given(matrix=matrices, tau=taus, junk=st.integers(1, 3))
def test_junk_after_the_last_hit_leaves_ap(matrix: Matrix, tau: float, junk: int) -> None:
    padded = tuple(row + (0.0,) * junk for row in matrix)
    assert precision(padded, tau) == precision(matrix, tau)


@settings(max_examples=100)
@given(matrix=matrices, tau=taus)
def test_junk_before_a_hit_lowers_ap(matrix: Matrix, tau: float) -> None:
    padded = tuple((0.0, *row) for row in matrix)
    before = precision(matrix, tau)
    assert precision(padded, tau) < before or before == 0


@settings(max_examples=100)
@given(matrix=matrices, tau=taus)
def test_ap_is_at_most_the_share_of_references_hit(matrix: Matrix, tau: float) -> None:
    hits = sum(edge.score >= tau for edge in matched(matrix, tau))
    assert 0 <= precision(matrix, tau) <= hits / len(matrix) + 1e-12


def test_snapping_counts_what_moved_and_never_adds_credit() -> None:
    # .3 -> .25, .9 -> 1, .125 is halfway and goes down to 0; .5 and 1 stay.
    snapped, moved = snap_to_grid([[0.3, 0.5], [0.9, 0.125], [1, 0]])
    assert snapped == ((0.25, 0.5), (1.0, 0.0), (1.0, 0.0))
    assert moved == 3


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf")])
def test_snapping_refuses_what_is_no_score(value: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        snap_to_grid([[value]])
