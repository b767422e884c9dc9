"""What lists that read nothing earn, and what is above them, against hand-worked numbers."""

from __future__ import annotations

import pytest
from support.metrics_rows import Item, Row, item, no_answer, row, table

from rmaudit.metrics.audit import compute_metrics, compute_slices
from rmaudit.metrics.findings import Finding, find
from rmaudit.metrics.null_scores import NOT_SCORED, ItemNulls, NullScore, NullsMeasured
from rmaudit.metrics.table import Table
from rmaudit.records import Metric

NAMES = ("rc.null", "rc.null_precision", "rc.above_null", "rc.above_null_precision")
Scores = tuple[float | None, float | None]


def lists(half: int, x: Scores, y: Scores) -> ItemNulls:
    """(rc, precision) of two lists."""
    return ItemNulls(half, {"x": NullScore(*x), "y": NullScore(*y)})


def measured(**items: ItemNulls) -> NullsMeasured:
    return NullsMeasured(("x", "y"), items)


# Half 0 alone would choose x for rc (.5 against .125), half 1 y (.125 against .75). So half 1 is
# measured with x, half 0 with y. For precision it is y (.25, .3) and x (.75, .5), the other way.
FOUR = measured(
    i0=lists(0, (0.5, 0.25), (0.25, 0.4)),
    i1=lists(0, (0.5, 0.25), (0.0, 0.2)),
    i2=lists(1, (0.0, 0.75), (0.75, 0.5)),
    i3=lists(1, (0.25, 0.75), (0.75, 0.5)),
)


def four(*, i0: Row | None = None, **more: float) -> list[Item]:
    """Four items, n = m = 4 unless said, so that precision is rc."""
    return [
        item("i0", i0 or row("a", rc=0.5, m=4)),
        item("i1", row("a", rc=1.0, m=4)),
        item("i2", row("a", rc=0.5, m=4)),
        item("i3", row("a", rc=0.25, m=4)),
    ]


def values(data: Table) -> list[Metric]:
    return list(compute_metrics(data, resamples=200, names=NAMES).values())


def test_each_half_is_measured_with_the_list_chosen_on_the_other() -> None:
    null, precision, above, above_precision = values(table(*four(), nulls=FOUR))
    # y on half 0: .25, .0; x on half 1: .0, .25.
    assert null.value == pytest.approx(0.125)
    assert (null.n, null.n_excluded, null.worst, null.best) == (4, 0, 0.125, 0.125)
    assert null.why.startswith("the best list is x on one half of the groups, y on the other")
    # x on half 0: .25, .25; y on half 1: .5, .5.
    assert precision.value == pytest.approx(0.375)
    # rc - null: .25, 1, .5, 0 over 1 - null: .75, 1, 1, .75.
    assert above.value == pytest.approx(1.75 / 3.5)
    assert above.value == pytest.approx((0.5625 - 0.125) / (1 - 0.125))
    # precision - list: .25, .75, 0, -.25 over .75, .75, .5, .5.
    assert above_precision.value == pytest.approx(0.75 / 2.5)


def test_a_failed_list_is_left_out_and_bounded() -> None:
    failed = measured(**(dict(FOUR.items) | {"i0": lists(0, (0.5, 0.25), (None, None))}))
    null, _, above, _ = values(table(*four(), nulls=failed))
    # Half 0 still chooses x (.5 against 0), so i0 is the one item that is lost.
    assert (null.n, null.n_excluded) == (3, 1)
    assert null.value == pytest.approx(0.25 / 3)
    assert (null.worst, null.best) == pytest.approx((0.25 / 4, 1.25 / 4))
    # Known: 1, .5, 0 over 1, 1, .75. Lost: -1 over 0, or 1 over 1.
    assert (above.n, above.n_excluded) == (3, 1)
    assert above.value == pytest.approx(1.5 / 2.75)
    assert (above.worst, above.best) == pytest.approx((0.5 / 2.75, 2.5 / 3.75))


def test_pairs_are_those_of_the_same_items() -> None:
    silent = table(*four(i0=no_answer()), item("i4", row("a", rc=1.0)), nulls=FOUR)
    null, _, above, _ = values(silent)
    assert (null.value, null.n) == (0.125, 4)  # a list needs no answer of the model
    # i4 was not drawn, and i0 not answered: 1, .5, 0 over 1, 1, .75.
    assert (above.value, above.n, above.n_excluded) == (pytest.approx(1.5 / 2.75), 3, 1)


def test_the_error_is_that_of_differences() -> None:
    """Where every item earns what its list earns, nothing is above it, and no noise says so."""
    nulls = measured(**{f"i{k}": lists(k % 2, (k / 40, 0.5), (0.0, 0.0)) for k in range(20)})
    data = table(*[item(f"i{k}", row("a", rc=k / 40, m=4)) for k in range(20)], nulls=nulls)
    found = compute_metrics(data, resamples=200, names=["rc", "rc.above_null"])
    above = found["rc.above_null"]
    assert above.value == 0.0
    assert "every group gives this value" in above.why
    rc = found["rc"]
    assert rc.low is not None
    assert rc.high is not None
    assert rc.high - rc.low > 0.1


def test_an_empty_list_has_no_precision() -> None:
    some = measured(
        i0=lists(0, (0.5, 0.5), (0.0, None)),
        i1=lists(0, (0.5, 0.5), (0.0, None)),
        i2=lists(1, (0.5, 0.5), (0.0, None)),
        i3=lists(1, (0.0, None), (0.0, None)),
    )
    null, precision, _, above_precision = values(table(*four(), nulls=some))
    assert (null.value, null.n) == (0.375, 4)
    assert (precision.value, precision.n, precision.n_excluded) == (0.5, 3, 0)
    # Precision .5, 1, .5 against .5 each; i3 has nothing to compare with.
    assert (above_precision.value, above_precision.n) == (pytest.approx(0.5 / 1.5), 3)


def test_why_there_is_no_value() -> None:
    one = measured(i0=FOUR.items["i0"])
    all_ = lists(0, (1.0, 1.0), (1.0, 1.0))
    everything = measured(i0=all_, i1=all_, i2=lists(1, (1.0, 1.0), (1.0, 1.0)))
    for nulls, why in (
        (NullsMeasured(why=NOT_SCORED), NOT_SCORED),
        (NullsMeasured(why="the judge is recorded"), "the judge is recorded"),
        (measured(), "no list that reads nothing was scored on these items"),
        (one, "the best list is chosen on other groups than it is measured on"),
    ):
        for metric in values(table(*four(), nulls=nulls)):
            assert metric.value is None
            assert metric.why.startswith(why)
    null, _, above, _ = values(table(*four(), nulls=everything))
    assert null.value == 1.0
    assert above.value is None
    assert above.why.startswith("a list that reads nothing earns everything")


def test_a_domain_chooses_for_itself() -> None:
    items = [item(f"i{k}", row("a", rc=0.5, m=4), domain="xy"[k % 2]) for k in range(8)]
    best = {0: ((0.5, 0.5), (0.0, 0.0)), 1: ((0.0, 0.0), (0.25, 0.25))}
    nulls = measured(**{f"i{k}": lists(k // 2 % 2, *best[k % 2]) for k in range(8)})
    found = compute_slices(table(*items, nulls=nulls), resamples=100, names=["rc.null"])
    assert {domain: slice_["rc.null"].value for domain, slice_ in found.items()} == {
        "x": 0.5,
        "y": 0.25,
    }
    assert found["x"]["rc.null"].why.startswith("the best list is x")
    alone = table(*[one for one in items if one.result.domain == "y"], nulls=nulls)
    assert (
        compute_metrics(alone, resamples=100, names=["rc.null"])["rc.null"]
        == (found["y"]["rc.null"])
    )


def named(rc: float, precision: float) -> Finding:
    """The claim on 40 items where lists earn .5 by both, and the model so much."""
    n, m = 4, round(rc * 4 / precision)
    items = [item(f"i{k}", row("a", rc=rc, ap=rc, reuse=rc, n=n, m=m)) for k in range(40)]
    nulls = measured(**{f"i{k}": lists(k % 2, (0.5, 0.5), (0.25, 0.25)) for k in range(40)})
    found = find(table(*items, nulls=nulls))
    return next(one for one in found.tested if one.key == "differences")


def test_the_finding_needs_both_to_be_no_better() -> None:
    bot = named(0.5, 0.5)
    # All 40 groups say 0, at most 1, bar .1: ((1 - .1) / (1 - 0)) ** 40 = .0148 for each.
    assert bot.p == pytest.approx(0.9**40)
    assert "recover 0% (at most" in bot.sentence
    below = named(0.25, 0.25)
    # (.25 - .5) / .5 = -.5: ((1 - .1) / (1 + .5)) ** 40.
    assert below.p == pytest.approx((0.9 / 1.5) ** 40)
    assert below.named
    assert not named(0.5, 1.0).named  # as many references in half as many reasons
    assert not named(0.75, 0.5).named  # more references
    assert not named(1.0, 1.0).named
