"""The candidates of each tuple and what a model makes of each: the reward that it would give.

Of a model that gives scores that is the score. Of one that compares pairs it is the mean over all
comparisons of the response: 1 won, 0 a tie, -1 lost, in whatever order it was shown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.features import NONE as NO_CODE
from rmaudit.metrics.table import NONE, A, B, Table


class Pool(NamedTuple):
    """One entry a candidate; tuples are numbered from 0 without gaps, `group` is one a tuple.

    reward: higher is better; NaN where it was not learned. copies: how often the policy gave this
    text. length: characters. markup: headers, bold spans and list items together. compared: pairs
    of each tuple with a verdict. beaten: a label puts the candidate below another. graded: each
    candidate of the tuple that is not beaten was labelled above each that is. kind: of a tuple of
    the subset Ties, see `Features.kind`. scored: rewards are scores.
    """

    tuple_: IntArray
    reward: FloatArray
    copies: FloatArray
    length: FloatArray
    markup: FloatArray
    group: IntArray
    compared: FloatArray
    beaten: BoolArray
    graded: BoolArray
    kind: IntArray
    scored: bool

    @property
    def size(self) -> FloatArray:
        """Different candidates of each tuple."""
        return self.per_tuple(np.ones(len(self.tuple_)))

    @property
    def known(self) -> BoolArray:
        """Tuples all of whose candidates have a reward."""
        known: BoolArray = self.per_tuple(1.0 * np.isnan(self.reward)) == 0
        return known

    def per_tuple(self, values: FloatArray) -> FloatArray:
        """Sums over the candidates of each tuple."""
        sums = np.bincount(self.tuple_, weights=values, minlength=len(self.group))
        return sums.astype(np.float64)


def candidates(table: Table) -> Pool | None:
    """The candidates; None where no item is part of a tuple."""
    features, rows = table.features, table.rows
    use = np.flatnonzero(features.tuple_ != NO_CODE)
    if not len(use):
        return None
    code, place = np.unique(features.candidate[use].ravel(), return_inverse=True)
    place = place.ravel()
    given = table.facts.scores[use]
    scored = not np.isnan(table.facts.scores).all()
    if not scored:
        verdict = rows.verdict[use]
        won = np.where(verdict == A, 1.0, np.where(verdict == B, -1.0, 0.0))
        # A text that stands alone in its tuple is as good as itself, whatever the model says.
        alone = features.candidate[use, 0] == features.candidate[use, 1]
        won = np.where(alone, 0.0, np.where(verdict == NONE, np.nan, won))
        given = np.column_stack([won, -won])
    value = given.ravel()
    there = ~np.isnan(value)
    count = np.bincount(place, weights=there, minlength=len(code))
    total = np.bincount(place, weights=np.where(there, value, 0.0), minlength=len(code))
    _, first = np.unique(place, return_index=True)
    names, tuple_ = np.unique(features.tuple_[use].repeat(2)[first], return_inverse=True)
    _, of_tuple = np.unique(features.tuple_[use], return_index=True)
    pairs = np.sort(features.candidate[use], axis=1)[rows.verdict[use] != NONE]
    pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    of_pair = tuple_.ravel()[np.searchsorted(code, pairs[:, 0])]
    of_candidate = tuple_.ravel()
    label = rows.label[use]
    ranked = np.column_stack(
        [
            np.where(label == A, features.candidate[use, 0], features.candidate[use, 1]),
            np.where(label == A, features.candidate[use, 1], features.candidate[use, 0]),
        ]
    )[np.isin(label, (A, B))]
    ranked = np.searchsorted(code, np.unique(ranked, axis=0).reshape(-1, 2))
    beaten = np.isin(np.arange(len(code)), ranked[:, 1])
    n_beaten = np.bincount(of_candidate, weights=beaten, minlength=len(names))
    n_best = np.bincount(of_candidate, minlength=len(names)) - n_beaten
    over = ranked[~beaten[ranked[:, 0]]]
    n_over = np.bincount(of_candidate[over[:, 0]], minlength=len(names))
    looks = features.headers + features.bold + features.lists
    return Pool(
        tuple_=tuple_.ravel(),
        reward=np.where(count > 0, total / np.maximum(count, 1), np.nan),
        copies=features.copies[use].ravel()[first].astype(np.float64),
        length=features.length[use].ravel()[first],
        markup=looks[use].ravel()[first],
        group=rows.group[use][of_tuple][: len(names)],
        compared=np.bincount(of_pair, minlength=len(names)).astype(np.float64),
        beaten=beaten,
        graded=(n_over == n_best * n_beaten) & (n_over > 0),
        kind=features.kind[use][of_tuple][: len(names)],
        scored=scored,
    )
