"""What the evidence says about one rule: value, bounds and p-values; pure.

A run of fixed size has the bounds of `metrics.bounds`, one that stopped by its results those of
`metrics.sequential`. Differences are those of the items that both runs have.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.special import ndtri

from rmaudit.gate.evidence import RunEvidence
from rmaudit.gate.policy import Rule
from rmaudit.metrics.bounds import (
    Evidence,
    evidence,
    p_value_inside,
    p_value_outside,
)
from rmaudit.metrics.differences import difference, pair
from rmaudit.metrics.stopping import paired_sequence, sequence
from rmaudit.metrics.table import Table

POWER = 0.8
"""Chance of a decision that `further` plans for."""
MOST_FURTHER = 1_000_000
"""More items than this are not worth naming."""


class Bounds(NamedTuple):
    """A number with its one-sided bounds, each at the rule's confidence.

    p_fail: against the hypothesis that the rule holds. p_pass: that it does not.
    """

    value: float
    low: float
    high: float
    p_fail: float
    p_pass: float


class Values(NamedTuple):
    """Metric values of the run and of the baseline, and what they rest on.

    n: items (or rows, pairs, verdicts: see the metric). n_excluded: what was lost. n_reasons: the
    model's reasons in the rows of the slice. why: what is missing where there is no value.
    """

    value: float | None
    n: int
    n_excluded: int
    n_reasons: int
    worst: float | None
    best: float | None
    why: str


def values(table: Table, metric: str) -> Values:
    """The value of a metric, recomputed."""
    from rmaudit.metrics.audit import compute_metrics

    found = compute_metrics(table, names=[metric], resamples=1)[metric]
    rows = table.rows
    return Values(
        found.value,
        found.n,
        found.n_excluded,
        int(rows.n_reasons[~rows.lost].sum()),
        found.worst,
        found.best,
        found.why,
    )


def absolute(run: RunEvidence, table: Table, rule: Rule) -> Bounds | None:
    """The metric against the rule's threshold; None where no bound can be given."""
    if run.sequential:
        found: Evidence | None = sequence(table, rule.metric, run.limits)
    else:
        found = evidence(table, [rule.metric], seed=run.seed)[rule.metric]
    return None if found is None else bounds_of(found, rule)


def relative(run: RunEvidence, baseline: RunEvidence, rule: Rule) -> tuple[Bounds | None, int]:
    """The difference against what the rule tolerates, and the number of items that both have."""
    table, other = run.part(rule.slice), baseline.part(rule.slice)
    if table is None or other is None:
        return None, 0
    names, others = run.names(rule.slice), baseline.names(rule.slice)
    pairs = pair(table, names, other, others, rule.metric)
    if pairs is None:
        return None, min(len(names), len(others))
    if run.sequential or baseline.sequential:
        found: Evidence | None = paired_sequence(pairs, rule.metric, run.limits)
    else:
        found = difference(pairs, rule.metric, seed=run.seed)
    return (None if found is None else bounds_of(found, rule)), len(pairs.run)


def bounds_of(found: Evidence, rule: Rule) -> Bounds:
    """Bounds and p-values of a rule from what the data say about its number."""
    limit, alpha = rule.limit, rule.confidence
    if rule.direction == "abs":
        p_fail, p_pass = p_value_outside(found, limit), p_value_inside(found, limit)
    else:
        above, below = found.p_value(limit, "greater"), found.p_value(limit, "less")
        p_fail, p_pass = (below, above) if rule.direction == "min" else (above, below)
    return Bounds(
        found.value, found.bound("lower", alpha), found.bound("upper", alpha), p_fail, p_pass
    )


def further(bounds: Bounds, rule: Rule, n: int) -> int | None:
    """About how many more observations would decide the rule.

    They give a chance of 80% if the value stays: a bound's distance shrinks as one over the root
    of n. None where the value lies on the limit, or more than a million are wanted.
    """
    limit = rule.limit
    if rule.direction == "abs" and bounds.value < 0:
        limit = -limit
    gap = bounds.value - limit
    reach = bounds.value - bounds.low if gap > 0 else bounds.high - bounds.value
    if abs(gap) * math.sqrt(MOST_FURTHER) < reach or gap == 0:
        return None
    z = float(ndtri(rule.confidence))
    needed = n * (reach / abs(gap) * (z + float(ndtri(POWER))) / z) ** 2
    more = math.ceil(needed) - n
    return max(1, more) if more <= MOST_FURTHER else None
