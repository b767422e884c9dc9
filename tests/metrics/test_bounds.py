"""One-sided bounds and p-values: hand-worked values, agreement of the two, levels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from support.metrics_rows import Item, item, no_answer, one_row_items, row, table
from support.sums import extended_of, of_values

from rmaudit.metrics import compute_metrics
from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.bounds import bound, evidence, p_value
from rmaudit.metrics.evidence import (
    Evidence,
    Proportion,
    Resampled,
    Unanimous,
    closed_evidence,
    noisy_evidence,
    p_value_inside,
    p_value_outside,
)
from rmaudit.metrics.resampling import bootstrap, bootstrap_sums, expanded
from rmaudit.metrics.stats import ratio


def resampled(values: FloatArray, *, resamples: int = 2000, seed: int = 0) -> Resampled:
    """The bootstrap of a mean, one value a cluster."""
    sums = np.column_stack([values, np.ones_like(values)])
    drawn = bootstrap(
        sums, bootstrap_sums(sums, resamples=resamples, seed=seed), ratio, bounds=(-9.0, 9.0)
    )
    assert drawn is not None
    return Resampled(drawn)


def judged(n: int = 60, seed: int = 0) -> list[Item]:
    """Items with rc on the grid, in both orders."""
    rng = np.random.default_rng(seed)
    return [
        item(
            f"i{k}",
            *(row("a", order=order, rc=float(rng.integers(0, 9)) / 16) for order in ("ab", "ba")),
        )
        for k in range(n)
    ]


# ----------------------------------------------------------------------------- by hand


def test_nine_of_ten_by_hand() -> None:
    # Against .5: P(X >= 9) = (10 + 1) / 1024. Lower bound at 95%: the p with P(X >= 9 | p) = .05.
    data = table(*one_row_items(*[row("a")] * 9, row("b")))
    assert p_value(data, "accuracy", 0.5, "greater") == pytest.approx(11 / 1024)
    assert p_value(data, "accuracy", 0.5, "less") == pytest.approx(1 - 1 / 1024)
    lower = bound(data, "accuracy", "lower", 0.95)
    assert lower == pytest.approx(0.6058, abs=1e-4)
    assert 10 * lower**9 * (1 - lower) + lower**10 == pytest.approx(0.05)


def test_no_event_in_n_by_hand() -> None:
    # 0 of 207: the upper bound at 95% is 1 - .05^(1/207) = .01437, and the p-value against .03
    # is .97^207 = .00183.
    data = table(*one_row_items(*[row("a")] * 207))
    assert bound(data, "coverage.error", "upper", 0.95) == pytest.approx(0.01437, abs=1e-5)
    assert p_value(data, "coverage.error", 0.03, "less") == pytest.approx(0.97**207)
    assert p_value(data, "coverage.error", 0.0, "greater") == 1.0
    assert p_value(data, "coverage.error", 0.0, "less") == 1.0


def test_a_constant_inside_the_limits_by_hand() -> None:
    # Ten clusters at .5 in [0, 1], threshold .4: q = .1 / .5 = .2, p = .8^10.
    found = Unanimous(0.5, 10, (0.0, 1.0))
    assert found.p_value(0.4, "greater") == pytest.approx(0.8**10)
    assert found.p_value(0.6, "less") == pytest.approx(0.8**10)
    assert found.bound("lower", 0.95) == pytest.approx(0.5 * 0.05**0.1)
    assert found.p_value(-0.1, "greater") == found.p_value(1.1, "less") == 0.0
    assert found.p_value(0.5, "greater") == found.p_value(0.5, "less") == 1.0


def test_beyond_what_a_share_can_be() -> None:
    found = Proportion(3, 10, shift=-0.5)
    assert found.value == pytest.approx(-0.2)
    assert found.p_value(-0.6, "greater") == found.p_value(0.6, "less") == 0.0
    assert found.p_value(0.6, "greater") == found.p_value(-0.6, "less") == 1.0
    exact = scipy_stats.binomtest(3, 10).proportion_ci(0.9, "exact")
    assert found.bound("upper", 0.95) == pytest.approx(exact.high - 0.5)


def test_no_value_no_bound() -> None:
    data = table(item("i", no_answer()))
    assert bound(data, "accuracy", "lower", 0.95) is None
    assert p_value(data, "rc", 0.2, "greater") is None
    with pytest.raises(KeyError):
        bound(data, "flair", "lower", 0.95)


def test_both_sides_of_zero() -> None:
    found = resampled(np.random.default_rng(3).normal(0.02, 0.1, size=80))
    above, below = found.p_value(0.05, "greater"), found.p_value(-0.05, "less")
    assert p_value_outside(found, 0.05) == min(1.0, 2 * min(above, below))
    inside = found.p_value(0.05, "less"), found.p_value(-0.05, "greater")
    assert p_value_inside(found, 0.05) == max(inside)


# ------------------------------------------------------------------- agreement with others


@pytest.mark.parametrize("successes", [0, 1, 9, 20])
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.77, 1.0])
def test_exact_binomial_test_of_scipy(successes: int, threshold: float) -> None:
    sums = np.column_stack([np.arange(20) < successes, np.ones(20)]).astype(np.float64)
    found = closed_evidence(sums, limits=(0.0, 1.0))
    assert found is not None
    for alternative in ("greater", "less"):
        theirs = scipy_stats.binomtest(successes, 20, threshold, alternative=alternative).pvalue
        assert found.p_value(threshold, alternative) == pytest.approx(theirs)  # type: ignore[arg-type]


def test_student_on_a_symmetric_sample() -> None:
    # Where the t-test is exact, the widened bootstrap says the same to its own noise.
    values = scipy_stats.norm.ppf((np.arange(25) + 0.5) / 25)
    found = resampled(values, resamples=20_000)
    for threshold in (-0.5, -0.3, -0.1):
        theirs = scipy_stats.ttest_1samp(values, threshold, alternative="greater").pvalue
        assert found.p_value(threshold, "greater") == pytest.approx(theirs, rel=0.2)
    interval = scipy_stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert found.bound("lower", 0.95) == pytest.approx(interval.low, abs=0.02)


def test_widening_for_few_clusters() -> None:
    assert expanded(0.975, 60) == pytest.approx(2.0010 * np.sqrt(61 / 59), abs=1e-4)
    assert expanded(0.975, 100_000) == pytest.approx(1.95996, abs=1e-3)
    assert expanded(0.025, 60) == pytest.approx(-expanded(0.975, 60))


# --------------------------------------------------------------------------- consistency


def test_a_bound_is_an_end_of_the_interval() -> None:
    singles = [item(f"s{k}", row("b" if k % 3 else "a", rc=0.5)) for k in range(20)]
    data = table(*judged(), *singles)
    for name in ("rc", "rc.order_delta", "accuracy", "coverage.parsed"):
        two_sided = compute_metrics(data, names=[name], confidence=0.9)[name]
        assert bound(data, name, "lower", 0.95) == two_sided.low
        assert bound(data, name, "upper", 0.95) == two_sided.high


def test_one_draw_serves_all() -> None:
    data = table(*judged())
    together = evidence(data, ["rc", "rc.order_delta", "coverage.parsed"])
    for name, found in together.items():
        assert found is not None
        assert found.bound("lower", 0.9) == pytest.approx(bound(data, name, "lower", 0.9))


def noisy(seed: int, n: int) -> Evidence:
    """A sum of two absolute errors of n clusters."""
    errors = np.random.default_rng(seed).normal(0.1, 0.5, size=(n, 2))
    sums = np.column_stack([errors, np.ones(n)])
    resampled = bootstrap_sums(sums, resamples=400, seed=seed)
    return noisy_evidence(sums, resampled, limits=(0.0, 1.0))


def evidences() -> st.SearchStrategy[Evidence]:
    counts = st.integers(2, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
    return st.one_of(
        counts.map(lambda pair: Proportion(*pair)),
        st.builds(Unanimous, st.floats(0, 1), st.integers(1, 300), limits=st.just((0.0, 1.0))),
        st.builds(
            lambda seed, n: resampled(
                np.random.default_rng(seed).beta(0.4, 1, size=n), resamples=400, seed=seed
            ),
            st.integers(0, 10_000),
            st.integers(6, 60),
        ),
        st.builds(noisy, st.integers(0, 10_000), st.integers(6, 60)),
        st.builds(
            lambda seed, n, zeros: extended_of(
                of_values(
                    np.random.default_rng(seed).beta(0.4, 1, size=n) * (np.arange(n) >= zeros)
                ),
                resamples=400,
                seed=seed,
            ),
            st.integers(0, 10_000),
            st.integers(2, 60),
            st.integers(0, 1),
        ),
    )


def unresolved(found: Evidence, confidence: float) -> bool:
    """Whether BCa asks for a finer level than the replicates have; then p is the more careful."""
    if not isinstance(found, Resampled):
        return False
    finest = 1 / len(found.drawn.replicates)
    return found.drawn.level(confidence) in (finest, 1 - finest)


@settings(max_examples=150, deadline=None)
@given(evidences(), st.floats(-0.1, 1.1), st.sampled_from([0.8, 0.9, 0.95]))
def test_bound_and_p_value_say_the_same(
    found: Evidence, threshold: float, confidence: float
) -> None:
    for side, alternative in (("lower", "greater"), ("upper", "less")):
        end = found.bound(side, confidence)  # type: ignore[arg-type]
        p = found.p_value(threshold, alternative)  # type: ignore[arg-type]
        beyond = end > threshold if side == "lower" else end < threshold
        if abs(p - (1 - confidence)) < 1e-6 or abs(end - threshold) < 1e-9:
            continue
        if p < 1 - confidence:
            assert beyond
        elif not unresolved(found, confidence if side == "upper" else 1 - confidence):
            assert not beyond


@settings(max_examples=100, deadline=None)
@given(evidences(), st.floats(-0.1, 1.1), st.floats(-0.1, 1.1))
def test_p_values_fall_as_the_threshold_recedes(found: Evidence, t: float, u: float) -> None:
    near, far = max(t, u), min(t, u)
    assert found.p_value(far, "greater") <= found.p_value(near, "greater") + 1e-12
    assert found.p_value(near, "less") <= found.p_value(far, "less") + 1e-12
    assert found.bound("lower", 0.95) <= found.value + 1e-9
    assert found.bound("upper", 0.95) >= found.value - 1e-9
    assert found.bound("lower", 0.99) <= found.bound("lower", 0.9) + 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_sides_mirror_each_other(seed: int, threshold: float) -> None:
    values = np.random.default_rng(seed).beta(0.4, 1, size=30)
    found, mirrored = resampled(values, resamples=300), resampled(1 - values, resamples=300)
    assert found.p_value(threshold, "greater") == pytest.approx(
        mirrored.p_value(1 - threshold, "less")
    )


@pytest.mark.slow
def test_the_level_of_a_test_on_skewed_clusters() -> None:
    # 600 data sets of 60 clusters whose mean is the threshold: .05 of them are rejected each way.
    rng = np.random.default_rng(8)
    rejected = np.zeros(2)
    for _ in range(600):
        found = resampled(rng.beta(0.5, 1.5, size=60), resamples=400)
        rejected += [found.p_value(0.25, side) < 0.05 for side in ("greater", "less")]  # type: ignore[arg-type]
    # The standard error is .9 points.
    assert (rejected / 600).max() < 0.08
    assert (rejected / 600).min() > 0.02


def test_too_few_clusters_for_the_confidence() -> None:
    found = resampled(np.array([0.1, 0.2, 0.4]))
    assert found.bound("lower", 0.999) == -9.0
    assert found.bound("upper", 0.999) == 9.0
    assert found.p_value(0.0, "greater") > 0.001
    assert found.p_value(-9.5, "greater") == found.p_value(9.5, "less") == 0.0


def test_one_exception_among_many_clusters_is_far_from_a_low_threshold() -> None:
    # 119 clusters of 1 and one of 0.6: no replicate comes near 0.1, so that only B and the number
    # of clusters limit the p-value, whatever the one exception does to BCa's constants.
    found = resampled(np.array([1.0] * 119 + [0.6]), resamples=2000)
    floor = scipy_stats.t.cdf(scipy_stats.norm.ppf(1 / 2000) * (119 / 121) ** 0.5, 119)
    assert found.p_value(0.1, "greater") == pytest.approx(floor)
    assert found.bound("lower", 1 - 1.01 * floor) > 0.9
    assert found.p_value(0.9999, "greater") > 0.05
