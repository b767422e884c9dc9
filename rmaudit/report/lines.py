"""The rows of numbers: each metric a line a run, with what a policy asks and a baseline had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.gate.decision import Decision
from rmaudit.gate.wording import points
from rmaudit.metrics.formats import show
from rmaudit.metrics.headlines import seen_against, summary_lines
from rmaudit.metrics.paired import Change
from rmaudit.metrics.registry import REGISTRY, one_of_each_family, shown_in
from rmaudit.records import Metric
from rmaudit.report.data import Metrics, RunData
from rmaudit.report.plot import Plot, plot
from rmaudit.report.verdict import SHAPES, limit_words, rule_for


@dataclass(frozen=True, slots=True)
class Head:
    """A run as it is named all over the report; `style` is its shape and colour, from 1."""

    number: int
    style: int
    name: str
    digest: str


class MetricLine(NamedTuple):
    """One metric of one run.

    `left_out` counts what failed; `notes` say what the number alone would hide. required, status:
    of the rule that a policy has for it. delta: against the baseline, on the items of both.
    """

    run: Head
    value: str
    interval: str
    n: str
    left_out: str
    notes: tuple[str, ...]
    plot: Plot | None
    required: str = ""
    status: str = ""
    shape: str = ""
    delta: str = ""


class MeasureView(NamedTuple):
    """One metric over the runs."""

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
    """The few rows that decide, and each that a rule fails on."""
    found = [one.data.metrics for one in sources]
    kept = _first_screen(found)
    for one in sources:
        for rule in one.decision.rules if one.decision else ():
            if rule.status != "PASS" and rule.slice is None and _measured(found, rule.metric):
                kept.append(rule.metric)
    return tuple(measure(key, sources) for key in dict.fromkeys(kept))


def _first_screen(found: Sequence[Metrics]) -> list[str]:
    """The headlines of a report: those with a value in a run, the core in any case."""
    always = shown_in("core")
    kept = [key for key in shown_in("report") if key in always or _measured(found, key)]
    replaced = {REGISTRY[key].instead_of for key in kept}
    return one_of_each_family([key for key in kept if key not in replaced], found)


def _measured(found: Sequence[Metrics], key: str) -> bool:
    return any(key in metrics and metrics[key].value is not None for metrics in found)


def words_for(key: str) -> tuple[str, str]:
    """Name and gloss of a metric; one without a name has its key."""
    name, gloss = (REGISTRY[key].title, REGISTRY[key].gloss) if key in REGISTRY else ("", "")
    return name or f"{key[0].upper()}{key[1:]}", gloss


def measure(key: str, sources: Sequence[LineSource]) -> MeasureView:
    """One metric over the runs."""
    label, gloss = words_for(key)
    return MeasureView(key, label, gloss, tuple(_line(key, one) for one in sources))


def _line(key: str, source: LineSource) -> MetricLine:
    metrics, rule = source.data.metrics, rule_for(source.decision, key)
    change, before = source.changes.get(key), source.baseline.get(key)
    return line(
        key,
        source.head,
        metrics,
        required=limit_words(rule) if rule else "",
        status=rule.status if rule else "",
        threshold=rule.limit if rule and rule.kind == "absolute" else None,
        direction=rule.direction if rule else "",
        delta="" if change is None or change.difference is None else points(key, change.difference),
        baseline=before.value if before else None,
    )


def line(
    key: str,
    head: Head,
    metrics: Metrics,
    *,
    brief: bool = False,
    required: str = "",
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
        required=required,
        status=status,
        shape=SHAPES[status] if status else "",
        delta=delta,
    )


def _notes(key: str, metric: Metric, marks: Mapping[str, float]) -> Iterator[str]:
    if metric.value is None:
        yield f"{'not measured' if metric.n_excluded else 'not applicable'}: {metric.why}"
        return
    for word, value in marks.items():
        yield _together(f"{word} {show(key, value)}")
    if metric.n_excluded:
        yield _together(f"worst {show(key, metric.worst)}")
        yield _together(f"best {show(key, metric.best)}")


def _together(text: str) -> str:
    """Text that no line break parts."""
    return text.replace(" ", "\u00a0")
