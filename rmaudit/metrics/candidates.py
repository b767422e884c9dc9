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
    of each tuple with a verdict. scored: rewards are scores.
    """

    tuple_: IntArray
    reward: FloatArray
    copies: FloatArray
    length: FloatArray
    markup: FloatArray
    group: IntArray
    compared: FloatArray
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
    looks = features.headers + features.bold + features.lists
    return Pool(
        tuple_=tuple_.ravel(),
        reward=np.where(count > 0, total / np.maximum(count, 1), np.nan),
        copies=features.copies[use].ravel()[first].astype(np.float64),
        length=features.length[use].ravel()[first],
        markup=looks[use].ravel()[first],
        group=rows.group[use][of_tuple][: len(names)],
        compared=np.bincount(of_pair, minlength=len(names)).astype(np.float64),
        scored=scored,
    )
