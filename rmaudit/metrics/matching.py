"""One-to-one matching of a model's reasons to the references, and average precision on it.

A MetaJudge scores every pair of a reference i and a model reason j: s_ij in {0, .25, .5, .75, 1}.
Each reference and each model reason may be used once; the matching kept is the one of maximum
weight over the full matrix (arXiv 2602.04649, Eq. 1). A reason that is worded broadly enough to
resemble four references is thus paid once, not four times.

Several matchings can share the maximum weight and yet differ in average precision, so a tie rule
is part of the definition: among maximum-weight matchings the one with the most hits (edges with
s >= tau), then the one whose hits have the earliest ranks. Both are folded into integer weights,
so that a single assignment problem settles all three:

    V_ij = 4 s_ij B + [s_ij >= tau] (M + m - j),   j = 1..m,   M = n m + 1,   B = n (M + m) + 1

The bonuses of one matching sum to less than B, the smallest step of the first term, and the
sum of (m - j) stays below M, so the terms never trade against each other. The hits that remain
are unique as a set of ranks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from rmaudit.records import Edge

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
HIT = 0.25
"""Default tau: any positive level of the grid is a hit."""


def match(
    matrix: Sequence[Sequence[float]], *, n_refs: int, n_reasons: int, tau: float = HIT
) -> tuple[Edge, ...]:
    """Return the maximum-weight one-to-one matching, zero edges dropped, in order of references.

    Args:
        matrix: scores on the grid, n_refs rows (references) of n_reasons columns (model reasons,
            most important first).
        n_refs: n, the number of references.
        n_reasons: m, the number of model reasons.
        tau: the score from which an edge is a hit; enters through the tie rule only.

    Raises:
        ValueError: the shape is not n x m, or a value is not on the grid.
    """
    if len(matrix) != n_refs or any(len(row) != n_reasons for row in matrix):
        shape = f"{len(matrix)} rows of {sorted({len(row) for row in matrix})}"
        raise ValueError(f"the matrix has {shape} values, expected {n_refs} x {n_reasons}")
    if not n_refs or not n_reasons:
        return ()
    quarters = to_quarters(np.asarray(matrix, dtype=np.float64))
    chosen = match_many(quarters[np.newaxis], tau=tau)[0]
    return tuple(
        Edge(ref, int(reason), float(quarters[ref, reason]) / 4)
        for ref, reason in enumerate(chosen)
        if reason >= 0
    )


def match_many(quarters: IntArray, *, tau: float = HIT) -> IntArray:
    """Match many matrices of one shape; `match` is this with a single one.

    Where the best columns of all rows differ, taking each row's best is optimal, because no
    matching can exceed the sum of the row maxima. Only the others need the assignment solver.

    Args:
        quarters: [N, n, m], the scores times four, n and m at least 1.
        tau: the score from which an edge is a hit.

    Returns:
        [N, n], the column matched to each row, -1 for none.
    """
    count, _, m = quarters.shape
    weights = _tie_ruled_weights(quarters, tau)
    chosen: IntArray = weights.argmax(axis=2)
    cells = (np.arange(count)[:, np.newaxis] * m + chosen)[weights.max(axis=2) > 0]
    uses = np.bincount(cells, minlength=count * m).reshape(count, m)
    for k in np.flatnonzero(uses.max(axis=1) > 1):
        rows, columns = linear_sum_assignment(weights[k], maximize=True)
        chosen[k] = -1
        chosen[k, rows] = columns
    taken = np.take_along_axis(weights, np.maximum(chosen, 0)[..., np.newaxis], axis=2)[..., 0]
    return np.where(taken > 0, chosen, -1)


def average_precision(edges: Sequence[Edge], *, n_refs: int, tau: float = HIT) -> float:
    """AP = sum_k P@k I(k) / n at true ranks (arXiv 2602.04649, Eq. 3).

    I(k) = 1 where the k-th reason is matched with s >= tau, and P@k is the share of hits among
    the first k reasons. `edges` come from `match` with the same tau. 0 where nothing is matched.

    Raises:
        ValueError: n_refs is below 1; without references there is nothing to be precise about.
    """
    if n_refs < 1:
        raise ValueError("average precision needs at least one reference")
    ranks = sorted(edge.reason + 1 for edge in edges if edge.score >= tau)
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / n_refs


def snap_to_grid(
    matrix: Sequence[Sequence[float]],
) -> tuple[tuple[tuple[float, ...], ...], int]:
    """Move a judge's off-grid scores to the nearest level and count them.

    Halfway between two levels goes to the lower one, so that snapping never adds credit.

    Returns:
        The matrix on the grid and the number of values that moved.

    Raises:
        ValueError: a value is outside [0, 1] or not a number; that is a failure of the judge.
    """
    values = [float(value) for row in matrix for value in row]
    if not all(0.0 <= value <= 1.0 for value in values):
        raise ValueError("a score lies outside [0, 1]")
    snapped = tuple(
        tuple(min(GRID, key=lambda level: (abs(level - value), level)) for value in row)
        for row in matrix
    )
    moved = sum(
        old != new for old, new in zip(values, (v for r in snapped for v in r), strict=True)
    )
    return snapped, moved


def to_quarters(scores: FloatArray) -> IntArray:
    """Return the scores times four as integers.

    Raises:
        ValueError: a value is not exactly one of 0, .25, .5, .75, 1.
    """
    quarters = scores * 4
    if not np.isin(quarters, np.arange(5)).all():
        raise ValueError("a score is not on the grid 0, 0.25, 0.5, 0.75, 1: see snap_to_grid")
    return quarters.astype(np.int64)


def _tie_ruled_weights(quarters: IntArray, tau: float) -> IntArray:
    """V of the module docstring for [N, n, m] quarters."""
    _, n, m = quarters.shape
    big_m = n * m + 1
    big_b = n * (big_m + m) + 1
    bonus = big_m + m - np.arange(1, m + 1)
    weights = quarters * big_b + np.where(quarters >= 4 * tau, bonus, 0)
    return np.where(quarters > 0, weights, 0)
