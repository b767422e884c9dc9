"""Agreement of a model with itself, by hand: samples, triads of candidates, two ways of asking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.metrics_rows import Item, item, no_answer, pair, row, table

from rmaudit.checklists.schema import Item as ChecklistItem
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.scores import RowKey
from rmaudit.metrics.table import Table
from rmaudit.records import Metric, Verdict

# ------------------------------------------------------------------------ samples


def one(data: Table, name: str) -> Metric:
    return compute_metrics(data, resamples=100, names=[name])[name]


def test_agreement_of_samples_by_hand() -> None:
    """i0  ab: a a b: of three pairs one agrees.  ba: tie tie: one of one.  2 of 4 pairs
    i1  ab: a, unreadable, a: one pair of one, two pairs lost
    i2  one sample: no pair

    (1/2 + 1) / 2; with the lost pairs i1 is 1/3 or 1.
    """
    verdicts: Sequence[Verdict] = ("a", "a", "b")
    data = table(
        item(
            "i0",
            *(row(v, sample=k) for k, v in enumerate(verdicts)),
            *(row("tie", order="ba", sample=k) for k in range(2)),
        ),
        item("i1", row("a"), row(None, sample=1), row("a", sample=2)),
        item("i2", row("a")),
    )
    found = one(data, "self_consistency")
    assert found.value == pytest.approx((2 / 4 + 1) / 2)
    assert (found.n, found.n_excluded) == (2, 2)
    assert (found.worst, found.best) == pytest.approx(((2 / 4 + 1 / 3) / 2, (2 / 4 + 1) / 2))


def test_one_sample_says_nothing() -> None:
    found = one(table(item("i0", row("a"), row("a", order="ba"))), "self_consistency")
    assert (found.value, found.n_excluded) == (None, 0)
    assert found.why == "needs two samples of an item and order"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["a", "b", "tie"]), min_size=2, max_size=5), min_size=1))
def test_agreement_of_samples_is_the_share_of_equal_pairs(cells: list[list[Verdict]]) -> None:
    items = [
        item(f"i{k}", *(row(v, sample=s) for s, v in enumerate(cell)))
        for k, cell in enumerate(cells)
    ]
    shares = [np.mean([x == y for x, y in combinations(cell, 2)]) for cell in cells]
    assert one(table(*items), "self_consistency").value == pytest.approx(np.mean(shares))


# ------------------------------------------------------------------------ cycles

Pairs = dict[tuple[str, str], Sequence[Verdict]]


def tuples(name: str, pairs: Pairs) -> tuple[list[Item], list[ChecklistItem]]:
    """Verdicts on pairs of candidates named by their texts, in the item's coordinates."""
    items, texts = [], []
    for (x, y), verdicts in pairs.items():
        rows = [
            row(v, sample=k) if v != "lost" else no_answer(sample=k)  # type: ignore[comparison-overlap]
            for k, v in enumerate(verdicts)
        ]
        key = f"{name}-{x}{y}"
        items.append(item(key, *rows, group=name))
        texts.append(pair(key, x, y, tuple={"id": name, "rank": 0}))
    return items, texts


def cycles(*named: tuple[list[Item], list[ChecklistItem]]) -> Metric:
    items = [i for one_tuple, _ in named for i in one_tuple]
    texts = [t for _, one_texts in named for t in one_texts]
    return one(table(*items, texts=texts), "cycle_rate")


def test_cycles_by_hand() -> None:
    """one    x over y, y over z, z over x (shown as x, z with verdict b): a cycle
    two    x over y, z over y (shown as y, z), x over z: in order
    three  a cycle by majority: x over y in 2 of 3 samples, y over z, z over x
    four   y and z tied: left out
    five   only two of its pairs are there: no triad
    """
    found = cycles(
        tuples("one", {("x", "y"): "a", ("y", "z"): "a", ("x", "z"): "b"}),
        tuples("two", {("x", "y"): "a", ("y", "z"): "b", ("x", "z"): "a"}),
        tuples("three", {("x", "y"): ("a", "b", "a"), ("y", "z"): "a", ("z", "x"): "a"}),
        tuples("four", {("x", "y"): "a", ("y", "z"): ("a", "b"), ("x", "z"): "b"}),
        tuples("five", {("x", "y"): "a", ("y", "z"): "a"}),
    )
    assert (found.value, found.n, found.n_excluded) == (pytest.approx(2 / 3), 3, 0)


def test_four_candidates_hold_four_triads() -> None:
    """w x y z in order, but z over w: the cycles are w x z and w y z, of four triads."""
    found = cycles(
        tuples(
            "one",
            {
                ("w", "x"): "a",
                ("x", "y"): "a",
                ("y", "z"): "a",
                ("w", "y"): "a",
                ("x", "z"): "a",
                ("w", "z"): "b",
            },
        )
    )
    assert (found.value, found.n) == (0.5, 4)


def test_a_pair_without_an_answer_bounds_the_cycles() -> None:
    found = cycles(
        tuples("one", {("x", "y"): "a", ("y", "z"): "a", ("x", "z"): ["lost"]}),  # type: ignore[list-item]
        tuples("two", {("x", "y"): "a", ("y", "z"): "a", ("x", "z"): "a"}),
    )
    assert (found.value, found.n, found.n_excluded) == (0.0, 1, 1)
    assert (found.worst, found.best) == (0.5, 0.0)


def test_where_there_is_no_triad() -> None:
    assert one(table(item("i0", row("a"))), "cycle_rate").why.startswith("no item is part")
    found = cycles(tuples("one", {("x", "y"): "a", ("x", "z"): "a"}))
    assert found.why == "no tuple holds all three pairs of three candidates"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.booleans(), min_size=10, max_size=10), st.randoms())
def test_cycles_follow_the_scores_of_kendall(ways: list[bool], shuffle: object) -> None:
    """Of n candidates with w_i wins, C(n, 3) - sum w_i (w_i - 1) / 2 triads are cyclic."""
    names = ["p", "q", "r", "s", "t"]
    shuffle.shuffle(names)  # type: ignore[attr-defined]
    decided = dict(zip(combinations(names, 2), ways, strict=True))
    wins = [
        sum((x == name and first) or (y == name and not first) for (x, y), first in decided.items())
        for name in names
    ]
    cyclic = 10 - sum(w * (w - 1) / 2 for w in wins)
    found = cycles(tuples("one", {pair_: "a" if way else "b" for pair_, way in decided.items()}))
    assert (found.value, found.n) == (pytest.approx(cyclic / 10), 10)


# ------------------------------------------------------------------------ two ways of asking


def test_verdicts_against_scores_by_hand() -> None:
    """i0  a, b against a: 1/2.  i1  tie against tie: 1.  i2  unreadable against b: lost
    i3  no scores: does not count
    """
    data = [
        item("i0", row("a"), row("b", order="ba")),
        item("i1", row("tie")),
        item("i2", row(None)),
        item("i3", row("a")),
    ]
    facts: dict[RowKey, RowFacts] = {
        ("i0", "ab", 0): RowFacts(by_slot="a"),
        ("i0", "ba", 0): RowFacts(by_slot="a"),
        ("i1", "ab", 0): RowFacts(by_slot="tie"),
        ("i2", "ab", 0): RowFacts(by_slot="b"),
    }
    found = one(table(*data, facts=facts), "cross_mode_consistency")
    assert found.value == pytest.approx((1 / 2 + 1) / 2)
    assert (found.n, found.n_excluded) == (2, 1)
    assert (found.worst, found.best) == pytest.approx((1.5 / 3, 2.5 / 3))
    without = one(table(*data), "cross_mode_consistency")
    assert without.why == "the model was asked in one way only"
