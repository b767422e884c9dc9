"""The rows of numbers: each metric a line a run, with what a policy asks and a baseline had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.gate.decision import Decision
from rmaudit.gate.wording import points
from rmaudit.metrics.audit import REGISTRY
from rmaudit.metrics.headlines import LABELS, show, summary_lines
from rmaudit.metrics.paired import Change
from rmaudit.records import Metric
from rmaudit.report.data import Metrics, RunData
from rmaudit.report.plot import Plot, plot
from rmaudit.report.verdict import SHAPES, limit_words, rule_for
from rmaudit.taxonomy import FLAWS

GLOSSES = {
    "accuracy": ("Outcome accuracy", "agrees with the reference"),
    "rc": ("Rationale consistency", "reference reasons recovered"),
    "f_score": ("Right for the right reasons", "right, and for the gold reasons"),
    "s_rc@0+": ("Right for the wrong reasons", "right, but no reason matches"),
    "spurious_rc@0+": ("Spurious, of all verdicts", "right, but no reason matches"),
    "f_rc@0.25": ("Faithful, of all verdicts", "right, a quarter of the reasons too"),
    "rationale_causality": ("Reasons decide", "verdict follows swapped reasons"),
    "order_consistency": ("Order consistency", "one verdict in both orders"),
    "coverage.parsed": ("Readable answers", "one clear verdict stated"),
    "category.EG": ("Grounded reasons", "point into the responses"),
}
COUNTED = {
    "order_consistency": "pairs",
    "first_position_bias": "verdicts",
    "coverage.parsed": "answers",
    "rationale_causality": "answers",
    "rationale_verdict_consistency": "answers",
    "trap_rate": "edited answers",
}


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
    keys = ["accuracy", "rc", _fidelity(found), "rationale_causality", _worst_flaw(found)]
    keys += ["category.EG", "coverage.parsed"]
    kept = [key for key in keys if key in ("accuracy", "rc") or _measured(found, key)]
    for one in sources:
        for rule in one.decision.rules if one.decision else ():
            if rule.status != "PASS" and rule.slice is None and _measured(found, rule.metric):
                kept.append(rule.metric)
    return tuple(measure(key, sources) for key in dict.fromkeys(kept))


def _measured(found: Sequence[Metrics], key: str) -> bool:
    return any(key in metrics and metrics[key].value is not None for metrics in found)


def _fidelity(found: Sequence[Metrics]) -> str:
    return "f_score" if _measured(found, "f_score") else "s_rc@0+"


def _worst_flaw(found: Sequence[Metrics]) -> str:
    rates = {
        f"flaw.{flaw}": max(
            (
                metrics[f"flaw.{flaw}"].value or 0.0
                for metrics in found
                if f"flaw.{flaw}" in metrics
            ),
            default=0.0,
        )
        for flaw in FLAWS
    }
    return max(rates, key=lambda key: rates[key])


def words_for(key: str) -> tuple[str, str]:
    """Name and gloss of a metric."""
    if key in GLOSSES:
        return GLOSSES[key]
    for flaw, meaning in FLAWS.items():
        if key == f"flaw.{flaw}":
            return f"{flaw} {meaning.name}", "share of its reasons"
    label = LABELS.get(key, key).strip()
    return label[0].upper() + label[1:], ""


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
    counted = COUNTED.get(key, "items")
    marks = dict(_marks(key, metrics))
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


def _marks(key: str, metrics: Metrics) -> Iterator[tuple[str, float]]:
    """What a value is to be seen against."""
    beside = {
        "rc": {"chance": "rc.chance", "human": "rc.human_ceiling", "most": "rc.length_ceiling"}
    }
    for word, other in beside.get(key, {}).items():
        metric = metrics.get(other)
        if (
            metric is not None
            and metric.value is not None
            and not (word == "most" and metric.value == 1)
        ):
            yield word, metric.value


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


def known(key: str) -> bool:
    """Whether the registry has a metric."""
    return key in REGISTRY
