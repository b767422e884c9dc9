"""Bounds with one cluster more than was drawn: by hand, against exact ones, and their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from support.sums import extended_of, of_values

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.evidence import Extended, Unanimous, extended_evidence
from rmaudit.metrics.resampling import bootstrap_sums
from rmaudit.metrics.stats import clopper_pearson, ratio
from rmaudit.metrics.unseen import (
    HALF,
    WHOLE,
    Extra,
    Parts,
    extra_cluster,
    parts_of_difference,
    parts_of_ratio,
)

SHARE, DIFFERENCE = (0.0, 1.0), (-1.0, 1.0)
NONE = np.zeros(0)


def difference_of(first: FloatArray, second: FloatArray, *, seed: int = 0) -> Extended:
    both = np.hstack([first, second])
    resampled = bootstrap_sums(both, resamples=2000, seed=seed)
    before, after = resampled[:, :2], resampled[:, 2:]
    found = extended_evidence(
        float(ratio(second.sum(axis=0)) - ratio(first.sum(axis=0))),
        ratio(after) - ratio(before),
        parts_of_difference(first, second, (before, after)),
        limits=DIFFERENCE,
        seed=seed,
    )
    assert isinstance(found, Extended)
    return found


# ----------------------------------------------------------------------------- by hand


@pytest.mark.parametrize(("right", "n"), [(1, 30), (5, 30), (15, 30), (199, 200)])
def test_bare_shares_give_clopper_and_pearson(right: int, n: int) -> None:
    """W_0 + the weights of k ones is Beta(k + 1, n - k): the exact bound; B = 20,000 draws."""
    found = extended_of(of_values((np.arange(n) < right).astype(float)), resamples=20_000)
    low, high = clopper_pearson(right, n, confidence=0.9)
    spread = (high - low) / 100
    assert found.bound("lower", 0.95) == pytest.approx(low, abs=spread)
    assert found.bound("upper", 0.95) == pytest.approx(high, abs=spread)


def test_one_small_exception_by_hand() -> None:
    """99 clusters of 0 and one of .25: a seen quarter and an unseen whole, W_1 / 4 + W_0.

    W_0 and W_1 are exponential over 101: P(W_1 / 4 + W_0 > x) = (4 e^-x - e^-4x) / 3 = .05 at
    x = 3.283. From below, W_1 / 4 over W_0 and the rest: .05 of an exponential, .0513 / 4.
    """
    found = extended_of(of_values(np.array([0.25] + [0.0] * 99)), resamples=20_000)
    assert found.value == 0.0025
    x = 3.283
    assert (4 * np.exp(-x) - np.exp(-4 * x)) / 3 == pytest.approx(0.05, abs=1e-4)
    assert found.bound("upper", 0.95) == pytest.approx(x / 101, rel=0.03)
    assert found.bound("lower", 0.95) == pytest.approx(0.0513 / 4 / 101, rel=0.1)


def test_the_extra_cluster_of_a_share_is_as_large_as_the_largest() -> None:
    sums = np.array([[1.0, 2.0], [0.0, 1.0], [5.0, 5.0]])
    assert extra_cluster(Parts(*sums.T, NONE), SHARE) == Extra(5.0, WHOLE, exact=True)


@pytest.mark.parametrize(
    ("values", "weight"),
    [
        # The largest difference, and a part of what is left to 1: (1 - .4) / (k + 1)^2.
        ([0.4, 0.0, 0.0], 0.4 + 0.6 / 4),
        ([0.4, -0.2, 0.0], 0.4 + 0.6 / 9),
        ([-1.0, 1.0, 0.0], 1.0),
        ([0.0, 0.0, 0.0], 1.0),
    ],
)
def test_the_extra_cluster_of_a_difference(values: list[float], weight: float) -> None:
    found = extra_cluster(Parts(np.array(values), np.ones(3), NONE), DIFFERENCE)
    assert found == Extra(pytest.approx(weight), HALF, exact=False)


def test_values_beyond_the_limits_are_no_shares() -> None:
    """Such as a corrected score, whose parts can pass 1: the largest part counts, 3."""
    found = extra_cluster(Parts(np.array([3.0, 0.0]), np.ones(2), NONE), SHARE)
    assert found == Extra(3.0, HALF, exact=False)


def test_parts_of_a_difference_by_hand() -> None:
    """Means 1.5 and 2: weights (2/3, 4/3) and (1/2, 3/2), w = (7/12, 17/12), theta 1/3 and 3/4.

    First cluster: 1/2 - 3/4 (1/2 - 7/12) - 1/1.5 + 1/3 (2/3 - 7/12) = -.076389; second: 1 - 3/4
    (3/2 - 17/12) - 0 + 1/3 (4/3 - 17/12) = .909722. Their mean is 3/4 - 1/3.
    """
    first, second = np.array([[1.0, 1.0], [0.0, 2.0]]), np.array([[1.0, 1.0], [2.0, 3.0]])
    found = parts_of_difference(first, second, (first, second))
    assert found.value == pytest.approx([-0.076389, 0.909722], abs=1e-6)
    assert found.value.mean() == pytest.approx(3 / 4 - 1 / 3)
    assert found.weight == pytest.approx([7 / 12, 17 / 12])
    assert found.carried == pytest.approx([7 / 12, 17 / 12])


def test_equal_weights_give_the_plain_differences() -> None:
    first = np.array([[1.0, 2.0], [0.0, 4.0]])
    second = np.array([[0.0, 2.0], [3.0, 4.0]])
    found = parts_of_difference(first, second, (first, second))
    assert found.value == pytest.approx([-1 / 3, 3 / 3])


def test_no_difference_at_all() -> None:
    sums = of_values(np.array([0.2, 0.5, 0.9]))
    both = bootstrap_sums(np.hstack([sums, sums]), resamples=100, seed=0)
    parts = parts_of_difference(sums, sums, (both[:, :2], both[:, 2:]))
    found = extended_evidence(0.0, np.zeros(100), parts, limits=DIFFERENCE, seed=0)
    assert found == Unanimous(0.0, 3, DIFFERENCE)


def test_one_small_difference_does_not_narrow_the_bound_to_it() -> None:
    """Of 60 clusters one differs by .05; a hidden one could differ by 1."""
    first, second = of_values(np.full(60, 0.5)), of_values(np.array([0.55] + [0.5] * 59))
    found = difference_of(first, second)
    assert found.bound("lower", 0.95) < -0.005
    agree = Unanimous(0.0, 60, DIFFERENCE).bound("lower", 0.95)
    assert agree < found.bound("lower", 0.95) < 0


def test_few_clusters_say_nothing_of_a_difference() -> None:
    found = difference_of(of_values(np.zeros(3)), of_values(np.array([0.1, 0.0, 0.2])))
    assert found.method(0.95) == "vacuous"
    assert found.bound("lower", 0.975) == -1
    assert extended_of(of_values(np.array([0.1, 0.0, 0.2]))).method(0.95) == "extended"


def test_a_symmetric_sample_gets_students_interval() -> None:
    values = 0.5 + 0.1 * scipy_stats.norm.ppf((np.arange(200) + 0.5) / 200)
    found = extended_of(of_values(values), resamples=20_000)
    theirs = scipy_stats.ttest_1samp(values, 0).confidence_interval(0.95)
    width = found.bound("upper", 0.975) - found.bound("lower", 0.975)
    assert width == pytest.approx(theirs.high - theirs.low, rel=0.25)
    assert width > theirs.high - theirs.low


# -------------------------------------------------------------------------------- laws

VALUES = st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=2, max_size=40).filter(
    lambda values: len(set(values)) > 1
)
LEVELS = st.floats(0.8, 0.99)


@settings(max_examples=60, deadline=None)
@given(VALUES, LEVELS, LEVELS)
def test_bounds_are_monotone_in_level_and_hold_the_estimate(
    values: list[float], first: float, second: float
) -> None:
    found = extended_of(of_values(np.array(values)), resamples=400)
    less, more = sorted((first, second))
    assert found.bound("lower", more) <= found.bound("lower", less) <= found.value
    assert found.bound("upper", more) >= found.bound("upper", less) >= found.value
    assert found.bound("lower", more) >= 0
    assert found.bound("upper", more) <= 1


@settings(max_examples=60, deadline=None)
@given(VALUES, st.integers(1, 5), LEVELS)
def test_bounds_mirror_each_other(values: list[float], weight: int, level: float) -> None:
    """x and 1 - x, with clusters of two sizes."""
    weights = np.where(np.arange(len(values)) % 2, 1.0, weight)
    sums = np.column_stack([np.array(values) * weights, weights])
    mirrored = np.column_stack([weights - sums[:, 0], weights])
    found, other = extended_of(sums, resamples=400), extended_of(mirrored, resamples=400)
    assert found.bound("lower", level) == pytest.approx(1 - other.bound("upper", level))
    assert found.p_value(0.4, "greater") == pytest.approx(other.p_value(0.6, "less"))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), LEVELS)
def test_differences_mirror_each_other(seed: int, level: float) -> None:
    """Exchanging the runs, and taking 1 - x in both, with weights of their own."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 6, size=(2, 20)).astype(float)
    runs = [np.column_stack([rng.beta(0.5, 1, size=20) * own, own]) for own in weights]
    flipped = [np.column_stack([run[:, 1] - run[:, 0], run[:, 1]]) for run in runs]
    found = difference_of(*runs)
    for other in (difference_of(*runs[::-1]), difference_of(*flipped)):
        assert found.bound("lower", level) == pytest.approx(-other.bound("upper", level))


@settings(max_examples=40, deadline=None)
@given(VALUES, LEVELS)
def test_scaling_all_weights_changes_nothing(values: list[float], level: float) -> None:
    sums = of_values(np.array(values))
    once, five = extended_of(sums, resamples=400), extended_of(5 * sums, resamples=400)
    assert once.bound("upper", level) == pytest.approx(five.bound("upper", level))


def test_parts_of_a_ratio() -> None:
    sums = np.array([[1.0, 2.0], [0.0, 3.0]])
    found = parts_of_ratio(sums, np.array([[1.0, 4.0]]))
    assert (found.value.tolist(), found.weight.tolist()) == ([1.0, 0.0], [2.0, 3.0])
    assert found.carried.tolist() == [4.0]
