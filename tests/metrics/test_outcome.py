"""Accuracies and order effects against hand-worked numbers."""

from __future__ import annotations

import pytest
from support.metrics_rows import item, no_answer, one_row_items, row, table

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.outcome import is_correct
from rmaudit.metrics.table import Table
from rmaudit.records import Metric, Verdict


def measured(data: Table, name: str) -> Metric:
    return compute_metrics(data, resamples=100, names=[name])[name]


def check(
    metric: Metric, value: float, *, n: int, excluded: int = 0, worst: float, best: float
) -> None:
    assert metric.value == pytest.approx(value)
    assert (metric.n, metric.n_excluded) == (n, excluded)
    assert (metric.worst, metric.best) == (pytest.approx(worst), pytest.approx(best))


@pytest.fixture
def five() -> Table:
    """Five items in both orders: right twice; once; tie then right; unparsed; unanswered."""
    return table(
        item("i1", row("a"), row("a", order="ba")),
        item("i2", row("a"), row("b", order="ba")),
        item("i3", row("tie"), row("b", order="ba"), label="b"),
        item("i4", row(None), row("a", order="ba")),
        item("i5", no_answer(), row("a", order="ba")),
    )


def test_is_correct() -> None:
    assert is_correct("a", "a")
    assert is_correct("tie", "tie")
    assert not is_correct("tie", "a")
    assert not is_correct("a", "tie")
    assert not is_correct(None, "b")


def test_accuracy_headline(five: Table) -> None:
    # Items: 1, .5, .5, .5, 1 (the answered row of i5). The lost row makes i5 .5 at worst.
    check(measured(five, "accuracy"), 3.5 / 5, n=5, excluded=1, worst=3 / 5, best=3.5 / 5)


def test_accuracy_with_half_credit(five: Table) -> None:
    # i3 has (.5 + 1) / 2 = .75; unparsed stays 0.
    check(measured(five, "accuracy.half"), 3.75 / 5, n=5, excluded=1, worst=3.25 / 5, best=3.75 / 5)


def test_accuracy_over_decisive_verdicts(five: Table) -> None:
    # i3 and i4 keep their right row only: 1, .5, 1, 1, 1.
    check(measured(five, "accuracy.drop"), 4.5 / 5, n=5, excluded=1, worst=4 / 5, best=4.5 / 5)


def test_right_in_both_orders(five: Table) -> None:
    # i1 of i1..i4; the pair of i5 is lost and could be right.
    check(measured(five, "accuracy_both_orders"), 1 / 4, n=4, excluded=1, worst=1 / 5, best=2 / 5)


def test_net_votes(five: Table) -> None:
    # i1 +2, i2 0, i3 +1, i4 +1: three of four. i5 has +1 and one vote to come: 0 or +2.
    check(measured(five, "accuracy_net_votes"), 3 / 4, n=4, excluded=1, worst=3 / 5, best=4 / 5)


def test_order_consistency(five: Table) -> None:
    # i1 agrees, i2 and i3 (tie with b) differ; i4 and i5 cannot be compared.
    check(measured(five, "order_consistency"), 1 / 3, n=3, excluded=2, worst=1 / 5, best=3 / 5)


def test_tie_agrees_with_tie() -> None:
    data = table(item("i1", row("tie"), row("tie", order="ba"), label="tie"))
    assert measured(data, "order_consistency").value == 1.0


def test_first_position_bias(five: Table) -> None:
    # Shown first and chosen: i1 ab; i2 ab, ba; i3 ba. Second: i1 ba, i4 ba, i5 ba.
    # 4 / 7 - .5, whether or not the other order was readable. With the lost row: 4/8 or 5/8.
    check(measured(five, "first_position_bias"), 4 / 7 - 0.5, n=7, excluded=1, worst=0.125, best=0)


def test_first_position_bias_of_212_against_123() -> None:
    def pair(k: int, ab: Verdict, ba: Verdict) -> object:
        return item(f"i{k}", row(ab), row(ba, order="ba"))

    data = table(
        *(pair(k, "a", "b") for k in range(106)),  # 212 for the first
        *(pair(k, "b", "a") for k in range(106, 167)),  # 122 for the second
        pair(167, None, "a"),  # one more for the second, beside an unreadable answer
        item("single", row("a")),  # not run in both orders: no part of it
    )
    metric = measured(data, "first_position_bias")
    assert metric.value == pytest.approx(212 / 335 - 0.5)
    assert metric.n == 335


@pytest.mark.parametrize(
    "name",
    [
        "accuracy_both_orders",
        "accuracy_net_votes",
        "order_consistency",
        "first_position_bias",
        "rc.order_delta",
    ],
)
@pytest.mark.parametrize("order", ["ab", None])
def test_one_order_only_is_not_applicable(name: str, order: str) -> None:
    metric = measured(table(item("i1", row("a", order=order, rc=0.5))), name)  # type: ignore[arg-type]
    assert (metric.value, metric.worst, metric.best, metric.n) == (None, None, None, 0)
    assert metric.why == "needs both orders of an item"


def test_gold_ties_stand_apart() -> None:
    data = table(
        item("i1", row("tie"), label="tie"),
        item("i2", row("a"), label="tie"),
        item("i3", row("a"), label="a"),
    )
    check(measured(data, "accuracy.gold_tie"), 1 / 2, n=2, worst=1 / 2, best=1 / 2)
    check(measured(data, "accuracy"), 1.0, n=1, worst=1, best=1)


def test_no_gold_tie_is_not_applicable() -> None:
    metric = measured(table(item("i1", row("a"))), "accuracy.gold_tie")
    assert (metric.value, metric.why) == (None, "no item is labelled a tie")


@pytest.mark.parametrize("outcome", ["unparsed", "truncated", "refused"])
def test_an_unreadable_answer_is_wrong_not_missing(outcome: str) -> None:
    rows = one_row_items(row("a"), row(None, outcome=outcome))  # type: ignore[arg-type]
    check(measured(table(*rows), "accuracy"), 0.5, n=2, worst=0.5, best=0.5)


@pytest.mark.parametrize("outcome", ["too_long", "filtered", "error"])
def test_no_answer_is_missing_not_wrong(outcome: str) -> None:
    rows = one_row_items(row("a"), row(None, outcome=outcome))  # type: ignore[arg-type]
    check(measured(table(*rows), "accuracy"), 1.0, n=1, excluded=1, worst=0.5, best=1.0)


def test_a_judge_failure_leaves_the_verdict() -> None:
    rows = one_row_items(row("a", rc=1.0), row("b", judge_failed=True))
    check(measured(table(*rows), "accuracy"), 0.5, n=2, worst=0.5, best=0.5)


def test_samples_are_averaged_within_the_item() -> None:
    # i1: 1 of 4 samples right; i2: its only one. (.25 + 1) / 2, not 2 / 5.
    data = table(
        item("i1", *(row("a" if k == 0 else "b", sample=k) for k in range(4))),
        item("i2", row("a")),
    )
    check(measured(data, "accuracy"), 0.625, n=2, worst=0.625, best=0.625)


def test_pairs_go_by_sample() -> None:
    # Sample 0: a, b; sample 1: b, b. The orders of one sample are compared with each other.
    data = table(
        item(
            "i1",
            row("a", sample=0),
            row("b", sample=1),
            row("b", order="ba", sample=1),
            row("b", order="ba", sample=0),
        )
    )
    check(measured(data, "order_consistency"), 0.5, n=2, worst=0.5, best=0.5)
