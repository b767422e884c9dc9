"""The few numbers of a run that a terminal shows, formatted; and what they say in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from rmaudit.metrics.formats import show, show_interval
from rmaudit.metrics.registry import (
    REGISTRY,
    label_of,
    of_another_kind,
    one_of_each_family,
    shown_in,
)
from rmaudit.records import Metric
from rmaudit.taxonomy import NOT_ASKED


class Headline(NamedTuple):
    """One row of the summary. `remark` is a sentence under the table, '' where there is none."""

    key: str
    label: str
    value: str
    interval: str
    n: str
    beside: str
    remark: str


def summary_lines(
    metrics: Mapping[str, Metric],
    *,
    every: bool = False,
    first: Sequence[str] = (),
    unfit: Callable[[str], str] = lambda name: "",
) -> list[Headline]:
    """The headline metrics, or all of them; `first` are those that come before all others.

    unfit: says why a metric rests on labels that are too bad for a headline.
    """
    if every:
        return [summary_line(name, metrics)._replace(label=name) for name in metrics]
    fit = {name: metric for name, metric in metrics.items() if not unfit(name)}
    names = [*(name for name in first if name in metrics), *headline(fit)]
    return [summary_line(name, metrics) for name in dict.fromkeys(names)]


def without_absent(
    lines: Sequence[Headline], metrics: Mapping[str, Metric]
) -> tuple[list[Headline], list[str]]:
    """The rows that have a value, and a sentence for those that do not apply, by their reason."""
    absent: dict[str, list[str]] = {}
    for line in lines:
        metric = metrics[line.key]
        if metric.value is None and not metric.n_excluded:
            absent.setdefault(metric.why, []).append(line.label.strip())
    gone = {name for names in absent.values() for name in names}
    kept = [line for line in lines if line.label.strip() not in gone]
    return kept, [f"not applicable, {why}: {', '.join(names)}" for why, names in absent.items()]


def summary_line(name: str, metrics: Mapping[str, Metric]) -> Headline:
    """The row of one metric."""
    return Headline(
        key=name,
        label=_label(name),
        value=show(name, metrics[name].value),
        interval=_interval(name, metrics[name]),
        n=f"{metrics[name].n:,}",
        beside=_beside(name, metrics),
        remark=_remark(name, metrics),
    )


def headline(*runs: Mapping[str, Metric]) -> list[str]:
    """The keys of the headline metrics that all runs have, the most frequent flaw among them.

    Left out: those of a measure that no run was asked for, and those of another kind of model.
    """
    other = of_another_kind(runs)
    names = [
        name
        for name in shown_in("terminal")
        if name not in other
        and all(name in metrics for metrics in runs)
        and not all(metrics[name].why.startswith(NOT_ASKED) for metrics in runs)
    ]
    return one_of_each_family(names, runs)


def _label(name: str) -> str:
    inset = name in REGISTRY and REGISTRY[name].inset
    return f"  {label_of(name)}" if inset else label_of(name)


def _interval(name: str, metric: Metric) -> str:
    if metric.low is None or metric.high is None:
        return "–" if metric.value is not None else ""
    return show_interval(name, metric.low, metric.high)


def _beside(name: str, metrics: Mapping[str, Metric]) -> str:
    """What stands beside a value: what it is to be seen against, or its key."""
    if name not in REGISTRY:
        return ""
    spec = REGISTRY[name]
    words = [name] if spec.keyed else []
    words += [
        f"{word} {show(name, value)}"
        for word, value in seen_against(name, metrics, terminal="column")
    ]
    return ", ".join(words)


def seen_against(
    name: str,
    metrics: Mapping[str, Metric],
    *,
    terminal: Literal["column", "below"] | None = None,
) -> Iterator[tuple[str, float]]:
    """What a value is to be seen against: words and values.

    Args:
        name: the metric.
        metrics: of its run.
        terminal: only what stands there in the summary of a scan; default everything.
    """
    beside = REGISTRY[name].beside if name in REGISTRY else ()
    shown = one_of_each_family([one.key for one in beside], [metrics])
    for one in beside:
        if one.key not in shown or (terminal and one.terminal != terminal):
            continue
        value = metrics[one.key].value if one.key in metrics else None
        if value is not None and value != one.unless:
            yield one.word, value


def _remark(name: str, metrics: Mapping[str, Metric]) -> str:
    """Why there is no value, what failed rows could do to it, and what it is to be seen against."""
    metric = metrics[name]
    if metric.value is None:
        return f"not applicable, {metric.why}"
    told = [
        f"{word} {show(name, value)}"
        for word, value in seen_against(name, metrics, terminal="below")
    ]
    if metric.n_excluded:
        worst, best = show(name, metric.worst), show(name, metric.best)
        told.append(
            f"{metric.n_excluded} failed and are left out; with them from {worst} to {best}"
        )
    return "; ".join(told)


def sentence(metrics: Mapping[str, Metric], *, misses: bool = False) -> str:
    """What accuracy and reasons say together, in numbers; '' where either was not measured.

    `misses`: the judge is known to miss many right reasons, so none that it misses accuses.
    """
    accuracy, spurious = metrics["accuracy"].value, metrics["s_rc@0+"].value
    if accuracy is None or spurious is None:
        return ""
    if misses:
        return (
            f"It picks the right response {100 * accuracy:.0f} % of the time; on "
            f"{100 * (1 - spurious):.0f} % of those verdicts the judge found a reason that the "
            "references hold."
        )
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
