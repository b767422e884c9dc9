"""How often do the audit's intervals hold the truth? Simulations with a known truth.

Each case draws data sets whose true value follows from the recipe, with several rows a cluster that
go together: prompts in clusters, both orders of an item, reasons of an answer. The intervals come
from the functions that a scan uses, dispatch included. A row shows the share of intervals that
hold the truth, and how often it lies below or above them (2.5% each would be even).

    python benchmarks/coverage.py [data sets, default 4000] [part of a metric's name]

Exits 1 when a bar is missed: at 200 and 1,000 clusters 93 to 97% for the bootstrap, at 60 at least
93%, and at least 95% for Clopper-Pearson. Rare flaws are shown without a bar: where a handful of
clusters hold all exceptions, no interval that rests on resampling them can know their tail.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # said before numpy is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.stats import (
    bootstrap,
    bootstrap_interval,
    clopper_pearson,
    closed_form,
    draw_counts,
    ratio,
    wilson,
)

SIZES = (60, 200, 1000)
DATA_SETS = 4000
RESAMPLES = 2000
PER_DRAW = 100
"""Data sets that share one set of draws; in a scan, seed and number of clusters fix them."""

Draw = Callable[[np.random.Generator, int, int], FloatArray]
"""(generator, data sets D, clusters G) to sums by cluster [D, G, k]."""


class Case(NamedTuple):
    """A metric with a known truth."""

    name: str
    truth: float
    draw: Draw
    paired: bool = False
    rare: bool = False  # a handful of clusters with exceptions: shown, without a bar


class Score(NamedTuple):
    """Shares of data sets: interval holds the truth, lies above it, lies below it; mean width."""

    covered: float
    above: float
    below: float
    width: float


# ------------------------------------------------------------------------------ recipes


def _beta_items(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> FloatArray:
    """Propensities of three items in each cluster [D, G, 3], alike within clusters, skewed."""
    total = 1.2
    cluster = rng.beta(mean * total, (1 - mean) * total, size=(*shape, 1))
    cluster = np.clip(cluster, 1e-6, 1 - 1e-6)
    return rng.beta(4 * cluster, 4 * (1 - cluster), size=(*shape, 3))


def _items(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Which of three places hold an item: clusters of one to three items, most of one."""
    size = rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1], size=(*shape, 1))
    return (np.arange(3) < size).astype(np.float64)


def _grid_scores(rng: np.random.Generator, propensity: FloatArray) -> FloatArray:
    """Mean score of 4 references on the grid of quarters, in both orders: [..., 2]."""
    both = np.repeat(propensity[..., None], 2, axis=-1)
    return rng.binomial(16, both) / 16


def rc(rng: np.random.Generator, data_sets: int, clusters: int, mean: float = 0.25) -> FloatArray:
    """Rationale consistency: mean over items of the mean over orders; most items near 0."""
    shape = data_sets, clusters
    held = _items(rng, shape)
    scores = _grid_scores(rng, _beta_items(rng, shape, mean)).mean(axis=-1)
    return np.stack([(scores * held).sum(axis=-1), held.sum(axis=-1)], axis=-1)


def accuracy(rng: np.random.Generator, data_sets: int, clusters: int, mean: float) -> FloatArray:
    """Accuracy in both orders: an item's value is 0, 1/2 or 1."""
    shape = data_sets, clusters
    held = _items(rng, shape)
    both = np.repeat(_beta_items(rng, shape, mean)[..., None], 2, axis=-1)
    right = (rng.random(both.shape) < both).mean(axis=-1)
    return np.stack([(right * held).sum(axis=-1), held.sum(axis=-1)], axis=-1)


def single(rng: np.random.Generator, data_sets: int, clusters: int, mean: float) -> FloatArray:
    """Accuracy in one order, one item a cluster: the closed forms."""
    right = (rng.random((data_sets, clusters)) < mean).astype(np.float64)
    return np.stack([right, np.ones_like(right)], axis=-1)


def flaws(rng: np.random.Generator, data_sets: int, clusters: int, mean: float) -> FloatArray:
    """A flaw rate: flagged reasons over reasons, 1 to 5 an answer, fewer where flaws are likely."""
    shape = data_sets, clusters
    held = _items(rng, shape)[..., None]
    likely = np.repeat(_beta_items(rng, shape, mean)[..., None], 2, axis=-1)
    reasons = (1 + rng.binomial(4, 0.8 - 0.5 * likely)) * held
    flagged = rng.binomial(reasons.astype(np.int64), likely)
    return np.stack([flagged.sum(axis=(-1, -2)), reasons.sum(axis=(-1, -2))], axis=-1).astype(
        np.float64
    )


def flaw_truth(mean: float) -> float:
    """E[reasons * likely] / E[reasons], reasons = 1 + 4 (.8 - .5 likely) on average.

    E[likely^2] over an item: cluster c has E[c^2] = m (m T + 1) / (T + 1) with T = 1.2; then
    E[likely^2 | c] = c (4 c + 1) / 5.
    """
    total = 1.2
    square = mean * (mean * total + 1) / (total + 1)
    of_item = (4 * square + mean) / 5
    return (4.2 * mean - 2 * of_item) / (4.2 - 2 * mean)


def spurious(rng: np.random.Generator, data_sets: int, clusters: int) -> FloatArray:
    """A share among right verdicts: no matched reason where the verdict is right (80%)."""
    shape = data_sets, clusters
    held = _items(rng, shape)[..., None]
    right = (rng.random((*shape, 3, 2)) < 0.8) * held
    unmatched = rng.random((*shape, 3, 2)) < _beta_items(rng, shape, 0.3)[..., None]
    return np.stack(
        [(right * unmatched).sum(axis=(-1, -2)) / 2, right.sum(axis=(-1, -2)) / 2], axis=-1
    )


def change(rng: np.random.Generator, data_sets: int, clusters: int) -> FloatArray:
    """Two runs on the same items, the second .05 better in rc: sums of both, [.., 4]."""
    shape = data_sets, clusters
    held = _items(rng, shape)
    items = _beta_items(rng, shape, 0.25)
    sums = []
    for lift in (0.0, 0.05):
        propensity = items * (1 - lift / 0.75) + lift / 0.75  # the mean rises by `lift`
        scores = _grid_scores(rng, propensity).mean(axis=-1)
        sums += [(scores * held).sum(axis=-1), held.sum(axis=-1)]
    return np.stack(sums, axis=-1)


def difference(sums: FloatArray) -> FloatArray:
    """Second ratio minus first."""
    return ratio(sums[..., 2:]) - ratio(sums[..., :2])


CASES = (
    Case("rc, skewed, mean .25", 0.25, rc),
    Case("rc, very skewed, mean .08", 0.08, lambda r, d, g: rc(r, d, g, 0.08)),
    Case("accuracy, both orders, .75", 0.75, lambda r, d, g: accuracy(r, d, g, 0.75)),
    Case("accuracy, both orders, .97", 0.97, lambda r, d, g: accuracy(r, d, g, 0.97)),
    Case("flaw rate .20 (ratio)", flaw_truth(0.2), lambda r, d, g: flaws(r, d, g, 0.2)),
    Case("flaw rate .05 (ratio)", flaw_truth(0.05), lambda r, d, g: flaws(r, d, g, 0.05)),
    Case("flaw rate .02 (rare)", flaw_truth(0.02), lambda r, d, g: flaws(r, d, g, 0.02), rare=True),
    Case("flaw rate .01 (rare)", flaw_truth(0.01), lambda r, d, g: flaws(r, d, g, 0.01), rare=True),
    Case("spurious among right (ratio)", 0.3, spurious),
    Case("rc, second run minus first", 0.05, change, paired=True),
)


# --------------------------------------------------------------------------- simulation


def simulate(case: Case, clusters: int, data_sets: int, *, seed: int = 0) -> tuple[Score, Score]:
    """Coverage of the interval that a scan gives, and of the same without widening."""
    ends = np.array(
        [
            [_interval(case, *pair, widened=widened) for widened in (True, False)]
            for pair in _batches(case, clusters, data_sets, seed=seed)
        ]
    )
    low, high = ends[..., 0], ends[..., 1]
    above, below = (low > case.truth).mean(axis=0), (high < case.truth).mean(axis=0)
    widths = (high - low).mean(axis=0)
    given, plain = (
        Score(float(1 - a - b), float(a), float(b), float(w))
        for a, b, w in zip(above, below, widths, strict=True)
    )
    return given, plain


def _batches(
    case: Case, clusters: int, data_sets: int, *, seed: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Sums [G, k] and resampled sums [B, k] of each data set."""
    rng = np.random.default_rng([seed, clusters, *case.name.encode()])
    for batch in range(0, data_sets, PER_DRAW):
        count = min(PER_DRAW, data_sets - batch)
        sums = case.draw(rng, count, clusters)
        columns = sums.transpose(1, 0, 2).reshape(clusters, -1)
        draws = draw_counts(clusters, resamples=RESAMPLES, seed=seed + batch)
        resampled = np.concatenate([weights @ columns for weights in draws])
        resampled = resampled.reshape(RESAMPLES, count, -1)
        for k in range(count):
            yield sums[k], resampled[:, k]


def _interval(
    case: Case, sums: FloatArray, resampled: FloatArray, *, widened: bool
) -> tuple[float, float]:
    limits = (-1.0, 1.0) if case.paired else (0.0, 1.0)
    statistic = difference if case.paired else ratio
    found = None if case.paired else closed_form(sums, confidence=0.95, bounds=limits)
    if found is None and not widened:
        drawn = bootstrap(sums, resampled, statistic, bounds=limits)
        assert drawn is not None
        many = drawn._replace(groups=10**9)  # Student's distribution becomes the normal one
        return many.bound(0.025), many.bound(0.975)
    if found is None:
        found = bootstrap_interval(sums, resampled, statistic, confidence=0.95, bounds=limits)
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


# ------------------------------------------------------------------------- closed forms


def proportion_coverage(
    interval: Callable[..., tuple[float, float]], n: int, shares: FloatArray
) -> FloatArray:
    """Exact coverage at each true share: binomial probabilities of the counts that cover it."""
    counts = np.arange(n + 1)
    ends = np.array([interval(int(k), n, confidence=0.95) for k in counts])
    covers = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
    probability = binom.pmf(counts[:, None], n, shares)
    return (covers * probability).sum(axis=0)


SHARES = np.linspace(0.01, 0.99, 197)


def main() -> int:
    data_sets = int(sys.argv[1]) if len(sys.argv) > 1 else DATA_SETS
    started = perf_counter()
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    missed = []
    print(f"{data_sets:,} data sets a line, {RESAMPLES:,} resamples, level 95%\n")
    print("| metric | clusters | covered | truth below | truth above | not widened |")
    print("|---|---|---|---|---|---|")
    for case in (case for case in CASES if wanted in case.name):
        for clusters in SIZES:
            score, plain = simulate(case, clusters, data_sets)
            print(
                f"| {case.name} | {clusters:,} | {score.covered:.1%} | {score.above:.1%} "
                f"| {score.below:.1%} | {plain.covered:.1%} |",
                flush=True,
            )
            least, most = (0.93, 0.97) if clusters >= 200 else (0.93, 1.0)
            if not case.rare and not least <= score.covered <= most:
                missed.append(f"{case.name} at {clusters}: {score.covered:.1%}")
    print("\n| interval | n | least | mean | most |\n|---|---|---|---|---|")
    for name, function in (("Wilson", wilson), ("Clopper-Pearson", clopper_pearson)):
        for n in SIZES:
            found = proportion_coverage(function, n, SHARES)
            print(
                f"| {name} | {n:,} | {found.min():.1%} | {found.mean():.1%} | {found.max():.1%} |"
            )
            if name == "Clopper-Pearson" and found.min() < 0.95:
                missed.append(f"{name} at {n}: {found.min():.1%}")
    print(f"\n{perf_counter() - started:.0f} s")
    for line in missed:
        print(f"missed: {line}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
