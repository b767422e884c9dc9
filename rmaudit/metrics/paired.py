"""Two runs on the same items: how much a metric differs, how surely, and whether at all.

Pairing removes what the items have in common, which is most of the noise (Miller, arXiv
2411.00640, section 4). Each metric is compared on the items where neither run lost a unit, so that
a failure in one run takes its item out of both.

    interval    paired cluster bootstrap: a resample draws clusters, with both runs' rows in them,
                and one cluster more (`metrics.unseen`)
    test        McNemar's, exact, where each cluster is one 0/1 in both runs; else the sign-flip
                permutation test, which exchanges the two runs within clusters
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rmaudit.metrics.arrays import FloatArray, IntArray
from rmaudit.metrics.estimand import Estimand, Smooth
from rmaudit.metrics.evidence import Evidence, extended_evidence, smooth_evidence
from rmaudit.metrics.permutation import flip_p_value, mcnemar, sign_flips
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.resampling import bootstrap_sums
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.stats import Statistic, is_share
from rmaudit.metrics.table import Table
from rmaudit.metrics.unseen import parts_of_difference

PERMUTATIONS = 9_999
"""Random sign flips; the smallest p-value is one in ten thousand."""

Test = Literal["mcnemar", "sign-flip", "none"]


@dataclass(frozen=True, slots=True)
class Change:
    """One metric in two runs, on the same items.

    Attributes:
        key: of the metric.
        first: value in the first run, None where it has none.
        second: value in the second run.
        size: the difference is one of distances from zero, for metrics that are best at zero.
        evidence: of second minus first (of their distances from zero, with `size`): estimate,
            one-sided bounds and p-values; None where a value is missing.
        p: two-sided, of the test; None where there is none.
        test: which.
        n: units behind the value of the second run.
        left_out: items without this metric in the comparison, since a run lost a unit of theirs.
        why: why there is no difference.
        least: the difference over all items if every lost unit had spoken against the second run's
            value and for the first's; None where no bound is known, or with `size`.
        greatest: the same the other way.
    """

    key: str
    first: float | None
    second: float | None
    size: bool
    evidence: Evidence | None
    p: float | None
    test: Test
    n: int
    left_out: int
    why: str = ""
    least: float | None = None
    greatest: float | None = None

    @property
    def difference(self) -> float | None:
        """Second minus first."""
        return None if self.evidence is None else self.evidence.value

    def interval(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """Two-sided interval of the difference."""
        if self.evidence is None:
            return None
        one_sided = (1 + confidence) / 2
        return self.evidence.bound("lower", one_sided), self.evidence.bound("upper", one_sided)


class _Pair(NamedTuple):
    """A metric in both runs: [G, k] sums each, over the clusters of the whole comparison."""

    spec: MetricSpec
    estimands: tuple[Estimand | Smooth, Estimand | Smooth]
    sums: tuple[FloatArray, FloatArray]
    left_out: int
    least: float
    greatest: float

    @property
    def width(self) -> int:
        """Columns of both runs together."""
        return sum(s.shape[1] for s in self.sums)

    @property
    def defined(self) -> bool:
        """Whether both runs have a value."""
        return not any(np.isnan(estimand.value) for estimand in self.estimands)


def align(
    tables: Sequence[Table], shared: Sequence[Sequence[int]], groups: Sequence[int]
) -> list[Table]:
    """Tables on the items that all have, with the same codes of items and clusters.

    Args:
        tables: the runs.
        shared: of each shared item, its code in each table.
        groups: cluster of each shared item.
    """
    aligned = []
    places = np.array(shared, dtype=np.int64).reshape(-1, len(tables)).T
    for table, codes in zip(tables, places, strict=True):
        code = np.full(int(table.rows.item.max(initial=-1)) + 1, -1)
        code[codes] = np.arange(len(codes))
        item = code[table.rows.item] if len(table.rows.item) else table.rows.item
        keep = item >= 0
        kept = item[keep]
        aligned.append(table.only(keep).renumbered(kept, np.array(groups, dtype=np.int64)[kept]))
    return aligned


def compare_tables(
    first: Table,
    second: Table,
    *,
    names: Iterable[str] | None = None,
    seed: int = 0,
    resamples: int = 2000,
    permutations: int = PERMUTATIONS,
) -> dict[str, Change]:
    """Every metric's change from the first run to the second.

    Args:
        first: the reference, aligned with the second (`align`).
        second: the run it is compared with.
        names: keys of REGISTRY, default all.
        seed: of the draws; one set of draws serves all metrics.
        resamples: of the bootstrap.
        permutations: of the sign-flip test; all 2^G are taken where they are no more.

    Raises:
        ValueError: the tables are not aligned.
        KeyError: a name is not in REGISTRY.
    """
    if first.n_groups != second.n_groups:
        raise ValueError("the two tables do not hold the same clusters")
    specs = [REGISTRY[name] for name in (REGISTRY if names is None else names)]
    tables = _Restricted(first, second)
    pairs = [_pair(spec, tables) for spec in specs]
    found = {pair.spec.key: _change(pair, None, p=None, test="none") for pair in pairs}
    open_ = [pair for pair in pairs if pair.defined]
    if not open_:
        return found
    columns = np.hstack([np.hstack(pair.sums) for pair in open_])
    resampled = bootstrap_sums(columns, resamples=resamples, seed=seed)
    flipped, exact = _flipped(open_, permutations=permutations, seed=seed)
    start = 0
    for pair, others in zip(open_, flipped, strict=True):
        own = resampled[:, start : start + pair.width]
        start += pair.width
        evidence = _evidence(pair, own, seed=seed)
        test, p = _test(pair, others, exact=exact)
        found[pair.spec.key] = _change(pair, evidence, p=p, test=test)
    return found


class _Restricted:
    """Two aligned tables without some items; each such pair is made once."""

    def __init__(self, first: Table, second: Table) -> None:
        self.whole = (first, second)
        self._known: dict[bytes, tuple[tuple[Table, Table], IntArray]] = {}

    def without(self, items: IntArray) -> tuple[tuple[Table, Table], IntArray]:
        """The tables without these items, and the clusters of the whole that are left."""
        if not len(items):
            return self.whole, np.arange(self.whole[0].n_groups)
        key = items.tobytes()
        if key not in self._known:
            keep = [~np.isin(table.rows.item, items) for table in self.whole]
            left = np.unique(self.whole[0].rows.group[keep[0]])
            first, second = (table.only(k) for table, k in zip(self.whole, keep, strict=True))
            self._known[key] = (first, second), left
        return self._known[key]


def _pair(spec: MetricSpec, tables: _Restricted) -> _Pair:
    whole = [spec.estimand(table) for table in tables.whole]
    lost = np.union1d(whole[0].lost, whole[1].lost)
    restricted, left = tables.without(lost)
    first, second = (spec.estimand(table) for table in restricted)
    sums = [_spread(e, t, left, tables) for e, t in zip((first, second), restricted, strict=True)]
    return _Pair(
        spec,
        (first, second),
        (sums[0], sums[1]),
        left_out=len(lost),
        least=whole[1].low - whole[0].high,
        greatest=whole[1].high - whole[0].low,
    )


def _spread(
    estimand: Estimand | Smooth, table: Table, left: IntArray, tables: _Restricted
) -> FloatArray:
    """Sums by cluster of the whole comparison; clusters that were left out are zero."""
    own = estimand.group_sums(table.n_groups)
    sums = np.zeros((tables.whole[0].n_groups, own.shape[1]))
    sums[left] = own
    return sums


def _difference(pair: _Pair) -> Statistic:
    """Second minus first as a function of both runs' sums side by side, [..., k1 + k2]."""
    first, second = pair.estimands
    cut = pair.sums[0].shape[1]

    def value(sums: FloatArray) -> FloatArray:
        before = first.statistic(sums[..., :cut]) + first.shift
        after = second.statistic(sums[..., cut:]) + second.shift
        if pair.spec.better == "zero":
            return np.abs(after) - np.abs(before)
        return after - before

    return value


def _evidence(pair: _Pair, resampled: FloatArray, *, seed: int) -> Evidence | None:
    low, high = pair.spec.bounds
    limits = low - high, high - low
    difference, sums = _difference(pair), np.hstack(pair.sums)
    if any(isinstance(estimand, Smooth) for estimand in pair.estimands):
        return smooth_evidence(sums, resampled, difference, limits=limits)
    return extended_evidence(
        float(difference(sums.sum(axis=0))),
        difference(resampled),
        parts_of_difference(*pair.sums, (resampled[:, :2], resampled[:, 2:])),
        limits=limits,
        seed=seed,
    )


def _test(pair: _Pair, others: FloatArray, *, exact: bool) -> tuple[Test, float | None]:
    """The test and its two-sided p-value."""
    b_and_c = _discordant(pair)
    if b_and_c is not None:
        return "mcnemar", mcnemar(*b_and_c)
    observed = float(_difference(pair)(np.hstack(pair.sums).sum(axis=0)))
    return "sign-flip", flip_p_value(observed, others, exact=exact)


def _discordant(pair: _Pair) -> tuple[int, int] | None:
    """Clusters that are right in one run only, where each cluster is one 0/1 in both; else None."""
    if pair.spec.better == "zero" or any(isinstance(e, Smooth) for e in pair.estimands):
        return None
    carrying = np.hstack(pair.sums).any(axis=1)
    first, second = (sums[carrying] for sums in pair.sums)
    if not all(is_share(sums, pair.spec.bounds) for sums in (first, second)):
        return None
    only_first = int(((first[:, 0] > 0.5) & (second[:, 0] < 0.5)).sum())
    only_second = int(((first[:, 0] < 0.5) & (second[:, 0] > 0.5)).sum())
    return only_first, only_second


def _flipped(
    pairs: Sequence[_Pair], *, permutations: int, seed: int
) -> tuple[list[FloatArray], bool]:
    """Differences of each metric after exchanging the runs within clusters, [P] each.

    With half sums h and half differences d by cluster, an exchange s in {-1, 1}^G turns the sums
    of the runs into (h - s d, h + s d): one matrix product for all metrics.
    """
    halves = np.hstack([(pair.sums[1] - pair.sums[0]) / 2 for pair in pairs])
    signs, exact = sign_flips(len(halves), permutations=permutations, seed=seed)
    moved = np.concatenate([chunk @ halves for chunk in signs])
    found, start = [], 0
    for pair in pairs:
        cut = pair.sums[0].shape[1]
        middle = (pair.sums[0] + pair.sums[1]).sum(axis=0) / 2
        own = moved[:, start : start + cut]
        start += cut
        found.append(_difference(pair)(np.hstack([middle - own, middle + own])))
    return found, exact


def _change(pair: _Pair, evidence: Evidence | None, *, p: float | None, test: Test) -> Change:
    values = [None if np.isnan(e.value) else float(e.value) for e in pair.estimands]
    why = ""
    if evidence is None:
        whole = list(zip(("first", "second"), pair.estimands, strict=True))
        lacking = [f"{name} run: {e.why}" for name, e in whole if np.isnan(e.value)]
        why = "; ".join(lacking) or "too few groups"
    bare = evidence is None or pair.spec.better == "zero"
    return Change(
        key=pair.spec.key,
        first=values[0],
        second=values[1],
        size=pair.spec.better == "zero",
        evidence=evidence,
        p=p if evidence is not None else None,
        test=test if evidence is not None else "none",
        n=pair.estimands[1].n,
        left_out=pair.left_out,
        why=why,
        least=None if bare or np.isnan(pair.least) else pair.least,
        greatest=None if bare or np.isnan(pair.greatest) else pair.greatest,
    )
