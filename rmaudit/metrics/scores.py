"""From match matrices to the numbers of a row: rc, ap at three thresholds, reuse, chance.

Every number can be recomputed from the stored matrices, with no model. Matrices of one shape are
scored together, since a run holds many small ones of few shapes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.matching import IntArray, match_many, to_quarters
from rmaudit.records import MatchSet, Order

RowKey = tuple[str, Order, int]
"""(item, order, sample) of a base row."""

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class RowScores:
    """The numbers of one row; None where the judge gave no matrix or there are no references.

    Attributes:
        rc: S / n, the weight of the one-to-one matching over the number of references.
        ap: average precision, hit = matched with s >= 0.25.
        ap_50: the same with 0.5, its tie rule included.
        ap_75: the same with 0.75, its tie rule included.
        reuse: (1/n) sum_i max_j s_ij, what a matching that may reuse reasons would give.
        chance: rc of these reasons against the references of another item of the stratum; None
            where none was drawn for the item.
        chance_failed: chance was to be measured and could not be (judge or target failed).
        human: rc by a person's scores of the same pairs; None where nobody looked.
        claims_false: reasons that the judge found to be false of the responses; None of a judge
            that does not decide what reasons claim.
        claims_decided: reasons that it found to be false or true.
    """

    rc: float | None = None
    ap: float | None = None
    ap_50: float | None = None
    ap_75: float | None = None
    reuse: float | None = None
    chance: float | None = None
    chance_failed: bool = False
    human: float | None = None
    claims_false: int | None = None
    claims_decided: int | None = None


class MatrixScores(NamedTuple):
    """What one n x m matrix says, n >= 1; all zero where m = 0."""

    rc: float
    ap: float
    ap_50: float
    ap_75: float
    reuse: float


def score_row(match: MatchSet | None, *, chance: MatchSet | None = None) -> RowScores:
    """Score one row; see `score_rows`. `match` is None where the target did not answer."""
    key: RowKey = ("", None, 0)
    matches = {} if match is None else {key: match}
    chances = {} if chance is None else {key: chance}
    return score_rows(matches, chances).get(key, RowScores())


def score_rows(
    matches: Mapping[RowKey, MatchSet],
    chances: Mapping[RowKey, MatchSet] | None = None,
    humans: Mapping[RowKey, Matrix] | None = None,
) -> dict[RowKey, RowScores]:
    """Score the rows of a run.

    Args:
        matches: the judge's matrix of each row; for an answer without reasons n empty rows.
        chances: the matrix of the row's reasons against the references of another item
            (`metrics.chance.derangement`), for the rows where chance is measured. A `failure`
            there, the judge's or the target's, makes the row count as excluded from `rc.chance`.
        humans: a person's matrix, for the rows that a spot check covers.

    Raises:
        ValueError: a matrix is ragged or off the grid, or its claims are not one a reason.
    """
    rows = {key: RowScores() for key in matches}
    rows.update((key, RowScores(*scores)) for key, scores in _score_readable(matches).items())
    for key, match in matches.items():
        if match.claims is not None and match.failure is None:
            rows[key] = _with_claims(rows[key], match, match.claims)
    for key, human in zip(humans or {}, score_matrices(list((humans or {}).values())), strict=True):
        rows[key] = replace(rows.get(key, RowScores()), human=human.rc)
    if not chances:
        return rows
    drawn = _score_readable(chances)
    for key, match in chances.items():
        rows[key] = replace(
            rows.get(key, RowScores()),
            chance=drawn[key].rc if key in drawn else None,
            chance_failed=match.failure is not None,
        )
    return rows


def score_matrices(matrices: Sequence[Matrix]) -> list[MatrixScores]:
    """Score matrices of any shapes, n >= 1, in their order.

    Raises:
        ValueError: a matrix is ragged, empty or off the grid.
    """
    by_shape: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for k, matrix in enumerate(matrices):
        by_shape[len(matrix), len(matrix[0]) if matrix else 0].append(k)
    table = np.zeros((len(matrices), len(MatrixScores._fields)))
    for (n, m), members in by_shape.items():
        if n == 0:
            raise ValueError("a matrix has no references")
        stack = np.array([matrices[k] for k in members], dtype=np.float64)
        if m:
            table[members] = _score_stack(to_quarters(stack))
    return [MatrixScores(*row) for row in table.tolist()]


def _with_claims(row: RowScores, match: MatchSet, claims: tuple[bool | None, ...]) -> RowScores:
    if match.matrix and len(match.matrix[0]) != len(claims):
        raise ValueError(f"{len(claims)} claims of {len(match.matrix[0])} reasons")
    found = Counter(claims)
    return replace(row, claims_false=found[False], claims_decided=found[False] + found[True])


def _score_readable(matches: Mapping[RowKey, MatchSet]) -> dict[RowKey, MatrixScores]:
    keys = [key for key, match in matches.items() if match.failure is None and match.matrix]
    return dict(zip(keys, score_matrices([matches[key].matrix for key in keys]), strict=True))


def _score_stack(quarters: IntArray) -> FloatArray:
    """[N, n, m] quarters to [N, 5], in the order of `MatrixScores`."""
    n = quarters.shape[1]
    chosen = {tau: match_many(quarters, tau=tau) for tau in (0.25, 0.5, 0.75)}
    credit = _taken(quarters, chosen[0.25]).sum(axis=1) / (4 * n)
    precisions = [_average_precision(quarters, columns, tau) for tau, columns in chosen.items()]
    return np.column_stack([credit, *precisions, quarters.max(axis=2).sum(axis=1) / (4 * n)])


def _taken(quarters: IntArray, chosen: IntArray) -> IntArray:
    """Score, in quarters, of each reference's matched reason; 0 for none: [N, n]."""
    taken = np.take_along_axis(quarters, np.maximum(chosen, 0)[..., np.newaxis], axis=2)[..., 0]
    return np.where(chosen >= 0, taken, 0)


def _average_precision(quarters: IntArray, chosen: IntArray, tau: float) -> FloatArray:
    """`matching.average_precision` for each of N matchings: [N]."""
    count, n, m = quarters.shape
    which, ref = np.nonzero((chosen >= 0) & (_taken(quarters, chosen) >= 4 * tau))
    hit = np.zeros((count, m))
    hit[which, chosen[which, ref]] = 1
    precision_at_k = hit.cumsum(axis=1) / np.arange(1, m + 1)
    averages: FloatArray = (precision_at_k * hit).sum(axis=1) / n
    return averages
