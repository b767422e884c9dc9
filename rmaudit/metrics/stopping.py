"""Which metrics a run may stop on, and their sequences.

A metric can be followed group by group where it is a ratio of sums whose numerator lies between
two multiples of its denominator, and where the most that one group can add to the denominator is
known before the run. A difference of two runs on the same items can where every item counts the
same in both, so that it is a mean of differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as Rows
from typing import Literal, NamedTuple

import numpy as np

from rmaudit.metrics.audit import REGISTRY
from rmaudit.metrics.differences import Pairs
from rmaudit.metrics.estimand import Estimand
from rmaudit.metrics.sequential import Sequence
from rmaudit.metrics.table import Table

Counted = Literal["items", "rows", "pairs", "reasons"]

COUNTED: dict[str, Counted] = {
    **dict.fromkeys(
        (
            "accuracy",
            "accuracy.half",
            "accuracy.drop",
            "accuracy.gold_tie",
            "accuracy_both_orders",
            "accuracy_net_votes",
            "rc",
            "rc.precision",
            "rc.survivors",
            "rc.length_ceiling",
            "rc.order_delta",
            "rc.reuse_gap",
            "rc.chance",
            "ap",
            "ap@0.5",
            "ap@0.75",
            *(f"{kind}@{t}" for kind in ("f_rc", "s_rc", "spurious_rc") for t in ("0+", 0.25, 0.5)),
        ),
        "items",
    ),
    "order_consistency": "pairs",
    "first_position_bias": "rows",
    **{name: "rows" for name in REGISTRY if name.startswith("coverage.")},
}
"""What the denominator of a metric counts, for those that can be followed."""

UNEQUAL = frozenset({"accuracy.drop", "rc.precision", "rc.survivors", "first_position_bias"})
"""Metrics whose items count differently in two runs, or only in one: no mean of differences."""


class GroupLimits(NamedTuple):
    """The most that one group of the planned run can hold."""

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
    if metric not in COUNTED:
        return f"no bound that holds at every time is known for {metric}"
    if relative and (metric in UNEQUAL or metric.startswith("s_rc")):
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
    most = float(getattr(limits, COUNTED[metric]))
    return Sequence(estimand.group_sums(table.n_groups), (low, high), most, estimand.shift)


def paired_sequence(pairs: Pairs, metric: str, limits: GroupLimits) -> Sequence | None:
    """What the groups say about a metric minus that of a baseline; None without a common item.

    Args:
        pairs: of the run and its baseline; items that count differently in the two are left out.
        metric: one that `why_not` has nothing against.
        limits: of the planned run.
    """
    if not pairs.alike.any():
        return None
    low, high = REGISTRY[metric].bounds
    most = float(getattr(limits, COUNTED[metric]))
    return Sequence(pairs.difference_sums(), (low - high, high - low), most)


def _estimand(table: Table, metric: str) -> Estimand:
    found = REGISTRY[metric].estimand(table)
    if not isinstance(found, Estimand):
        raise TypeError(f"{metric} is no ratio")
    return found
