"""Do checklist sets rank models alike? Rank correlations of the models over pairs of sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rmaudit.compare.comparable import comparable
from rmaudit.compare.read import CompareRun
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.registry import shown_in

MIN_MODELS = 3
ENOUGH_MODELS = 5
TOO_FEW = "too few models, shown only"


class Agreement(NamedTuple):
    """One metric on two sets.

    spearman, kendall: of the models' values, None where all models are equal on a set. p: exact
    and two-sided, of Kendall's tau; None below ENOUGH_MODELS. why: what it does not show.
    """

    metric: str
    sets: tuple[str, str]
    models: tuple[str, ...]
    spearman: float | None
    kendall: float | None
    p: float | None
    why: str


def rank_agreement(
    runs: Sequence[CompareRun],
) -> tuple[list[Agreement], list[tuple[CompareRun, str]]]:
    """Agreement of every two sets on which at least MIN_MODELS of the models were run.

    A set is what runs on the same items share, whatever its name. It counts with the runs whose
    judge and settings agree with its first run's. The values are estimates: models closer than
    their intervals swap ranks by chance.

    Returns:
        The agreement, and the runs that do not count in it, each with why.
    """
    sets, left_out = _sets(runs)
    values = _values(sets)
    found = []
    for one, two in combinations(values, 2):
        for metric in shown_in("ranks"):
            first, second = values[one].get(metric, {}), values[two].get(metric, {})
            both = [model for model in first if model in second]
            if len(both) >= MIN_MODELS:
                found.append(
                    agreement(
                        metric,
                        (one, two),
                        both,
                        [first[model] for model in both],
                        [second[model] for model in both],
                    )
                )
    return found, left_out


def agreement(
    metric: str,
    sets: tuple[str, str],
    models: Sequence[str],
    first: Sequence[float],
    second: Sequence[float],
) -> Agreement:
    """Spearman's and Kendall's correlation of the values of the same models on two sets."""
    if len(set(first)) == 1 or len(set(second)) == 1:
        return Agreement(
            metric, sets, tuple(models), None, None, None, "all models are equal on a set"
        )
    from scipy.stats import kendalltau, spearmanr

    few = len(models) < ENOUGH_MODELS
    tau = kendalltau(first, second)
    return Agreement(
        metric=metric,
        sets=sets,
        models=tuple(models),
        spearman=float(spearmanr(first, second).statistic),
        kendall=float(tau.statistic),
        p=None if few or np.isnan(tau.pvalue) else float(tau.pvalue),
        why=TOO_FEW if few else "",
    )


def _sets(
    runs: Sequence[CompareRun],
) -> tuple[dict[str, list[CompareRun]], list[tuple[CompareRun, str]]]:
    """The runs of each set, a model once; sets with too few models and second runs are left out."""
    by_items: dict[frozenset[tuple[str, str]], list[CompareRun]] = {}
    left_out: list[tuple[CompareRun, str]] = []
    for run in runs:
        own = by_items.setdefault(run.items, [])
        before = next((one for one in own if one.identity == run.identity), None)
        if before is None:
            own.append(run)
        else:
            left_out.append((run, f"{before.path} is of the same model on the same items"))
    sets: dict[str, list[CompareRun]] = {}
    for own in by_items.values():
        if len(own) < MIN_MODELS:
            what = f"only {len(own)} of the models " + ("has" if len(own) == 1 else "have")
            left_out += [(run, f"{what} its {len(run.order):,} items") for run in own]
            continue
        name = own[0].sets
        if name in sets:
            name = f"{name} ({len(own[0].order):,} items, {own[0].path})"
        sets[name] = own
    return sets, left_out


def _values(sets: Mapping[str, Sequence[CompareRun]]) -> Mapping[str, dict[str, dict[str, float]]]:
    """The value of each metric and model by set."""
    values: dict[str, dict[str, dict[str, float]]] = {}
    for label, runs in sets.items():
        for run in runs:
            names = comparable(runs[0].manifest, run.manifest, shown_in("ranks")).names
            found = compute_metrics(run.table, names=names, resamples=1)
            for name, metric in found.items():
                if metric.value is not None:
                    by_model = values.setdefault(label, {}).setdefault(name, {})
                    by_model[run.identity] = metric.value
    return values
