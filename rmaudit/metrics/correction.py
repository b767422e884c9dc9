"""Correction of p-values for testing many hypotheses at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that control the chance of any false claim (Holm 1979).

    The k-th smallest of n is multiplied by n - k + 1, none is below the one before it, none above
    1. Valid whatever the dependence between the tests.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(order)
    least = 0.0
    for rank, k in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p_values[k]))
        adjusted[k] = least
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """q-values: the expected share of false findings among those with q at most this.

    Benjamini and Hochberg 1995, as scipy has it; for independent or positively dependent tests.
    For looking around among many metrics; a claim takes `holm`.
    """
    if not p_values:
        return []
    from scipy.stats import false_discovery_control

    return [float(q) for q in false_discovery_control(p_values, method="bh")]
