"""How much of a fixed plan a scan needs that stops once its rule is decided, by simulation.

The fixed plan has 90% power at margin d: n = ((z_0.95 + z_0.90) sd / d)^2 groups, tested once at
95%, one-sided. The sequence is the one of `scan --until-decided`, with looks at the ends of the
scan's chunks and both sides at 95% together. Groups are drawn with a true value at a gap of 0, d,
2 d or 3 d from the threshold, on the passing side:

    gap 2 d    the median share of the fixed plan that is used until the rule is decided
    gap 0      the value lies on the threshold: how often the rule is decided, as holding or as
               broken, within the fixed plan and within four times of it; no decision is right
    coverage   how often the 95% bounds, both together, hold the true value at every time

    python benchmarks/sequential.py [--runs N]

Exits 1 when a bar is missed: share at most 0.4, false decisions at most 5%, coverage at least 95%.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from math import ceil, log
from typing import NamedTuple

import numpy as np

from rmaudit.gate.stop import look_points
from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.sequential import Sequence

RUNS = 1000
SEED = 0
ALPHA = 0.05
Z = 1.6449 + 1.2816
HORIZON = 4
MAX_SHARE = 0.4
NOISE = 2.33
"""A bar on a rate is missed where the rate is beyond it by more than chance in the simulation."""

Draw = Callable[[np.random.Generator, float, int], FloatArray]


class Case(NamedTuple):
    """A rule on data of one kind.

    draw: sums [G, 2] of groups whose true value is given. limits: of the value. most: the greatest
    denominator. sign: 1 where more is better.
    """

    name: str
    draw: Draw
    threshold: float
    margin: float
    sign: int = 1
    limits: tuple[float, float] = (0.0, 1.0)
    most: float = 1.0


def shares(rng: np.random.Generator, value: float, n: int) -> FloatArray:
    """One right or wrong verdict a group."""
    return of_means((rng.random(n) < value) * 1.0)


def both_orders(rng: np.random.Generator, value: float, n: int) -> FloatArray:
    """The mean of two verdicts a group that agree nine times in ten."""
    first = rng.random(n) < value
    second = np.where(rng.random(n) < 0.8, first, rng.random(n) < value)
    return of_means((first * 1.0 + second) / 2)


def consistency(rng: np.random.Generator, value: float, n: int) -> FloatArray:
    """Rationale consistency of four references, in quarters."""
    return of_means(rng.binomial(4, value, size=n) / 4)


def among_right(rng: np.random.Generator, value: float, n: int) -> FloatArray:
    """A share among right verdicts, 75% of the groups: a ratio."""
    right = rng.random(n) < 0.75
    return np.column_stack([right & (rng.random(n) < value), right]).astype(np.float64)


def reasons(rng: np.random.Generator, value: float, n: int) -> FloatArray:
    """Flagged reasons of one to five in each of two answers, alike within a group: a ratio."""
    count = rng.integers(1, 6, size=(2, n))
    own = rng.beta(4 * value, 4 * (1 - value), size=n)
    return np.column_stack([rng.binomial(count, own).mean(axis=0), count.mean(axis=0)])


def paired(rng: np.random.Generator, value: float, n: int) -> FloatArray:
    """Differences of two runs whose verdicts differ on a fifth of the groups."""
    turned = rng.random(n) < 0.2
    better = rng.random(n) < 0.5 + value / 0.4
    return of_means(np.where(turned, np.where(better, 1.0, -1.0), 0.0))


def of_means(values: FloatArray) -> FloatArray:
    return np.column_stack([values, np.ones_like(values)])


CASES = (
    Case("accuracy >= 0.75", shares, 0.75, 0.05),
    Case("accuracy >= 0.60, both orders", both_orders, 0.60, 0.05),
    Case("accuracy >= 0.90", shares, 0.90, 0.02),
    Case("rc >= 0.20", consistency, 0.20, 0.03),
    Case("s_rc@0+ <= 0.40", among_right, 0.40, 0.06, -1),
    Case("flaw share <= 0.20", reasons, 0.20, 0.04, -1, most=5.0),
    Case("coverage.error <= 0.05", shares, 0.05, 0.02, -1),
    Case("accuracy loses <= 0.05", paired, -0.05, 0.03, 1, (-1.0, 1.0)),
)


class Found(NamedTuple):
    """What the runs of one case gave.

    share: median share of the plan, by gap. false: how often each of pass and failure is claimed
    at gap 0 within the plan, and either within four plans.
    """

    case: Case
    plan: int
    share: dict[int, float]
    false: tuple[float, float, float]
    covered: float
    runs: int


def simulate(case: Case, *, runs: int, seed: int = SEED) -> Found:
    """Runs of one case at all gaps."""
    rng = np.random.default_rng(seed)
    plan = fixed_plan(case, rng)
    looks = np.array(list(look_points(HORIZON * plan)), dtype=np.float64)
    share: dict[int, float] = {}
    false = (0.0, 0.0, 0.0)
    for gap in (0, 1, 2, 3):
        value = case.threshold + case.sign * gap * case.margin
        ends = np.array([decided(case, value, HORIZON * plan, looks, rng) for _ in range(runs)])
        first = ends.min(axis=1)
        share[gap] = float(np.median(first)) / plan
        if gap == 0:
            passed, failed = (ends <= plan).mean(axis=0).tolist()
            false = (passed, failed, float((first <= HORIZON * plan).mean()))
    value = case.threshold + 2 * case.sign * case.margin
    held = sum(covers(case, value, plan, rng) for _ in range(runs))
    return Found(case, plan, share, false, held / runs, runs)


def fixed_plan(case: Case, rng: np.random.Generator) -> int:
    """Groups of the plan with 90% power at the margin."""
    value = case.threshold + case.sign * case.margin
    num, den = case.draw(rng, value, 200_000).T
    sd = float((num - value * den).std()) / float(den.mean())
    return ceil((Z * sd / case.margin) ** 2)


def decided(
    case: Case, value: float, groups: int, looks: FloatArray, rng: np.random.Generator
) -> tuple[float, float]:
    """The look at which the rule is shown to hold, and to be broken; infinity for never."""
    sequence = Sequence(case.draw(rng, value, groups), case.limits, case.most)
    low, high = case.limits
    above = sequence.path("lower", case.threshold - low)
    below = sequence.path("upper", high - case.threshold)
    first = [first_look(path, looks) for path in (above, below)]
    return (first[0], first[1]) if case.sign > 0 else (first[1], first[0])


def first_look(path: FloatArray, looks: FloatArray) -> float:
    """The first look at or after the capital reaches 2 / alpha, which refutes for good."""
    reached = np.flatnonzero(path >= log(2 / ALPHA))
    if not len(reached):
        return float("inf")
    return float(looks[np.searchsorted(looks, reached[0] + 1)])


def covers(case: Case, value: float, groups: int, rng: np.random.Generator) -> bool:
    """Whether both 95% bounds hold the true value at all times."""
    sequence = Sequence(case.draw(rng, value, groups), case.limits, case.most)
    sides = sequence.p_value(value, "greater"), sequence.p_value(value, "less")
    return min(sides) >= ALPHA


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_args().runs
    print(f"{runs} runs a line and gap; shares are medians")
    print(
        "| rule | d | plan | share at d | at 2 d | at 3 d | false pass, fail | in 4 plans | held |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    missed = []
    for case in CASES:
        found = simulate(case, runs=runs)
        print(line(found), flush=True)
        missed += [f"{case.name}: {what}" for what in misses(found)]
    for what in missed:
        print(f"MISSED  {what}")
    return 1 if missed else 0


def line(found: Found) -> str:
    share = " | ".join(f"{found.share[gap]:.2f}" for gap in (1, 2, 3))
    passed, failed, ever = (f"{100 * rate:.1f}%" for rate in found.false)
    return (
        f"| {found.case.name} | {found.case.margin:g} | {found.plan:,} | {share} | "
        f"{passed}, {failed} | {ever} | {100 * found.covered:.1f}% |"
    )


def misses(found: Found) -> list[str]:
    """The bars that are missed, by more than the simulation's own chance."""
    slack = NOISE * (ALPHA * (1 - ALPHA) / found.runs) ** 0.5
    said = []
    if found.share[2] > MAX_SHARE:
        said.append(f"median share {found.share[2]:.2f} at a gap of 2 d")
    if found.false[2] > ALPHA + slack:
        said.append(f"false decisions {found.false[2]:.3f}")
    if found.covered < 1 - ALPHA - slack:
        said.append(f"coverage {found.covered:.3f}")
    return said


if __name__ == "__main__":
    sys.exit(main())
