"""Matching and metrics at the scale of a training set, against plain Python.

The work: 22,116 items x 5 reasons x both orders, from the judge's matrices to 12 metrics overall
and in 5 domains with 2,000 bootstrap resamples, on one thread. The plain version is what one
would write first: a loop that calls scipy for each matrix, dictionaries of sums by group, and
`sum` over the groups of each resample. It runs 50 resamples, scaled to 2,000, and on those 50,
given the same draws, every replicate of every metric must agree.

    python benchmarks/metrics_scale.py

Exits 1 when a bar is missed: 10 x faster, equal to 1e-9, peak memory below 1 GiB.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # one thread: said before numpy is imported
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"

import resource
import sys
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.audit import compute_metrics, compute_slices
from rmaudit.metrics.outcome import is_correct
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.resampling import bootstrap_sums, draw_weights
from rmaudit.metrics.scores import RowKey, RowScores, score_rows
from rmaudit.metrics.stats import ratio
from rmaudit.metrics.table import Table, build_table
from rmaudit.records import ItemResult, MatchSet, Order, RowResult, Verdict

ITEMS = 22_116
REASONS = 5
RESAMPLES = 2_000
PLAIN_RESAMPLES = 50
SEED = 0
DOMAINS = ("code", "general", "stem", "multilingual", "creative")
ORDERS: tuple[Order, ...] = ("ab", "ba")
NAMES = (
    "accuracy",
    "accuracy.half",
    "accuracy_both_orders",
    "rc",
    "rc.precision",
    "rc.reuse_gap",
    "ap",
    "ap@0.5",
    "f_rc@0.25",
    "s_rc@0.25",
    "spurious_rc@0.25",
    "order_consistency",
)
MIN_SPEEDUP = 10.0
MAX_DIFFERENCE = 1e-9
MAX_GIB = 1.0


class Answer(NamedTuple):
    """What the model and the judge gave for one (item, order), before any scoring."""

    verdict: Verdict
    match: MatchSet | None


class Item(NamedTuple):
    """One item with its answers in both orders."""

    name: str
    group: str
    domain: str
    n_refs: int
    answers: tuple[Answer, ...]


def main() -> int:
    items = simulate()
    before = peak_gib()
    start = perf_counter()
    table = fast_table(items)
    scored = perf_counter() - start
    overall = compute_metrics(table, seed=SEED, resamples=RESAMPLES, names=NAMES)
    compute_slices(table, seed=SEED, resamples=RESAMPLES, names=NAMES)
    fast = perf_counter() - start
    peak = peak_gib()

    start = perf_counter()
    units = plain_units(items)
    plain_scored = perf_counter() - start  # done once; only the resampling is scaled
    tables = [table, *(table.slice(domain) for domain in DOMAINS)]
    selections = [units, *([u for u in units if u.domain == domain] for domain in DOMAINS)]
    resampling, difference = 0.0, 0.0
    for part, selection in zip(tables, selections, strict=True):
        sums, draws = plain_sums(selection), plain_draws(part.n_groups)
        start = perf_counter()
        replicates = plain_replicates(sums, draws)
        resampling += perf_counter() - start
        gap = np.abs(np.array(replicates).T - fast_replicates(part))
        difference = max(difference, float(np.nan_to_num(gap, nan=np.inf).max()))
    plain = plain_scored + resampling * RESAMPLES / PLAIN_RESAMPLES

    print(f"{ITEMS} items x {REASONS} reasons x {len(ORDERS)} orders, {table.n_groups} groups,")
    print(f"{len(NAMES)} metrics x (overall + {len(DOMAINS)} domains), {RESAMPLES} resamples")
    print(f"rc {overall['rc'].value:.4f} [{overall['rc'].low:.4f}, {overall['rc'].high:.4f}]")
    print(f"rmaudit       {fast:8.2f} s   (matching and table {scored:.2f} s)")
    print(f"plain Python  {plain:8.2f} s   (matching {plain_scored:.2f} s)")
    ratio_met, equal, small = (
        plain / fast >= MIN_SPEEDUP,
        difference <= MAX_DIFFERENCE,
        peak < MAX_GIB,
    )
    print(f"speed ratio   {plain / fast:8.1f} x    bar >= {MIN_SPEEDUP:g}: {said(ratio_met)}")
    print(f"difference    {difference:8.1e}      bar <= {MAX_DIFFERENCE:g}: {said(equal)}")
    print(f"peak memory   {peak:8.2f} GiB  bar < {MAX_GIB:g}: {said(small)} ({before:.2f} before)")
    return 0 if ratio_met and equal and small else 1


def said(met: bool) -> str:
    return "met" if met else "MISSED"


def simulate() -> list[Item]:
    """Items with 3 to 7 references; about 1% of rows unanswered and 1% failed by the judge."""
    rng = np.random.default_rng(SEED)
    levels = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    items = []
    for k in range(ITEMS):
        n_refs = int(rng.integers(3, 8))
        answers = []
        for _ in ORDERS:
            luck = rng.random()
            verdict: Verdict = (
                None if luck < 0.02 else "tie" if luck < 0.05 else "a" if luck < 0.8 else "b"
            )
            if luck < 0.01:
                answers.append(Answer(None, None))
                continue
            scores = rng.choice(levels, size=(n_refs, REASONS), p=[0.72, 0.08, 0.08, 0.06, 0.06])
            matrix = tuple(tuple(row) for row in scores.tolist())
            failed = rng.random() < 0.01
            answers.append(
                Answer(verdict, MatchSet((), (), failure="cut") if failed else MatchSet(matrix, ()))
            )
        group = f"g{k - k % 10 // 9}"  # every tenth item shares the prompt of the one before
        items.append(Item(f"i{k}", group, DOMAINS[k // 10 % 5], n_refs, tuple(answers)))
    return items


def fast_table(items: Sequence[Item]) -> Table:
    matches: dict[RowKey, MatchSet] = {
        (item.name, order, 0): answer.match
        for item in items
        for order, answer in zip(ORDERS, item.answers, strict=True)
        if answer.match is not None
    }
    scores = score_rows(matches)
    results = [
        ItemResult(
            item.name,
            item.group,
            item.domain,
            "a",
            tuple(
                row_result(item, order, answer, scores.get((item.name, order, 0), RowScores()))
                for order, answer in zip(ORDERS, item.answers, strict=True)
            ),
        )
        for item in items
    ]
    return build_table(results, scores, max_reasons=REASONS)


def row_result(item: Item, order: Order, answer: Answer, scores: RowScores) -> RowResult:
    if answer.match is None:
        return RowResult(order, 0, "error", None, None, None, None, 0, item.n_refs, (), "target: x")
    verdict = answer.verdict
    return RowResult(
        order=order,
        sample=0,
        outcome="unparsed" if verdict is None else "tie" if verdict == "tie" else "ok",
        verdict=verdict,
        correct=is_correct(verdict, "a"),
        rc=scores.rc,
        ap=scores.ap,
        n_reasons=REASONS,
        n_refs=item.n_refs,
        flags=(),
        failure=None if answer.match.failure is None else "judge: cut",
    )


def fast_replicates(table: Table) -> FloatArray:
    """[50, metrics]: the replicates behind the intervals of `compute_metrics`."""
    estimands = [REGISTRY[name].estimand(table) for name in NAMES]
    sums = np.stack([estimand.group_sums(table.n_groups) for estimand in estimands], axis=1)
    flat = bootstrap_sums(sums.reshape(table.n_groups, -1), resamples=PLAIN_RESAMPLES, seed=SEED)
    return ratio(flat.reshape(PLAIN_RESAMPLES, len(NAMES), 2))


# ---------------------------------------------------------------- the plain version, on its own


class PlainUnit(NamedTuple):
    """Numerators and denominators of one item, by metric."""

    group: str
    domain: str
    terms: dict[str, tuple[float, float]]


def plain_units(items: Sequence[Item]) -> list[PlainUnit]:
    return [PlainUnit(item.group, item.domain, dict(plain_terms(item))) for item in items]


def plain_terms(item: Item) -> Iterator[tuple[str, tuple[float, float]]]:
    answered = [answer for answer in item.answers if answer.match is not None]
    if answered:
        verdicts = [answer.verdict for answer in answered]
        yield "accuracy", (mean([float(v == "a") for v in verdicts]), 1.0)
        credit = {"a": 1.0, "tie": 0.5, "b": 0.0, None: 0.0}
        yield "accuracy.half", (mean([credit[v] for v in verdicts]), 1.0)
        if len(answered) == 2:
            yield "accuracy_both_orders", (float(verdicts == ["a", "a"]), 1.0)
        if len(answered) == 2 and None not in verdicts:
            yield "order_consistency", (float(verdicts[0] == verdicts[1]), 1.0)
    judged = [a for a in answered if a.match is not None and a.match.failure is None]
    if not judged:
        return
    matrices = [a.match.matrix for a in judged if a.match is not None]
    scored = [(plain_match(matrix, 0.25), plain_match(matrix, 0.5)) for matrix in matrices]
    rc = [sum(s for _, s in low) / item.n_refs for low, _ in scored]
    right = [float(a.verdict == "a") for a in judged]
    faithful = [r * (c >= 0.25) for r, c in zip(right, rc, strict=True)]
    reuse = [sum(max(row) for row in matrix) / item.n_refs for matrix in matrices]
    spurious = mean(right) - mean(faithful)
    yield "rc", (mean(rc), 1.0)
    yield "rc.precision", (mean([c * item.n_refs / REASONS for c in rc]), 1.0)
    yield "rc.reuse_gap", (mean(reuse) - mean(rc), 1.0)
    yield "ap", (mean([plain_ap(low, 0.25, item.n_refs) for low, _ in scored]), 1.0)
    yield "ap@0.5", (mean([plain_ap(high, 0.5, item.n_refs) for _, high in scored]), 1.0)
    yield "f_rc@0.25", (mean(faithful), 1.0)
    yield "s_rc@0.25", (spurious, mean(right))
    yield "spurious_rc@0.25", (spurious, 1.0)


def plain_match(matrix: Sequence[Sequence[float]], tau: float) -> list[tuple[int, float]]:
    """(rank, score) of the matched reasons."""
    n, m = len(matrix), len(matrix[0])
    big_m = n * m + 1
    big_b = n * (big_m + m) + 1
    weights = [
        [4 * s * big_b + (s >= tau) * (big_m + m - j) if s else 0 for j, s in enumerate(row, 1)]
        for row in matrix
    ]
    rows, columns = linear_sum_assignment(weights, maximize=True)
    edges = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(j + 1, matrix[i][j]) for i, j in edges if matrix[i][j]]


def plain_ap(edges: Sequence[tuple[int, float]], tau: float, n_refs: int) -> float:
    ranks = sorted(rank for rank, score in edges if score >= tau)
    return sum(hits / rank for hits, rank in enumerate(ranks, 1)) / n_refs


def plain_draws(n_groups: int) -> list[list[float]]:
    """The same draws as the fast version, as lists of the groups' weights."""
    return [
        weights.tolist()
        for chunk in draw_weights(n_groups, resamples=PLAIN_RESAMPLES, seed=SEED)
        for weights in chunk
    ]


def plain_sums(units: Sequence[PlainUnit]) -> list[tuple[list[float], list[float]]]:
    """Numerators and denominators by group, for each metric."""
    index: dict[str, int] = {}
    for unit in units:
        index.setdefault(unit.group, len(index))
    sums = []
    for name in NAMES:
        num, den = [0.0] * len(index), [0.0] * len(index)
        for unit in units:
            top, bottom = unit.terms.get(name, (0.0, 0.0))
            num[index[unit.group]] += top
            den[index[unit.group]] += bottom
        sums.append((num, den))
    return sums


def plain_replicates(
    sums: Sequence[tuple[list[float], list[float]]], draws: Sequence[Sequence[float]]
) -> list[list[float]]:
    return [
        [
            sum(w * n for w, n in zip(draw, num, strict=True))
            / sum(w * d for w, d in zip(draw, den, strict=True))
            for draw in draws
        ]
        for num, den in sums
    ]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def peak_gib() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**30 if sys.platform == "darwin" else peak / 2**20


if __name__ == "__main__":
    sys.exit(main())
