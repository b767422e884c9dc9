"""Shares of clusters against published values and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from rmaudit.metrics.stats import clopper_pearson, is_share, ratio, unanimous


def test_clopper_pearson_known_values() -> None:
    # 0 of 10: 1 - .025^(1/10) = .3085; 8 of 10: [.4439, .9748].
    assert clopper_pearson(0, 10, confidence=0.95) == pytest.approx((0, 0.3085), abs=1e-4)
    assert clopper_pearson(8, 10, confidence=0.95) == pytest.approx((0.4439, 0.9748), abs=1e-4)


@pytest.mark.parametrize("n", [1, 7, 207])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_proportions_agree_with_scipy(n: int, confidence: float) -> None:
    for successes in {0, 1, n // 2, n}:
        theirs = scipy_stats.binomtest(successes, n).proportion_ci(confidence, method="exact")
        found = clopper_pearson(successes, n, confidence=confidence)
        assert found == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize("n", [1, 5, 207])
def test_unanimous_is_clopper_pearson_at_the_ends(n: int) -> None:
    for value, successes in ((0.0, 0), (1.0, n)):
        exact = clopper_pearson(successes, n, confidence=0.95)
        assert unanimous(value, n, confidence=0.95) == pytest.approx(exact)


def test_unanimous_inside_has_width() -> None:
    # Ten groups at exactly .5: q = .3085, so .5 -+ .3085 / 2.
    assert unanimous(0.5, 10, confidence=0.95) == pytest.approx((0.3458, 0.6542), abs=1e-4)


def test_unanimous_respects_the_bounds_of_the_metric() -> None:
    # A bias of 0 in ten groups, possible from -.5 to .5: -+ .3085 / 2.
    found = unanimous(0.0, 10, confidence=0.95, bounds=(-0.5, 0.5))
    assert found == pytest.approx((-0.1542, 0.1542), abs=1e-4)


def test_what_is_a_share() -> None:
    bare = np.array([[1.0, 1.0], [0.0, 1.0]])
    assert is_share(bare, (0.0, 1.0))
    assert is_share(bare, (-0.5, 0.5))
    assert not is_share(bare, (-1.0, 1.0))  # a difference that could be -1
    assert not is_share(np.array([[2.0, 2.0], [0.0, 2.0]]), (0.0, 1.0))
    assert not is_share(np.array([[0.5, 1.0], [0.0, 1.0]]), (0.0, 1.0))


def test_ratio_is_undefined_without_a_denominator() -> None:
    assert ratio(np.array([[1.0, 4.0], [0.0, 0.0], [2.0, 0.0]])) == pytest.approx(
        [0.25, np.nan, np.nan], nan_ok=True
    )
