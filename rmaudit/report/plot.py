"""Geometry of the dot-and-whisker rows: everything lies on one axis from 0 to 100 percent.

Coordinates are text with one decimal, so that a report is the same bytes each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rmaudit.metrics.formats import format_of, is_share, show
from rmaudit.records import Metric

WIDTH, HEIGHT, PAD = 300, 26, 8
MIDDLE = 0.5

Span = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Plot:
    """Where one metric is drawn, in x coordinates of a drawing of WIDTH.

    label: the same in words. dot: the value. whisker: the 95% interval. bounds: worst to best,
    where something was left out. mark: no bias. marks: values to see it against. tick, zone: the
    threshold of a rule and the side of it that fails (start and width). baseline: what an earlier
    run had. status: of the rule. below: the value is under 0 and is drawn at 0.
    """

    label: str
    dot: str
    whisker: Span | None
    bounds: Span | None
    mark: str | None
    marks: tuple[str, ...]
    tick: str | None
    zones: tuple[Span, ...]
    baseline: str | None
    status: str
    below: bool


def place(share: float) -> str:
    """The x coordinate of a share; what is off the axis lies at its end."""
    return f"{_at(share):.1f}"


def _at(share: float) -> float:
    return PAD + min(max(share, 0.0), 1.0) * (WIDTH - 2 * PAD)


def plot(
    name: str,
    metric: Metric,
    *,
    marks: Mapping[str, float] | None = None,
    threshold: float | None = None,
    direction: str = "",
    status: str = "",
    baseline: float | None = None,
) -> Plot | None:
    """The drawing of a metric, None where it has no value, or is no share of anything.

    A bias in points is drawn around the middle: +10 points lie at 60, and the mark at 50 is no
    bias.
    """
    if metric.value is None or not is_share(name):
        return None
    around = format_of(name) == "points"
    shift = MIDDLE if around else 0.0

    def span(first: float | None, second: float | None) -> Span | None:
        if first is None or second is None:
            return None
        low, high = sorted((first, second))
        return place(low + shift), place(high + shift)

    return Plot(
        label=_words(name, metric, threshold),
        dot=place(metric.value + shift),
        whisker=span(metric.low, metric.high),
        bounds=span(metric.worst, metric.best) if metric.n_excluded else None,
        mark=place(MIDDLE) if around else None,
        marks=tuple(place(value + shift) for value in (marks or {}).values()),
        tick=None if threshold is None or direction == "abs" else place(threshold + shift),
        zones=tuple(_zones(threshold, direction, shift)),
        baseline=None if baseline is None else place(baseline + shift),
        status=status,
        below=metric.value + shift < 0,
    )


def _zones(threshold: float | None, direction: str, shift: float) -> list[Span]:
    """Where a rule fails: start and width."""
    if threshold is None:
        return []
    ends = {
        "min": [(0.0, threshold + shift)],
        "max": [(threshold + shift, 1.0)],
        "abs": [(0.0, shift - threshold), (shift + threshold, 1.0)],
    }.get(direction, [])
    return [(place(low), f"{_at(high) - _at(low):.1f}") for low, high in ends]


def _words(name: str, metric: Metric, threshold: float | None) -> str:
    words = show(name, metric.value)
    if metric.low is not None and metric.high is not None:
        words += f", 95 percent interval {show(name, metric.low)} to {show(name, metric.high)}"
    if threshold is not None:
        words += f", threshold {show(name, threshold)}"
    return words
