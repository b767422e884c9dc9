"""What the data say about one number: its bounds at any confidence, and its p-values.

A bound and a p-value of one number are two readings of one thing: at every confidence c,

    bound("lower", c) > t    if and only if    p_value(t, "greater") < 1 - c

and likewise with "upper" and "less"; a two-sided interval is two such bounds at (1 + c) / 2. (Where
a corrected level is finer than the replicates have, p is the more careful of the two.) What they
rest on follows the clusters:

    every cluster says the same       the share of unseen exceptions, exact
    each cluster is one 0/1           the binomial, exact (Clopper-Pearson)
    another ratio, or a difference    resampled clusters and one more (`metrics.unseen`)
    a sum of absolute errors          the resampled errors (`Noisy`)
    another smooth function           resampled clusters, as BCa corrects them

Wilson's interval is not used: its ends hold their level on average over true shares only (at 30
clusters and a share of .3 it covers 93.0%), and decisions are made at one share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from scipy.special import bdtr, bdtrc, ndtri, stdtr

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.resampling import Bootstrap, bootstrap, expanded, level_of, quantile
from rmaudit.metrics.stats import (
    EPSILON,
    Limits,
    Method,
    Statistic,
    clopper_pearson,
    is_share,
    ratio,
    unanimous,
)
from rmaudit.metrics.unseen import Parts, extended, extra_cluster

Side = Literal["lower", "upper"]
Alternative = Literal["greater", "less"]


class Evidence(Protocol):
    """What the data say about one number."""

    @property
    def value(self) -> float:
        """The estimate."""

    def bound(self, side: Side, confidence: float) -> float:
        """One-sided bound: theta lies on its inner side with this confidence."""

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """Against the hypothesis that theta is not `greater` (or `less`) than the threshold."""


class Fixed(Evidence, Protocol):
    """Evidence of a run of fixed size."""

    def method(self, confidence: float) -> Method:
        """What the two-sided interval at this level rests on."""


@dataclass(frozen=True, slots=True)
class Unanimous:
    """All n clusters say `value`; an unseen exception lies anywhere within `limits`."""

    value: float
    n: int
    limits: Limits

    def method(self, confidence: float) -> Method:
        """Always the same."""
        return "unanimous"

    def bound(self, side: Side, confidence: float) -> float:
        """The end of `stats.unanimous` at the two-sided level 2c - 1."""
        ends = unanimous(self.value, self.n, confidence=2 * confidence - 1, bounds=self.limits)
        return ends[side == "upper"]

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """(1 - q)^n, where q is the share of exceptions that would move theta to the threshold."""
        mirror = 1.0 if alternative == "greater" else -1.0
        least = min(mirror * limit for limit in self.limits)
        value, threshold = mirror * self.value, mirror * threshold
        if threshold < least:
            return 0.0
        if threshold >= value - EPSILON:
            return 1.0
        return float(((threshold - least) / (value - least)) ** self.n)


@dataclass(frozen=True, slots=True)
class Proportion:
    """`successes` of n clusters; theta is their share, plus `shift`."""

    successes: int
    n: int
    shift: float = 0.0

    @property
    def value(self) -> float:
        """The share, shifted."""
        return self.successes / self.n + self.shift

    def method(self, confidence: float) -> Method:
        """Always the same."""
        return "exact"

    def bound(self, side: Side, confidence: float) -> float:
        """Clopper and Pearson's."""
        ends = clopper_pearson(self.successes, self.n, confidence=2 * confidence - 1)
        return ends[side == "upper"] + self.shift

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """The exact binomial test."""
        share = threshold - self.shift
        if not 0 <= share <= 1:
            return float((share > 1) == (alternative == "greater"))
        if alternative == "less":
            return float(bdtr(self.successes, self.n, share))
        return float(bdtrc(self.successes - 1, self.n, share)) if self.successes else 1.0


@dataclass(frozen=True, slots=True)
class Extended:
    """Resampled clusters and one more at either limit; see `metrics.unseen`.

    Attributes:
        value: the estimate, shift included.
        lower: [B], sorted, with the extra cluster at the lower limit, before the shift.
        upper: [B], sorted, at the upper limit.
        groups: clusters that carry the number.
        limits: least and greatest value, before the shift.
        exact: the extra cluster lies at the limits of a share, so any number of clusters will do.
        shift: constant added to everything.
    """

    value: float
    lower: FloatArray
    upper: FloatArray
    groups: int
    limits: Limits
    exact: bool
    shift: float = 0.0

    def method(self, confidence: float) -> Method:
        """`vacuous` where the interval is the limits."""
        return "extended" if self._resolved((1 - confidence) / 2) else "vacuous"

    def bound(self, side: Side, confidence: float) -> float:
        """A quantile of the replicates; the limit beyond what B and the clusters resolve."""
        if not self._resolved(1 - confidence):
            return self.limits[side == "upper"] + self.shift
        if side == "upper":
            return quantile(self.upper, confidence) + self.shift
        return quantile(self.lower, 1 - confidence) + self.shift

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """The least alpha at which the bound at 1 - alpha still passes the threshold."""
        mirror = 1.0 if alternative == "greater" else -1.0
        threshold -= self.shift
        if mirror * (self.limits[alternative == "less"] - threshold) > EPSILON:
            return 0.0
        values = self.lower if mirror > 0 else -self.upper[::-1]
        return max(level_of(mirror * threshold, values), self._finest)

    def _resolved(self, alpha: float) -> bool:
        return alpha >= self._finest - EPSILON

    @property
    def _finest(self) -> float:
        """The smallest level that the replicates tell, and, of a difference, the clusters."""
        finest = 1 / len(self.lower)
        if self.exact:
            return finest
        groups = self.groups
        return max(finest, float(stdtr(groups - 1, ndtri(finest) * _shrunk(groups))))


@dataclass(frozen=True, slots=True)
class Noisy:
    """A sum of absolute errors |x_1| + ..., which noise alone makes positive.

    With x = mu + e, the sum T obeys  T <= theta + sum |e|  and  T >= theta + sum sign(mu) e  for
    theta = sum |mu|. Resampled errors e* stand for e, and the signs of x for those of mu.

    Attributes:
        value: T.
        over: [B], sorted, sum |e*|.
        under: [B], sorted, sum sign(x) e*.
        limits: least and greatest value.
    """

    value: float
    over: FloatArray
    under: FloatArray
    limits: Limits

    def method(self, confidence: float) -> Method:
        """`vacuous` where the interval is the limits."""
        return "noise" if (1 - confidence) / 2 >= 1 / len(self.over) else "vacuous"

    def bound(self, side: Side, confidence: float) -> float:
        """T less the noise that it may hold, or more what noise may have hidden."""
        low, high = self.limits
        if 1 - confidence < 1 / len(self.over):
            return high if side == "upper" else low
        if side == "upper":
            return min(high, self.value - quantile(self.under, 1 - confidence))
        return max(low, self.value - quantile(self.over, confidence))

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """The least alpha at which the bound at 1 - alpha still passes the threshold."""
        low, high = self.limits
        finest = 1 / len(self.over)
        gap = self.value - threshold
        if alternative == "greater":
            if threshold < low:
                return 0.0
            return max(finest, level_of(-gap, -self.over[::-1]))
        if threshold > high:
            return 0.0
        return max(finest, level_of(gap, self.under))


@dataclass(frozen=True, slots=True)
class Resampled:
    """A bootstrap with corrected percentiles, plus `shift`."""

    drawn: Bootstrap
    shift: float = 0.0

    @property
    def value(self) -> float:
        """The estimate, shifted."""
        return self.drawn.estimate + self.shift

    def method(self, confidence: float) -> Method:
        """`vacuous` where the interval is the limits."""
        return "vacuous" if self.drawn.level((1 - confidence) / 2) is None else "bca"

    def bound(self, side: Side, confidence: float) -> float:
        """The end of the interval at the two-sided level 2c - 1."""
        return self.drawn.bound(confidence if side == "upper" else 1 - confidence) + self.shift

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """The least alpha at which the bound at 1 - alpha still passes the threshold.

        No smaller than what B replicates and the number of clusters can tell.
        """
        mirror = 1.0 if alternative == "greater" else -1.0
        drawn = self.drawn
        threshold -= self.shift
        if mirror * (drawn.bounds[alternative == "less"] - threshold) > EPSILON:
            return 0.0
        values = drawn.replicates if mirror > 0 else -drawn.replicates[::-1]
        finest = float(ndtri(1 / len(values)))
        z = float(ndtri(level_of(mirror * threshold, values)))
        # Beyond all replicates, the bound passes the threshold at every level that B resolves.
        if z > finest:
            z -= mirror * drawn.moved
        z = max(z, finest)
        return float(stdtr(drawn.groups - 1, z * _shrunk(drawn.groups)))


def closed_evidence(group_sums: FloatArray, *, limits: Limits, shift: float = 0.0) -> Fixed | None:
    """The evidence of a ratio that counts decide, else None.

    Args:
        group_sums: [G, 2], numerator and denominator by cluster.
        limits: least and greatest possible value, shift included.
        shift: constant added to the ratio.
    """
    carrying = group_sums[group_sums.any(axis=1)]
    theta = float(ratio(carrying.sum(axis=0)))
    if np.isnan(theta):
        return None
    num, den = carrying.T
    if np.abs(num - theta * den).max() < EPSILON:
        return Unanimous(theta + shift, len(carrying), limits)
    if is_share(carrying, limits):
        return Proportion(round(float(num.sum())), len(carrying), shift)
    return None


def extended_evidence(
    value: float,
    replicates: FloatArray,
    parts: Parts,
    *,
    limits: Limits,
    seed: int,
    shift: float = 0.0,
) -> Fixed | None:
    """The evidence of a weighted mean over clusters, or of a difference of two.

    Args:
        value: the estimate, before the shift.
        replicates: [B], its resamples.
        parts: the number by clusters.
        limits: least and greatest possible value, before the shift.
        seed: of the draws of the clusters.
        shift: constant added to everything.

    Returns:
        None where fewer than two clusters carry the number.
    """
    groups = int(((parts.weight > 0) | (np.abs(parts.value) > EPSILON)).sum())
    if groups < 2 or not np.isfinite(replicates).all():
        return None
    if np.ptp(replicates) <= EPSILON:  # no exception was seen, and none is excluded
        return Unanimous(value + shift, groups, (limits[0] + shift, limits[1] + shift))
    extra = extra_cluster(parts, limits)
    lower, upper = extended(replicates, parts, extra, limits, seed=seed)
    return Extended(value + shift, lower, upper, groups, limits, extra.exact, shift)


def smooth_evidence(
    group_sums: FloatArray, resampled: FloatArray, statistic: Statistic, *, limits: Limits
) -> Fixed | None:
    """The evidence of a smooth function of sums; see `resampling.bootstrap`.

    None where fewer than two clusters carry it, or no resample has it.
    """
    drawn = bootstrap(group_sums, resampled, statistic, bounds=limits)
    if drawn is None:
        return None
    if np.ptp(drawn.replicates) <= EPSILON:  # no exception was seen, and none is excluded
        return Unanimous(drawn.estimate, drawn.groups, limits)
    return Resampled(drawn)


def noisy_evidence(group_sums: FloatArray, resampled: FloatArray, *, limits: Limits) -> Noisy:
    """The evidence of sum_b |x_b| / weight from sums [x_1, ..., x_k, weight].

    Args:
        group_sums: [G, k + 1].
        resampled: [B, k + 1].
        limits: least and greatest possible value.
    """
    *errors, weight = group_sums.sum(axis=0)
    means = np.array(errors) / weight
    moved = resampled[:, :-1] / resampled[:, -1:] - means
    # As for any bootstrap of few clusters: each bin has its own.
    groups = max(2, int(group_sums.any(axis=1).sum()) // len(errors))
    moved *= expanded(0.975, groups) / float(ndtri(0.975))
    over = np.sort(np.abs(moved).sum(axis=1))
    under = np.sort((np.sign(means) * moved).sum(axis=1))
    return Noisy(float(np.abs(means).sum()), over, under, limits)


def p_value_outside(found: Evidence, threshold: float) -> float:
    """Against |theta| <= threshold: twice the smaller of the two one-sided p-values."""
    sides = found.p_value(threshold, "greater"), found.p_value(-threshold, "less")
    return min(1.0, 2 * min(sides))


def p_value_inside(found: Evidence, threshold: float) -> float:
    """Against |theta| >= threshold: the larger of the two one-sided p-values (TOST)."""
    return max(found.p_value(threshold, "less"), found.p_value(-threshold, "greater"))


def _shrunk(groups: int) -> float:
    """Undoes the stretch of `resampling.expanded`."""
    return float(np.sqrt((groups - 1) / (groups + 1)))
