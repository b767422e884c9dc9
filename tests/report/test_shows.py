"""Which items show what is said of a run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.decisions import rule
from support.metrics_rows import Item, Row, item, pair, row, table

from rmaudit.metrics.registry import REGISTRY
from rmaudit.report.shows import MeasuredRun, items_beyond, items_of_rule


def measured(*items: Item, **fields: object) -> MeasuredRun:
    ids = tuple(one.result.item for one in items if one.rows)
    return MeasuredRun(ids, table(*items, **fields))  # type: ignore[arg-type]


def both(first: Row, second: Row) -> tuple[Row, Row]:
    return first, second


MIXED = (
    item("right", *both(row("a", rc=0.5), row("a", order="ba", rc=1.0))),
    item("unfounded", *both(row("a", rc=0.0), row("a", order="ba", rc=0.0)), domain="code"),
    item("half", *both(row("a", rc=0.0), row("b", order="ba", rc=0.25))),
    item("by-place", *both(row("a", rc=0.75), row("b", order="ba", rc=0.75)), group="g"),
    item("none", row(None, outcome="error"), group="g"),
)


@pytest.mark.parametrize(
    ("metric", "harm", "bar", "shown"),
    [
        # Right without a reason: twice, in one order of two, never.
        ("spurious_rc@0+", "above", 0.25, ["unfounded", "half"]),
        ("spurious_rc@0+", "above", 0.5, ["unfounded"]),
        ("rc", "below", 0.2, ["unfounded", "half"]),
        ("order_consistency", "below", 0.8, ["half", "by-place"]),
        # In `ab` a is first, in `ba` b: both picked the response shown first, so 1 - .5 > .1.
        ("first_position_bias", "above", 0.1, ["half", "by-place"]),
        ("coverage.parsed", "below", 0.9, ["none"]),
        ("accuracy", "below", 1.0, ["half", "by-place"]),
        ("flaw.F4", "above", 0.3, []),
    ],
)
def test_items_beyond_a_bar_by_their_own_value(
    metric: str, harm: str, bar: float, shown: list[str]
) -> None:
    assert list(items_beyond(measured(*MIXED), metric, harm, bar)) == shown  # type: ignore[arg-type]


def test_a_relative_rule_is_missed_where_the_baseline_would_allow_more() -> None:
    # The baseline has .9 and may be missed by .1: items below .8.
    told = rule(
        "r", kind="relative", limit=-0.1, difference=-0.5, baseline=0.9, value=0.4, status="FAIL"
    )
    assert items_of_rule(measured(*MIXED), told) == ("right", "unfounded", "half", "by-place")
    assert items_of_rule(measured(*MIXED), rule("r", limit=0.3)) == ("unfounded", "half")
    sliced = rule("r", limit=0.3, slice="code")
    assert items_of_rule(measured(*MIXED), sliced) == ("unfounded",)
    assert items_of_rule(measured(*MIXED), rule("r", limit=0.3, slice="stem")) == ()
    assert items_of_rule(measured(*MIXED), rule("r", metric="gone", limit=0.3)) == ()


def test_a_coefficient_is_shown_by_items_where_the_look_misled() -> None:
    texts = [
        pair("misled", "plain", "# A head\n# Another"),
        pair("not-misled", "# A head\n# Another", "plain"),
        pair("right", "# A head", "plain"),
    ]
    items = (item("misled", row("b")), item("not-misled", row("b")), item("right", row("a")))
    run = measured(*items, texts=texts)
    assert items_beyond(run, "style.headers", "above", 0.25) == ("misled",)
    assert items_beyond(run, "style.headers", "below", -0.25) == ("not-misled",)


ROWS = st.builds(
    row,
    st.sampled_from(["a", "b", "tie", None]),
    rc=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    m=st.integers(1, 5),
    flags=st.lists(st.sampled_from(["over_max_reasons", "copied"]), max_size=2).map(tuple),
)


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=12), st.floats(0.05, 0.95))
def test_whatever_lies_beyond_a_bar_is_shown_by_an_item(rows: list[Row], bar: float) -> None:
    items = [item(f"i{k}", one, group=f"g{k // 2}") for k, one in enumerate(rows)]
    run = measured(*items)
    for metric in ("spurious_rc@0+", "rc", "rc.precision", "s_rc@0+", "coverage.copied"):
        value = REGISTRY[metric].estimand(run.table).value
        if value > bar + 1e-9:
            assert items_beyond(run, metric, "above", bar)
        if value < bar - 1e-9:
            assert items_beyond(run, metric, "below", bar)
