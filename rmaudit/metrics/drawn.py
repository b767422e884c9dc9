"""The evidence of many metrics from one set of draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.estimand import Estimand, Smooth
from rmaudit.metrics.evidence import (
    Fixed,
    closed_evidence,
    extended_evidence,
    noisy_evidence,
    smooth_evidence,
)
from rmaudit.metrics.resampling import bootstrap_sums
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.stats import Limits
from rmaudit.metrics.unseen import parts_of_ratio


def all_evidence(
    specs: Sequence[MetricSpec],
    estimands: Sequence[Estimand | Smooth],
    *,
    n_groups: int,
    seed: int,
    resamples: int,
) -> list[Fixed | None]:
    """What a table says about each metric; None for one without a value.

    The draws depend on the number of clusters and the seed alone, so that leaving a metric out
    changes the others by rounding only.

    Args:
        specs: the metrics.
        estimands: of each, from the table.
        n_groups: clusters of the table.
        seed: of the draws.
        resamples: B.
    """
    sums = [estimand.group_sums(n_groups) for estimand in estimands]
    found = [_closed(*metric) for metric in zip(specs, estimands, sums, strict=True)]
    open_ = [
        k
        for k, estimand in enumerate(estimands)
        if found[k] is None and not np.isnan(estimand.value)
    ]
    if not open_:
        return found
    columns = np.hstack([sums[k] for k in open_])
    resampled = bootstrap_sums(columns, resamples=resamples, seed=seed)
    ends = np.cumsum([sums[k].shape[1] for k in open_])
    for k, own in zip(open_, np.split(resampled, ends[:-1], axis=1), strict=True):
        found[k] = _resampled(specs[k], estimands[k], sums[k], own, seed=seed)
    return found


def unshifted(limits: Limits, shift: float) -> Limits:
    """The limits of a metric as limits of its ratio, before the shift."""
    return limits[0] - shift, limits[1] - shift


def _closed(spec: MetricSpec, estimand: Estimand | Smooth, sums: FloatArray) -> Fixed | None:
    if isinstance(estimand, Smooth):
        return None
    return closed_evidence(sums, limits=spec.bounds, shift=estimand.shift)


def _resampled(
    spec: MetricSpec,
    estimand: Estimand | Smooth,
    sums: FloatArray,
    resampled: FloatArray,
    *,
    seed: int,
) -> Fixed | None:
    if isinstance(estimand, Smooth):
        if estimand.noisy:
            return noisy_evidence(sums, resampled, limits=spec.bounds)
        return smooth_evidence(sums, resampled, estimand.statistic, limits=spec.bounds)
    return extended_evidence(
        estimand.value - estimand.shift,
        estimand.statistic(resampled),
        parts_of_ratio(sums, resampled),
        limits=unshifted(spec.bounds, estimand.shift),
        seed=seed,
        shift=estimand.shift,
    )
