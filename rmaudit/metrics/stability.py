"""Does the model agree with itself: over samples, over candidates, over ways of asking."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import IntArray
from rmaudit.metrics.estimand import Estimand, not_applicable, per_item, pooled
from rmaudit.metrics.features import NONE as NO_CODE
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import NONE, A, B, Table, Units

ONE_SAMPLE = "needs two samples of an item and order"
NO_TUPLE = "no item is part of a tuple of candidates"
NO_TRIAD = "no tuple holds all three pairs of three candidates"
ONE_MODE = "the model was asked in one way only"


def _self_consistency(table: Table) -> Estimand:
    first, second = sample_pairs(table)
    if not len(first):
        return not_applicable(ONE_SAMPLE)
    rows = table.rows
    verdicts = rows.verdict[first], rows.verdict[second]
    readable = (verdicts[0] != NONE) & (verdicts[1] != NONE)
    return per_item(
        Units(rows.item[first], rows.group[first]),
        verdicts[0] == verdicts[1],
        used=readable,
        lost=~readable,
        why=ONE_SAMPLE,
    )


def sample_pairs(table: Table) -> tuple[IntArray, IntArray]:
    """Indices of the two rows of every pair of samples of one item and order."""
    rows = table.rows
    order = np.lexsort((rows.sample, rows.order, rows.item))
    same = (np.diff(rows.item[order]) == 0) & (np.diff(rows.order[order]) == 0)
    cells = np.split(order, np.flatnonzero(~same) + 1) if same.any() else []
    pairs = [np.array(pair) for cell in cells for pair in combinations(cell.tolist(), 2)]
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


class NetVotes(NamedTuple):
    """Net votes for the first of two candidates (by code) over the answered rows of a pair."""

    votes: int
    answered: bool
    group: int


def _cycle_rate(table: Table) -> Estimand:
    """Over triads of candidates, each pair decided by the majority of its rows."""
    if not (table.features.tuple_ != NO_CODE).any():
        return not_applicable(NO_TUPLE)
    found = preferences(table)
    triads = [[found[p] for p in ((x, y), (y, z), (x, z))] for x, y, z in _triads(set(found))]
    if not triads:
        return not_applicable(NO_TRIAD)
    votes = np.array([[p.votes for p in triad] for triad in triads])
    known = np.array([all(p.answered for p in triad) for triad in triads])
    decided = (votes != 0).all(axis=1)
    way = np.sign(votes)
    cyclic = (way[:, 0] == way[:, 1]) & (way[:, 0] != way[:, 2])
    groups = np.array([triad[0].group for triad in triads])
    return pooled(
        Units(np.arange(len(triads)), groups),
        cyclic,
        used=decided & known,
        lost=~known,
        why="no triad without a tied pair",
    )


def preferences(table: Table) -> dict[tuple[int, int], NetVotes]:
    """By pair of candidates, the lesser code first."""
    found: dict[tuple[int, int], NetVotes] = {}
    candidates, rows = table.features.candidate, table.rows
    vote = np.where(rows.verdict == A, 1, np.where(rows.verdict == B, -1, 0))
    for k in np.flatnonzero(table.features.tuple_ != NO_CODE).tolist():
        a, b = candidates[k].tolist()
        if a == b:
            continue
        pair, sign = ((a, b), 1) if a < b else ((b, a), -1)
        before = found.get(pair, NetVotes(0, False, int(rows.group[k])))
        found[pair] = before._replace(
            votes=before.votes + sign * int(vote[k]),
            answered=before.answered or bool(rows.answered[k]),
        )
    return found


def _triads(pairs: set[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Triples x < y < z of which all three pairs are there."""
    above: dict[int, set[int]] = {}
    for x, y in pairs:
        above.setdefault(x, set()).add(y)
    return [
        (x, y, z)
        for x in sorted(above)
        for y in sorted(above[x])
        for z in sorted(above[x] & above.get(y, set()))
    ]


def _cross_mode(table: Table) -> Estimand:
    slots = table.facts.by_slot
    both = slots != NONE
    readable = table.rows.verdict != NONE
    return per_item(
        table.row_units,
        slots == table.rows.verdict,
        used=both & readable,
        lost=both & ~readable,
        why=ONE_MODE,
    )


_spec = partial(MetricSpec, reader=None, alike=("verdicts",), topic="Steadiness and confidence")

METRICS = (
    _spec(
        "self_consistency",
        "share",
        "higher",
        "Share of pairs of samples of one item and order with the same verdict, ties included, "
        "among pairs with a readable verdict in both.",
        _self_consistency,
        needs="--samples 2, with a --temperature above 0",
    ),
    _spec(
        "cycle_rate",
        "share",
        "lower",
        "Share of cycles (x over y, y over z, z over x) among triads of candidates of one tuple, "
        "each pair decided by the majority of its verdicts; triads with a tied pair are left out. "
        "Random preferences give 25 %.",
        _cycle_rate,
        needs="a set with tuples: all pairs of three candidates",
    ),
    _spec(
        "cross_mode_consistency",
        "share",
        "higher",
        "Share of verdicts on a pair that agree with the scores that each response got alone, "
        "ties included, where the model was asked both ways.",
        _cross_mode,
        needs="a target that scores single responses beside its verdicts",
    ),
)
