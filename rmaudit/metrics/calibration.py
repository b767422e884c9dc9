"""Calibration: is the model right as often as its confidence says.

Confidence is no probability. The log odds of a right verdict are taken to be proportional to it,
as Bradley and Terry's model has it for margins; the one slope is fitted on other folds, and the
error is how far accuracy is from what that says. A map with more freedom would fit any confidence,
and then nothing could be miscalibrated.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from rmaudit.metrics.arrays import FloatArray, IntArray
from rmaudit.metrics.confidence import DEGREES, EQUALLY_SURE, Sure, levels, sure_verdicts
from rmaudit.metrics.estimand import Estimand, Smooth, not_applicable, per_item
from rmaudit.metrics.features import FOLDS
from rmaudit.metrics.logistic import firth
from rmaudit.metrics.outcome import NO_PREFERENCE, has_preference
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table

MIN_ITEMS = 500
MOST_BINS, BIN_ITEMS = 10, 100


def _chances(table: Table, sure: Sure) -> FloatArray:
    """P(right) of each used row, by a slope fitted on the groups of the other folds."""
    chance = np.full(len(sure.used), 0.5)
    for fold in range(FOLDS):
        inside = table.features.fold == fold
        train = sure.used & ~inside
        fit = firth(sure.confidence[train, np.newaxis], sure.right[train] * 1.0)
        if fit is not None:
            chance[inside] = expit(fit.beta[0] * sure.confidence[inside])
    return chance


def _calibrated(table: Table) -> tuple[Sure, FloatArray] | Estimand:
    """The verdicts with their chances, or why there are none."""
    if not has_preference(table).any():
        return not_applicable(NO_PREFERENCE)
    sure = sure_verdicts(table)
    if sure is None:
        return not_applicable(EQUALLY_SURE)
    if sure.items < MIN_ITEMS:
        return not_applicable(
            f"needs {MIN_ITEMS} items with a decisive verdict; there are {sure.items}"
        )
    return sure, _chances(table, sure)


class _Bins(NamedTuple):
    """Weighted residuals (right - chance) of the used rows by bin, [u, bins]."""

    residuals: FloatArray
    weight: FloatArray
    group: IntArray


def _bins(table: Table, sure: Sure, chance: FloatArray) -> _Bins:
    used = sure.used
    most = min(MOST_BINS, sure.items // BIN_ITEMS)
    level = levels(sure.confidence[used], sure.weight[used], most)
    residual = (sure.weight * (sure.right - chance))[used]
    spread = np.zeros((len(residual), most))
    spread[np.arange(len(residual)), level] = residual
    return _Bins(spread, sure.weight[used], table.rows.group[used])


def _ece(table: Table) -> Estimand | Smooth:
    """Sum over bins of |weight right - weight expected|, over all weight."""
    found = _calibrated(table)
    if isinstance(found, Estimand):
        return found
    sure, chance = found
    bins = _bins(table, sure, chance)
    total = float(np.abs(bins.residuals.sum(axis=0)).sum())
    # An item with a lost row can move the sum by 1 at most, and adds to the weight if all are lost.
    items = table.rows.item
    touched = len(np.unique(items[sure.lost]))
    weight = len(np.unique(items[sure.used | sure.lost]))
    return Smooth(
        group=bins.group,
        columns=np.column_stack([bins.residuals, bins.weight]),
        statistic=_error_of_sums,
        n=sure.items,
        n_excluded=int(sure.lost.sum()),
        low=max(0.0, total - touched) / weight,
        high=min(1.0, (total + touched) / weight),
        why="",
        noisy=True,
    )


def _error_of_sums(sums: FloatArray) -> FloatArray:
    weight = sums[..., -1]
    error = np.abs(sums[..., :-1]).sum(axis=-1)
    share: FloatArray = np.divide(
        error, weight, out=np.full(weight.shape, np.nan), where=weight > 0
    )
    return share


def _floor(table: Table) -> Estimand | Smooth:
    """E|N(0, s)| of each bin's residual, s from the groups' residuals, over all weight."""
    found = _calibrated(table)
    if isinstance(found, Estimand):
        return found
    bins = _bins(table, *found)
    groups, place = np.unique(bins.group, return_inverse=True)
    by_group = [np.bincount(place, weights=column) ** 2 for column in bins.residuals.T]
    weight = np.bincount(place, weights=bins.weight)
    columns = np.column_stack([*by_group, weight])
    value = float(_floor_of_sums(columns.sum(axis=0)))
    return Smooth(groups, columns, _floor_of_sums, found[0].items, 0, value, value, "")


def _floor_of_sums(sums: FloatArray) -> FloatArray:
    return _error_of_sums(
        np.concatenate([np.sqrt(2 / np.pi * sums[..., :-1]), sums[..., -1:]], axis=-1)
    )


def _brier(table: Table) -> Estimand:
    found = _calibrated(table)
    if isinstance(found, Estimand):
        return found
    sure, chance = found
    return per_item(
        table.row_units,
        (sure.right - chance) ** 2,
        used=sure.used,
        lost=sure.lost,
        why="",
    )


_spec = partial(
    MetricSpec,
    reader=None,
    alike=("verdicts",),
    topic="Steadiness and confidence",
    needs=f"{MIN_ITEMS} items, and {DEGREES}",
)

METRICS = (
    _spec(
        "calibration.ece",
        "share",
        "lower",
        "Expected calibration error: distance of accuracy from what confidence says, mean over up "
        "to 10 bins of equal mass. Log odds of being right are taken to be proportional to "
        "confidence (score margin, else agreement of samples, else stated strength), the slope "
        "fitted on other folds.",
        _ece,
    ),
    _spec(
        "calibration.floor",
        "share",
        "none",
        "What calibration.ece would be by chance alone if confidence were right.",
        _floor,
    ),
    _spec(
        "calibration.brier",
        "score",
        "lower",
        "Mean squared distance of what confidence says (as for calibration.ece) from right 1 or "
        "wrong 0; always saying 50 % gives 0.25.",
        _brier,
        format="plain",
    ),
)
