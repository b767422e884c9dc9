"""Agreement of judges and rc.corrected, with numbers worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.metrics_rows import item, row, table

from rmaudit.metrics.agreement import item_agreement, pair_agreement, weighted_kappa
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.corrected import NOT_CHECKED

SCORES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def test_pairs_by_hand() -> None:
    """Truth 1 0 .5 .25 0, judged .75 .5 .5 0 0: two of three claimed are right, none of two missed.

    kappa: squared differences .0625 .25 0 .0625 0, mean .075. Truth: mean .35, mean square .2625,
    variance .14. Judged: mean .35, mean square .2125, variance .09. By chance .14 + .09 + 0 = .23.
    """
    found = pair_agreement([1, 0, 0.5, 0.25, 0], [0.75, 0.5, 0.5, 0, 0])
    assert (found.n, found.same) == (5, 2)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == 1.0
    assert found.kappa == pytest.approx(1 - 0.075 / 0.23)


def test_items_by_hand() -> None:
    """Truth .2 .4 .9, judged .4 .4 .7: errors .2 0 -.2.

    bias 0, rmse sqrt(.08 / 3); truth deviates -.3 -.1 .4 (squares .26), judged -.1 -.1 .2 (.06),
    products .03 + .01 + .08 = .12, so r = .12 / sqrt(.26 * .06); r2 = 1 - .08 / .26.
    """
    found = item_agreement([0.2, 0.4, 0.9], [0.4, 0.4, 0.7])
    assert found.n == 3
    assert found.bias == pytest.approx(0.0)
    assert found.rmse == pytest.approx(math.sqrt(0.08 / 3))
    assert found.r == pytest.approx(0.12 / math.sqrt(0.26 * 0.06))
    assert found.r2 == pytest.approx(1 - 0.08 / 0.26)


def test_undefined_is_none_not_zero() -> None:
    assert weighted_kappa([0, 0], [0, 0]) is None
    assert weighted_kappa([], []) is None
    assert pair_agreement([0, 0], [0, 0])[2:] == (None, None, None)
    assert item_agreement([], []) == (0, None, None, None, None)
    assert item_agreement([0.5, 0.5], [0.1, 0.3]).r is None
    with pytest.raises(ValueError, match="2 scores against 1"):
        pair_agreement([0, 1], [0])
    with pytest.raises(ValueError, match="not on the grid"):
        pair_agreement([0.3], [0])


@settings(deadline=None)
@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=30))
def test_kappa_is_symmetric_and_one_for_equal_scores(pairs: list[tuple[float, float]]) -> None:
    first, second = [x for x, _ in pairs], [y for _, y in pairs]
    one, other = weighted_kappa(first, second), weighted_kappa(second, first)
    assert (one is None) == (other is None)
    if one is not None:
        assert one == pytest.approx(other)
        assert one <= 1.0
    if len(set(first)) > 1:
        assert weighted_kappa(first, first) == 1.0


def test_corrected_by_hand() -> None:
    """Four items of one row, judged .5 .7 .2 0; the last gives no reason. Two rows are checked.

    Weights 1/4 each; W = 3/4. Human .3 for .5, and .6 for .7: errors -.2 and -.1, mean -.15.
    theta = .35 + .75 * -.15 = .2375.
    Influence of the groups: rc part (rc - .35) / 4 = .0375 .0875 -.0375 -.0875; error part
    .75 * (e - d) / 2 = -.01875 .01875 0 0; reasons part d ([has] - W) / 4 = -.15 * .25 / 4 =
    -.009375 three times, and -.15 * -.75 / 4 = .028125. Sums .009375 .096875 -.046875 -.059375;
    squares .00008789 .00938477 .00219727 .00352539 = .01519531. Variance 2/1 of that,
    .03039063, root .17432908. t with 1 degree of freedom at 95%: 12.7062047. Half 2.2151:
    beyond 0 and 1 on both sides.
    """
    made = table(
        item("i1", row(rc=0.5, human=0.3)),
        item("i2", row(rc=0.7, human=0.6)),
        item("i3", row(rc=0.2)),
        item("i4", row(rc=0.0, m=0)),
    )
    found = compute_metrics(made, names=["rc.corrected"])["rc.corrected"]
    assert found.value == pytest.approx(0.2375)
    assert (found.low, found.high) == (0.0, 1.0)
    narrow = compute_metrics(made, names=["rc.corrected"], confidence=0.2)["rc.corrected"]
    half = math.tan(math.pi * 0.1) * 0.1743290796  # t with one degree of freedom is Cauchy
    assert narrow.low == pytest.approx(0.2375 - half, abs=1e-6)
    assert narrow.high == pytest.approx(0.2375 + half, abs=1e-6)


def test_corrected_interval_is_wider_and_needs_two_groups() -> None:
    rows = [
        item(f"i{k}", row(rc=k % 5 / 4, human=k % 5 / 4 + (-1) ** k / 4 if k % 3 else None))
        for k in range(60)
    ]
    found = compute_metrics(table(*rows))
    rc, corrected = found["rc"], found["rc.corrected"]
    assert corrected.value == pytest.approx(rc.value)  # errors of a quarter in both directions
    assert corrected.high - corrected.low > rc.high - rc.low  # type: ignore[operator]
    one = compute_metrics(table(item("i1", row(rc=0.5, human=0.3)), item("i2", row(rc=0.5))))
    assert one["rc.corrected"].value == pytest.approx(0.3)
    assert one["rc.corrected"].low is None


def test_corrected_without_a_spot_check_says_so() -> None:
    found = compute_metrics(table(item("i1", row(rc=0.5))))["rc.corrected"]
    assert found.value is None
    assert found.why == NOT_CHECKED


def test_a_perfect_person_removes_the_error_of_the_judge() -> None:
    """The judge gives a fifth too much everywhere; ten of fifty rows tell as much."""
    truth = [k % 4 / 5 for k in range(50)]
    rows = [
        item(f"i{k}", row(rc=t + 0.2, human=t if k % 5 == 0 else None)) for k, t in enumerate(truth)
    ]
    found = compute_metrics(table(*rows))["rc.corrected"]
    assert found.value == pytest.approx(sum(truth) / 50)
