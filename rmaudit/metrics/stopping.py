"""Which metrics a run may stop on, and their sequences.

A metric can be followed group by group where it is a ratio of sums whose numerator lies between
two multiples of its denominator, and where the most that one group can add to the denominator is
known before the run. A difference of two runs on the same items can where every item counts the
same in both, so that it is a mean of differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence as Rows
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.estimand import Estimand
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.sequential import Sequence
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table
from rmaudit.records import Metric


class GroupLimits(NamedTuple):
    """The most that one group of the planned run can hold.

    Reasons are those of every answer, each of which counts once in a share of reasons.
    """

    items: int
    rows: int
    pairs: int
    reasons: int

    @classmethod
    def of(cls, groups: Rows[str], *, orders: int, samples: int, max_reasons: int) -> GroupLimits:
        """From the group of each item, and what is asked of each."""
        items = max(Counter(groups).values(), default=1)
        rows = items * orders * samples
        return cls(items, rows, items * samples, rows * max_reasons)


def why_not(metric: str, *, relative: bool) -> str:
    """Why a run cannot stop on a metric, '' where it can."""
    followed = REGISTRY[metric].followed if metric in REGISTRY else None
    if followed is None:
        return f"no bound that holds at every time is known for {metric}"
    if relative and not followed.paired:
        return (
            f"the items behind {metric} differ between two runs, so there are no paired differences"
        )
    return ""


def sequence(table: Table, metric: str, limits: GroupLimits) -> Sequence | None:
    """What the groups of a table, in their order, say about a metric; None without a value.

    Args:
        table: the complete prefix of a run, or one domain of it.
        metric: one that `why_not` has nothing against.
        limits: of the planned run.
    """
    spec = REGISTRY[metric]
    estimand = _estimand(table, metric)
    if np.isnan(estimand.value):
        return None
    low, high = (bound - estimand.shift for bound in spec.bounds)
    most = _most(limits, REGISTRY[metric])
    return Sequence(estimand.group_sums(table.n_groups), (low, high), most, estimand.shift)


def paired_sequence(
    before: Table, after: Table, metric: str, limits: GroupLimits
) -> tuple[Sequence | None, int]:
    """What the groups say about the change of a metric, None without a group to compare.

    Args:
        before: a baseline, aligned with `after` (see `paired.align`), in the order of the run.
        after: the complete prefix of the run.
        metric: one that `why_not` has nothing against.
        limits: of the planned run.

    Returns:
        The sequence, and how many items were left out since a run lost a unit of theirs.
    """
    lost = np.union1d(_estimand(before, metric).lost, _estimand(after, metric).lost)
    tables = [table.only(~np.isin(table.rows.item, lost)) for table in (before, after)]
    (num, den), (num_, den_) = (_estimand(t, metric).group_sums(t.n_groups).T for t in tables)
    alike = (den > 0) & (np.abs(den - den_) < 1e-9)
    if not alike.any():
        return None, len(lost)
    sums = np.column_stack([num_ - num, den])[alike]
    low, high = REGISTRY[metric].bounds
    most = _most(limits, REGISTRY[metric])
    return Sequence(sums, (low - high, high - low), most), len(lost)


def _most(limits: GroupLimits, spec: MetricSpec) -> float:
    """The most that one group can add to the denominator of a metric."""
    if spec.followed is None:
        raise ValueError(f"{spec.key} cannot be followed")
    return float(getattr(limits, spec.followed.counts))


def _estimand(table: Table, metric: str) -> Estimand:
    found = REGISTRY[metric].estimand(table)
    if not isinstance(found, Estimand):
        raise TypeError(f"{metric} is no ratio")
    return found


def with_sequences(
    metrics: Mapping[str, Metric], table: Table, limits: GroupLimits, *, confidence: float = 0.95
) -> dict[str, Metric]:
    """Metrics of a run that stopped by its results, with intervals that hold at every time.

    Args:
        metrics: of the complete prefix, computed as of any run.
        table: the prefix, or one domain of it.
        limits: of the planned run.
        confidence: two-sided level.
    """
    found = {}
    for name, metric in metrics.items():
        low = high = None
        why = metric.why if metric.value is None else why_not(name, relative=False)
        known = sequence(table, name, limits) if metric.value is not None and not why else None
        if known is not None:
            low, high = known.bound("lower", confidence), known.bound("upper", confidence)
        found[name] = replace(metric, low=low, high=high, why=why)
    return found
