"""How often do the bounds and intervals of the audit hold the truth? Simulations with known truths.

Every kind of metric, at 30, 60 and 200 clusters and true rates from .01 to .99
(`coverage_recipes`), through the functions that a scan uses. A cell gives

    false pass    how often a one-sided 95% bound lies beyond the truth, so that a rule whose
                  threshold is the truth passes: lower bounds (min rules), upper bounds (max rules)
    covered       how often the two-sided 95% interval holds the truth
    width         its mean width, also as a multiple of the intervals before there was an extra
                  cluster (`coverage_former`)

Shares with one 0/1 a cluster are computed, not drawn. The calibration error is drawn where the
truth is 0.

    python benchmarks/coverage.py [data sets a cell, default 10000] [part of a kind's name]

Exits 1 when a bar is missed: false pass at most 6%, covered at least 94%, and width at most 1.15 of
the former at rates .3 to .7.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # said before numpy is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).parent))

from coverage_former import FORMER
from coverage_recipes import KINDS, Kind

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.evidence import (
    Fixed,
    Proportion,
    closed_evidence,
    extended_evidence,
    noisy_evidence,
)
from rmaudit.metrics.resampling import bootstrap_sums
from rmaudit.metrics.stats import ratio
from rmaudit.metrics.unseen import parts_of_difference, parts_of_ratio

SIZES = (30, 60, 200)
RATES = (0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.99)
MIDDLE = (0.3, 0.5, 0.7)
DATA_SETS = 10_000
RESAMPLES = 2000
PER_DRAW = 100
"""Data sets that share one set of draws; in a scan, seed and number of clusters fix them."""

MOST_PASSED, LEAST_COVERED, MOST_WIDTH = 0.06, 0.94, 1.15
ROUNDING = 1e-12


class Score(NamedTuple):
    """Shares of data sets: truth below the lower bound, above the upper; covered; mean width."""

    above: float
    below: float
    covered: float
    width: float


def evidence_of(kind: Kind, sums: FloatArray, resampled: FloatArray, *, seed: int) -> Fixed:
    """What a scan or a comparison says of sums [G, k] with resampled sums [B, k]."""
    if not kind.paired:
        found = closed_evidence(sums, limits=(0.0, 1.0))
        found = found or extended_evidence(
            float(ratio(sums.sum(axis=0))),
            ratio(resampled),
            parts_of_ratio(sums, resampled),
            limits=(0.0, 1.0),
            seed=seed,
        )
    else:
        first, second = resampled[:, :2], resampled[:, 2:]
        total = sums.sum(axis=0)
        found = extended_evidence(
            float(ratio(total[2:]) - ratio(total[:2])),
            ratio(second) - ratio(first),
            parts_of_difference(sums[:, :2], sums[:, 2:], (first, second)),
            limits=(-1.0, 1.0),
            seed=seed,
        )
    assert found is not None
    return found


def simulate(kind: Kind, clusters: int, rate: float, data_sets: int) -> Score:
    """The score of one cell."""
    found = (
        evidence_of(kind, *data, seed=seed)
        for *data, seed in _data_sets(kind, clusters, rate, data_sets)
    )
    return _score(kind.truth(rate), found)


def _score(truth: float, found: Iterator[Fixed]) -> Score:
    ends = np.array(
        [
            [one.bound(side, level) for level in (0.95, 0.975) for side in ("lower", "upper")]
            for one in found
        ]
    )
    return Score(*_hits(truth, ends).mean(axis=0).tolist())


def _hits(truth: float, ends: FloatArray) -> FloatArray:
    """[n, 4] from lower and upper bounds at 95% and at 97.5%: the fields of a Score."""
    low, high, least, most = ends.T
    covered = (least <= truth + ROUNDING) & (most >= truth - ROUNDING)
    return np.column_stack(
        [low > truth + ROUNDING, high < truth - ROUNDING, covered, most - least]
    ).astype(np.float64)


def _data_sets(
    kind: Kind, clusters: int, rate: float, data_sets: int
) -> Iterator[tuple[FloatArray, FloatArray, int]]:
    """Sums [G, k], resampled sums [B, k] and the seed of the draws of each data set."""
    rng = np.random.default_rng([0, clusters, round(1000 * rate), *kind.name.encode()])
    for seed in range(0, data_sets, PER_DRAW):
        count = min(PER_DRAW, data_sets - seed)
        sums = kind.draw(rng, (count, clusters), rate)
        columns = sums.transpose(1, 0, 2).reshape(clusters, -1)
        resampled = bootstrap_sums(columns, resamples=RESAMPLES, seed=seed)
        resampled = resampled.reshape(RESAMPLES, count, -1)
        for k in range(count):
            yield sums[k], resampled[:, k], seed


def single(clusters: int, rate: float) -> Score:
    """One 0/1 a cluster, exactly: the bounds of each count, weighted by its chance."""
    ends = [
        [
            Proportion(count, clusters).bound(side, level)
            for level in (0.95, 0.975)
            for side in ("lower", "upper")
        ]
        for count in range(clusters + 1)
    ]
    chance = binom.pmf(np.arange(clusters + 1), clusters, rate)
    return Score(*(chance @ _hits(rate, np.array(ends))).tolist())


def calibrated(groups: int, bins: int, data_sets: int) -> Score:
    """A calibration error of 0: residuals right - chance in bins of equal mass, chance .55 to .95.

    The estimate is positive in every data set; its interval should reach down to 0.
    """
    rng = np.random.default_rng([0, groups, bins])
    chance = np.linspace(0.55, 0.95, groups)
    place = np.arange(groups) * bins // groups

    def found() -> Iterator[Fixed]:
        for seed in range(data_sets):
            sums = np.zeros((groups, bins + 1))
            sums[np.arange(groups), place] = (rng.random(groups) < chance) - chance
            sums[:, -1] = 1.0
            resampled = bootstrap_sums(sums, resamples=RESAMPLES // 4, seed=seed)
            yield noisy_evidence(sums, resampled, limits=(0.0, 1.0))

    return _score(0.0, found())


def cells(data_sets: int, wanted: str) -> Iterator[tuple[str, int, float, Score]]:
    """Every cell of the grid: kind, clusters, rate, score."""
    for clusters in SIZES if wanted in SINGLE else ():
        for rate in RATES:
            yield SINGLE, clusters, rate, single(clusters, rate)
    for kind in (kind for kind in KINDS if wanted in kind.name):
        for clusters in SIZES:
            for rate in RATES:
                yield kind.name, clusters, rate, simulate(kind, clusters, rate, data_sets)


SINGLE = "one 0/1 a cluster"


def missed(score: Score, rate: float, relative: float | None) -> list[str]:
    """The bars that a cell misses, in words."""
    passed = max(score.above, score.below)
    found = []
    if passed > MOST_PASSED:
        found.append(f"false pass {passed:.1%}")
    if score.covered < LEAST_COVERED:
        found.append(f"covered {score.covered:.1%}")
    if rate in MIDDLE and relative is not None and relative > MOST_WIDTH:
        found.append(f"width {relative:.2f} of the former")
    return found


def main() -> int:
    data_sets = int(sys.argv[1]) if len(sys.argv) > 1 else DATA_SETS
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    started = process_time()
    wrong: list[str] = []
    summary: dict[tuple[str, int], list[tuple[Score, float | None]]] = {}
    print(f"{data_sets:,} data sets a cell, {RESAMPLES:,} resamples, level 95%\n")
    print("| metric | clusters | rate | false pass, min | max | covered | width | of former |")
    print("|---|---|---|---|---|---|---|---|")
    for name, clusters, rate, score in cells(data_sets, wanted):
        former = FORMER.get(name, {}).get(clusters)
        relative = None if former is None else score.width / former[RATES.index(rate)]
        print(
            f"| {name} | {clusters} | {rate:g} | {score.above:.1%} | {score.below:.1%} "
            f"| {score.covered:.1%} | {score.width:.3f} "
            f"| {'' if relative is None else f'{relative:.2f}'} |",
            flush=True,
        )
        wrong += [f"{name}, {clusters}, {rate:g}: {w}" for w in missed(score, rate, relative)]
        middle = relative if rate in MIDDLE else None
        summary.setdefault((name, clusters), []).append((score, middle))
    print("\n| metric | clusters | most false passes | least covered | most width, .3 to .7 |")
    print("|---|---|---|---|---|")
    for (name, clusters), found in summary.items():
        passed = max(max(score.above, score.below) for score, _ in found)
        covered = min(score.covered for score, _ in found)
        width = max((middle for _, middle in found if middle is not None), default=float("nan"))
        print(f"| {name} | {clusters} | {passed:.1%} | {covered:.1%} | {width:.2f} |")
    if wanted in "calibration":
        count = max(100, data_sets // 10)
        print(f"\ncalibration error of 0, {count:,} data sets, {RESAMPLES // 4} resamples:")
        for groups, bins in ((500, 5), (2000, 10)):
            score = calibrated(groups, bins, count)
            print(
                f"{groups} groups, {bins} bins: min {score.above:.1%}, {score.covered:.1%} covered"
            )
            wrong += [f"calibration, {groups}: {w}" for w in missed(score, 0.0, None)]
    print(f"\n{process_time() - started:.0f} s of CPU")
    for line in wrong:
        print(f"missed: {line}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
