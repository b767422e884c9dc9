"""How many more clusters would move a bound past a threshold, if the value stays what it is.

Where counts decide, the bound itself is asked: at 0 and 1 it closes in as 1 / n, so that one more
cluster can be enough where the normal approximation wants dozens. Else the part of a bound's reach
that the spread of the clusters causes falls as 1 / sqrt(n), and that of the extra cluster
(`metrics.unseen`) as 1 / n.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import bdtr, bdtrc, ndtri

from rmaudit.metrics.evidence import Evidence, Extended, Proportion, Side, Unanimous
from rmaudit.metrics.power import needed_bar_agreeing

POWER = 0.8
"""Chance of a decision that is planned for."""


def growth(found: Evidence, threshold: float, confidence: float, *, most: float) -> float | None:
    """How many times the clusters are needed for the nearer bound to pass the threshold.

    They give a chance of 80% if further clusters are like those seen; where all those seen say the
    same, all further ones are taken to say so too.

    Args:
        found: the number, on the clusters so far.
        threshold: what a bound must pass: the lower one if the value lies above it.
        confidence: of the bound, one-sided.
        most: more times than this are not worth naming.

    Returns:
        At least 1; None where the value is the threshold, or more than `most` are needed.
    """
    side: Side = "lower" if found.value > threshold else "upper"
    if found.value == threshold:
        return None
    if isinstance(found, Unanimous):
        times = _all_agree(found, threshold, confidence, side)
    elif isinstance(found, Proportion):
        times = _counted(found, threshold, confidence, side, most)
    else:
        times = _spread(found, threshold, confidence, side, most)
    return times if times <= most else None


def _all_agree(found: Unanimous, threshold: float, confidence: float, side: Side) -> float:
    """Solves value - (1 - alpha^(1 / n)) (value - limit) = threshold for n, rounded up."""
    limit = found.limits[side == "upper"]
    exceptions = (found.value - threshold) / (found.value - limit)
    return max(1.0, needed_bar_agreeing(exceptions, 1 - confidence) / found.n)


def _counted(
    found: Proportion, threshold: float, confidence: float, side: Side, most: float
) -> float:
    """The smallest number of further clusters with the wanted power, by the exact bound."""
    share, n = threshold - found.shift, found.n
    if not 0 < share < 1:
        return 1.0
    # Mirrored, an upper bound of successes is a lower bound of failures.
    right = found.successes if side == "lower" else n - found.successes
    limit = share if side == "lower" else 1 - share

    def enough(more: int) -> bool:
        wanted = _least_count(n + more, limit, 1 - confidence) - right
        if wanted <= 0:
            return True
        return wanted <= more and float(bdtrc(wanted - 1, more, right / n)) >= POWER

    cap = math.ceil(most * n)
    more = _first(enough, cap)
    return math.inf if more is None else 1 + more / n


def _least_count(n: int, share: float, alpha: float) -> int:
    """The least count of n whose lower Clopper-Pearson bound reaches a share; n + 1 if none."""
    low, high = 0, n + 1  # the tail P(X >= count) is above alpha at low, not at high
    while high - low > 1:
        middle = (low + high) // 2
        if 1 - float(bdtr(middle - 1, n, share)) <= alpha:
            high = middle
        else:
            low = middle
    return high


def _first(enough: Callable[[int], bool], cap: int) -> int | None:
    """The first number that is enough, of those up to 64; above, one found by bisection.

    Counts are whole, so that what is enough is not quite monotone.
    """
    for more in range(1, min(cap, 64) + 1):
        if enough(more):
            return more
    low, high = 64, 128
    while not enough(high):
        low, high = high, 2 * high
        if low > cap:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _spread(found: Evidence, threshold: float, confidence: float, side: Side, most: float) -> float:
    """Where the reach of the bound, and what the further clusters may stray, fit into the gap.

    With t times the clusters, the reach is extra / t + spread / sqrt(t), and the estimate strays by
    deviation sqrt(t - 1) / t, since only the further clusters are yet to be drawn.
    """
    gap = abs(found.value - threshold)
    reach = abs(found.value - found.bound(side, confidence))
    extra, deviation = 0.0, reach / float(ndtri(confidence))
    if isinstance(found, Extended):
        near, far = found.lower, found.upper
        if side == "lower":
            near, far = far, near
        extra = min(reach, abs(found.value - found.shift - float(np.median(far))))
        deviation = float(near.std())  # of the estimate: the skewed reach says too much of it
    stray = deviation * float(ndtri(POWER))

    def excess(times: float) -> float:
        return (
            (extra + stray * math.sqrt(times - 1)) / times
            + (reach - extra) / math.sqrt(times)
            - gap
        )

    high = 1.0
    while excess(high) > 0:
        if high > most:
            return math.inf
        high *= 1.5
    return 1.0 if high == 1 else float(brentq(excess, high / 1.5, high))
