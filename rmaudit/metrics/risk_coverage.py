"""Risk against coverage: how wrong is the model where it is surest."""

from __future__ import annotations

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.confidence import DEGREES, EQUALLY_SURE, item_weights, levels, sure_verdicts
from rmaudit.metrics.estimand import Estimand, Smooth, not_applicable
from rmaudit.metrics.outcome import NO_PREFERENCE, has_preference
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table

STEPS = 20


def _risk_coverage(table: Table) -> Estimand | Smooth:
    if not has_preference(table).any():
        return not_applicable(NO_PREFERENCE)
    sure = sure_verdicts(table)
    if sure is None:
        return not_applicable(EQUALLY_SURE)
    used = sure.used
    level = np.full(len(used), STEPS)  # lost rows above all others: there they move most
    level[used] = levels(sure.confidence[used], sure.weight[used], STEPS)

    def bound(*, wrong: bool) -> float:
        counted = used | sure.lost
        weight = item_weights(table.rows.item, counted)[counted]
        errors = np.where(used, ~sure.right, wrong)[counted]
        return float(_area(_by_level(level[counted], weight, errors).sum(axis=0)))

    return Smooth(
        group=table.rows.group[used],
        columns=_by_level(level[used], sure.weight[used], ~sure.right[used]),
        statistic=_area,
        n=sure.items,
        n_excluded=int(sure.lost.sum()),
        low=bound(wrong=False),
        high=bound(wrong=True),
        why="",
    )


def _by_level(level: IntArray, weight: FloatArray, wrong: BoolArray) -> FloatArray:
    """[u, 2 (STEPS + 1)]: weights, then weights of errors, in columns from the surest level."""
    columns = np.zeros((len(level), 2, STEPS + 1))
    columns[np.arange(len(level)), 0, STEPS - level] = weight
    columns[np.arange(len(level)), 1, STEPS - level] = weight * wrong
    return columns.reshape(len(level), -1)


def _area(sums: FloatArray) -> FloatArray:
    """Area under risk against coverage, from sums by level, ties in random order.

    With W and E before a level of weight w with errors e, the risk at u in (W, W + w) is
    (E + (u - W) e / w) / u, whose integral is e + (E - W e / w) ln((W + w) / W).
    """
    weight, errors = sums[..., : STEPS + 1], sums[..., STEPS + 1 :]
    after = weight.cumsum(axis=-1)
    before, wrong = after - weight, errors.cumsum(axis=-1) - errors
    begun = (before > 0) & (weight > 0)
    rate = np.divide(errors, weight, out=np.zeros_like(errors), where=weight > 0)
    growth = np.log(np.divide(after, before, out=np.ones_like(after), where=begun))
    area = (errors + (wrong - before * rate) * growth).sum(axis=-1)
    total = after[..., -1]
    mean: FloatArray = np.divide(area, total, out=np.full(total.shape, np.nan), where=total > 0)
    return mean


METRICS = (
    MetricSpec(
        "risk_coverage",
        "share",
        "lower",
        "Mean error rate among the surest verdicts, over all shares of them that one could keep "
        "(area under risk against coverage, arXiv 1805.08206); equal to the error rate where "
        "confidence says nothing.",
        _risk_coverage,
        reader=None,
        alike=("verdicts",),
        topic="Steadiness and confidence",
        needs=DEGREES,
    ),
)
