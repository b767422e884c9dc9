"""Means over domains: each counts the same, however many items it has (a macro average)."""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.confidence import item_weights
from rmaudit.metrics.estimand import Estimand, Smooth, not_applicable, per_item
from rmaudit.metrics.outcome import NO_PREFERENCE, has_preference, right
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table


def mean_of_parts(
    table: Table, value: FloatArray | BoolArray, part: IntArray, among: BoolArray, why: str
) -> Estimand | Smooth:
    """The mean over parts of the mean over their items.

    Args:
        table: of the rows.
        value: from 0 to 1, of each row.
        part: code of each row, from 0; all rows of an item are of one part.
        among: rows that count if they were answered, and are lost if not.
        why: said where there is none.
    """
    used, lost = among & table.rows.answered, among & ~table.rows.answered
    if not used.any():
        return not_applicable(why)
    if len(np.unique(part[among])) == 1:
        return per_item(table.row_units, value, used=used, lost=lost, why=why)
    parts = int(part[among].max()) + 1

    def columns(keep: BoolArray, fill: float) -> FloatArray:
        weight = item_weights(table.rows.item, keep)
        shown = np.where(used, value, fill)
        found = np.zeros((int(keep.sum()), 2, parts))
        place = np.arange(len(found)), part[keep]
        found[place[0], 0, place[1]] = (weight * shown)[keep]
        found[place[0], 1, place[1]] = weight[keep]
        return found.reshape(len(found), -1)

    over = partial(_mean, parts=parts)
    return Smooth(
        group=table.rows.group[used],
        columns=columns(used, 0.0),
        statistic=over,
        n=len(np.unique(table.rows.item[used])),
        n_excluded=int(lost.sum()),
        low=float(over(columns(used | lost, 0.0).sum(axis=0))),
        high=float(over(columns(used | lost, 1.0).sum(axis=0))),
        why=why,
        lost=np.unique(table.rows.item[lost]),
    )


def _mean(sums: FloatArray, *, parts: int) -> FloatArray:
    """Over the parts that have an item: of a resample too, which may have none of a small one."""
    num, den = sums[..., :parts], sums[..., parts:]
    there = den > 0
    share = np.divide(num, den, out=np.zeros_like(num), where=there)
    mean: FloatArray = np.divide(
        share.sum(axis=-1),
        there.sum(axis=-1),
        out=np.full(share.shape[:-1], np.nan),
        where=there.any(axis=-1),
    )
    return mean


def _accuracy(table: Table) -> Estimand | Smooth:
    among = has_preference(table)
    return mean_of_parts(table, right(table), table.rows.domain, among, NO_PREFERENCE)


METRICS = (
    MetricSpec(
        "accuracy.macro",
        "share",
        "higher",
        "Mean over domains of the accuracy in each, where accuracy is one over items. Papers print "
        "the one or the other of JudgeBench.",
        _accuracy,
        reader=None,
        alike=("verdicts",),
        topic="Verdicts",
        needs="items labelled a or b",
        since=8,
    ),
)
