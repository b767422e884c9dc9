"""All metrics by key, and what is known of one where only its key is at hand.

To add a metric, write a function from a Table to an Estimand and one MetricSpec beside it, in a
module that is listed here. Keys that are not in the registry come from runs of other versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest

from rmaudit.metrics import (
    best_of,
    bias,
    calibration,
    causality,
    ceiling,
    chance,
    claims,
    corrected,
    coverage,
    fidelity,
    flaws,
    grounded,
    interventions,
    macro,
    margins,
    null_lists,
    outcome,
    rationale,
    risk_coverage,
    rm_bench,
    rulers,
    sensitivity,
    spread,
    spurious,
    stability,
    style,
)
from rmaudit.metrics.compat.specs import own_number
from rmaudit.metrics.spec import ABOUT_REASONS, MetricSpec, Place, Reader, Shared, Topic
from rmaudit.records import Metric

REGISTRY: dict[str, MetricSpec] = {
    spec.key: spec
    for module in (
        outcome,
        macro,
        margins,
        best_of,
        rulers,
        rationale,
        chance,
        null_lists,
        ceiling,
        corrected,
        fidelity,
        grounded,
        spurious,
        flaws,
        claims,
        bias,
        stability,
        calibration,
        risk_coverage,
        style,
        rm_bench,
        causality,
        interventions,
        sensitivity,
        spread,
        coverage,
    )
    for spec in module.METRICS
}
"""Every metric by its key, in the order of reports."""


def shown_in(place: Place) -> list[str]:
    """The headlines of a place, by rank; those of one rank in the order of the registry."""
    found = [spec for spec in REGISTRY.values() if place in spec.shown]
    return [spec.key for spec in sorted(found, key=lambda spec: spec.shown[place])]


def own_numbers(recording: str, metrics: Iterable[str] = ()) -> list[str]:
    """The metrics that a kind of recorded outputs is known by; none for other targets.

    Args:
        recording: how a manifest names what was recorded, such as `JudgeBench outputs`.
        metrics: the keys of its run: public numbers by their own scripts come first.
    """
    public = [key for key in metrics if own_number(key) is not None]
    ours = [s.key for s in REGISTRY.values() if s.own_of and recording.startswith(s.own_of)]
    return [*public, *ours]


def label_of(key: str) -> str:
    """A metric in a few words, its key where it has none."""
    public = own_number(key)
    if public is not None:
        return public.label
    return REGISTRY[key].label or key if key in REGISTRY else key


def reader_of(key: str) -> Reader | None:
    """Who must have read the reasons; a metric that is not known is taken to need the judge."""
    return REGISTRY[key].reader if key in REGISTRY else "judge"


def alike_for(key: str) -> tuple[Shared, ...]:
    """What two runs must have in common for a metric to be compared."""
    everything: tuple[Shared, ...] = ("judge", "labeler", "max_reasons", "verdicts", "items")
    return REGISTRY[key].alike if key in REGISTRY else everything


def family_of(key: str) -> str:
    """The family of a metric, '' where it has none."""
    return REGISTRY[key].family if key in REGISTRY else ""


def since(key: str) -> int:
    """The schema of the first runs that hold a metric; 1 of one that is not known."""
    return REGISTRY[key].since if key in REGISTRY else 1


def topic_of(key: str) -> Topic:
    """The section of a report's list of everything measured."""
    return REGISTRY[key].topic if key in REGISTRY else "Coverage"


def limits() -> list[str]:
    """What the metrics do not show, each sentence once: first what matters most for each metric."""
    ranked = zip_longest(*(spec.limits for spec in REGISTRY.values()), fillvalue="")
    return list(dict.fromkeys(text for rank in ranked for text in rank if text))


def of_another_kind(runs: Iterable[Mapping[str, Metric]]) -> set[str]:
    """Core metrics of reasons that a model of the other kind has: it gives reasons, or scores.

    Those without a value in any run, where another has one; a lost value is told.
    """
    runs = list(runs)
    about = [key for key in shown_in("core") if REGISTRY[key].topic in ABOUT_REASONS]
    told = {key for key in about if any(_known(one, key) for one in runs)}
    return set(about) - told if any(_valued(one, key) for one in runs for key in told) else set()


def _valued(metrics: Mapping[str, Metric], key: str) -> bool:
    return key in metrics and metrics[key].value is not None


def _known(metrics: Mapping[str, Metric], key: str) -> bool:
    return _valued(metrics, key) or (key in metrics and metrics[key].n_excluded > 0)


def one_of_each_family(keys: Iterable[str], runs: Iterable[Mapping[str, Metric]]) -> list[str]:
    """The keys in their order; of a family that with the highest value in any run, or none."""
    keys, runs = list(keys), list(runs)
    worst: dict[str, tuple[float, str]] = {}
    for key in keys:
        values = [run[key].value for run in runs if key in run]
        highest = max((value for value in values if value is not None), default=None)
        family = family_of(key)
        if highest is not None and (family not in worst or highest > worst[family][0]):
            worst[family] = highest, key
    shown = {key for _, key in worst.values()}
    return [key for key in keys if not family_of(key) or key in shown]
