"""Metrics that are no ratio of sums: the same draws, the same intervals, no false certainty."""

from __future__ import annotations

import numpy as np
import pytest
from support.metrics_rows import Item, item, row, table

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.estimand import Smooth
from rmaudit.metrics.outcome import right
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.stats import ratio
from rmaudit.metrics.table import Table
from rmaudit.records import Metric


def smooth_accuracy(table: Table) -> Smooth:
    """Accuracy over rows as a function of three sums, one of which it does not need."""
    hit = right(table).astype(np.float64)
    columns = np.column_stack([np.full_like(hit, 7.0), hit, np.ones_like(hit)])
    return Smooth(table.rows.group, columns, last_two, len(hit), 0, 0.0, 1.0, "no rows")


def last_two(sums: FloatArray) -> FloatArray:
    return ratio(sums[..., 1:])


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = MetricSpec(
        "smooth",
        "share",
        "higher",
        "A test.",
        smooth_accuracy,
        reader=None,
        alike=("verdicts",),
        topic="Verdicts",
    )
    monkeypatch.setitem(REGISTRY, "smooth", spec)


def both(*items: Item) -> tuple[Metric, Metric]:
    found = compute_metrics(table(*items), resamples=300, names=["smooth", "accuracy"])
    return found["smooth"], found["accuracy"]


def test_a_ratio_written_as_a_smooth_function_has_about_the_interval_of_the_ratio() -> None:
    """Two rows an item, so that neither has a closed form: same draws, another correction.

    A ratio is known to lie between 0 and 1, and its bounds count one item at either end; 1 / 31 of
    a width of .25 at most.
    """
    items = [
        item(f"i{k}", row("a" if k % 3 else "b"), row("a" if k % 5 else "b", order="ba"))
        for k in range(30)
    ]
    smooth, plain = both(*items)
    assert smooth.value == plain.value
    assert (smooth.low, smooth.high) == pytest.approx((plain.low, plain.high), abs=0.03)


def test_no_width_in_any_resample_is_no_certainty() -> None:
    smooth, plain = both(*[item(f"i{k}", row("a"), row("a", order="ba")) for k in range(10)])
    assert (smooth.low, smooth.high) == (plain.low, plain.high)
    assert smooth.low == pytest.approx(1 - 0.3085, abs=1e-4)  # Clopper-Pearson, 10 of 10


def test_no_rows() -> None:
    smooth, _ = both()
    assert (smooth.value, smooth.low, smooth.high, smooth.why) == (None, None, None, "no items")
