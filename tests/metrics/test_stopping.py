"""Which metrics a run may stop on: what is assumed of each holds on runs of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.paired import align
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.stopping import (
    GroupLimits,
    paired_sequence,
    sequence,
    why_not,
    with_sequences,
)
from rmaudit.metrics.table import Table
from rmaudit.run.results import chance_partners
from rmaudit.run.table import TableSettings, table_of_rows
from rmaudit.selftest.gate_personas import PERSONAS, make, rows

SETTINGS = TableSettings(0, 5, gives_reasons=True, chance_items=None, labeler="synthetic")
N = 20
ITEMS = [
    item.model_copy(update={"group": f"group-{number // 2}"})
    for number, item in enumerate(make(N, ["general"]))
]
LIMITS = GroupLimits.of(
    [item.cluster for item in ITEMS], orders=2, samples=1, max_reasons=SETTINGS.max_reasons
)

FOLLOWED = [key for key, spec in REGISTRY.items() if spec.followed is not None]


def table(name: str) -> Table:
    made = rows(PERSONAS[name], ITEMS, chance_partners(ITEMS, seed=0))
    return table_of_rows(ITEMS, made.verdicts, made.matches, (), SETTINGS, labels=made.labels)[1]


def test_limits_by_hand() -> None:
    assert GroupLimits(items=2, rows=4, pairs=2, reasons=20) == LIMITS


SOME = ("always wrong", "mostly error", "the judge mostly fails", "picks the first", "ideal")


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one not in SOME)) for one in PERSONAS]
)
def test_every_group_is_within_its_limits(name: str) -> None:
    """A sequence refuses groups that its bounds would not hold for; its value is the metric."""
    found = table(name)
    metrics = compute_metrics(found, names=FOLLOWED, resamples=1)
    for metric in FOLLOWED:
        known = sequence(found, metric, LIMITS)
        if known is None:
            assert metrics[metric].value is None
        else:
            assert known.value == pytest.approx(metrics[metric].value), metric
            assert known.bound("lower", 0.95) <= known.value <= known.bound("upper", 0.95)


@pytest.mark.parametrize("name", ["always wrong", "mostly error", "the judge mostly fails"])
def test_differences_are_those_of_the_metric(name: str) -> None:
    codes = [(k, k) for k in range(len(ITEMS))]
    before, after = align((table("ideal"), table(name)), codes, [k // 2 for k in range(N)])
    for metric in FOLLOWED:
        if why_not(metric, relative=True):
            continue
        known, left_out = paired_sequence(before, after, metric, LIMITS)
        if known is not None and not left_out:
            values = [
                compute_metrics(one, names=[metric], resamples=1)[metric].value
                for one in (before, after)
            ]
            assert known.value == pytest.approx(np.subtract(*reversed(values))), metric


def test_what_cannot_be_followed_has_no_interval() -> None:
    found = table("ideal")
    metrics = with_sequences(compute_metrics(found, resamples=2), found, LIMITS)
    assert set(metrics) == set(REGISTRY)
    above = metrics["rc.above_chance"]
    assert (above.low, above.high) == (None, None)
    assert "every time" in above.why
    assert metrics["rc"].low is not None
    assert metrics["rc"].why == ""
