"""Rationale consistency, chance and fidelity against hand-worked numbers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.metrics_rows import Item, item, no_answer, one_row_items, row, table

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.chance import derangement
from rmaudit.records import Metric


def measured(name: str, *items: Item, max_reasons: int = 5) -> Metric:
    data = table(*items, max_reasons=max_reasons)
    return compute_metrics(data, resamples=100, names=[name])[name]


def check(
    metric: Metric, value: float, *, n: int, excluded: int = 0, worst: float, best: float
) -> None:
    assert metric.value == pytest.approx(value)
    assert (metric.n, metric.n_excluded) == (n, excluded)
    assert (metric.worst, metric.best) == (pytest.approx(worst), pytest.approx(best))


def test_rc_counts_empty_answers_and_bounds_failures() -> None:
    rows = one_row_items(
        row(rc=0.5),
        row(rc=0.0, m=0, flags=("no_reasons",)),  # no reasons: 0, not dropped
        row(judge_failed=True),
        no_answer(),
        row(n=0),  # no references: not applicable, not excluded
    )
    # (.5 + 0) / 2; with the two failures 0 or 1: .5 / 4 and 2.5 / 4.
    check(measured("rc", *rows), 0.25, n=2, excluded=2, worst=0.125, best=0.625)


def test_rc_is_a_mean_of_item_means() -> None:
    # i1: (1 + 0 + lost) -> .5; i2: .5. Lost as 0: (1/3 + .5) / 2, as 1: (2/3 + .5) / 2.
    items = (
        item("i1", row(rc=1.0), row(rc=0.0, order="ba"), row(judge_failed=True, sample=1)),
        item("i2", row(rc=0.5)),
    )
    check(measured("rc", *items), 0.5, n=2, excluded=1, worst=5 / 12, best=7 / 12)


def test_survivors_and_precision_skip_empty_answers() -> None:
    rows = one_row_items(
        row(rc=0.5, n=4, m=5),  # S = 2, precision 2 / 5
        row(rc=1.0, n=2, m=2),  # S = 2, precision 1
        row(rc=0.0, m=0),
    )
    check(measured("rc.survivors", *rows), 0.75, n=2, worst=0.75, best=0.75)
    check(measured("rc.precision", *rows), 0.7, n=2, worst=0.7, best=0.7)
    check(measured("rc", *rows), 0.5, n=3, worst=0.5, best=0.5)


def test_length_ceiling() -> None:
    # 3 references fit into 5 reasons, of 7 only 5: (1 + 5/7) / 2. Failures do not matter.
    rows = one_row_items(row(rc=0.1, n=3), no_answer(n=7))
    expected = (1 + 5 / 7) / 2
    check(measured("rc.length_ceiling", *rows), expected, n=2, worst=expected, best=expected)


def test_reuse_gap() -> None:
    # .75 - .5 and .25 - .25; the third row has no reason to reuse: 0.
    rows = one_row_items(row(rc=0.5, reuse=0.75), row(rc=0.25, reuse=0.25), row(rc=0.0, m=0))
    check(measured("rc.reuse_gap", *rows), 0.25 / 3, n=3, worst=0.25 / 3, best=0.25 / 3)


def test_reuse_gap_is_better_when_lower() -> None:
    rows = one_row_items(row(rc=0.5, reuse=0.75), row(judge_failed=True))
    check(measured("rc.reuse_gap", *rows), 0.25, n=1, excluded=1, worst=0.625, best=0.125)


def test_ap_at_three_thresholds() -> None:
    rows = one_row_items(row(rc=0.5, ap=0.6, ap_50=0.4, ap_75=0.2), row(rc=0.0, ap=0.0, m=0))
    assert measured("ap", *rows).value == pytest.approx(0.3)
    assert measured("ap@0.5", *rows).value == pytest.approx(0.2)
    assert measured("ap@0.75", *rows).value == pytest.approx(0.1)


def test_order_delta() -> None:
    items = (
        item("i1", row(rc=0.75), row(rc=0.25, order="ba")),
        item("i2", row(rc=0.5), row(rc=0.5, order="ba")),
        item("i3", row(rc=0.25), row(judge_failed=True, order="ba")),
        item("i4", row(rc=1.0)),  # one order: no part of it
    )
    # (.5 + 0) / 2. With i3 at -1 or 1: -1/6 or 1/2. Zero lies between them, so it is the best
    # case, and 1/2 the farthest from it.
    check(measured("rc.order_delta", *items), 0.25, n=2, excluded=1, worst=0.5, best=0.0)


def test_scores_without_reasons_are_not_applicable() -> None:
    # A model that only scores: no reasons, no rc, and one row without an answer.
    items = one_row_items(row(order=None, m=0), row("b", order=None, m=0), no_answer(order=None))
    for name in ("rc", "ap", "rc.length_ceiling", "rc.chance", "f_rc@0.25", "coverage.no_reasons"):
        metric = measured(name, *items)
        assert metric.value is None
        assert (metric.worst, metric.best, metric.n_excluded) == (None, None, 0)
    assert measured("rc", *items).why == "the model gives no reasons"
    assert measured("accuracy", *items).value == 0.5


def test_without_references_rationale_is_not_applicable() -> None:
    metric = measured("rc", *one_row_items(row(n=0), row(n=0)))
    assert (metric.value, metric.n_excluded) == (None, 0)
    assert metric.why == "no item has reference reasons"


def test_precision_without_any_reason() -> None:
    metric = measured("rc.precision", *one_row_items(row(rc=0.0, m=0, flags=("no_reasons",))))
    assert (metric.value, metric.n_excluded, metric.why) == (None, 0, "no answer has a reason")


# ------------------------------------------------------------------------------ chance


def test_chance_and_above_chance() -> None:
    rows = one_row_items(
        row(rc=0.5, chance=0.1),
        row(rc=0.3, chance=0.1),
        row(rc=0.9),  # no partner in its stratum: no part of it
    )
    check(measured("rc.chance", *rows), 0.1, n=2, worst=0.1, best=0.1)
    # rc on the same items is .4: (.4 - .1) / (1 - .1) = 1 / 3.
    check(measured("rc.above_chance", *rows), 1 / 3, n=2, worst=1 / 3, best=1 / 3)


def test_above_chance_bounds() -> None:
    # The lost row with rc 0 and chance 1, or rc 1 and chance 0:
    # (.5 - 1) / (1 + 0) and (.5 + 1) / (1 + 1).
    for lost in (row(judge_failed=True, chance=0.2), row(rc=0.4, chance_failed=True)):
        rows = one_row_items(row(rc=0.5, chance=0.0), lost)
        check(measured("rc.above_chance", *rows), 0.5, n=1, excluded=1, worst=-0.5, best=0.75)
    check(measured("rc.chance", *rows), 0.0, n=1, excluded=1, worst=0.5, best=0.0)


def test_chance_not_measured_is_not_applicable() -> None:
    metric = measured("rc.above_chance", *one_row_items(row(rc=0.5)))
    assert metric.value is None
    assert "two items" in metric.why


@given(
    strata=st.lists(st.sampled_from(["code", "stem", "alone"]), max_size=30),
    seed=st.integers(0, 2**32 - 1),
)
def test_derangement(strata: list[str], seed: int) -> None:
    partners = derangement(strata, seed=seed)
    sizes = Counter(strata)
    assert partners == derangement(strata, seed=seed)
    for k, partner in enumerate(partners):
        if sizes[strata[k]] == 1:
            assert partner is None
        else:
            assert partner is not None
            assert partner != k
            assert strata[partner] == strata[k]
    used = [partner for partner in partners if partner is not None]
    assert len(used) == len(set(used))


def test_derangement_depends_on_the_seed() -> None:
    assert derangement(["x"] * 20, seed=1) != derangement(["x"] * 20, seed=2)


# ---------------------------------------------------------------------------- fidelity

FOUR = (row("a", rc=0.5), row("a", rc=0.0), row("a", rc=0.25), row("b", rc=0.75))
"""Three right verdicts with rc .5, 0, .25 and a wrong one with good reasons."""


@pytest.mark.parametrize(
    ("threshold", "faithful", "spurious_among_right", "spurious"),
    [("0+", 2 / 4, 1 / 3, 1 / 4), ("0.25", 2 / 4, 1 / 3, 1 / 4), ("0.5", 1 / 4, 2 / 3, 2 / 4)],
)
def test_fidelity_by_hand(
    threshold: str, faithful: float, spurious_among_right: float, spurious: float
) -> None:
    rows = one_row_items(*FOUR)
    assert measured(f"f_rc@{threshold}", *rows).value == pytest.approx(faithful)
    s_rc = measured(f"s_rc@{threshold}", *rows)
    assert s_rc.value == pytest.approx(spurious_among_right)
    assert s_rc.n == 3
    assert measured(f"spurious_rc@{threshold}", *rows).value == pytest.approx(spurious)
    # Faithful and spurious rights make up the accuracy.
    assert faithful + spurious == measured("accuracy", *rows).value


def test_fidelity_bounds() -> None:
    lost = (row("a", judge_failed=True), row("b", judge_failed=True), no_answer())
    rows = one_row_items(*FOUR, *lost)
    # Without the three: as above. Of 7 items faithful 1 or 1 + 3, spurious 2 or 2 + 3.
    check(measured("f_rc@0.5", *rows), 1 / 4, n=4, excluded=3, worst=1 / 7, best=4 / 7)
    check(measured("spurious_rc@0.5", *rows), 2 / 4, n=4, excluded=3, worst=5 / 7, best=2 / 7)
    # Among right: 2 of 3; the three all right, and all spurious or all faithful.
    check(measured("s_rc@0.5", *rows), 2 / 3, n=3, excluded=3, worst=5 / 6, best=2 / 6)


def test_spurious_share_without_a_right_verdict() -> None:
    metric = measured("s_rc@0.25", *one_row_items(row("b", rc=0.5)))
    assert (metric.value, metric.n) == (None, 0)
    assert metric.why == "no right verdict among them"


def test_fidelity_needs_a_preference() -> None:
    metric = measured("f_rc@0.25", *one_row_items(row("tie", rc=0.5), label="tie"))
    assert metric.value is None
    assert "labelled a or b" in metric.why


def test_rc_by_verdict() -> None:
    """i0  right 0.5 and wrong 0.2;  i1  right 1.0;  i2  unreadable 0;  i3  lost

    Right: the mean of 0.5 (half of i0) and 1.0, weighted 1/2 and 1. Wrong: 0.2 and 0, 1/2 and 1.
    """
    data = (
        item("i0", row("a", rc=0.5), row("b", order="ba", rc=0.2)),
        item("i1", row("a", rc=1.0)),
        item("i2", row(None, rc=0.0, m=0)),
        item("i3", row("a", judge_failed=True)),
    )
    right, wrong = measured("rc.right", *data), measured("rc.wrong", *data)
    assert right.value == pytest.approx((0.5 / 2 + 1.0) / 1.5)
    assert wrong.value == pytest.approx((0.2 / 2 + 0.0) / 1.5)
    assert (right.n, right.n_excluded, wrong.n) == (2, 1, 2)
    assert (right.worst, right.best) == pytest.approx((1.25 / 2.5, 2.25 / 2.5))
    never = measured("rc.wrong", item("i0", row("a", rc=0.5)))
    assert (never.value, never.why) == (None, "no wrong verdict among them")
