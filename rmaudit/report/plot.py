"""Geometry of the dot-and-whisker rows: everything lies on one axis from 0 to 100 percent.

Coordinates are text with one decimal, so that a report is the same bytes each time.
"""

from __future__ import annotations

from dataclasses import dataclass

from rmaudit.records import Metric
from rmaudit.summary import POINTS, show

WIDTH, HEIGHT, PAD = 300, 20, 8
MIDDLE = 0.5

Span = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Plot:
    """Where one metric is drawn, in x coordinates of a drawing of WIDTH.

    label: the same in words. dot: the value. whisker: the 95% interval. bounds: worst to best,
    where something was left out. mark: a value to compare with. below: the value is under 0 and
    is drawn at 0.
    """

    label: str
    dot: str
    whisker: Span | None
    bounds: Span | None
    mark: str | None
    below: bool


def place(share: float) -> str:
    """The x coordinate of a share; what is off the axis lies at its end."""
    return f"{PAD + min(max(share, 0.0), 1.0) * (WIDTH - 2 * PAD):.1f}"


def plot(name: str, metric: Metric, *, chance: float | None = None) -> Plot | None:
    """The drawing of a metric, None where it has no value.

    A bias in points is drawn around the middle: +10 points lie at 60, and the mark at 50 is no
    bias. `chance` is the value that carries a mark for the other metrics.
    """
    if metric.value is None:
        return None
    shift = MIDDLE if name in POINTS else 0.0

    def span(first: float | None, second: float | None) -> Span | None:
        if first is None or second is None:
            return None
        low, high = sorted((first, second))
        return place(low + shift), place(high + shift)

    compared = MIDDLE if name in POINTS else chance
    return Plot(
        label=_words(name, metric),
        dot=place(metric.value + shift),
        whisker=span(metric.low, metric.high),
        bounds=span(metric.worst, metric.best) if metric.n_excluded else None,
        mark=None if compared is None else place(compared),
        below=metric.value + shift < 0,
    )


def _words(name: str, metric: Metric) -> str:
    words = show(name, metric.value)
    if metric.low is not None and metric.high is not None:
        words += f", 95 percent interval {show(name, metric.low)} to {show(name, metric.high)}"
    return words
