"""Two runs on the same items: differences, intervals, tests; multiple tests."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from support.metrics_rows import Item, item, no_answer, row, table

from rmaudit.metrics import REGISTRY, compute_metrics
from rmaudit.metrics.correction import benjamini_hochberg, holm
from rmaudit.metrics.paired import Change, align, compare_tables
from rmaudit.metrics.permutation import flip_p_value, mcnemar, sign_flips
from rmaudit.metrics.table import Table
from rmaudit.records import Order, Verdict

ORDERS: tuple[Order, ...] = ("ab", "ba")


def verdicts(letters: str) -> Table:
    """One row an item labelled a."""
    return table(*[item(f"i{k}", row("a" if v == "1" else "b")) for k, v in enumerate(letters)])


def rcs(values: list[float], *, orders: tuple[Order, ...] = ("ab",)) -> Table:
    return table(
        *[item(f"i{k}", *(row("a", order=o, rc=v) for o in orders)) for k, v in enumerate(values)]
    )


def change(first: Table, second: Table, name: str, **options: int) -> Change:
    return compare_tables(first, second, names=[name], **options)[name]


# ----------------------------------------------------------------------------- by hand


def test_mcnemar_by_hand() -> None:
    # Ten items; b = 1 right in the first only, c = 5 in the second only, so the change is .4 and
    # p = 2 P(X <= 1), X ~ Bin(6, 1/2) = 2 (1 + 6) / 64.
    found = change(verdicts("1110000000"), verdicts("1101111100"), "accuracy")
    assert (found.first, found.second) == (0.3, 0.7)
    assert found.difference == pytest.approx(0.4)
    assert found.test == "mcnemar"
    assert found.p == pytest.approx(14 / 64)
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 1) == mcnemar(1, 5) == pytest.approx(14 / 64)


def test_sign_flip_by_hand() -> None:
    # Differences .5, .25, .25 over three items, sum 1. Of the 8 exchanges two have |sum| = 1.
    found = change(rcs([0.0, 0.0, 0.25]), rcs([0.5, 0.25, 0.5]), "rc")
    assert found.difference == pytest.approx(1 / 3)
    assert found.test == "sign-flip"
    assert found.p == 2 / 8
    # With -.25 in the second place the sum is .5: 8 exchanges, |sum| is .5, 0 or 1; two are 0.
    found = change(rcs([0.0, 0.25, 0.25]), rcs([0.5, 0.0, 0.5]), "rc")
    assert found.p == 6 / 8


def test_a_failure_takes_its_item_out_of_both_runs() -> None:
    first = table(
        item("i0", row("a", rc=1.0)), item("i1", row("b", rc=0.0)), item("i2", row("a", rc=0.5))
    )
    second = table(
        item("i0", row("a", rc=0.5)), item("i1", no_answer()), item("i2", row("b", rc=1))
    )
    accuracy, rc = (change(first, second, name) for name in ("accuracy", "rc"))
    assert (accuracy.first, accuracy.second, accuracy.left_out) == (1.0, 0.5, 1)
    # All three items: the first run has 2/3; the second 1/3, or 2/3 with the lost one right.
    assert (accuracy.least, accuracy.greatest) == (pytest.approx(-1 / 3), pytest.approx(0))
    assert (rc.first, rc.second, rc.left_out, rc.n) == (0.75, 0.75, 1, 2)
    # The failure itself is a difference in coverage, over all items.
    error = change(first, second, "coverage.error")
    assert (error.first, error.second, error.left_out) == (0.0, pytest.approx(1 / 3), 0)


def test_a_judge_failure_takes_the_item_out_of_rationale_metrics_only() -> None:
    first = table(item("i0", row("a", rc=1.0)), item("i1", row("b", rc=0.5)))
    second = table(item("i0", row("a", rc=1.0)), item("i1", row("a", judge_failed=True)))
    assert change(first, second, "rc").left_out == 1
    assert change(first, second, "accuracy").left_out == 0
    assert change(first, second, "accuracy").difference == 0.5


def test_a_metric_that_is_best_at_zero_is_compared_by_its_size() -> None:
    # First: always the one shown first, bias +.5; second: always the one shown second, -.5.
    def always(place: str) -> Table:
        shown: dict[Order, Verdict] = {"ab": "a", "ba": "b"}
        other: dict[Order, Verdict] = {"ab": "b", "ba": "a"}
        told = shown if place == "first" else other
        return table(*[item(f"i{k}", *(row(told[o], order=o) for o in ORDERS)) for k in range(20)])

    found = change(always("first"), always("second"), "first_position_bias")
    assert (found.first, found.second) == (0.5, -0.5)
    assert found.size
    assert found.difference == 0.0
    assert found.p == 1.0


def test_not_applicable_in_one_run_is_no_difference() -> None:
    bare = table(*[item(f"i{k}", row("a", m=0)) for k in range(3)])
    found = change(bare, rcs([0.5, 0.5, 0.5]), "rc")
    assert (found.first, found.difference, found.p, found.test) == (None, None, None, "none")
    assert found.why == "first run: the model gives no reasons"
    assert found.interval() is None


def test_the_same_run_twice_differs_in_nothing() -> None:
    data = rcs([0.25, 0.5, 0.75, 1.0] * 10, orders=ORDERS)
    for found in compare_tables(data, data, resamples=200, permutations=200).values():
        if found.evidence is None:
            assert found.why
            continue
        assert (found.difference, found.p) == (0.0, 1.0)
        low, high = found.interval() or (1.0, 0.0)
        assert low < 0 < high  # no difference in 40 items is no proof that there is none


# ----------------------------------------------------------------------- against others


def test_the_paired_interval_agrees_with_the_bootstrap_of_differences() -> None:
    rng = np.random.default_rng(4)
    first = rng.integers(0, 9, size=80) / 16
    second = np.clip(first + rng.integers(-2, 5, size=80) / 16, 0, 1)
    found = change(rcs(list(first)), rcs(list(second)), "rc", resamples=9_999)
    theirs = scipy_stats.bootstrap(
        (second - first,), np.mean, n_resamples=9_999, method="BCa", rng=np.random.default_rng(0)
    ).confidence_interval
    # Two sets of draws, and 2.2% wider for 80 clusters.
    assert found.interval() == pytest.approx((theirs.low, theirs.high), abs=0.003)
    unpaired = sum(
        compute_metrics(rcs(list(v)), names=["rc"])["rc"].high
        - compute_metrics(rcs(list(v)), names=["rc"])["rc"].low  # type: ignore[operator]
        for v in (first, second)
    )
    low, high = found.interval() or (0.0, 0.0)
    assert high - low < 0.8 * unpaired / np.sqrt(2)


def test_the_sign_flip_test_agrees_with_scipy() -> None:
    rng = np.random.default_rng(9)
    first, second = rng.integers(0, 9, size=(2, 12)) / 16
    found = change(rcs(list(first)), rcs(list(second)), "rc")
    theirs = scipy_stats.permutation_test(
        (second, first), lambda x, y: np.mean(x) - np.mean(y), permutation_type="samples"
    )
    assert theirs.null_distribution.size == 2**12  # exact, as ours
    assert found.p == pytest.approx(theirs.pvalue)
    drawn = change(rcs(list(first)), rcs(list(second)), "rc", permutations=2_000)
    assert drawn.p == pytest.approx(theirs.pvalue, abs=0.04)
    assert drawn.p != found.p


def test_all_exchanges_or_seeded_ones() -> None:
    signs, exact = sign_flips(3, permutations=7, seed=0)
    assert exact
    rows = {tuple(line) for chunk in signs for line in chunk}
    assert rows == set(product((-1.0, 1.0), repeat=3))
    for groups in (3, 70):
        signs, exact = sign_flips(groups, permutations=6, seed=0)
        assert not exact
        chunks = np.vstack(list(signs))
        assert chunks.shape == (6, groups)
        again = np.vstack(list(sign_flips(groups, permutations=6, seed=0)[0]))
        assert (chunks == again).all()


def test_an_undefined_exchange_counts_against_a_difference() -> None:
    assert flip_p_value(0.5, np.array([0.1, np.nan, 0.6]), exact=True) == 2 / 3
    assert flip_p_value(0.5, np.array([0.1, np.nan, 0.6]), exact=False) == 3 / 4


# --------------------------------------------------------------------------- aligning


def test_aligned_tables_hold_the_shared_items_in_one_order() -> None:
    first = table(*[item(name, row("a", rc=v)) for name, v in (("x", 0.1), ("y", 0.2), ("z", 0.3))])
    second = table(
        *[item(name, row("b", rc=v)) for name, v in (("z", 0.9), ("w", 0.8), ("x", 0.7))]
    )
    one, two = align((first, second), [(2, 0), (0, 2)], [0, 1])  # z and x
    assert (one.n_groups, two.n_groups) == (2, 2)
    by_item = [dict(zip(t.rows.item, t.rows.rc, strict=True)) for t in (one, two)]
    assert by_item == [{0: 0.3, 1: 0.1}, {0: 0.9, 1: 0.7}]
    assert change(one, two, "rc").difference == pytest.approx(0.6)
    together, _ = align((first, second), [(2, 0), (0, 2)], [0, 0])
    assert together.n_groups == 1
    none, _ = align((first, second), [], [])
    assert none.n_groups == 0
    assert compare_tables(none, none)["rc"].why.startswith("first run: ")
    with pytest.raises(ValueError, match="the same clusters"):
        compare_tables(first, one)


# ------------------------------------------------------------------------- properties


def random_run(seed: int, count: int) -> list[Item]:
    rng = np.random.default_rng(seed)
    letters: tuple[Verdict, ...] = ("a", "b", "tie", None)
    return [
        item(
            f"i{k}",
            *(
                no_answer(order=order)
                if rng.random() < 0.08
                else row(letters[rng.integers(4)], order=order, rc=float(rng.integers(0, 9)) / 16)
                for order in ORDERS
            ),
            group=f"g{k // 2}",
        )
        for k in range(count)
    ]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 9_999), st.integers(0, 9_999), st.integers(2, 16))
def test_exchanging_the_runs_mirrors_the_comparison(one: int, two: int, count: int) -> None:
    first, second = table(*random_run(one, count)), table(*random_run(two, count))
    options = {"resamples": 99, "permutations": 99}
    forth = compare_tables(first, second, **options)  # type: ignore[arg-type]
    back = compare_tables(second, first, **options)  # type: ignore[arg-type]
    for name, found in forth.items():
        assert (found.first, found.second) == (back[name].second, back[name].first)
        assert found.left_out == back[name].left_out
        if found.evidence is None or back[name].evidence is None:
            continue
        assert found.difference == pytest.approx(-(back[name].difference or 0.0))
        if found.least is not None and found.greatest is not None:
            assert found.least == pytest.approx(-(back[name].greatest or 0.0))
        assert found.p == pytest.approx(back[name].p)
        low, high = found.interval() or (1.0, 0.0)
        mirrored = back[name].interval() or (1.0, 0.0)
        assert (low, high) == pytest.approx((-mirrored[1], -mirrored[0]))
        width = REGISTRY[name].bounds[1] - REGISTRY[name].bounds[0]
        assert -width - 1e-9 <= low <= high <= width + 1e-9


@pytest.mark.slow
def test_the_level_of_the_sign_flip_test() -> None:
    # Two runs of one distribution on 30 clusters: p <= .05 in 5% of 400 comparisons.
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(400):
        base = rng.beta(0.5, 1.5, size=30)
        one, two = (np.clip(base + rng.normal(0, 0.2, size=30), 0, 1) for _ in range(2))
        found = change(rcs(list(one)), rcs(list(two)), "rc", resamples=20, permutations=199)
        assert found.p is not None
        rejected += found.p <= 0.05
    assert 0.02 < rejected / 400 < 0.085  # the standard error is 1.1 points


# ----------------------------------------------------------------------- many tests


def test_holm_by_hand() -> None:
    # Sorted .01 .03 .04: times 3, 2, 1 is .03 .06 .04, and none below the one before it.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_benjamini_hochberg_by_hand() -> None:
    # Sorted .01 .03 .04 of 3: times 3/1, 3/2, 3/3 is .03 .045 .04; none above the next one.
    assert benjamini_hochberg([0.04, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])
    assert benjamini_hochberg([]) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), max_size=12), st.randoms())
def test_laws_of_adjusted_p_values(p_values: list[float], shuffle: object) -> None:
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p_values)
        assert all(p - 1e-12 <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
        order = sorted(range(len(p_values)), key=lambda k: p_values[k])
        assert [adjusted[k] for k in order] == sorted(adjusted)
    assert all(
        h >= q - 1e-12 for h, q in zip(holm(p_values), benjamini_hochberg(p_values), strict=True)
    )
    if p_values:
        assert min(holm(p_values)) == pytest.approx(min(1.0, len(p_values) * min(p_values)))
