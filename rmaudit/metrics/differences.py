"""One metric of two runs, on the items that both have: sums by item side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.audit import REGISTRY
from rmaudit.metrics.bounds import RESAMPLES, Evidence, Resampled, closed_evidence
from rmaudit.metrics.estimand import Estimand
from rmaudit.metrics.stats import bootstrap, bootstrap_sums, ratio
from rmaudit.metrics.table import Table


class Pairs(NamedTuple):
    """The items that count in both runs, in the order of the first.

    Attributes:
        run: [I, 2], numerator and denominator of each item in the run.
        baseline: [I, 2], the same in the other run.
        group: [I], numbered from 0 in the order of the run.
        n_groups: number of groups.
    """

    run: FloatArray
    baseline: FloatArray
    group: IntArray
    n_groups: int

    @property
    def alike(self) -> BoolArray:
        """Items with the same denominator, not 0, in both: [I]."""
        found: BoolArray = (self.run[:, 1] > 0) & (
            np.abs(self.run[:, 1] - self.baseline[:, 1]) < 1e-12
        )
        return found

    def sums(self) -> FloatArray:
        """Both by group: [n_groups, 4]."""
        return by_group(np.hstack([self.run, self.baseline]), self.group, self.n_groups)

    def difference_sums(self) -> FloatArray:
        """Difference and denominator by group, over the items `alike`: [n_groups, 2]."""
        keep = self.alike
        part = np.column_stack([self.run[:, 0] - self.baseline[:, 0], self.run[:, 1]])
        return by_group(part[keep], self.group[keep], self.n_groups)


def pair(
    table: Table, names: Sequence[str], baseline: Table, others: Sequence[str], metric: str
) -> Pairs | None:
    """Pair two runs by the names of their items; None for a metric that is no ratio.

    Args:
        table: the run, or a domain of it.
        names: its items, by code.
        baseline: the other run, or the same domain of it.
        others: its items, by code.
        metric: key of REGISTRY.
    """
    if not all(isinstance(REGISTRY[metric].estimand(one), Estimand) for one in (table, baseline)):
        return None
    first, used = _by_item(table, metric)
    second, used_ = _by_item(baseline, metric)
    place = {name: code for code, name in enumerate(others) if used_[code]}
    both = [code for code, name in enumerate(names) if used[code] and name in place]
    matched = [place[names[code]] for code in both]
    item, row = np.unique(table.rows.item, return_index=True)
    group = table.rows.group[row][item]
    groups, codes = np.unique(group[both], return_inverse=True)
    return Pairs(first[both], second[matched], codes, len(groups))


def difference(
    pairs: Pairs, metric: str, *, seed: int = 0, resamples: int = RESAMPLES
) -> Evidence | None:
    """What the pairs say about the metric of the run minus that of the baseline.

    Args:
        pairs: of this metric.
        metric: key of REGISTRY.
        seed: of the bootstrap over groups.
        resamples: of the bootstrap.

    Returns:
        None where the difference has no value.
    """
    low, high = REGISTRY[metric].bounds
    limits = (low - high, high - low)
    sums = pairs.sums()
    if len(pairs.run) and pairs.alike.all():
        closed = closed_evidence(pairs.difference_sums(), limits=limits)
        if closed is not None:
            return closed
    drawn = bootstrap(
        sums,
        bootstrap_sums(sums, resamples=resamples, seed=seed),
        lambda both: ratio(both[..., :2]) - ratio(both[..., 2:]),
        bounds=limits,
    )
    return None if drawn is None else Resampled(drawn)


def by_group(columns: FloatArray, group: IntArray, n_groups: int) -> FloatArray:
    """Sums of columns [u, k] by group: [n_groups, k]."""
    return np.column_stack(
        [np.bincount(group, weights=column, minlength=n_groups) for column in columns.T]
    )


def _by_item(table: Table, metric: str) -> tuple[FloatArray, BoolArray]:
    """The sums of each item, [items, 2], and which items count: used by the metric."""
    n_items = int(table.rows.item.max(initial=-1)) + 1
    alone = replace(table, rows=table.rows._replace(group=table.rows.item), n_groups=n_items)
    estimand = REGISTRY[metric].estimand(alone)
    return estimand.group_sums(n_items), np.isin(np.arange(n_items), estimand.group)
