"""Firth's regression against closed forms, a general optimiser, and full refits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.logistic import firth


def constant(n: int) -> FloatArray:
    return np.ones((n, 1))


def test_a_constant_alone_adds_half_a_count_to_each_side() -> None:
    fit = firth(constant(10), np.array([1.0] * 3 + [0.0] * 7))
    assert fit is not None
    assert fit.beta == pytest.approx([np.log(3.5 / 7.5)])


def test_separated_cells_stay_finite_and_add_half_a_count_to_each_cell() -> None:
    """Ten of ten where x is 1, none of six where it is -1."""
    side = np.array([1.0] * 10 + [-1.0] * 6)
    fit = firth(np.column_stack([np.ones(16), side]), (side > 0) * 1.0)
    assert fit is not None
    above, below = np.log(10.5 / 0.5), np.log(0.5 / 6.5)
    assert fit.beta == pytest.approx([(above + below) / 2, (above - below) / 2])


def test_two_halves_count_as_one_whole_and_none() -> None:
    fit = firth(constant(4), np.array([0.5, 0.5, 1.0, 1.0]))
    assert fit is not None
    assert fit.beta == pytest.approx([np.log(3.5 / 1.5)])


def simulated(n: int, seed: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(n), rng.choice([-1.0, 1.0], n), rng.normal(size=(n, 2))])
    return x, (rng.random(n) < expit(x @ [0.2, 1.5, 0.8, 0.0])) * 1.0


def test_it_is_the_maximum_of_the_penalised_likelihood() -> None:
    x, y = simulated(80, 0)

    def loss(beta: FloatArray) -> float:
        margin = x @ beta
        weight = expit(margin) * (1 - expit(margin))
        information = x.T @ (weight[:, None] * x)
        likelihood = float((y * margin - np.logaddexp(0, margin)).sum())
        return -likelihood - float(np.linalg.slogdet(information)[1]) / 2

    fit = firth(x, y)
    assert fit is not None
    best = minimize(
        loss,
        np.zeros(4),
        method="Nelder-Mead",
        options={"xatol": 1e-8, "fatol": 1e-12, "maxiter": 5000},
    )
    assert fit.beta == pytest.approx(best.x, abs=1e-5)
    assert fit.refitted(fit.columns.sum(axis=0)) == pytest.approx(fit.beta)


def test_one_step_refits_are_close_to_full_ones() -> None:
    x, y = simulated(200, 1)
    fit = firth(x, y)
    assert fit is not None
    left_out = fit.refitted(fit.columns.sum(axis=0) - fit.columns)
    assert left_out.shape == (200, 4)
    for k in (0, 57, 199):
        again = firth(np.delete(x, k, axis=0), np.delete(y, k))
        assert again is not None
        assert left_out[k] == pytest.approx(again.beta, abs=0.03)
    counts = np.random.default_rng(2).multinomial(200, np.full(200, 1 / 200), size=3)
    for beta, drawn in zip(fit.refitted(counts @ fit.columns), counts, strict=True):
        again = firth(np.repeat(x, drawn, axis=0), np.repeat(y, drawn))
        assert again is not None
        assert beta == pytest.approx(again.beta, abs=0.25)


def test_columns_that_cannot_be_told_apart() -> None:
    side = np.array([1.0, -1.0] * 10)
    assert firth(np.column_stack([side, side]), (side > 0) * 1.0) is None
    assert firth(np.zeros((0, 2)), np.zeros(0)) is None
