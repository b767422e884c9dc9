"""Intervals hold the truth as often as they say: the quick form of benchmarks/coverage.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from rmaudit.metrics.stats import clopper_pearson, wilson


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "coverage.py"
    spec = importlib.util.spec_from_file_location("coverage_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_truth_of_the_recipes(benchmark: ModuleType) -> None:
    """Each recipe's mean over many clusters is the truth that it states."""
    rng = np.random.default_rng(0)
    for case in benchmark.CASES:
        total = case.draw(rng, 1, 100_000)[0].sum(axis=0)
        statistic = benchmark.difference if case.paired else benchmark.ratio
        assert float(statistic(total)) == pytest.approx(case.truth, abs=0.004), case.name


@pytest.mark.parametrize("n", [60, 200, 1000])
def test_closed_forms(benchmark: ModuleType, n: int) -> None:
    exact = benchmark.proportion_coverage(clopper_pearson, n, benchmark.SHARES)
    assert exact.min() >= 0.95
    score = benchmark.proportion_coverage(wilson, n, benchmark.SHARES)
    assert score.mean() == pytest.approx(0.95, abs=0.003)
    assert score.min() > 0.92


def test_coverage_of_a_known_interval(benchmark: ModuleType) -> None:
    # n = 2, interval [0, 1] at one success of two, a point elsewhere: covered with 2 p (1 - p).
    def interval(k: int, n: int, *, confidence: float) -> tuple[float, float]:
        return (0.0, 1.0) if k == 1 else (k / n, k / n)

    found = benchmark.proportion_coverage(interval, 2, np.array([0.3]))
    assert found == pytest.approx([0.42])


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [200, 1000])
@pytest.mark.parametrize("place", [0, 2, 4, 8, 9])
def test_the_bootstrap_covers(benchmark: ModuleType, place: int, clusters: int) -> None:
    found, _ = benchmark.simulate(benchmark.CASES[place], clusters, 1000)
    assert 0.93 <= found.covered <= 0.97  # the standard error is .7 points
    assert found.covered + found.above + found.below == pytest.approx(1)


@pytest.mark.slow
def test_sixty_clusters_are_widened(benchmark: ModuleType) -> None:
    found, plain = benchmark.simulate(benchmark.CASES[0], 60, 1000)
    assert found.width > 1.02 * plain.width
    assert plain.covered <= found.covered
    assert found.covered >= 0.93
