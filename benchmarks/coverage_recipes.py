"""Data sets with a known truth, for benchmarks/coverage.py: sums by cluster of metrics.

Scores of an item follow a propensity drawn from a Beta distribution of precision 1.2, so that most
items lie near 0 or near 1, as those of scans do, and the mean over items is the rate asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import FloatArray

PRECISION = 1.2
MARGIN = 0.02
"""What a paired rule tolerates; half of what is left to the limit where that is less."""

Draw = Callable[[np.random.Generator, tuple[int, int], float], FloatArray]
"""(generator, (data sets, clusters), rate) to sums by cluster [D, G, k]."""


class Kind(NamedTuple):
    """A kind of metric: `draw` its sums, `truth` its value at a rate."""

    name: str
    draw: Draw
    truth: Callable[[float], float]
    paired: bool = False


def _propensity(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    return rng.beta(rate * PRECISION, (1 - rate) * PRECISION, size=shape)


def _scores(rng: np.random.Generator, propensity: FloatArray, references: FloatArray) -> FloatArray:
    """The mean of `references` scores on the grid of quarters."""
    quarters = (4 * references).astype(np.int64)
    scores: FloatArray = rng.binomial(quarters, propensity) / quarters
    return scores


def rc(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Rationale consistency: one item a cluster, 3 to 7 references, scores in quarters."""
    references = rng.integers(3, 8, size=shape).astype(np.float64)
    scores = _scores(rng, _propensity(rng, shape, rate), references)
    return np.stack([scores, np.ones(shape)], axis=-1)


def clusters(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Accuracy: clusters of 1 to 5 items that are right or wrong together."""
    items = rng.integers(1, 6, size=shape)
    right = rng.binomial(items, _propensity(rng, shape, rate))
    return np.stack([right, items], axis=-1).astype(np.float64)


def flaws(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Flagged reasons over reasons, 1 to 5 an answer, fewer where flaws are likely."""
    likely = _propensity(rng, shape, rate)
    reasons = 1 + rng.binomial(4, 0.8 - 0.5 * likely)
    return np.stack([rng.binomial(reasons, likely), reasons], axis=-1).astype(np.float64)


def flaw_truth(rate: float) -> float:
    """E[reasons * likely] / E[reasons], with reasons = 1 + 4 (.8 - .5 likely) on average.

    E[likely^2] of the Beta is rate (rate T + 1) / (T + 1), T its precision.
    """
    square = rate * (rate * PRECISION + 1) / (PRECISION + 1)
    return (4.2 * rate - 2 * square) / (4.2 - 2 * rate)


def change(rate: float) -> float:
    """Second run minus first, towards the middle: what the paired rule just does not tolerate."""
    size = min(MARGIN, rate / 2, (1 - rate) / 2)
    return size if rate < 0.5 else -size


def _second(propensity: FloatArray, rate: float) -> FloatArray:
    """Propensities of the second run, whose mean lies `change` from the first's."""
    step = change(rate)
    if step > 0:
        return propensity + (1 - propensity) * step / (1 - rate)
    return propensity * (1 + step / rate)


def _both(first: FloatArray, second: FloatArray, weight: FloatArray) -> FloatArray:
    return np.stack([first, weight, second, weight], axis=-1).astype(np.float64)


def paired_rc(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Rationale consistency of two runs of nearly one model: each item's propensity is kept."""
    references = rng.integers(3, 8, size=shape).astype(np.float64)
    first = _propensity(rng, shape, rate)
    scores = [_scores(rng, own, references) for own in (first, _second(first, rate))]
    return _both(scores[0], scores[1], np.ones(shape))


def paired_apart(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Two models: half of the items have another propensity in the second run."""
    references = rng.integers(3, 8, size=shape).astype(np.float64)
    first = _propensity(rng, shape, rate)
    other = np.where(rng.random(shape) < 0.5, first, _propensity(rng, shape, rate))
    scores = [_scores(rng, own, references) for own in (first, _second(other, rate))]
    return _both(scores[0], scores[1], np.ones(shape))


def paired_single(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Right or wrong in either run, one item a cluster."""
    first = _propensity(rng, shape, rate)
    right = [rng.random(shape) < own for own in (first, _second(first, rate))]
    return _both(right[0], right[1], np.ones(shape))


def paired_clusters(rng: np.random.Generator, shape: tuple[int, int], rate: float) -> FloatArray:
    """Right or wrong in either run, clusters of 1 to 5 items."""
    items = rng.integers(1, 6, size=shape)
    first = _propensity(rng, shape, rate)
    right = [rng.binomial(items, own) for own in (first, _second(first, rate))]
    return _both(right[0], right[1], items)


KINDS = (
    Kind("rc", rc, float),
    Kind("clusters of 1-5", clusters, float),
    Kind("flaws (ratio)", flaws, flaw_truth),
    Kind("paired rc", paired_rc, change, paired=True),
    Kind("paired rc, models apart", paired_apart, change, paired=True),
    Kind("paired 0/1", paired_single, change, paired=True),
    Kind("paired clusters", paired_clusters, change, paired=True),
)
