"""What a metric is: a ratio of two sums over clusters, and what is known of its missing part.

Almost every metric of the audit has the form

    theta = sum_u w_u num_u / sum_u w_u den_u + shift

over units u (rows, or pairs of orders). A mean over items of the mean over an item's units has
w_u = 1 / (units of the item) and den = 1; a pooled share has w = 1. Shares among a part, such as
the spurious share among right labels, have den = [in the part]. Sums over clusters of (w num,
w den) are then all that an interval needs. A metric that is no ratio (a regression coefficient, a
calibration error) is a `Smooth` function of more sums over clusters, and shares the same draws.

Units that were lost (no answer, or the judge failed) are left out of theta and come back in its
bounds: `low` and `high` are theta with every lost unit at the least and the greatest value of the
metric. What is known of a lost unit in part, such as its verdict where only the judge failed, is
not used. That costs some width, but theta, which takes lost units to be like the others, always
lies within its bounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.stats import Statistic, ratio
from rmaudit.metrics.table import Units

Column = FloatArray | BoolArray
NO_ITEMS: IntArray = np.zeros(0, dtype=np.int64)


class Fill(NamedTuple):
    """What a lost unit contributes in a bound."""

    num: float
    den: float = 1.0


NOTHING = Fill(0.0)
EVERYTHING = Fill(1.0)


class Estimand(NamedTuple):
    """A metric before its interval.

    `group`, `num` and `den` run over the used units, weights applied. `n` counts the items (or
    units, where pooled) with a positive denominator, `n_excluded` the lost units. `low` and
    `high` bound theta over all fillings of lost units; NaN where even those leave it undefined.
    `why` says what is missing where there is no value, `note` what a value rests on. `lost` are the
    items with a lost unit.
    """

    group: IntArray
    num: FloatArray
    den: FloatArray
    n: int
    n_excluded: int
    low: float
    high: float
    shift: float
    why: str
    lost: IntArray
    note: str = ""

    @property
    def value(self) -> float:
        """Theta; NaN where the denominator is 0."""
        return _ratio(self.num, self.den) + self.shift

    @property
    def statistic(self) -> Statistic:
        """Theta without its shift as a function of the sums."""
        return ratio

    def group_sums(self, n_groups: int) -> FloatArray:
        """Sums of numerator and denominator by cluster: [n_groups, 2]."""
        num = np.bincount(self.group, weights=self.num, minlength=n_groups)
        den = np.bincount(self.group, weights=self.den, minlength=n_groups)
        return np.column_stack([num, den])


class Smooth(NamedTuple):
    """A metric that is a smooth function of k sums over clusters.

    `group` [u] and `columns` [u, k] run over the used units, weights applied; the other fields are
    those of an Estimand. It may have no value: then `why` says so. `noisy`: the statistic is the
    sum of |x_1|, ..., |x_(k-1)| over x_k, which noise alone makes positive.
    """

    group: IntArray
    columns: FloatArray
    statistic: Statistic
    n: int
    n_excluded: int
    low: float
    high: float
    why: str
    lost: IntArray = NO_ITEMS
    noisy: bool = False

    @property
    def shift(self) -> float:
        """None: a statistic holds its own constants."""
        return 0.0

    @property
    def value(self) -> float:
        """The statistic of the sums over all clusters; NaN where it is undefined."""
        return float(self.statistic(self.columns.sum(axis=0)))

    def group_sums(self, n_groups: int) -> FloatArray:
        """Sums of the columns by cluster: [n_groups, k]."""
        return np.column_stack(
            [
                np.bincount(self.group, weights=column, minlength=n_groups)
                for column in self.columns.T
            ]
        )


def per_item(
    units: Units,
    num: Column,
    den: Column | float = 1.0,
    *,
    used: BoolArray,
    lost: BoolArray,
    why: str,
    low: Fill = NOTHING,
    high: Fill = EVERYTHING,
) -> Estimand:
    """Mean over items of the mean over each item's used units (ratio of such means with `den`).

    Args:
        units: item and group of each unit, [u].
        num: numerator, [u]; read only where used.
        den: denominator, [u] or a number; read only where used.
        used: which units have a value.
        lost: which units should have one and do not. Units in neither do not apply.
        why: said where no unit applies.
        low: what a lost unit contributes to the lower bound.
        high: what a lost unit contributes to the upper bound.
    """
    return _estimand(units, num, den, used, lost, low, high, why, 0.0, by_item=True)


def pooled(
    units: Units,
    num: Column,
    *,
    used: BoolArray,
    lost: BoolArray | None = None,
    why: str,
    shift: float = 0.0,
    low: Fill = NOTHING,
) -> Estimand:
    """Share of all used units, each counted once; arguments as in `per_item`."""
    lost = np.zeros_like(used) if lost is None else lost
    return _estimand(units, num, 1.0, used, lost, low, EVERYTHING, why, shift, by_item=False)


def pooled_ratio(
    units: Units,
    num: Column,
    den: Column,
    *,
    used: BoolArray,
    lost: BoolArray,
    why: str,
    low: Fill,
    high: Fill,
) -> Estimand:
    """Sum of `num` over sum of `den`, every used unit counted once; arguments as in `per_item`.

    `n` counts items, since what the units hold (reasons of an answer) go together.
    """
    found = _estimand(units, num, den, used, lost, low, high, why, 0.0, by_item=False)
    counted = used & (den > 0)
    return found._replace(n=len(np.unique(units.item[counted])))


def not_applicable(why: str) -> Estimand:
    """An estimand without a value, and without failures that could have hidden one."""
    nothing = np.zeros(0, dtype=np.int64)
    units = Units(nothing, nothing)
    empty = np.zeros(0, dtype=np.bool_)
    return pooled(units, empty, used=empty, why=why)


def _estimand(
    units: Units,
    num: Column,
    den: Column | float,
    used: BoolArray,
    lost: BoolArray,
    low: Fill,
    high: Fill,
    why: str,
    shift: float,
    *,
    by_item: bool,
) -> Estimand:
    def weighted(keep: BoolArray, fill: Fill) -> tuple[FloatArray, FloatArray]:
        weight = _item_weights(units.item, keep) if by_item else keep.astype(np.float64)
        top, bottom = np.where(used, num, fill.num), np.where(used, den, fill.den)
        return (top * weight)[keep], (bottom * weight)[keep]

    top, bottom = weighted(used, NOTHING)
    counted = used & (np.broadcast_to(den, used.shape) > 0)
    return Estimand(
        group=units.group[used],
        num=top,
        den=bottom,
        n=len(np.unique(units.item[counted])) if by_item else int(counted.sum()),
        n_excluded=int(lost.sum()),
        low=_ratio(*weighted(used | lost, low)) + shift,
        high=_ratio(*weighted(used | lost, high)) + shift,
        shift=shift,
        why=why,
        lost=np.unique(units.item[lost]),
    )


def _item_weights(item: IntArray, keep: BoolArray) -> FloatArray:
    """1 / (kept units of the unit's item), 0 for units not kept."""
    kept = np.bincount(item, weights=keep)
    weights: FloatArray = keep / np.maximum(kept[item], 1.0)
    return weights


def _ratio(num: FloatArray, den: FloatArray) -> float:
    total = float(den.sum())
    return float(num.sum()) / total if total > 0 else float("nan")
