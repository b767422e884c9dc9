"""Figures that are functions of sums over cases, and their intervals from one set of draws.

A figure is a function of sums: precision and recall are ratios of counts, the bias is a mean, and
Pearson's r follows from the first and second moments. The items of a group are drawn together, and
with them all cases of an item, so that three wordings of one item never count as three items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import FloatArray, IntArray
from rmaudit.metrics.bounds import RESAMPLES
from rmaudit.metrics.evidence import Fixed, closed_evidence, extended_evidence, smooth_evidence
from rmaudit.metrics.resampling import bootstrap_sums
from rmaudit.metrics.stats import EPSILON, Limits, Statistic, ratio
from rmaudit.metrics.unseen import parts_of_ratio

CONFIDENCE = 0.95
SHARE: Limits = (0.0, 1.0)
SIGNED: Limits = (-1.0, 1.0)


class Figure(NamedTuple):
    """A number of a check.

    columns: [cases, k], what each case adds to the k sums. statistic: the number as a function of
    the sums. limits: the least and the greatest value that it can have.
    """

    columns: FloatArray
    statistic: Statistic
    limits: Limits


class Shown(NamedTuple):
    """A figure with its two-sided 95 % interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


def share(num: Sequence[float], den: Sequence[float], *, limits: Limits = SHARE) -> Figure:
    """sum(num) / sum(den), one of each a case."""
    return Figure(np.column_stack([num, den]).astype(np.float64).reshape(-1, 2), ratio, limits)


def correlation(x: Sequence[float], y: Sequence[float]) -> Figure:
    """Pearson's r of two numbers a case."""
    one, two = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    columns = np.column_stack([np.ones(len(one)), one, two, one * one, two * two, one * two])
    return Figure(columns, _pearson, SIGNED)


def shown(
    figures: Mapping[tuple[str, ...], Figure], groups: Sequence[str], *, seed: int
) -> dict[tuple[str, ...], Shown]:
    """Value and interval of every figure.

    Args:
        figures: by name, all over the same cases.
        groups: of each case, the unit of resampling.
        seed: of the draws.
    """
    code = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    places = np.array([code[group] for group in groups], dtype=np.int64)
    sums = [_by_group(figure.columns, places, len(code)) for figure in figures.values()]
    if not sums:
        return {}
    resampled = bootstrap_sums(np.hstack(sums), resamples=RESAMPLES, seed=seed)
    ends = np.cumsum([one.shape[1] for one in sums])
    parts = np.split(resampled, ends[:-1], axis=1)
    return {
        name: _one(figure, own, drawn, seed=seed)
        for (name, figure), own, drawn in zip(figures.items(), sums, parts, strict=True)
    }


def _one(figure: Figure, sums: FloatArray, resampled: FloatArray, *, seed: int) -> Shown:
    value = float(figure.statistic(sums.sum(axis=0)))
    if np.isnan(value):
        return Shown(None, None, None)
    found = _evidence(figure, value, sums, resampled, seed=seed)
    if found is None:
        return Shown(value, None, None)
    level = (1 + CONFIDENCE) / 2
    return Shown(value, found.bound("lower", level), found.bound("upper", level))


def _evidence(
    figure: Figure, value: float, sums: FloatArray, resampled: FloatArray, *, seed: int
) -> Fixed | None:
    if figure.statistic is not ratio:
        return smooth_evidence(sums, resampled, figure.statistic, limits=figure.limits)
    closed = closed_evidence(sums, limits=figure.limits)
    if closed is not None:
        return closed
    parts = parts_of_ratio(sums, resampled)
    return extended_evidence(value, ratio(resampled), parts, limits=figure.limits, seed=seed)


def _by_group(columns: FloatArray, places: IntArray, n_groups: int) -> FloatArray:
    """Sums by group, [n_groups, k]."""
    found = np.zeros((n_groups, columns.shape[1]))
    np.add.at(found, places, columns)
    return found


def _pearson(sums: FloatArray) -> FloatArray:
    """R of the sums n, x, y, xx, yy, xy [..., 6]; NaN where either number does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((xx - x * x / n).clip(0) * (yy - y * y / n).clip(0))
        found: FloatArray = np.where(spread > n * EPSILON, (xy - x * y / n) / spread, np.nan)
    return found.clip(-1.0, 1.0)
