"""Resampled clusters and BCa against scipy, numbers by hand and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from rmaudit.metrics import resampling
from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.evidence import Resampled
from rmaudit.metrics.resampling import (
    bootstrap,
    bootstrap_sums,
    draw_weights,
    level_of,
    quantile,
)
from rmaudit.metrics.stats import Interval, ratio


def of_means(values: FloatArray) -> FloatArray:
    """Group sums of a mean with one value a group."""
    return np.column_stack([values, np.ones_like(values)])


def interval(sums: FloatArray, *, resamples: int = 2000, confidence: float = 0.95) -> Interval:
    resampled = bootstrap_sums(sums, resamples=resamples, seed=0)
    drawn = bootstrap(sums, resampled, ratio, bounds=(0.0, 9.0))
    if drawn is None:
        return Interval(None, None, "none")
    found, one_sided = Resampled(drawn), (1 + confidence) / 2
    ends = found.bound("lower", one_sided), found.bound("upper", one_sided)
    return Interval(*ends, found.method(confidence))


def test_quantiles_are_numpys() -> None:
    values = np.sort(np.random.default_rng(0).normal(size=57))
    for level in (0.0, 0.013, 0.5, 0.961, 1.0):
        assert quantile(values, level) == pytest.approx(float(np.quantile(values, level)))
        if 0 < level < 1:
            assert level_of(quantile(values, level), values) == pytest.approx(
                min(max(level, 1 / 58), 57 / 58)
            )
    assert quantile(np.array([0.4]), 0.975) == 0.4


def test_draws_are_weights_and_do_not_depend_on_the_chunk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = np.vstack(list(draw_weights(30, resamples=50, seed=3)))
    assert whole.shape == (50, 30)
    assert whole.sum(axis=1) == pytest.approx(30)
    assert (whole > 0).all()
    monkeypatch.setattr(resampling, "CHUNK_CELLS", 70)
    chunks = list(draw_weights(30, resamples=50, seed=3))
    assert len(chunks) == 25
    assert (np.vstack(chunks) == whole).all()
    assert (np.vstack(list(draw_weights(30, resamples=20, seed=3))) == whole[:20]).all()
    assert (np.vstack(list(draw_weights(30, resamples=50, seed=4))) != whole).any()


def test_bootstrap_sums_by_hand() -> None:
    sums = np.arange(12.0).reshape(6, 2)
    weights = next(draw_weights(6, resamples=4, seed=1))
    by_hand = [[sum(w * sums[g, k] for g, w in enumerate(row)) for k in (0, 1)] for row in weights]
    assert bootstrap_sums(sums, resamples=4, seed=1) == pytest.approx(np.array(by_hand))


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
    found = interval(of_means(values))
    assert found.low is not None
    assert found.high is not None
    assert found.high - values.mean() > 1.05 * (values.mean() - found.low)


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
    skewed = found._replace(bias=0.5)
    assert skewed.level(0.99) == 1 - 1 / 500  # the corrected level is finer; the plain one is not
    assert interval(sums, resamples=500, confidence=0.9998) == (0.0, 9.0, "vacuous")


@pytest.mark.parametrize(("groups", "method"), [(2, "vacuous"), (4, "vacuous"), (6, "bca")])
def test_a_few_clusters_say_nothing(groups: int, method: str) -> None:
    # Student's quantile at 4 clusters is 3.18, widened by sqrt(5 / 3) to 4.11: a level of .00002.
    assert interval(of_means(np.arange(groups) / 10)).method == method


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
    # Student's quantile at 59 degrees is 2.0010; times sqrt(61 / 59) it is 2.0346, 3.8% above 1.96.
    assert resampling.widening(60) == "interval widened by 3.8%, since there are only 60 groups"
    assert resampling.widening(100) == resampling.widening(1) == ""
