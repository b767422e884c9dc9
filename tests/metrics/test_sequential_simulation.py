"""Stopping against a fixed plan: the quick form of benchmarks/sequential.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "sequential.py"
    spec = importlib.util.spec_from_file_location("sequential_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_truth_of_the_recipes(benchmark: ModuleType) -> None:
    """Each recipe's ratio over many groups is the value asked for."""
    rng = np.random.default_rng(0)
    for case in benchmark.CASES:
        for value in (case.threshold, case.threshold + 2 * case.sign * case.margin):
            num, den = case.draw(rng, value, 100_000).sum(axis=0)
            assert num / den == pytest.approx(value, abs=0.006), case.name


def test_the_plan_by_hand(benchmark: ModuleType) -> None:
    """At 0.8 one verdict has sd 0.4: (2.9265 * 0.4 / 0.05)^2 is 548."""
    plan = benchmark.fixed_plan(benchmark.CASES[0], np.random.default_rng(0))
    assert plan == pytest.approx(548, abs=8)


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 3, 4, 7])
def test_stopping_saves_and_keeps_its_level(benchmark: ModuleType, place: int) -> None:
    found = benchmark.simulate(benchmark.CASES[place], runs=150)
    assert benchmark.misses(found) == []
    assert found.share[3] < found.share[2] < found.share[1]
