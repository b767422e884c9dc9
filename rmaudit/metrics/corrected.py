"""Rationale consistency with the judge's error taken out by scores that are known to be right.

A person scores the pairs of some rows of the run. The judge's mean error on them is taken off rc,
and the interval carries both samples (prediction-powered inference, arXiv 2301.09633):

    theta = mean_u rc_u + W d,     d = mean over checked rows of (human - judged)

u runs over rows with weight w_u = 1 / (rows of its item) / items. W is the weight of the rows that
have reasons: where an answer gives none, rc is 0 and needs no judge. With psi_g the influence of
group g on theta, the variance is G' / (G' - 1) sum_g psi_g^2 and the interval takes Student's t
with G' - 1 degrees of freedom, G' the number of groups with a checked row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.estimand import Estimand, not_applicable, per_item
from rmaudit.metrics.rationale import NO_SCORE, applies, why_not
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.stats import Interval
from rmaudit.metrics.table import Table

NOT_CHECKED = "no person has scored reasons of this run: rmaudit judge check --export"


class _Parts(NamedTuple):
    """Columns over rows: weight of used rows, its part with reasons, checked rows, their error."""

    used: BoolArray
    weight: FloatArray
    with_reasons: FloatArray
    checked: BoolArray
    error: FloatArray

    @property
    def mean_error(self) -> float:
        """d, the mean of human - judged over checked rows."""
        weight = self.weight[self.checked]
        return float((weight * self.error[self.checked]).sum() / weight.sum())


def _parts(table: Table) -> _Parts:
    rows = table.rows
    used = applies(table) & ~rows.lost & ~np.isnan(rows.rc)
    kept = np.bincount(rows.item, weights=used)
    items = np.maximum(np.count_nonzero(kept), 1)
    weight = used / np.maximum(kept[rows.item], 1.0) / items
    checked = used & (rows.n_reasons > 0) & ~np.isnan(rows.human)
    error = np.where(checked, rows.human - rows.rc, 0.0)
    return _Parts(used, weight, weight * (rows.n_reasons > 0), checked, error)


def _corrected(table: Table) -> Estimand:
    among = applies(table)
    if not among.any():
        return not_applicable(why_not(table))
    parts = _parts(table)
    if not parts.checked.any():
        return not_applicable(NOT_CHECKED)
    share = parts.with_reasons.sum() / parts.weight[parts.checked].sum()
    return per_item(
        table.row_units,
        table.rows.rc + share * parts.error,
        used=parts.used,
        lost=among & table.rows.lost,
        why=NO_SCORE,
    )


def interval(table: Table, confidence: float) -> Interval:
    """The interval of theta; without ends where fewer than two groups were checked."""
    parts = _parts(table)
    rows = table.rows
    groups = len(np.unique(rows.group[parts.checked]))
    if groups < 2:
        return Interval(None, None, "none")
    d, total = parts.mean_error, parts.with_reasons.sum()
    judged = np.where(parts.used, rows.rc, 0.0)
    mean = float((parts.weight * judged).sum())
    checked = parts.weight * parts.checked
    influence = (
        parts.weight * (judged - mean)
        + total * checked / checked.sum() * (parts.error - d)
        + d * (parts.with_reasons - parts.weight * total)
    )
    by_group = np.bincount(rows.group, weights=influence, minlength=table.n_groups)
    variance = groups / (groups - 1) * float((by_group**2).sum())
    half = float(stdtrit(groups - 1, (1 + confidence) / 2)) * float(np.sqrt(variance))
    theta = mean + total * d
    return Interval(float(max(0.0, theta - half)), float(min(1.0, theta + half)), "corrected")


METRICS = (
    MetricSpec(
        "rc.corrected",
        "score",
        "higher",
        "Rationale consistency with the judge's mean error, measured by a person's scores of some "
        "answers, taken out; the interval carries both samples (arXiv 2301.09633).",
        _corrected,
        interval=interval,
        reader="judge",
        alike=("judge", "max_reasons"),
        topic="Reasons against the references",
        needs="a person's scores of some reasons: rmaudit judge check --export, then --import",
    ),
)
