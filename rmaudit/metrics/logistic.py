"""Logistic regression that stays finite: Firth's penalised likelihood, with one-step resampling.

A model that is always right, or always picks the longer response, separates the data, and plain
maximum likelihood then runs to infinity. Firth (1993; Heinze and Schemper 2002) adds half the log
determinant of the information: finite always, with no constant to choose, and for a 2 x 2 table
the same as half a count more in each cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from rmaudit.metrics.arrays import FloatArray

MAX_STEPS = 100
MAX_HALVINGS = 12
TOLERANCE = 1e-9
SINGULAR = 1e8
"""Condition number of the standardised information from which effects cannot be told apart."""


class Fit(NamedTuple):
    """A fitted regression of n outcomes on k columns.

    beta: [k]. columns: [n, k + k (k + 1) / 2], what each outcome adds to the score (zero in sum)
    and to the information, from which `refitted` makes the fit of any resample.
    """

    beta: FloatArray
    columns: FloatArray

    def refitted(self, sums: FloatArray) -> FloatArray:
        """One Newton step from `beta` for resampled sums of the columns: [..., k].

        The one-step bootstrap (and, for one outcome left out, the one-step jackknife of Pregibon
        1981), with the information of the resample.
        """
        k = len(self.beta)
        rows, places = np.triu_indices(k)
        information = np.zeros((*sums.shape[:-1], k, k))
        information[..., rows, places] = information[..., places, rows] = sums[..., k:]
        floor = TOLERANCE * np.trace(information, axis1=-2, axis2=-1)[..., np.newaxis, np.newaxis]
        step = np.linalg.solve(information + floor * np.eye(k), sums[..., :k, np.newaxis])
        beta: FloatArray = self.beta + step[..., 0]
        return beta


def firth(x: FloatArray, y: FloatArray) -> Fit | None:
    """Fit P(y) = expit(x beta).

    Args:
        x: [n, k], the constant included.
        y: [n], shares from 0 to 1.

    Returns:
        The fit, None where the columns of x cannot be told apart.
    """
    beta = np.zeros(x.shape[1])
    if not len(x) or not np.linalg.cond(x.T @ x) < SINGULAR:
        return None
    for _ in range(MAX_STEPS):
        score, information = _terms(x, y, beta)
        step = np.linalg.solve(information, score.sum(axis=0))
        before, scale = _penalised(x, y, beta), 1.0
        for _ in range(MAX_HALVINGS):
            if _penalised(x, y, beta + scale * step) >= before - TOLERANCE:
                break
            scale /= 2
        beta = beta + scale * step
        if np.abs(step).max() < TOLERANCE:
            break
    score, _ = _terms(x, y, beta)
    chance = expit(x @ beta)
    rows, places = np.triu_indices(x.shape[1])
    information = (chance * (1 - chance))[:, np.newaxis] * x[:, rows] * x[:, places]
    return Fit(beta, np.hstack([score, information]))


def _terms(x: FloatArray, y: FloatArray, beta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each outcome's part of the modified score, [n, k], and the information, [k, k]."""
    chance = expit(x @ beta)
    weight = chance * (1 - chance)
    information = x.T @ (weight[:, np.newaxis] * x)
    leverage = weight * np.einsum("ij,ji->i", x, np.linalg.solve(information, x.T))
    residual = y - chance + leverage * (0.5 - chance)
    return residual[:, np.newaxis] * x, information


def _penalised(x: FloatArray, y: FloatArray, beta: FloatArray) -> float:
    """The log likelihood plus half the log determinant of the information."""
    margin = x @ beta
    chance = expit(margin)
    information = x.T @ ((chance * (1 - chance))[:, np.newaxis] * x)
    likelihood = y * margin - np.logaddexp(0.0, margin)
    return float(likelihood.sum() + np.linalg.slogdet(information)[1] / 2)
