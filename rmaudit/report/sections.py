"""The sections below the first screen: plane, curves, flaws, everything measured, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rmaudit.gate.wording import points
from rmaudit.metrics.findings import Findings
from rmaudit.metrics.flaws import KINDS
from rmaudit.metrics.formats import show
from rmaudit.metrics.registry import REGISTRY, shown_in, topic_of
from rmaudit.metrics.spec import TOPICS, Topic
from rmaudit.records import Metric
from rmaudit.report.asks import title_of
from rmaudit.report.lines import LineSource, MetricLine, line
from rmaudit.report.links import NO_ITEMS, ItemsLink
from rmaudit.run.ordinary import reads_ordinary

PLANE = 240
"""Side of the accuracy-RC plane."""
TRAP = (0.5, 0.5)
"""Accuracy above, rationale consistency below: right answers, wrong reasons."""
BAR_WIDTH = 300


class PointView(NamedTuple):
    """A run in the plane; `whiskers` are the intervals, across and up."""

    style: int
    x: str
    y: str
    across: tuple[str, str] | None
    up: tuple[str, str] | None
    label: str


class Plane(NamedTuple):
    """Accuracy against rationale consistency; `chance` and `null` are heights.

    The human ceiling is on other references, so it has no place here.
    """

    points: tuple[PointView, ...]
    chance: str | None
    null: str | None


class BarView(NamedTuple):
    """A share of one run as a bar; `was` is where the baseline's ends, `delta` the change."""

    number: int
    style: int
    width: str
    value: str
    interval: str
    was: str
    delta: str


class Bars(NamedTuple):
    """One flaw or category over the runs; `why` where it has no value."""

    key: str
    label: str
    rule: str
    bars: tuple[BarView, ...]
    why: str


class CurveView(NamedTuple):
    """One metric over the runs, in the order given: points of a line, and its ends in words."""

    label: str
    number: int
    points: str
    dots: tuple[tuple[str, str], ...]
    first: str
    last: str


class Group(NamedTuple):
    """A group of metrics: those with a value, and why the others have none."""

    title: str
    rows: tuple[tuple[str, str, tuple[MetricLine, ...]], ...]
    absent: tuple[tuple[str, str], ...]


class FindingView(NamedTuple):
    """A named finding of a run; `link` leads to the items that show it."""

    number: int
    style: int
    name: str
    text: str
    link: ItemsLink = NO_ITEMS


def plane(sources: Sequence[LineSource]) -> Plane | None:
    """All runs in the plane; None where no run has both numbers."""
    points = []
    for one in sources:
        metrics = one.data.metrics
        accuracy, rc = metrics["accuracy"], metrics["rc"]
        if accuracy.value is None or rc.value is None:
            continue
        points.append(
            PointView(
                one.head.style,
                _x(accuracy.value),
                _y(rc.value),
                _both(accuracy, _x),
                _both(rc, _y),
                f"{one.head.number} {one.head.name}" if len(sources) > 1 else one.head.name,
            )
        )
    if not points:
        return None
    first = sources[0].data.metrics

    def height(name: str) -> str | None:
        metric = first.get(name)
        return None if metric is None or metric.value is None else _y(metric.value)

    return Plane(tuple(points), height("rc.chance"), height("rc.null"))


def _x(share: float) -> str:
    return f"{min(max(share, 0.0), 1.0) * PLANE:.1f}"


def _y(share: float) -> str:
    return f"{(1 - min(max(share, 0.0), 1.0)) * PLANE:.1f}"


def _both(metric: Metric, to: object) -> tuple[str, str] | None:
    if metric.low is None or metric.high is None or not callable(to):
        return None
    return to(metric.low), to(metric.high)


def flaw_bars(sources: Sequence[LineSource]) -> tuple[Bars, ...]:
    """Flaws, then categories; none where nothing was labelled."""
    found = [
        _bars(key, kind.name, kind.rule, sources)
        for key, kind in KINDS.items()
        if any(key in one.data.metrics for one in sources)
    ]
    return tuple(found) if any(one.bars for one in found) else ()


def _bars(key: str, label: str, rule: str, sources: Sequence[LineSource]) -> Bars:
    bars, why = [], ""
    for one in sources:
        metric = one.data.metrics.get(key)
        if metric is None or metric.value is None:
            why = why or (metric.why if metric else "not in this run")
            continue
        told = line(key, one.head, one.data.metrics)
        change, before = one.changes.get(key), one.baseline.get(key)
        difference = None if change is None else change.difference
        bars.append(
            BarView(
                one.head.number,
                one.head.style,
                _wide(metric.value),
                told.value,
                told.interval,
                "" if before is None or before.value is None else _wide(before.value),
                "" if difference is None else points(key, difference),
            )
        )
    return Bars(key, label, rule, tuple(bars), why)


def _wide(share: float) -> str:
    return f"{share * BAR_WIDTH:.1f}"


def curves(sources: Sequence[LineSource]) -> tuple[CurveView, ...]:
    """The deciding metrics over three runs or more, in the order in which they are given."""
    if len(sources) < 3:
        return ()
    found = []
    for number, key in enumerate(shown_in("report_curves"), start=1):
        values = [
            (place, metric.value)
            for place, one in enumerate(sources)
            if (metric := one.data.metrics.get(key)) is not None and metric.value is not None
        ]
        if len(values) < 3:
            continue
        dots = tuple((_x(place / (len(sources) - 1)), _y(value)) for place, value in values)
        found.append(
            CurveView(
                title_of(key, misses=any(reads_ordinary(one.data.manifest) for one in sources)),
                number,
                " ".join(f"{x},{y}" for x, y in dots),
                dots,
                show(key, values[0][1]),
                show(key, values[-1][1]),
            )
        )
    return tuple(found)


def everything(sources: Sequence[LineSource]) -> tuple[Group, ...]:
    """Every metric of the runs, by what it is about."""
    keys = list(dict.fromkeys(key for one in sources for key in one.data.metrics))
    placed: dict[Topic, list[str]] = {title: [] for title in TOPICS}
    for key in keys:
        placed[topic_of(key)].append(key)
    return tuple(_group(title, own, sources) for title, own in placed.items() if own)


def _group(title: str, keys: Sequence[str], sources: Sequence[LineSource]) -> Group:
    rows, absent = [], []
    for key in keys:
        found = [one.data.metrics[key] for one in sources if key in one.data.metrics]
        if all(metric.value is None for metric in found):
            absent.append((key, found[0].why))
            continue
        told = tuple(line(key, one.head, one.data.metrics, brief=True) for one in sources)
        rows.append((key, REGISTRY[key].definition if key in REGISTRY else "", told))
    return Group(title, tuple(rows), tuple(absent))


def named(found: Mapping[int, Findings], sources: Sequence[LineSource]) -> tuple[FindingView, ...]:
    """The findings that hold, run by run."""
    return tuple(
        FindingView(one.head.number, one.head.style, finding.name, finding.sentence)
        for one in sources
        if one.head.number in found
        for finding in found[one.head.number].named
    )
