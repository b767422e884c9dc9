"""The few numbers of a run that a terminal shows, formatted; and what they say in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rmaudit import taxonomy
from rmaudit.checklists.controls import CUES
from rmaudit.records import Metric
from rmaudit.taxonomy import NOT_ASKED

LABELS = {
    "accuracy": "accuracy",
    "accuracy_both_orders": "accuracy, right in both orders",
    "rc": "rationale consistency",
    "rc.above_chance": "  above chance",
    "s_rc@0+": "right for the wrong reasons",
    "ap": "average precision",
    "grounded": "quotes and numbers that exist",
    "order_consistency": "order consistency",
    "first_position_bias": "first-position bias",
    "length_bias": "length bias",
    "category.EG": "reasons with evidence",
    "coverage.parsed": "readable answers",
}
LOG_ODDS = frozenset({"style.length", "style.headers", "style.bold", "style.lists"})
PLAIN_SCORES = frozenset({"ap", "ap@0.5", "ap@0.75", "calibration.brier"})
FLAW_WORDS = {
    "F1": "style only",
    "F2": "bare claim of correctness",
    "F3": "bare claim of relevance",
    "F4": "praise of one side only",
    "F5": "cannot be checked",
    "F6": "does not follow",
    "F7": "contradicts itself",
}
"""The flaws in as few words as a terminal's line has room for."""
PROBED = {
    "rationale_causality": "reasons decide the verdict",
    "rationale_verdict_consistency": "reasons speak for the verdict",
    "specification_gap": "gain if told the references",
    "trap_rate": "caught by surface cues",
}
"""Headline metrics of measures, which a run has only where they were asked for."""
POINTS = frozenset(
    {
        "first_position_bias",
        "length_bias",
        "rc.order_delta",
        "rc.reuse_gap",
        "rationale_causality",
        "specification_gap",
        "trap_rate",
        *(f"trap_rate.{kind}" for kind in CUES),
    }
)


class Headline(NamedTuple):
    """One row of the summary. `remark` is a sentence under the table, '' where there is none."""

    key: str
    label: str
    value: str
    interval: str
    n: str
    beside: str
    remark: str


def summary_lines(metrics: Mapping[str, Metric], *, every: bool = False) -> list[Headline]:
    """The headline metrics, or all of them."""
    if every:
        return [summary_line(name, metrics)._replace(label=name) for name in metrics]
    return [summary_line(name, metrics) for name in headline(metrics)]


def summary_line(name: str, metrics: Mapping[str, Metric]) -> Headline:
    """The row of one metric."""
    return Headline(
        key=name,
        label=label(name),
        value=show(name, metrics[name].value),
        interval=_interval(name, metrics[name]),
        n=f"{metrics[name].n:,}",
        beside=_beside(name, metrics),
        remark=_remark(name, metrics[name]),
    )


def headline(*runs: Mapping[str, Metric]) -> list[str]:
    """The keys of the headline metrics that all runs have, the most frequent flaw among them."""
    names = [name for name in LABELS if all(name in metrics for metrics in runs)]
    flaws = [
        (value, name)
        for flaw in taxonomy.FLAWS
        if (name := f"flaw.{flaw}") and all(name in metrics for metrics in runs)
        for metrics in runs
        if (value := metrics[name].value) is not None
    ]
    if flaws and "category.EG" in names:
        most = max(value for value, _ in flaws)
        worst = next(name for value, name in flaws if value == most)
        names.insert(names.index("category.EG") + 1, worst)
    return [*names, *_asked_for(runs)]


def _asked_for(runs: Sequence[Mapping[str, Metric]]) -> list[str]:
    """The headline metrics of measures that all runs have and any of them was asked for."""
    return [
        name
        for name in PROBED
        if all(name in metrics for metrics in runs)
        and not all(metrics[name].why.startswith(NOT_ASKED) for metrics in runs)
    ]


def label(name: str) -> str:
    """A headline metric in words."""
    flaw = name.removeprefix("flaw.")
    if flaw in FLAW_WORDS:
        return f"{flaw} {FLAW_WORDS[flaw]}"
    return {**LABELS, **PROBED}.get(name, name)


def show(name: str, value: float | None) -> str:
    """A value in the unit that a reader expects: percent, points or a plain score."""
    if value is None:
        return "n/a"
    if name in POINTS:
        return f"{100 * value:+.1f} pt"
    if name in LOG_ODDS:
        return f"{value:+.2f}"
    if name in PLAIN_SCORES:
        return f"{value:.3f}"
    return f"{100 * value:.1f} %"


def _interval(name: str, metric: Metric) -> str:
    if metric.low is None or metric.high is None:
        return "–" if metric.value is not None else ""
    if name in LOG_ODDS:
        return f"{metric.low:+.2f} – {metric.high:+.2f}"
    if name in PLAIN_SCORES:
        return f"{metric.low:.3f} – {metric.high:.3f}"
    sign = "+" if name in POINTS else ""
    return f"{100 * metric.low:{sign}.1f} – {100 * metric.high:{sign}.1f}"


def _beside(name: str, metrics: Mapping[str, Metric]) -> str:
    chance = metrics.get("rc.chance")
    if name == "rc" and chance is not None and chance.value is not None:
        return f"chance {show('rc', chance.value)}"
    return name if name.startswith("s_rc") else ""


def _remark(name: str, metric: Metric) -> str:
    """Why there is no value, or what failed rows could do to it."""
    if metric.value is None:
        return f"not applicable, {metric.why}"
    if metric.n_excluded:
        worst, best = show(name, metric.worst), show(name, metric.best)
        return f"{metric.n_excluded} failed and are left out; with them from {worst} to {best}"
    return ""


def sentence(metrics: Mapping[str, Metric]) -> str:
    """What accuracy and reasons say together, in numbers; '' where either was not measured."""
    accuracy, spurious = metrics["accuracy"].value, metrics["s_rc@0+"].value
    if accuracy is None or spurious is None:
        return ""
    return (
        f"It picks the right response {100 * accuracy:.0f} % of the time, and "
        f"{100 * spurious:.0f} % of those verdicts come without a single reason that the "
        "references hold."
    )


def stopped_sentence(sequential: Mapping[str, Any]) -> str:
    """How far a run that stopped by its results went, and what that does to its intervals."""
    used, planned = sequential["groups_used"], sequential["groups_planned"]
    went = (
        f"Every rule of the policy {sequential['policy']['name']} was decided after {used:,} of "
        f"{planned:,} groups"
        if sequential["decided"]
        else f"All {planned:,} groups were used, and not every rule was decided"
    )
    return f"{went}. Intervals hold at every time, so they are wider than at a fixed size."
