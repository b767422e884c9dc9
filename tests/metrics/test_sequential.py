"""Sequences: hand-worked capital, coverage at every time, agreement of bounds and p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.sequential import FRACTIONS, WEIGHTS, Sequence

few = settings(deadline=None, max_examples=40)


def of_means(values: list[float] | FloatArray) -> FloatArray:
    column = np.asarray(values, dtype=np.float64)
    return np.column_stack([column, np.ones_like(column)])


def share(values: list[float] | FloatArray) -> Sequence:
    return Sequence(of_means(values), (0.0, 1.0), 1.0)


def test_capital_by_hand() -> None:
    """Against theta <= 0.5: a 1 pays 1 / 0.5 - 1 = 1, a 0 costs 1, each times the fraction f.

    After 1, 1, 0 a bet of f holds (1 + f)(1 + f)(1 - f); the capital is their weighted sum.
    """
    path = share([1, 1, 0]).path("lower", 0.5)
    f = FRACTIONS
    bets = [1 + f, (1 + f) ** 2, (1 + f) ** 2 * (1 - f)]
    worked = [float(WEIGHTS @ bet) for bet in bets]
    assert np.exp(path) == pytest.approx(worked)
    assert share([1, 1, 0]).p_value(0.5, "greater") == pytest.approx(2 / max(worked))


def test_a_ratio_by_hand() -> None:
    """Numerators 1, 0 over denominators 2, 1 of at most 4; against theta <= 0.25.

    Wins: (1 / 0.25 - 2) / 4 = 0.5 and (0 - 1) / 4 = -0.25.
    """
    sequence = Sequence(np.array([[1.0, 2.0], [0.0, 1.0]]), (0.0, 1.0), 4.0)
    f = FRACTIONS
    worked = [float(WEIGHTS @ bet) for bet in (1 + f / 2, (1 + f / 2) * (1 - f / 4))]
    assert np.exp(sequence.path("lower", 0.25)) == pytest.approx(worked)
    assert sequence.value == pytest.approx(1 / 3)


def test_a_group_without_observations_changes_nothing() -> None:
    with_empty = Sequence(np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]), (0.0, 1.0), 1.0)
    assert with_empty.bound("lower", 0.95) == pytest.approx(share([1, 1]).bound("lower", 0.95))


def test_what_was_shown_stays_shown() -> None:
    """Thirty ones refute theta <= 0.5 for good: the largest capital so far counts."""
    early = share([1] * 30)
    late = share([1] * 30 + [0] * 30)
    assert early.p_value(0.5, "greater") < 0.01
    assert late.p_value(0.5, "greater") == early.p_value(0.5, "greater")
    assert late.bound("lower", 0.95) == pytest.approx(early.bound("lower", 0.95), abs=1e-6)


def test_shift_and_negative_limits() -> None:
    """A difference within -1 and 1 is a share within 0 and 1, stretched."""
    values = np.array([1.0, 0, 1, 1, 1, 0, 1, 1, 1, 1] * 4)
    plain = share(values)
    stretched = Sequence(of_means(2 * values - 1), (-1.0, 1.0), 1.0)
    shifted = Sequence(of_means(values), (0.0, 1.0), 1.0, -0.5)
    for side in ("lower", "upper"):
        bound = plain.bound(side, 0.95)
        assert stretched.bound(side, 0.95) == pytest.approx(2 * bound - 1, abs=1e-6)
        assert shifted.bound(side, 0.95) == pytest.approx(bound - 0.5, abs=1e-6)
    assert shifted.p_value(0.1, "greater") == pytest.approx(plain.p_value(0.6, "greater"))


def test_nothing_seen_says_nothing() -> None:
    empty = share([])
    assert np.isnan(empty.value)
    assert (empty.bound("lower", 0.95), empty.bound("upper", 0.95)) == (0.0, 1.0)
    assert empty.p_value(0.3, "greater") == 1.0


def test_thresholds_at_and_beyond_the_limits() -> None:
    some = share([1, 0, 1])
    assert some.p_value(-0.1, "greater") == 0.0  # theta is above it, whatever the data
    assert some.p_value(1.0, "greater") == 1.0  # and never above 1
    assert some.p_value(0.0, "greater") == 0.0  # one success refutes theta = 0
    assert share([0, 0]).p_value(0.0, "greater") == 1.0


@pytest.mark.parametrize("sums", [[[2.0, 1.0]], [[0.5, 3.0]], [[-0.1, 1.0]]])
def test_refuses_what_its_bounds_would_not_hold_for(sums: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="is not within"):
        Sequence(np.array(sums), (0.0, 1.0), 2.0)


@few
@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=60),
    st.floats(0.05, 0.95),
    st.floats(0.6, 0.99),
)
def test_bound_and_p_value_are_one_thing(
    values: list[float], threshold: float, confidence: float
) -> None:
    found = share(values)
    for side, alternative in (("lower", "greater"), ("upper", "less")):
        bound = found.bound(side, confidence)
        if abs(bound - threshold) > 1e-6:
            beyond = bound > threshold if side == "lower" else bound < threshold
            assert beyond == (found.p_value(threshold, alternative) < 1 - confidence)


@few
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_mirror(values: list[float]) -> None:
    found, mirrored = share(values), share([1 - value for value in values])
    assert found.bound("lower", 0.9) == pytest.approx(1 - mirrored.bound("upper", 0.9), abs=1e-6)


@few
@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=40),
    st.floats(0.05, 0.9),
    st.floats(0.01, 0.09),
)
def test_the_capital_falls_as_the_hypothesis_rises(
    values: list[float], distance: float, more: float
) -> None:
    found = share(values)
    assert (found.path("lower", distance) >= found.path("lower", distance + more)).all()


@pytest.mark.parametrize("theta", [0.03, 0.5, 0.9])
def test_coverage_at_every_time(theta: float) -> None:
    """Theta itself is refuted at any time up to 500 in at most 5% of runs, whichever side.

    A true rate of 5% gives more than 32 of 400 with probability 0.005.
    """
    rng = np.random.default_rng(7)
    refuted = 0
    for _ in range(400):
        found = share((rng.random(500) < theta) * 1.0)
        sides = found.p_value(theta, "greater"), found.p_value(theta, "less")
        refuted += min(sides) < 0.05
    assert refuted <= 32
