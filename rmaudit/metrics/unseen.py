"""What clusters that were not drawn could still say: bounds that hold near 0 and 1.

A bootstrap knows of no value but those it has. Where a handful of clusters hold all exceptions its
bounds are too short towards them: at a rate of .02 in 60 clusters, 15% of bounds at 95% lay beyond
the truth. So each resample gets one cluster more, at the far end of what a cluster can say:

    upper bound of a mean    quantile of  sum_g W_g x_g + W_0 1,   (W_0, ..., W_n) ~ Dirichlet(1)
    lower bound              the same with 0 in place of 1

That is Gaffke's bound (Gaffke 2005; Learned-Miller and Thomas, arXiv 1905.06208). For 0/1 data it
is Clopper and Pearson's, where all clusters agree it is 1 - alpha^(1/n), and it is conjectured to
hold at every n for every distribution within the limits. A ratio of sums N / D is above t where
the mean of N - t D is above 0, so there the extra cluster has the largest denominator seen.

A difference of two runs spreads far less than its limits, -1 and 1, and a cluster there would
double the interval. Its extra cluster weighs no more than the largest part that a cluster has in
the difference, and counts half; where k clusters differ, 1 / (k + 1)^2 of what is left to the limit
is added, so that the first difference seen does not make the bound jump. Half and square were
chosen by measurement (benchmarks/README.md): a whole one widens intervals by up to 40% at rates
from .3 to .7.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.stats import EPSILON, Limits, ratio

WHOLE, HALF = 1.0, 0.5
"""Dirichlet parameters of the extra cluster: of a share, of a difference."""

_STREAM = 2
"""Of the generator, apart from those of the clusters (none) and of the sign flips (1)."""


class Parts(NamedTuple):
    """A number as a weighted mean over clusters.

    value: [G], the clusters' parts in the numerator. weight: [G], in the denominator. carried: [B],
    the denominator of each resample.
    """

    value: FloatArray
    weight: FloatArray
    carried: FloatArray


class Extra(NamedTuple):
    """The extra cluster.

    weight: its denominator. mass: its Dirichlet parameter. exact: it lies at the limits of a
    share, where the bounds hold however few the clusters are.
    """

    weight: float
    mass: float
    exact: bool


def parts_of_ratio(sums: FloatArray, resampled: FloatArray) -> Parts:
    """The parts of sum(num) / sum(den): [G, 2] and [B, 2]."""
    return Parts(sums[:, 0], sums[:, 1], resampled[:, 1])


def parts_of_difference(
    first: FloatArray, second: FloatArray, resampled: tuple[FloatArray, FloatArray]
) -> Parts:
    """The parts of the second ratio minus the first, by their influence where weights differ.

    With theta_k = sum N_k / sum D_k, d_k = D_k / mean D_k and w the mean of d_1 and d_2, a cluster
    has N_2 / mean D_2 - theta_2 (d_2 - w) - N_1 / mean D_1 + theta_1 (d_1 - w): its own difference
    where the weights agree.

    Args:
        first: [G, 2] of the first run.
        second: [G, 2] of the second, on the same clusters.
        resampled: [B, 2] of either.
    """
    runs = (first, second)
    means = [sums[:, 1].mean() for sums in runs]
    weights = [sums[:, 1] / mean for sums, mean in zip(runs, means, strict=True)]
    weight = (weights[0] + weights[1]) / 2
    before, after = (
        sums[:, 0] / mean - ratio(sums.sum(axis=0)) * (own - weight)
        for sums, mean, own in zip(runs, means, weights, strict=True)
    )
    carried = (resampled[0][:, 1] / means[0] + resampled[1][:, 1] / means[1]) / 2
    return Parts(after - before, weight, carried)


def extra_cluster(parts: Parts, limits: Limits) -> Extra:
    """The extra cluster of a number with these limits."""
    low, high = limits
    most = float(parts.weight.max())
    slack = EPSILON * max(1.0, most)
    inside = (parts.value >= low * parts.weight - slack) & (
        parts.value <= high * parts.weight + slack
    )
    if high - low == 1 and bool(inside.all()):
        return Extra(most, WHOLE, exact=True)
    size = np.abs(parts.value) / max(abs(low), abs(high))
    differ = int((size > EPSILON).sum())
    largest = float(size.max())
    return Extra(largest + max(most - largest, 0.0) / (differ + 1) ** 2, HALF, exact=False)


def extended(
    replicates: FloatArray, parts: Parts, extra: Extra, limits: Limits, *, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Replicates with the extra cluster at either limit: sorted, for lower and upper bounds.

    Args:
        replicates: [B].
        parts: of the number.
        extra: of `extra_cluster`.
        limits: least and greatest value.
        seed: of the draws of the clusters.
    """
    drawn = _drawn_mass(len(parts.value), extra.mass, count=len(replicates), seed=seed)
    added = extra.weight * drawn
    moved = added / (parts.carried + added)
    low, high = (np.sort(replicates + moved * (limit - replicates)) for limit in limits)
    return low, high


@lru_cache(maxsize=16)
def _drawn_mass(groups: int, mass: float, *, count: int, seed: int) -> FloatArray:
    """The extra cluster's weight in each resample, where those of the others sum to `groups`."""
    share = np.random.default_rng([seed, _STREAM]).beta(mass, groups, size=count)
    drawn: FloatArray = groups * share / (1 - share)
    drawn.flags.writeable = False  # every metric of a table has the same
    return drawn
