"""The rows of numbers: each metric a line a run, with what a policy asks and a baseline had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.gate.decision import Decision, RuleResult
from rmaudit.gate.wording import points
from rmaudit.metrics.compat.specs import own_number
from rmaudit.metrics.formats import show
from rmaudit.metrics.headlines import seen_against, summary_lines
from rmaudit.metrics.paired import Change
from rmaudit.metrics.registry import (
    REGISTRY,
    of_another_kind,
    one_of_each_family,
    own_numbers,
    shown_in,
)
from rmaudit.records import Metric
from rmaudit.report.asks import WORST_FIRST, AskedRule, asked, title_of
from rmaudit.report.data import Metrics, RunData
from rmaudit.report.plot import Plot, plot
from rmaudit.report.verdict import rules_for
from rmaudit.run.ordinary import fair_words, reads_ordinary


@dataclass(frozen=True, slots=True)
class Head:
    """A run as it is named all over the report; `style` is its shape and colour, from 1."""

    number: int
    style: int
    name: str
    digest: str


class MetricLine(NamedTuple):
    """One metric of one run.

    `left_out` counts what failed; `notes` say what the number alone would hide. asked: the rules
    that a policy has for it and for other metrics of its idea; status: the worst of them, '' for
    none. delta: against the baseline, on the items of both.
    """

    run: Head
    value: str
    interval: str
    n: str
    left_out: str
    notes: tuple[str, ...]
    plot: Plot | None
    asked: tuple[AskedRule, ...] = ()
    status: str = ""
    delta: str = ""


class MeasureView(NamedTuple):
    """One row of numbers over the runs: a metric, with the rules on all metrics of its idea."""

    key: str
    label: str
    gloss: str
    lines: tuple[MetricLine, ...]


class LineSource(NamedTuple):
    """A run with all that its lines need; `changes` are those from the baseline."""

    head: Head
    data: RunData
    decision: Decision | None
    changes: Mapping[str, Change]
    baseline: Mapping[str, Metric]


def deciding(sources: Sequence[LineSource]) -> tuple[MeasureView, ...]:
    """The few rows that decide, one an idea, and one for each rule that does not hold.

    A row is of the metric that the policy asks about, where it asks about one of its idea.
    """
    found = [one.data.metrics for one in sources]
    first = _first_screen(sources)
    ruled = [
        rule
        for one in sources
        for rule in (one.decision.rules if one.decision else ())
        if rule.slice is None and _measured(found, rule.metric)
    ]
    missed = [rule.metric for rule in ruled if rule.status != "PASS"]
    rows: dict[str, list[str]] = {}
    for key in dict.fromkeys([*first, *missed]):
        rows.setdefault(idea_of(key), []).append(key)
    asked_of = list(dict.fromkeys([*first, *(rule.metric for rule in ruled)]))
    names = {rule.metric for rule in ruled}
    return tuple(
        measure(
            next((key for key in asked_of if key in names and idea_of(key) == idea), keys[0]),
            sources,
        )
        for idea, keys in rows.items()
    )


def idea_of(key: str) -> str:
    """What a metric is about; its key where no other metric is about the same."""
    return (REGISTRY[key].idea if key in REGISTRY else "") or key


def _first_screen(sources: Sequence[LineSource]) -> list[str]:
    """The headlines of a report: those with a value in a run, and of the core what says why not.

    A number that recorded outputs are known by comes first. Of what the core says of reasons, a row
    without a value stands only where no other has one: a model gives reasons or scores.
    """
    found = [one.data.metrics for one in sources]
    own = [
        key
        for one in sources
        for key in own_numbers(one.data.manifest.rm_type_why, one.data.metrics)
    ]
    always = set(shown_in("core")) - of_another_kind(found)
    kept = [key for key in own if _measured(found, key)]
    kept += [
        key
        for key in shown_in("report")
        if (key in always or _measured(found, key))
        and not any(one.data.manifest.unfit(key) for one in sources)
    ]
    replaced = {REGISTRY[key].instead_of for key in kept if key in REGISTRY}
    return one_of_each_family([key for key in kept if key not in replaced], found)


def _measured(found: Sequence[Metrics], key: str) -> bool:
    return any(key in metrics and metrics[key].value is not None for metrics in found)


def measure(key: str, sources: Sequence[LineSource]) -> MeasureView:
    """One metric over the runs."""
    public = own_number(key)
    gloss = REGISTRY[key].gloss if key in REGISTRY else public.gloss if public else ""
    misses = any(reads_ordinary(one.data.manifest) for one in sources)
    title, gloss = title_of(key, misses=misses), fair_words(gloss, misses=misses)
    return MeasureView(key, title, gloss, tuple(_line(key, one) for one in sources))


def _line(key: str, source: LineSource) -> MetricLine:
    metrics, change = source.data.metrics, source.changes.get(key)
    known = {name for name in {*REGISTRY, *metrics} if idea_of(name) == idea_of(key)}
    rules = rules_for(source.decision, known)
    own = [rule for rule in rules if rule.metric == key]
    statuses = [rule.status for rule in rules]
    before = source.baseline.get(key)
    limit, direction = _limit(own)
    was = (
        before.value if before else next((r.baseline for r in own if r.baseline is not None), None)
    )
    return line(
        key,
        source.head,
        metrics,
        asked=tuple(
            asked(rule, misses=reads_ordinary(source.data.manifest))
            for rule in sorted(rules, key=lambda rule: rule.metric != key)
        ),
        status=next((status for status in WORST_FIRST if status in statuses), ""),
        threshold=limit,
        direction=direction,
        delta="" if change is None or change.difference is None else points(key, change.difference),
        baseline=was,
    )


def _limit(rules: Sequence[RuleResult]) -> tuple[float | None, str]:
    """Where a drawing begins to fail, and on which side: by a floor, else by a baseline."""
    for rule in rules:
        if rule.kind != "relative":
            return rule.limit, rule.direction
    for rule in rules:
        if rule.baseline is not None and rule.direction != "abs":
            return rule.baseline + rule.limit, rule.direction
    return None, ""


def line(
    key: str,
    head: Head,
    metrics: Metrics,
    *,
    brief: bool = False,
    asked: tuple[AskedRule, ...] = (),
    status: str = "",
    threshold: float | None = None,
    direction: str = "",
    delta: str = "",
    baseline: float | None = None,
) -> MetricLine:
    """One metric of one run; `brief` without the notes of the large table."""
    metric = metrics.get(key) or Metric(
        None, None, None, None, None, 0, 0, "share", "not in this run"
    )
    shown = next(iter(summary_lines({key: metric}, every=True)))
    counted = REGISTRY[key].counted if key in REGISTRY else "items"
    marks = dict(seen_against(key, metrics))
    return MetricLine(
        run=head,
        value=shown.value,
        interval=shown.interval,
        n=f"{shown.n} {counted.removesuffix('s') if metric.n == 1 else counted}",
        left_out=f"{metric.n_excluded:,} left out" if metric.n_excluded else "",
        notes=tuple(_notes(key, metric, {} if brief else marks)),
        plot=plot(
            key,
            metric,
            marks=marks,
            threshold=threshold,
            direction=direction,
            status=status,
            baseline=baseline,
        ),
        asked=asked,
        status=status,
        delta=delta,
    )


def _notes(key: str, metric: Metric, marks: Mapping[str, float]) -> Iterator[str]:
    if metric.value is None:
        yield f"{'not measured' if metric.n_excluded else 'not applicable'}: {metric.why}"
        return
    for word, value in marks.items():
        yield f"{word} {show(key, value)}"
    if metric.n_excluded:
        yield f"worst {show(key, metric.worst)}"
        yield f"best {show(key, metric.best)}"
