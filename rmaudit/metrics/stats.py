"""Shares of clusters: the parts of intervals and bounds that have a closed form.

The unit is the cluster (items that share a prompt), never the row or the reason (Miller, arXiv
2411.00640). Where every cluster says the same, or each is one 0 or 1, counts decide; everything
else is resampled (`metrics.resampling`, `metrics.unseen`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import betaincinv

from rmaudit.metrics.arrays import FloatArray

Statistic = Callable[[FloatArray], FloatArray]
"""Sums [..., k] to the value [...]; NaN where undefined."""

EPSILON = 1e-12
"""Differences below this are rounding: sums of a few thousand numbers of order one."""

Limits = tuple[float, float]
"""The least and the greatest value that a number can have."""

Method = Literal["unanimous", "exact", "extended", "noise", "bca", "corrected", "vacuous", "none"]


class Interval(NamedTuple):
    """A two-sided interval; None where nothing can be said on that side."""

    low: float | None
    high: float | None
    method: Method


def ratio(sums: FloatArray) -> FloatArray:
    """sum(num) / sum(den) of sums [..., 2]; NaN where the denominator is 0."""
    num, den = sums[..., 0], sums[..., 1]
    value: FloatArray = np.divide(num, den, out=np.full(den.shape, np.nan), where=den > 0)
    return value


def is_share(carrying: FloatArray, bounds: Limits) -> bool:
    """Whether each cluster [G, 2] is one observation of 0 or 1, and can be nothing else.

    A difference that happens to be 0 or 1 in every cluster could be -1: `bounds` are wider then.
    """
    num, den = carrying[:, 0], carrying[:, 1]
    return bounds[1] - bounds[0] == 1 and bool(
        max(np.abs(den - 1).max(), np.abs(num * (num - 1)).max()) < EPSILON
    )


def unanimous(
    value: float, n: int, *, confidence: float, bounds: Limits = (0.0, 1.0)
) -> tuple[float, float]:
    """Two-sided interval where all n clusters say `value`.

    With no exception among n, the share of exceptions in the population is below
    q = 1 - (alpha / 2)^(1 / n), Clopper-Pearson's upper limit for 0 of n, and an exception lies
    anywhere within `bounds`. At a share of 0 or 1 this is Clopper-Pearson itself. One cluster
    gives q = 0.975 at 95%: next to nothing is known, and the interval says so.
    """
    exceptions = 1 - ((1 - confidence) / 2) ** (1 / n)
    low, high = bounds
    return value - exceptions * (value - low), value + exceptions * (high - value)


def clopper_pearson(successes: int, n: int, *, confidence: float) -> tuple[float, float]:
    """Exact interval of a proportion (Clopper and Pearson 1934); n at least 1."""
    tail = (1 - confidence) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return low, high
