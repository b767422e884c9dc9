"""One-sided bounds and p-values of any metric, for decisions at a level of one's own.

A bound and a p-value of one number are two readings of one thing: at every confidence c,

    bound(..., "lower", c) > t    if and only if    p_value(..., t, "greater") < 1 - c

and likewise with "upper" and "less". (Where BCa asks for a finer level than the replicates have,
p is the more careful of the two.) What they rest on follows the clusters, as in `stats`:

    every cluster says the same    the share of unseen exceptions, exact
    each cluster is one 0/1        the binomial, exact (Clopper-Pearson)
    otherwise                      the cluster bootstrap, with the constants of the interval

The two-sided interval of a 0/1 metric is Wilson's, whose ends hold their level on average only;
a decision needs the level itself, so the bound here is exact and a little wider.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from scipy.special import bdtr, bdtrc, ndtri, stdtr

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.audit import unshifted
from rmaudit.metrics.estimand import Estimand
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.stats import (
    EPSILON,
    Bootstrap,
    Statistic,
    bootstrap,
    bootstrap_sums,
    clopper_pearson,
    is_share,
    ratio,
    unanimous,
)
from rmaudit.metrics.table import Table

Side = Literal["lower", "upper"]
Alternative = Literal["greater", "less"]
RESAMPLES = 2000


class Evidence(Protocol):
    """What the data say about one number."""

    @property
    def value(self) -> float:
        """The estimate."""

    def bound(self, side: Side, confidence: float) -> float:
        """One-sided bound: theta lies on its inner side with this confidence."""

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """Against the hypothesis that theta is not `greater` (or `less`) than the threshold."""


@dataclass(frozen=True, slots=True)
class Unanimous:
    """All n clusters say `value`; an unseen exception lies anywhere within `limits`."""

    value: float
    n: int
    limits: tuple[float, float]

    def bound(self, side: Side, confidence: float) -> float:
        """The end of `stats.unanimous` at the two-sided level 2c - 1."""
        ends = unanimous(self.value, self.n, confidence=2 * confidence - 1, bounds=self.limits)
        low, high = ends.low, ends.high
        assert low is not None
        assert high is not None
        return low if side == "lower" else high

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
class Resampled:
    """A bootstrap, plus `shift`."""

    drawn: Bootstrap
    shift: float = 0.0

    @property
    def value(self) -> float:
        """The estimate, shifted."""
        return self.drawn.estimate + self.shift

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
        z = float(ndtri(_level_of(mirror * threshold, values)))
        # Beyond all replicates, the bound passes the threshold at every level that B resolves.
        if drawn.bias is not None and z > finest:
            moved = z - mirror * drawn.bias
            stretch = 1 + mirror * drawn.acceleration * moved
            if stretch > 0:
                z = moved / stretch - mirror * drawn.bias
        z = max(z, finest)
        return float(stdtr(drawn.groups - 1, z * np.sqrt(1 - 1 / drawn.groups)))


def evidence(
    table: Table, names: Iterable[str], *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, Evidence | None]:
    """What a table says about each metric; one set of draws serves all, that of their intervals.

    Args:
        table: the run, or one domain of it.
        names: keys of REGISTRY.
        seed: of the draws.
        resamples: B; a p-value near 1 / B needs more.

    Returns:
        None for a metric without a value.

    Raises:
        KeyError: a name is not in REGISTRY.
    """
    specs = [REGISTRY[name] for name in dict.fromkeys(names)]
    estimands = [spec.estimand(table) for spec in specs]
    sums = [estimand.group_sums(table.n_groups) for estimand in estimands]
    found: dict[str, Evidence | None] = {
        spec.key: closed_evidence(s, limits=spec.bounds, shift=estimand.shift)
        if isinstance(estimand, Estimand)
        else None
        for spec, estimand, s in zip(specs, estimands, sums, strict=True)
    }
    open_ = [
        k
        for k, estimand in enumerate(estimands)
        if found[specs[k].key] is None and not np.isnan(estimand.value)
    ]
    if not open_:
        return found
    columns = np.hstack([sums[k] for k in open_])
    resampled = bootstrap_sums(columns, resamples=resamples, seed=seed)
    ends = np.cumsum([sums[k].shape[1] for k in open_])
    for k, own in zip(open_, np.split(resampled, ends[:-1], axis=1), strict=True):
        bounds, shift = specs[k].bounds, estimands[k].shift
        found[specs[k].key] = resampled_evidence(
            sums[k], own, estimands[k].statistic, limits=bounds, shift=shift
        )
    return found


def resampled_evidence(
    group_sums: FloatArray,
    resampled: FloatArray,
    statistic: Statistic,
    *,
    limits: tuple[float, float],
    shift: float = 0.0,
) -> Evidence | None:
    """The evidence of a smooth function of sums; see `stats.bootstrap`.

    None where fewer than two clusters carry it, or no resample has it.
    """
    drawn = bootstrap(group_sums, resampled, statistic, bounds=unshifted(limits, shift))
    if drawn is None:
        return None
    if np.ptp(drawn.replicates) <= EPSILON:  # no exception was seen, and none is excluded
        return Unanimous(drawn.estimate + shift, drawn.groups, limits)
    return Resampled(drawn, shift)


def closed_evidence(
    group_sums: FloatArray, *, limits: tuple[float, float], shift: float = 0.0
) -> Evidence | None:
    """The evidence of a ratio where no bootstrap is needed, else None; see `stats.closed_form`."""
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


def bound(
    table: Table,
    name: str,
    side: Side,
    confidence: float,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> float | None:
    """One-sided confidence bound of a metric; None where it has no value.

    Args:
        table: the run, or one domain of it.
        name: key of REGISTRY.
        side: `lower`: theta is at least this; `upper`: at most this.
        confidence: one-sided, in (0.5, 1).
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Raises:
        KeyError: no such metric.
    """
    found = evidence(table, [name], seed=seed, resamples=resamples)[name]
    return None if found is None else found.bound(side, confidence)


def p_value(
    table: Table,
    name: str,
    threshold: float,
    alternative: Alternative,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> float | None:
    """One-sided p-value of a metric against a threshold; None where it has no value.

    Args:
        table: the run, or one domain of it.
        name: key of REGISTRY.
        threshold: the value under the hypothesis.
        alternative: `greater`: small where theta is shown to be above the threshold; `less`.
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Raises:
        KeyError: no such metric.
    """
    found = evidence(table, [name], seed=seed, resamples=resamples)[name]
    return None if found is None else found.p_value(threshold, alternative)


def p_value_outside(found: Evidence, threshold: float) -> float:
    """Against |theta| <= threshold: twice the smaller of the two one-sided p-values."""
    sides = found.p_value(threshold, "greater"), found.p_value(-threshold, "less")
    return min(1.0, 2 * min(sides))


def p_value_inside(found: Evidence, threshold: float) -> float:
    """Against |theta| >= threshold: the larger of the two one-sided p-values (TOST)."""
    return max(found.p_value(threshold, "less"), found.p_value(-threshold, "greater"))


def _level_of(threshold: float, values: FloatArray) -> float:
    """The greatest level whose (linear) quantile of sorted `values` is not above the threshold."""
    count = len(values)
    above = int(np.searchsorted(values, threshold + EPSILON, side="right"))
    if above in (0, count):
        level = float(above > 0)
    else:
        left, right = values[above - 1], values[above]
        part = max(0.0, (threshold - left) / (right - left))
        level = (above - 1 + part) / (count - 1)
    return min(max(level, 1 / (count + 1)), count / (count + 1))
