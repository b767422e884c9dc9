"""What the evidence says about one rule: value, bounds and p-values; pure.

A run of fixed size has the bounds of `metrics.bounds`, one that stopped by its results those of
`metrics.sequential`. Differences are those of the items that both runs have.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rmaudit.gate.evidence import RunEvidence
from rmaudit.gate.policy import Rule
from rmaudit.metrics.bounds import evidence
from rmaudit.metrics.evidence import Evidence, p_value_inside, p_value_outside
from rmaudit.metrics.further import growth
from rmaudit.metrics.paired import align, compare_tables
from rmaudit.metrics.stopping import paired_sequence, sequence, why_not
from rmaudit.metrics.table import Table

MOST_FURTHER = 1_000_000
"""More items than this are not worth naming."""


class Bounds(NamedTuple):
    """A number with its one-sided bounds, each at the rule's confidence.

    p_fail: against the hypothesis that the rule holds. p_pass: that it does not. found: what the
    bounds were read from.
    """

    value: float
    low: float
    high: float
    p_fail: float
    p_pass: float
    found: Evidence


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
    found: Evidence | None
    if run.sequential:
        barred = why_not(rule.metric, relative=False)
        found = None if barred else sequence(table, rule.metric, run.limits)
    else:
        found = evidence(table, [rule.metric], seed=run.seed)[rule.metric]
    return None if found is None else bounds_of(found, rule)


def relative(run: RunEvidence, baseline: RunEvidence, rule: Rule) -> tuple[Bounds | None, int]:
    """The difference against what the rule tolerates, and the number of items that both have."""
    before, after, shared = _aligned(run, baseline, rule.slice)
    if not shared:
        return None, 0
    found: Evidence | None
    if run.sequential or baseline.sequential:
        found, left_out = paired_sequence(before, after, rule.metric, run.limits)
    else:
        change = compare_tables(before, after, names=[rule.metric], seed=run.seed, permutations=1)[
            rule.metric
        ]
        found, left_out = change.evidence, change.left_out
    return (None if found is None else bounds_of(found, rule)), shared - left_out


def _aligned(
    run: RunEvidence, baseline: RunEvidence, slice_: str | None
) -> tuple[Table, Table, int]:
    """Baseline and run on the items that both have, in the order of the run; and how many."""
    after, before = run.part(slice_), baseline.part(slice_)
    assert after is not None
    assert before is not None
    place = {name: code for code, name in enumerate(baseline.names(slice_))}
    shared = [(place[name], code) for code, name in enumerate(run.names(slice_)) if name in place]
    item, row = np.unique(after.rows.item, return_index=True)
    clusters = after.rows.group[row][item][[code for _, code in shared]]
    groups = np.unique(clusters, return_inverse=True)[1]
    before, after = align((before, after), shared, groups.tolist())
    return before, after, len(shared)


def bounds_of(found: Evidence, rule: Rule) -> Bounds:
    """Bounds and p-values of a rule from what the data say about its number."""
    limit, alpha = rule.limit, rule.confidence
    if rule.direction == "abs":
        p_fail, p_pass = p_value_outside(found, limit), p_value_inside(found, limit)
    else:
        above, below = found.p_value(limit, "greater"), found.p_value(limit, "less")
        p_fail, p_pass = (below, above) if rule.direction == "min" else (above, below)
    return Bounds(
        found.value,
        found.bound("lower", alpha),
        found.bound("upper", alpha),
        p_fail,
        p_pass,
        found,
    )


def further(bounds: Bounds, rule: Rule, n: int) -> int | None:
    """About how many more observations would decide the rule.

    They give a chance of 80% if the value stays; exact where every group says the same. None where
    the value lies on the limit, or more than a million are wanted.

    Args:
        bounds: of the rule, which decide nothing yet.
        rule: the rule.
        n: observations so far.
    """
    limit = rule.limit
    if rule.direction == "abs" and bounds.value < 0:
        limit = -limit
    times = growth(bounds.found, limit, rule.confidence, most=1 + MOST_FURTHER / n)
    return None if times is None else max(1, math.ceil(n * (times - 1) - 1e-6))
