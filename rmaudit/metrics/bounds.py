"""One-sided bounds and p-values of metrics by name, for decisions at a level of one's own."""

from __future__ import annotations

from collections.abc import Iterable

from rmaudit.metrics.drawn import all_evidence
from rmaudit.metrics.evidence import Alternative, Evidence, Side
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.table import Table

RESAMPLES = 2000


def evidence(
    table: Table, names: Iterable[str], *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, Evidence | None]:
    """What a table says about each metric; one set of draws serves all, that of their intervals.

    Args:
        table: the run, or one domain of it.
        names: keys of REGISTRY.
        seed: of the draws.
        resamples: B; a p-value near 1 / B needs more.

    Returns:
        None for a metric without a value.

    Raises:
        KeyError: a name is not in REGISTRY.
    """
    specs = [REGISTRY[name] for name in dict.fromkeys(names)]
    estimands = [spec.estimand(table) for spec in specs]
    found = all_evidence(specs, estimands, n_groups=table.n_groups, seed=seed, resamples=resamples)
    return {spec.key: one for spec, one in zip(specs, found, strict=True)}


def _one(table: Table, name: str, *, seed: int, resamples: int) -> Evidence | None:
    return evidence(table, [name], seed=seed, resamples=resamples)[name]


def bound(
    table: Table,
    name: str,
    side: Side,
    confidence: float,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> float | None:
    """One-sided confidence bound of a metric; None where it has no value.

    Args:
        table: the run, or one domain of it.
        name: key of REGISTRY.
        side: `lower`: theta is at least this; `upper`: at most this.
        confidence: one-sided, in (0.5, 1).
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Raises:
        KeyError: no such metric.
    """
    found = _one(table, name, seed=seed, resamples=resamples)
    return None if found is None else found.bound(side, confidence)


def p_value(
    table: Table,
    name: str,
    threshold: float,
    alternative: Alternative,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> float | None:
    """One-sided p-value of a metric against a threshold; None where it has no value.

    Args:
        table: the run, or one domain of it.
        name: key of REGISTRY.
        threshold: the value under the hypothesis.
        alternative: `greater`: small where theta is shown to be above the threshold; `less`.
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Raises:
        KeyError: no such metric.
    """
    found = _one(table, name, seed=seed, resamples=resamples)
    return None if found is None else found.p_value(threshold, alternative)
