"""Bounds and p-values that hold at every time, so that a run may stop when its rules are decided.

A fixed-size interval is wrong after a look at the data decided when to stop. Here a gambler bets
against the hypothesis "theta is at most m", group by group in the seeded order. If it is true, the
capital K_1, K_2, ... is a nonnegative supermartingale that starts at 1, so the chance that it ever
reaches 1 / alpha is at most alpha (Ville 1939; Waudby-Smith and Ramdas, arXiv 2010.09686). With
numerators N_g and denominators D_g of groups, theta = E[N] / E[D], the least value of theta moved
to 0, and D the most that a denominator can be,

    K_n(m) = sum over j of  w_j prod_{g <= n} (1 + f_j (N_g / m - D_g) / D),      0 < f_j < 1

which is fair where E[N - m D] = 0: a ratio needs no more than a mean does. The grid of fractions
f_j with weights w_j stands for not knowing the gap (the paper's diversified Kelly bettor). K_n
falls as m grows, so the values of m that are not refuted form an interval, and

    p-value of m    2 / max_n K_n(m)
    lower bound     the m where max_n K_n(m) = 2 / alpha

Upper bounds come from the mirrored data. The factor 2 is for betting on both sides: both bounds
hold together, so that of the two claims that a run may stop on, that a rule holds and that it is
broken, any false one is made with probability alpha at most, even where theta lies on the
threshold and either would be false. Groups are taken to be drawn independently.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.evidence import Alternative, Side
from rmaudit.metrics.stats import ratio

FRACTIONS = 0.95 * 2.0 ** (-np.arange(15) / 2)
"""From 0.95 to 0.0074: the best bet for gaps that some ten thousand groups can show is within the
range, and near to one of these."""

WEIGHTS = FRACTIONS / FRACTIONS.sum()
"""Heavier on large bets, since clear cases are to be decided early; every bet keeps its chance."""

_LEAST = 1e-9
"""A bound closer than this, in units of the range, to the end of the range is the end."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """What the groups so far say about one ratio, at any time; see `evidence.Evidence`.

    Attributes:
        sums: [G, 2], numerator and denominator of each group, in the seeded order.
        limits: least and greatest value that theta can take, before `shift`; each numerator lies
            between these multiples of its denominator.
        most: the greatest denominator that a group can have, known before the run.
        shift: constant added to the ratio.
    """

    sums: FloatArray
    limits: tuple[float, float]
    most: float
    shift: float = 0.0

    def __post_init__(self) -> None:
        """Refuses data that the bounds would not hold for.

        Raises:
            ValueError: a numerator or denominator is out of its range.
        """
        num, den = self.sums.T
        low, high = self.limits
        slack = 1e-9 * max(1.0, self.most)
        if (den < -slack).any() or (den > self.most + slack).any():
            raise ValueError(f"a denominator is not within 0 and {self.most:g}")
        if (num < low * den - slack).any() or (num > high * den + slack).any():
            raise ValueError(f"a numerator is not within {low:g} and {high:g} of its denominator")

    @property
    def value(self) -> float:
        """The ratio of the sums; NaN where the denominator is 0."""
        return float(ratio(self.sums.sum(axis=0))) + self.shift

    def bound(self, side: Side, confidence: float) -> float:
        """Theta lies within both bounds at all times at once, with this confidence."""
        low, high = self.limits
        refuted = self._refuted(side, log(2 / (1 - confidence)))
        return (low + refuted if side == "lower" else high - refuted) + self.shift

    def p_value(self, threshold: float, alternative: Alternative) -> float:
        """Against the hypothesis that theta is not `greater` (or `less`) than the threshold."""
        side: Side = "lower" if alternative == "greater" else "upper"
        low, high = self.limits
        threshold -= self.shift
        distance = threshold - low if side == "lower" else high - threshold
        if distance < 0 or distance >= high - low:
            return float(distance > 0)
        return min(1.0, 2 * float(np.exp(-self.path(side, distance).max(initial=0.0))))

    def path(self, side: Side, distance: float) -> FloatArray:
        """The logarithm of the capital after each group.

        Args:
            side: `lower`: the bet is against theta <= low + distance; `upper`: against
                theta >= high - distance.
            distance: from the limit on that side, 0 or more.
        """
        num, den = self.sums.T / self.most
        low, high = self.limits
        above = np.maximum(num - low * den if side == "lower" else high * den - num, 0.0)
        if distance <= 0:
            return np.where(np.logical_or.accumulate(above > 0), np.inf, 0.0)
        bets = np.log1p(np.outer(FRACTIONS, above / distance - den)).cumsum(axis=1)
        capital: FloatArray = logsumexp(bets, axis=0, b=WEIGHTS[:, np.newaxis])
        return capital

    def _refuted(self, side: Side, wanted: float) -> float:
        """How far from the limit the values lie that the data refute."""
        width = self.limits[1] - self.limits[0]

        def excess(distance: float) -> float:
            return float(self.path(side, distance).max(initial=0.0)) - wanted

        least = _LEAST * width
        if excess(least) <= 0:
            return 0.0
        return float(brentq(excess, least, width, xtol=_LEAST * width))
