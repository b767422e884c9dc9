"""Bounds and intervals hold the truth as often as they say: benchmarks/coverage.py in small."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from rmaudit.metrics.stats import ratio

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def benchmark() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("coverage_benchmark", FOLDER / "coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = before


@pytest.mark.slow
def test_the_truth_of_the_recipes(benchmark: ModuleType) -> None:
    """Each recipe's value over many clusters is the truth that it states."""
    rng = np.random.default_rng(0)
    for kind in benchmark.KINDS:
        for rate in (0.02, 0.5, 0.95):
            total = kind.draw(rng, (1, 150_000), rate)[0].sum(axis=0)
            value = float(ratio(total[-2:]))
            if kind.paired:
                value -= float(ratio(total[:2]))
            assert value == pytest.approx(kind.truth(rate), abs=0.005), (kind.name, rate)


def test_every_cell_has_a_former_width(benchmark: ModuleType) -> None:
    names = {kind.name for kind in benchmark.KINDS} | {benchmark.SINGLE}
    assert set(benchmark.FORMER) == names
    for widths in benchmark.FORMER.values():
        assert set(widths) == set(benchmark.SIZES)
        assert all(len(row) == len(benchmark.RATES) for row in widths.values())


def test_hits_by_hand(benchmark: ModuleType) -> None:
    """Truth .5: below the lower bound, above the upper one, and an end that touches it."""
    ends = np.array([[0.6, 0.9, 0.55, 0.95], [0.1, 0.4, 0.05, 0.5], [0.5, 0.9, 0.4, 0.9]])
    hits = benchmark._hits(0.5, ends)
    assert hits[:, :3].tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    assert hits[:, 3] == pytest.approx([0.4, 0.45, 0.5])


@pytest.mark.parametrize("n", [30, 60, 200])
def test_one_observation_a_cluster_is_exact(benchmark: ModuleType, n: int) -> None:
    for place, rate in enumerate(benchmark.RATES):
        score = benchmark.single(n, rate)
        assert max(score.above, score.below) <= 0.05 + 1e-12
        assert score.covered >= 0.95 - 1e-12
        relative = score.width / benchmark.FORMER[benchmark.SINGLE][n][place]
        assert not benchmark.missed(score, rate, relative)


def test_what_counts_as_missed(benchmark: ModuleType) -> None:
    score = benchmark.Score(0.061, 0.01, 0.93, 0.2)
    assert benchmark.missed(score, 0.5, 1.16) == [
        "false pass 6.1%",
        "covered 93.0%",
        "width 1.16 of the former",
    ]
    assert benchmark.missed(benchmark.Score(0.05, 0.05, 0.95, 0.2), 0.02, 1.6) == []


@pytest.mark.slow
@pytest.mark.parametrize("place", range(7))
@pytest.mark.parametrize(("clusters", "rate"), [(60, 0.02), (60, 0.98), (30, 0.5)])
def test_bounds_hold(benchmark: ModuleType, place: int, clusters: int, rate: float) -> None:
    kind = benchmark.KINDS[place]
    score = benchmark.simulate(kind, clusters, rate, 1000)
    former = benchmark.FORMER[kind.name][clusters][benchmark.RATES.index(rate)]
    # The standard error of .05 is .7 points, that of a width below 1%.
    assert max(score.above, score.below) <= 0.06 + 0.015
    assert score.covered >= 0.94 - 0.01
    if rate in benchmark.MIDDLE:
        assert score.width <= 1.16 * former


@pytest.mark.slow
def test_a_calibration_error_of_zero_is_held(benchmark: ModuleType) -> None:
    score = benchmark.calibrated(500, 5, 600)
    assert score.covered >= 0.94
    assert score.above <= 0.08
