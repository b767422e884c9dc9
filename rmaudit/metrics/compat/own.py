"""A public number as a metric: its value by the public rule, an interval, what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

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
    """A share sum(num) / sum(den) of rows; not applicable, with `why`, where den sums to 0."""
    if not sum(den):
        return missing(why)
    return measured(
        sum(num) / sum(den), drawn_means(num, den), n=int(sum(den)), excluded=excluded
    )


def mean(values: Sequence[float], *, excluded: int = 0, why: str) -> Metric:
    """A mean over rows; `excluded` rows could each have been 0 or 1."""
    if not values:
        return missing(why, excluded=excluded)
    found = measured(
        sum(values) / len(values), drawn_means(values), n=len(values), excluded=excluded
    )
    most = len(values) + excluded
    bounds = {"worst": sum(values) / most, "best": (sum(values) + excluded) / most}
    return Metric(**{**_fields(found), **bounds})


def measured(value: float, drawn: FloatArray, *, n: int, excluded: int = 0) -> Metric:
    """A value with the percentile interval of its draws."""
    usable = drawn[np.isfinite(drawn)]
    low, high = (
        np.quantile(usable, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]) if len(usable) else (None, None)
    )
    return Metric(
        value=float(value),
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        worst=float(value),
        best=float(value),
        n=n,
        n_excluded=excluded,
        unit="share",
        why="by the arithmetic of the public script; bootstrap over rows",
    )


def missing(why: str, *, excluded: int = 0) -> Metric:
    """A number that the file does not allow."""
    return Metric(None, None, None, None, None, 0, excluded, "share", why)


def _fields(metric: Metric) -> dict[str, object]:
    return {name: getattr(metric, name) for name in Metric.__dataclass_fields__}
