"""All metrics of a run with their intervals: the one loop over the registry."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.estimand import Estimand, Smooth
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.spec import Direction, MetricSpec
from rmaudit.metrics.stats import (
    Interval,
    bootstrap_interval,
    bootstrap_sums,
    closed_form,
    few_exceptions,
    unanimous,
    widening,
)
from rmaudit.metrics.table import Table
from rmaudit.records import Metric


def compute_metrics(
    table: Table,
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
    names: Iterable[str] | None = None,
) -> dict[str, Metric]:
    """Compute metrics over all rows of a table.

    All bootstrapped metrics share one set of draws, which depends on the number of clusters and
    the seed alone: `names` changes values not at all, and intervals by rounding only.

    Args:
        table: the run, or one domain of it.
        seed: of the bootstrap.
        resamples: number of bootstrap resamples.
        confidence: two-sided level; a one-sided bound at level c is an end at level 2c - 1.
        names: keys of REGISTRY, default all.

    Raises:
        KeyError: a name is not in REGISTRY.
    """
    specs = [REGISTRY[name] for name in (REGISTRY if names is None else names)]
    estimands = [spec.estimand(table) for spec in specs]
    sums = [estimand.group_sums(table.n_groups) for estimand in estimands]
    intervals = [
        _without_bootstrap(spec, estimand, s, table, confidence=confidence)
        for spec, estimand, s in zip(specs, estimands, sums, strict=True)
    ]
    open_ = [k for k, interval in enumerate(intervals) if interval is None]
    if open_:
        columns = np.hstack([sums[k] for k in open_])
        resampled = bootstrap_sums(columns, resamples=resamples, seed=seed)
        ends = np.cumsum([sums[k].shape[1] for k in open_])
        for k, own in zip(open_, np.split(resampled, ends[:-1], axis=1), strict=True):
            shift = estimands[k].shift
            found = bootstrap_interval(
                sums[k],
                own,
                estimands[k].statistic,
                confidence=confidence,
                bounds=unshifted(specs[k].bounds, shift),
            )
            found = _not_without_width(specs[k], estimands[k], found, confidence=confidence)
            intervals[k] = _shifted(found, shift)
    return {
        spec.key: _metric(spec, estimand, s, interval, empty=table.n_groups == 0)
        for spec, estimand, s, interval in zip(specs, estimands, sums, intervals, strict=True)
        if interval is not None
    }


def compute_slices(
    table: Table,
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
    names: Iterable[str] | None = None,
) -> dict[str, dict[str, Metric]]:
    """`compute_metrics` for each domain, equal to that of a run on the domain alone."""
    chosen = None if names is None else list(names)
    return {
        domain: compute_metrics(
            table.slice(domain),
            seed=seed,
            resamples=resamples,
            confidence=confidence,
            names=chosen,
        )
        for domain in table.domains
    }


def _without_bootstrap(
    spec: MetricSpec,
    estimand: Estimand | Smooth,
    sums: FloatArray,
    table: Table,
    *,
    confidence: float,
) -> Interval | None:
    """The interval of a metric that needs no bootstrap, None where it does."""
    if spec.interval is not None and not np.isnan(estimand.value):
        return spec.interval(table, confidence)
    if isinstance(estimand, Estimand):
        return closed_form(sums, confidence=confidence, bounds=spec.bounds, shift=estimand.shift)
    return Interval(None, None, "none") if np.isnan(estimand.value) else None


def _not_without_width(
    spec: MetricSpec, estimand: Estimand | Smooth, interval: Interval, *, confidence: float
) -> Interval:
    """An interval, widened where no resample of a smooth metric differs: no error was seen yet."""
    if isinstance(estimand, Estimand) or interval.low is None or interval.low != interval.high:
        return interval
    groups = len(np.unique(estimand.group))
    return unanimous(estimand.value, groups, confidence=confidence, bounds=spec.bounds)


def _metric(
    spec: MetricSpec,
    estimand: Estimand | Smooth,
    sums: FloatArray,
    interval: Interval,
    *,
    empty: bool,
) -> Metric:
    value = _number(estimand.value)
    worst, best = _ordered(spec.better, _number(estimand.low), _number(estimand.high))
    why = ""
    if value is None:
        why = "no items" if empty else estimand.why
        if estimand.n_excluded and not len(estimand.group):
            why = f"all {estimand.n_excluded} observations failed"
    elif interval.method == "unanimous":
        why = "every group gives this value: exact bound for unseen exceptions"
    elif interval.method == "vacuous":
        why = "too few groups for an interval: any value is possible"
    elif interval.method in ("bca", "percentile"):
        rare = few_exceptions(sums) if isinstance(estimand, Estimand) else ""
        why = "; ".join(filter(None, (widening(len(np.unique(estimand.group))), rare)))
    return Metric(
        value=value,
        low=_finite(interval.low),
        high=_finite(interval.high),
        worst=worst,
        best=best,
        n=estimand.n,
        n_excluded=estimand.n_excluded,
        unit=spec.unit,
        why=why,
    )


def _ordered(
    better: Direction, low: float | None, high: float | None
) -> tuple[float | None, float | None]:
    """(worst, best) of the least and the greatest value that lost units allow."""
    if better == "lower":
        return high, low
    if better == "zero" and low is not None and high is not None:
        return max(low, high, key=abs), min(max(0.0, low), high)
    return low, high


def unshifted(bounds: tuple[float, float], shift: float) -> tuple[float, float]:
    """The bounds of a metric as bounds of its ratio, before the shift."""
    return bounds[0] - shift, bounds[1] - shift


def _shifted(interval: Interval, shift: float) -> Interval:
    return interval._replace(
        low=None if interval.low is None else interval.low + shift,
        high=None if interval.high is None else interval.high + shift,
    )


def _finite(end: float | None) -> float | None:
    """None for an end that a metric without bounds cannot have."""
    return None if end is None or np.isinf(end) else end


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
