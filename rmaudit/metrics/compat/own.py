"""A public number as a metric: its value by the public rule, an interval, what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.records import Metric

DRAWS = 2000
_SEED = 0
_LEVEL = 0.95


def drawn_means(num: Sequence[float], den: Sequence[float] | None = None) -> FloatArray:
    """sum(num) / sum(den) over bootstrap draws of the rows; den is 1 a row by default."""
    values = np.asarray(num, dtype=np.float64)
    counts = np.ones_like(values) if den is None else np.asarray(den, dtype=np.float64)
    rng = np.random.default_rng(_SEED)
    sums = np.empty((DRAWS, 2))
    for start in range(0, DRAWS, 100):
        picked = rng.integers(0, len(values), (100, len(values)))
        sums[start : start + 100, 0] = values[picked].sum(axis=1)
        sums[start : start + 100, 1] = counts[picked].sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn: FloatArray = sums[:, 0] / sums[:, 1]
    return drawn


def ratio(num: Sequence[float], den: Sequence[float], *, excluded: int = 0, why: str) -> Metric:
    """A share sum(num) / sum(den) of rows; not applicable, with `why`, where den sums to 0.

    `excluded` rows could each have been in both sums or in den alone.
    """
    hits, n = sum(num), sum(den)
    if not n:
        return missing(why, excluded=excluded)
    found = measured(hits / n, drawn_means(num, den), n=int(n), excluded=excluded)
    most = n + excluded
    return replace(found, worst=hits / most, best=(hits + excluded) / most)


def mean(values: Sequence[float], *, excluded: int = 0, why: str) -> Metric:
    """A mean over rows; `excluded` rows could each have been 0 or 1."""
    if not values:
        return missing(why, excluded=excluded)
    found = measured(
        sum(values) / len(values), drawn_means(values), n=len(values), excluded=excluded
    )
    most = len(values) + excluded
    return replace(found, worst=sum(values) / most, best=(sum(values) + excluded) / most)


def measured(value: float, drawn: FloatArray, *, n: int, excluded: int = 0) -> Metric:
    """A value with the percentile interval of its draws."""
    low, high = _interval(value, drawn[np.isfinite(drawn)], n)
    return Metric(
        value=float(value),
        low=low,
        high=high,
        worst=float(value),
        best=float(value),
        n=n,
        n_excluded=excluded,
        unit="share",
        why="by the arithmetic of the public script, over its rows",
    )


def _interval(value: float, drawn: FloatArray, n: int) -> tuple[float, float]:
    """The percentile interval; where all rows agree, what rows unseen so far could still be."""
    tail = (1 - _LEVEL) / 2
    least = tail ** (1 / n)  # n rows agree by chance with this probability of a row
    if not len(drawn) or np.ptp(drawn) == 0:
        return value * least, 1 - (1 - value) * least
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def missing(why: str, *, excluded: int = 0) -> Metric:
    """A number that the file does not allow."""
    return Metric(None, None, None, None, None, 0, excluded, "share", why)
