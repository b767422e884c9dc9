"""How many items a question needs: sizes and detectable differences, by the normal approximation.

    two runs on the same items    n = ((z_{1-a/2} + z_power) sd sqrt(2 (1 - rho)) / delta)^2
    one run against a bar         n = ((z_{1-a} + z_power) sd / delta)^2

sd is the standard deviation of one cluster's part in the metric, rho the correlation of two runs
over clusters, delta the change, or the distance of the true value from the bar (Miller, arXiv
2411.00640, section 5). n counts clusters. Where sd is that of items, clusters of m items with
intraclass correlation r need 1 + (m - 1) r times as many items (Kish 1965).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.stats import Statistic


class Goal(NamedTuple):
    """What a plan must reach: alpha two-sided for a change, one-sided against a bar."""

    power: float = 0.8
    alpha: float = 0.05


GOAL = Goal()


class Spread(NamedTuple):
    """How much a metric varies: sd of one unit, rho between two runs; effect: design effect."""

    sd: float
    rho: float
    effect: float = 1.0


def needed_change(spread: Spread, delta: float, goal: Goal = GOAL) -> int:
    """Units for a change of `delta` between two runs on the same items to be shown."""
    return _whole((_change_factor(spread, goal) / delta) ** 2)


def detectable_change(spread: Spread, n: int, goal: Goal = GOAL) -> float:
    """The change between two runs that n units show with the wanted power."""
    return _change_factor(spread, goal) / math.sqrt(n)


def needed_bar(spread: Spread, delta: float, goal: Goal = GOAL) -> int:
    """Units for a run whose true value is `delta` beyond a bar to pass it."""
    return _whole((_bar_factor(spread, goal) / delta) ** 2)


def needed_bar_agreeing(delta: float, alpha: float = GOAL.alpha) -> int:
    """Units that all say the same, 0 or 1, for it to pass a bar `delta` away.

    Exact, and no matter of power: the share of exceptions is below 1 - alpha^(1 / n)
    (`stats.unanimous`).

    Args:
        delta: distance of the bar, as a share of the way to the other end of the metric.
        alpha: one-sided level.
    """
    return 1 if delta >= 1 else _whole(math.log(alpha) / math.log1p(-delta))


def detectable_bar(spread: Spread, n: int, goal: Goal = GOAL) -> float:
    """How far beyond a bar the true value must lie for n units to pass it."""
    return _bar_factor(spread, goal) / math.sqrt(n)


def half_width(spread: Spread, n: int, confidence: float = 0.95) -> float:
    """Half the two-sided interval of one run on n units."""
    z = float(ndtri((1 + confidence) / 2))
    return z * spread.sd * math.sqrt(spread.effect / n)


def design_effect(items: float, correlation: float) -> float:
    """How many times the items that clusters of `items` items need, 1 + (m - 1) r (Kish 1965)."""
    return 1 + (items - 1) * correlation


def cluster_sd(group_sums: FloatArray, statistic: Statistic) -> float:
    """Standard deviation of one cluster's part in a metric, from the jackknife.

    The standard error of the metric on n such clusters is sd / sqrt(n).

    Args:
        group_sums: [G, k] over clusters; those that carry nothing are left out.
        statistic: of the k sums.

    Returns:
        NaN below two clusters, or where one cannot be left out.
    """
    carrying = group_sums[group_sums.any(axis=1)]
    if len(carrying) < 2:
        return float("nan")
    left_out = statistic(carrying.sum(axis=0) - carrying)
    return float(np.sqrt((len(carrying) - 1) * ((left_out - left_out.mean()) ** 2).sum()))


def correlation(first: float, second: float, difference: float) -> float:
    """Rho of two runs from three standard deviations: 1 - sd(difference)^2 / (sd1^2 + sd2^2).

    Pearson's correlation where both runs spread alike; with the root mean square of sd1 and sd2 it
    gives back sd(difference), which is what a plan needs. NaN where neither run spreads.
    """
    total = first**2 + second**2
    return 1 - difference**2 / total if total > 0 else float("nan")


def _change_factor(spread: Spread, goal: Goal) -> float:
    z = float(ndtri(1 - goal.alpha / 2) + ndtri(goal.power))
    return z * spread.sd * math.sqrt(2 * (1 - spread.rho) * spread.effect)


def _bar_factor(spread: Spread, goal: Goal) -> float:
    z = float(ndtri(1 - goal.alpha) + ndtri(goal.power))
    return z * spread.sd * math.sqrt(spread.effect)


def _whole(n: float) -> int:
    """Rounded up, past what rounding errors add."""
    return max(1, math.ceil(n - 1e-9))
