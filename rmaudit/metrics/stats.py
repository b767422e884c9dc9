"""Intervals for smooth functions of sums over clusters.

The unit of resampling is the cluster (items that share a prompt), never the row or the reason
(Miller, arXiv 2411.00640). Which interval a metric gets depends on what its clusters look like:

    every cluster says the same      the bootstrap has no width: bound the share of clusters that
                                     could say otherwise (Clopper-Pearson with zero exceptions)
    each cluster is one 0/1          Wilson's score interval
    otherwise                        cluster bootstrap, BCa where valid, else percentile;
                                     widened for few clusters (`expanded`)

One set of draws serves all metrics of a table, as a weight matrix: a resample is a vector of
cluster counts, and the resampled sums of all metrics are one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri, stdtrit

from rmaudit.metrics.arrays import FloatArray

Statistic = Callable[[FloatArray], FloatArray]
"""Sums [..., k] to the value [...]; NaN where undefined."""

CHUNK_CELLS = 2_000_000
"""Largest weight matrix held at once: 16 MB."""

FEW = 100
"""Below so many clusters a reader is told that an interval was widened (1.7% at 100)."""

FEW_EXCEPTIONS = 10
"""Below so many clusters that differ from all others, a bootstrap says too little of them."""

EPSILON = 1e-12
"""Differences below this are rounding: sums of a few thousand numbers of order one."""

Method = Literal["unanimous", "wilson", "bca", "percentile", "corrected", "vacuous", "none"]


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


def draw_counts(n_groups: int, *, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield how often each cluster is drawn, in chunks [b, n_groups] of bounded size.

    The stream depends on `n_groups` and `seed` alone, and a longer run extends a shorter one.
    """
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK_CELLS // max(n_groups, 1))
    for start in range(0, resamples, step):
        counts = np.empty((min(step, resamples - start), n_groups))
        for row in counts:
            draw = rng.integers(0, n_groups, size=n_groups, dtype=np.int32)
            row[:] = np.bincount(draw, minlength=n_groups)
        yield counts


def bootstrap_sums(group_sums: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    """Resample clusters with replacement.

    Args:
        group_sums: [G, K], K columns of sums by cluster, any number of metrics side by side.
        resamples: B.
        seed: of the draws.

    Returns:
        [B, K], the column sums of each resample.
    """
    n_groups, columns = group_sums.shape
    if n_groups == 0:
        return np.zeros((resamples, columns))
    chunks = draw_counts(n_groups, resamples=resamples, seed=seed)
    return np.concatenate([counts @ group_sums for counts in chunks])


def closed_form(
    group_sums: FloatArray,
    *,
    confidence: float,
    bounds: tuple[float, float],
    shift: float = 0.0,
) -> Interval | None:
    """Return the interval of a ratio where no bootstrap is needed, else None.

    Args:
        group_sums: [G, 2], numerator and denominator by cluster.
        confidence: two-sided level.
        bounds: least and greatest possible value, shift included.
        shift: constant added to the ratio.
    """
    carrying = group_sums[group_sums.any(axis=1)]
    theta = float(ratio(carrying.sum(axis=0)))
    num, den = carrying[:, 0], carrying[:, 1]
    if np.isnan(theta):
        return Interval(None, None, "none")
    if np.abs(num - theta * den).max() < EPSILON:
        return unanimous(theta + shift, len(carrying), confidence=confidence, bounds=bounds)
    if is_share(carrying, bounds):
        low, high = wilson(float(num.sum()), len(carrying), confidence=confidence)
        return Interval(low + shift, high + shift, "wilson")
    return None


def is_share(carrying: FloatArray, bounds: tuple[float, float]) -> bool:
    """Whether each cluster [G, 2] is one observation of 0 or 1, and can be nothing else.

    A difference that happens to be 0 or 1 in every cluster could be -1: `bounds` are wider then.
    """
    num, den = carrying[:, 0], carrying[:, 1]
    return bounds[1] - bounds[0] == 1 and bool(
        max(np.abs(den - 1).max(), np.abs(num * (num - 1)).max()) < EPSILON
    )


class Bootstrap(NamedTuple):
    """The bootstrap of one number: what its intervals, bounds and p-values are made from.

    estimate: theta. replicates: [B], sorted, finite. groups: clusters that carry the number, at
    least 2. bounds: least and greatest possible value. bias, acceleration: BCa's constants, bias
    None where BCa is not valid.
    """

    estimate: float
    replicates: FloatArray
    groups: int
    bounds: tuple[float, float]
    bias: float | None
    acceleration: float

    def level(self, confidence: float) -> float | None:
        """Return the quantile level whose quantile is theta's upper bound at `confidence`.

        BCa's level is at most as fine as the replicates resolve.

        Args:
            confidence: one-sided; below 0.5 it gives lower bounds, at 1 - confidence.

        Returns:
            None where the plain level is finer than 1 / B: the clusters are too few, or the
            confidence is too high, for this bootstrap to say anything.
        """
        z = expanded(confidence, self.groups)
        level, finest = float(ndtr(z)), 1 / len(self.replicates)
        if not finest <= level <= 1 - finest:
            return None
        if self.bias is None:
            return level
        moved = self.bias + z
        stretch = 1 - self.acceleration * moved
        if stretch <= 0:  # the correction diverges
            return level
        return min(max(float(ndtr(self.bias + moved / stretch)), finest), 1 - finest)

    def bound(self, confidence: float) -> float:
        """Theta's upper bound at `confidence`, one-sided; below 0.5 a lower bound."""
        level = self.level(confidence)
        if level is None:
            return self.bounds[confidence > 0.5]
        return float(np.quantile(self.replicates, level))


def bootstrap(
    group_sums: FloatArray,
    resampled: FloatArray,
    statistic: Statistic,
    *,
    bounds: tuple[float, float],
) -> Bootstrap | None:
    """Bootstrap `statistic(group_sums.sum(0))` from resampled sums.

    BCa's constants are those of Efron (1987, eq. 2.3). They are not valid where theta lies outside
    the replicates, a cluster cannot be left out, or no cluster matters.

    Args:
        group_sums: [G, k].
        resampled: [B, k], from `bootstrap_sums` on the same columns. Resamples where the
            statistic is undefined (its part of the data was not drawn) are left out.
        statistic: a smooth function of the k sums.
        bounds: its least and greatest possible value.

    Returns:
        None where fewer than two clusters carry the number, or no resample has it.
    """
    carrying = group_sums[group_sums.any(axis=1)]
    replicates = statistic(resampled)
    replicates = np.sort(replicates[np.isfinite(replicates)])
    if len(carrying) < 2 or not len(replicates):
        return None
    total = carrying.sum(axis=0)
    estimate = float(statistic(total))
    below = (replicates < estimate - EPSILON).mean()
    tied = (np.abs(replicates - estimate) <= EPSILON).mean()
    jackknife = statistic(total - carrying)
    influence = jackknife.mean() - jackknife
    scale = (influence**2).sum()
    if not 0 < below + tied / 2 < 1 or not scale > 0:  # NaN fails here too
        return Bootstrap(estimate, replicates, len(carrying), bounds, None, 0.0)
    bias = float(ndtri(below + tied / 2))
    acceleration = float((influence**3).sum() / (6 * scale**1.5))
    return Bootstrap(estimate, replicates, len(carrying), bounds, bias, acceleration)


def bootstrap_interval(
    group_sums: FloatArray,
    resampled: FloatArray,
    statistic: Statistic,
    *,
    confidence: float,
    bounds: tuple[float, float],
) -> Interval:
    """Two-sided interval of `statistic(group_sums.sum(0))`; arguments as in `bootstrap`.

    Too few clusters for this confidence give the bounds themselves.
    """
    found = bootstrap(group_sums, resampled, statistic, bounds=bounds)
    if found is None:
        return Interval(None, None, "none")
    low, high = (1 - confidence) / 2, (1 + confidence) / 2
    method: Method = "percentile" if found.bias is None else "bca"
    if found.level(low) is None:
        method = "vacuous"
    return Interval(found.bound(low), found.bound(high), method)


def expanded(confidence: float, groups: int) -> float:
    """Normal quantile, widened for few clusters.

    A bootstrap draws from n clusters as if they were the population, so that its intervals are
    too short by sqrt((n - 1) / n) and use a normal quantile where Student's belongs. Both are
    mended in the quantile (Hesterberg, arXiv 1411.5279, expanded percentile interval). At 95%
    this is 3.0% at 60 clusters, 0.9% at 200 and 0.2% at 1,000.
    """
    return float(stdtrit(groups - 1, confidence) * np.sqrt(groups / (groups - 1)))


def widening(groups: int) -> str:
    """What `expanded` did to a 95% interval, in words; '' where it is too little to tell."""
    if not 2 <= groups < FEW:
        return ""
    wider = expanded(0.975, groups) / expanded(0.975, 10**9) - 1
    return f"interval widened by {100 * wider:.1f}%, since there are only {groups} groups"


def few_exceptions(group_sums: FloatArray) -> str:
    """What a ratio of 0 (or of 1) in almost every cluster means for its interval, in words.

    A bootstrap of a handful of exceptions is too short towards them: where 3 of 60 clusters hold
    them all, 91.5% of 95% intervals cover (benchmarks/README.md). '' where there are enough.
    """
    num, den = group_sums[group_sums.any(axis=1)].T
    exceptions = min(int((num > EPSILON).sum()), int((num < den - EPSILON).sum()))
    if not 0 < exceptions < FEW_EXCEPTIONS:
        return ""
    return f"only {exceptions} groups differ from the others: the interval may be too short"


def unanimous(
    value: float, n: int, *, confidence: float, bounds: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Interval where all n clusters say `value`.

    With no exception among n, the share of exceptions in the population is below
    q = 1 - (alpha / 2)^(1 / n), Clopper-Pearson's upper limit for 0 of n, and an exception lies
    anywhere within `bounds`. At a share of 0 or 1 this is Clopper-Pearson itself. One cluster
    gives q = 0.975 at 95%: next to nothing is known, and the interval says so.
    """
    exceptions = 1 - ((1 - confidence) / 2) ** (1 / n)
    low, high = bounds
    return Interval(
        value - exceptions * (value - low), value + exceptions * (high - value), "unanimous"
    )


def wilson(successes: float, n: int, *, confidence: float) -> tuple[float, float]:
    """Score interval of a proportion (Wilson 1927); n at least 1."""
    z = float(ndtri((1 + confidence) / 2))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    return max(0.0, centre - half), min(1.0, centre + half)


def clopper_pearson(successes: int, n: int, *, confidence: float) -> tuple[float, float]:
    """Exact interval of a proportion (Clopper and Pearson 1934); n at least 1."""
    tail = (1 - confidence) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return low, high
