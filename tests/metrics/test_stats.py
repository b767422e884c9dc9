"""Intervals against published values, scipy and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from rmaudit.metrics import stats
from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.stats import (
    bootstrap,
    bootstrap_interval,
    bootstrap_sums,
    clopper_pearson,
    closed_form,
    draw_counts,
    ratio,
    unanimous,
    wilson,
)


def of_means(values: FloatArray) -> FloatArray:
    """Group sums of a mean with one value a group."""
    return np.column_stack([values, np.ones_like(values)])


def interval(
    sums: FloatArray, *, resamples: int = 2000, confidence: float = 0.95
) -> stats.Interval:
    resampled = bootstrap_sums(sums, resamples=resamples, seed=0)
    return bootstrap_interval(sums, resampled, ratio, confidence=confidence, bounds=(0.0, 9.0))


# ------------------------------------------------------------------------ proportions


def test_wilson_known_values() -> None:
    # 10 of 10: n / (n + z^2) = 10 / 13.8415 = .7225; 8 of 10: [.4902, .9433].
    assert wilson(10, 10, confidence=0.95) == pytest.approx((0.7225, 1), abs=1e-4)
    assert wilson(8, 10, confidence=0.95) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_clopper_pearson_known_values() -> None:
    # 0 of 10: 1 - .025^(1/10) = .3085; 8 of 10: [.4439, .9748].
    assert clopper_pearson(0, 10, confidence=0.95) == pytest.approx((0, 0.3085), abs=1e-4)
    assert clopper_pearson(8, 10, confidence=0.95) == pytest.approx((0.4439, 0.9748), abs=1e-4)


@pytest.mark.parametrize("n", [1, 7, 207])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_proportions_agree_with_scipy(n: int, confidence: float) -> None:
    for successes in {0, 1, n // 2, n}:
        test = scipy_stats.binomtest(successes, n)
        for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
            theirs = test.proportion_ci(confidence, method=method)
            found = ours(successes, n, confidence=confidence)
            assert found == pytest.approx((theirs.low, theirs.high), abs=1e-9)


# --------------------------------------------------------------------------- unanimous


@pytest.mark.parametrize("n", [1, 5, 207])
def test_unanimous_is_clopper_pearson_at_the_ends(n: int) -> None:
    for value, successes in ((0.0, 0), (1.0, n)):
        found = unanimous(value, n, confidence=0.95)
        exact = clopper_pearson(successes, n, confidence=0.95)
        assert (found.low, found.high) == pytest.approx(exact)


def test_unanimous_inside_has_width() -> None:
    # Ten groups at exactly .5: q = .3085, so .5 -+ .3085 / 2.
    found = unanimous(0.5, 10, confidence=0.95)
    assert (found.low, found.high) == pytest.approx((0.3458, 0.6542), abs=1e-4)


def test_unanimous_respects_the_bounds_of_the_metric() -> None:
    # A bias of 0 in ten groups, possible from -.5 to .5: -+ .3085 / 2.
    found = unanimous(0.0, 10, confidence=0.95, bounds=(-0.5, 0.5))
    assert (found.low, found.high) == pytest.approx((-0.1542, 0.1542), abs=1e-4)


# ------------------------------------------------------------------------- closed form


def test_wilson_where_each_group_is_one_observation() -> None:
    found = closed_form(of_means(np.repeat([1.0, 0.0], [8, 2])), confidence=0.95, bounds=(0, 1))
    assert found is not None
    assert found.method == "wilson"
    assert found[:2] == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_groups_without_a_part_in_it_do_not_count() -> None:
    sums = np.vstack([of_means(np.repeat([1.0, 0.0], [8, 2])), np.zeros((90, 2))])
    found = closed_form(sums, confidence=0.95, bounds=(0, 1))
    assert found is not None
    assert found[:2] == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_no_wilson_for_larger_groups_or_partial_values() -> None:
    bounds = (0.0, 1.0)
    larger = np.array([[2.0, 2.0], [0.0, 2.0], [1.0, 1.0]])
    assert closed_form(larger, confidence=0.95, bounds=bounds) is None
    assert closed_form(of_means(np.array([0.5, 0.0])), confidence=0.95, bounds=bounds) is None


def test_a_constant_share_has_no_zero_width_interval() -> None:
    # Each group has two observations, one of them right: .5 everywhere, whatever the weights.
    sums = np.array([[1.0, 2.0]] * 9 + [[2.0, 4.0]])
    found = closed_form(sums, confidence=0.95, bounds=(0, 1))
    assert found is not None
    assert found.method == "unanimous"
    assert found[:2] == pytest.approx((0.3458, 0.6542), abs=1e-4)


def test_one_group_says_next_to_nothing() -> None:
    found = closed_form(of_means(np.array([0.4])), confidence=0.95, bounds=(0, 1))
    assert found is not None
    assert found[:2] == pytest.approx((0.4 * 0.025, 1 - 0.6 * 0.025))


def test_nothing_gives_no_interval() -> None:
    for sums in (np.zeros((0, 2)), np.zeros((3, 2))):
        assert closed_form(sums, confidence=0.95, bounds=(0, 1)) == (None, None, "none")


def test_shift_moves_the_interval() -> None:
    sums = of_means(np.repeat([1.0, 0.0], [8, 2]))
    found = closed_form(sums, confidence=0.95, bounds=(-0.5, 0.5), shift=-0.5)
    assert found is not None
    assert found[:2] == pytest.approx((-0.0098, 0.4433), abs=1e-4)


# --------------------------------------------------------------------------- bootstrap


def test_draws_are_resamples_and_do_not_depend_on_the_chunk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = np.vstack(list(draw_counts(30, resamples=50, seed=3)))
    assert whole.shape == (50, 30)
    assert (whole.sum(axis=1) == 30).all()
    monkeypatch.setattr(stats, "CHUNK_CELLS", 70)
    chunks = list(draw_counts(30, resamples=50, seed=3))
    assert len(chunks) == 25
    assert (np.vstack(chunks) == whole).all()
    assert (np.vstack(list(draw_counts(30, resamples=20, seed=3))) == whole[:20]).all()
    assert (np.vstack(list(draw_counts(30, resamples=50, seed=4))) != whole).any()


def test_bootstrap_sums_by_hand() -> None:
    sums = np.arange(12.0).reshape(6, 2)
    counts = next(draw_counts(6, resamples=4, seed=1))
    by_hand = [[sum(c * sums[g, k] for g, c in enumerate(row)) for k in (0, 1)] for row in counts]
    assert bootstrap_sums(sums, resamples=4, seed=1) == pytest.approx(np.array(by_hand))


def test_ratio_is_undefined_without_a_denominator() -> None:
    assert ratio(np.array([[1.0, 4.0], [0.0, 0.0], [2.0, 0.0]])) == pytest.approx(
        [0.25, np.nan, np.nan], nan_ok=True
    )


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_bca_agrees_with_scipy(confidence: float) -> None:
    values = np.random.default_rng(5).exponential(size=60)
    theirs = scipy_stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=20_000,
        confidence_level=confidence,
        method="BCa",
        rng=np.random.default_rng(6),
    ).confidence_interval
    ours = interval(of_means(values), resamples=20_000, confidence=confidence)
    assert ours.method == "bca"
    # Two independent sets of 20,000 draws; the standard error is .13.
    assert ours[:2] == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_bca_leans_to_the_long_tail() -> None:
    values = np.random.default_rng(5).exponential(size=60)
    sums = of_means(values)
    replicates = ratio(bootstrap_sums(sums, resamples=2000, seed=0))
    low, high = np.quantile(replicates, (0.025, 0.975))
    found = interval(sums)
    assert found.low is not None
    assert found.high is not None
    assert found.low > low
    assert found.high > high


def test_bca_is_refused_where_it_is_not_valid() -> None:
    sums = of_means(np.random.default_rng(0).exponential(size=20))
    resampled = bootstrap_sums(sums, resamples=500, seed=0)

    def bias(sums: FloatArray, resampled: FloatArray) -> float | None:
        found = bootstrap(sums, resampled, ratio, bounds=(0.0, 9.0))
        assert found is not None
        return found.bias

    assert bias(sums, resampled) is not None
    # Theta beyond all replicates; no cluster matters; one cannot be left out.
    assert bias(sums, resampled + np.array([1000.0, 0.0])) is None
    assert bias(of_means(np.full(20, 0.5)), resampled) is None
    assert bias(np.array([[0.4, 1.0], [0.5, 0.0]]), np.array([[0.2, 1.0], [2.0, 1.0]])) is None
    assert interval(of_means(np.array([0.1, 0.2] * 3 + [0.2]))).method == "bca"


def test_levels_finer_than_the_replicates() -> None:
    sums = of_means(np.random.default_rng(0).exponential(size=20))
    resampled = bootstrap_sums(sums, resamples=500, seed=0)
    found = bootstrap(sums, resampled, ratio, bounds=(0.0, 9.0))
    assert found is not None
    assert found.level(0.99999) is None
    assert found.bound(0.99999) == 9.0
    assert found.level(0.994) == 1 - 1 / 500  # BCa's own level is finer; the plain one is not
    assert interval(sums, resamples=500, confidence=0.9998) == (0.0, 9.0, "vacuous")


@pytest.mark.parametrize(("groups", "method"), [(2, "vacuous"), (4, "vacuous"), (5, "bca")])
def test_a_few_clusters_say_nothing(groups: int, method: str) -> None:
    # Student's quantile at 4 clusters is 3.18, widened by sqrt(4 / 3) to 3.67: a level of .0001.
    assert interval(of_means(np.arange(groups) / 10)).method == method


def test_undefined_resamples_are_left_out() -> None:
    # Only 5 of 40 groups carry the metric; one resample in e^5 draws none.
    sums = np.zeros((40, 2))
    sums[:5] = of_means(np.array([0.1, 0.2, 0.3, 0.4, 0.5]))
    assert np.isnan(ratio(bootstrap_sums(sums, resamples=2000, seed=0))).any()
    found = interval(sums)
    assert found.method == "bca"
    assert found.low == pytest.approx(0.1, abs=0.02)
    assert found.high == pytest.approx(0.5, abs=0.02)
    assert interval(np.zeros((3, 2))) == (None, None, "none")


def test_clusters_not_rows_are_resampled() -> None:
    values = np.random.default_rng(2).normal(size=50)
    single, fivefold = of_means(values), 5 * of_means(values)
    # Five equal rows in each cluster add no information.
    assert interval(fivefold)[:2] == pytest.approx(interval(single)[:2])
    as_rows = interval(np.repeat(single, 5, axis=0))
    width = {
        name: found[1] - found[0]
        for name, found in (("rows", as_rows), ("groups", interval(single)))
    }  # type: ignore[operator]
    assert width["rows"] < 0.6 * width["groups"]  # 1 / sqrt(5) = .45


@pytest.mark.slow
def test_coverage_in_a_small_simulation() -> None:
    # 300 data sets of 40 clusters of 1 to 4 rows, rows of a cluster alike, skewed, mean 1.
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(300):
        sizes = rng.integers(1, 5, size=40)
        sums = np.column_stack([rng.exponential(size=40) * sizes, sizes]).astype(np.float64)
        found = interval(sums, resamples=400)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 1.0 <= found.high
    assert 0.89 <= covered / 300 <= 0.98


def test_widening_is_told_where_groups_are_few() -> None:
    # Student's quantile at 59 degrees is 2.0010; times sqrt(60 / 59) it is 2.0179, 3.0% above 1.96.
    assert stats.widening(60) == "interval widened by 3.0%, since there are only 60 groups"
    assert stats.widening(100) == stats.widening(1) == ""


def test_few_exceptions_are_told() -> None:
    told = "only 3 groups differ from the others: the interval may be too short"
    rare = np.array([[0.0, 5.0]] * 20 + [[1.0, 4.0]] * 3)
    assert stats.few_exceptions(rare) == told
    assert stats.few_exceptions(np.column_stack([rare[:, 1] - rare[:, 0], rare[:, 1]])) == told
    assert stats.few_exceptions(np.vstack([rare, [[1.0, 4.0]] * 7])) == ""
    assert stats.few_exceptions(rare[:20]) == ""
