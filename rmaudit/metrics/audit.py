"""All metrics of a run with their intervals: the one loop over the registry."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rmaudit.metrics.drawn import all_evidence
from rmaudit.metrics.estimand import Estimand, Smooth
from rmaudit.metrics.evidence import Fixed
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.resampling import widening
from rmaudit.metrics.spec import Direction, MetricSpec
from rmaudit.metrics.stats import Interval
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
    evidence = all_evidence(
        specs, estimands, n_groups=table.n_groups, seed=seed, resamples=resamples
    )
    return {
        spec.key: _metric(
            spec,
            estimand,
            _interval(spec, estimand, found, table, confidence=confidence),
            empty=table.n_groups == 0,
        )
        for spec, estimand, found in zip(specs, estimands, evidence, strict=True)
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


def _interval(
    spec: MetricSpec,
    estimand: Estimand | Smooth,
    found: Fixed | None,
    table: Table,
    *,
    confidence: float,
) -> Interval:
    """The metric's own interval, else its two bounds."""
    if spec.interval is not None and not np.isnan(estimand.value):
        return spec.interval(table, confidence)
    if found is None:
        if np.isnan(estimand.value):
            return Interval(None, None, "none")
        return Interval(*spec.bounds, "vacuous")  # of one group, which cannot be drawn anew
    one_sided = (1 + confidence) / 2
    return Interval(
        found.bound("lower", one_sided), found.bound("upper", one_sided), found.method(confidence)
    )


def _metric(
    spec: MetricSpec,
    estimand: Estimand | Smooth,
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
    elif interval.method == "noise":
        why = "noise alone makes it positive: the interval is what is left without it"
    elif interval.method == "bca":
        why = widening(len(np.unique(estimand.group)))
    if value is not None and isinstance(estimand, Estimand):
        why = "; ".join(filter(None, (estimand.note, why)))
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


def _finite(end: float | None) -> float | None:
    """None for an end that a metric without bounds cannot have."""
    return None if end is None or np.isinf(end) else end


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
