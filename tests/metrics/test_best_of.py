"""Tuples, tables of styles, margins and macro averages: by hand, and against the public scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.metrics_rows import Item, item, no_answer, pair, row, table

from rmaudit.checklists.schema import Item as ChecklistItem
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.compat import rewardbench, rm_bench
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.features import STYLES
from rmaudit.metrics.scores import RowKey
from rmaudit.metrics.table import Table
from rmaudit.parsing.decisions import by_score
from rmaudit.records import Metric

Tuple = tuple[Sequence[float | None], int]
"""Scores of candidates, of which so many are right, these first."""


def tuples(named: Mapping[str, Tuple], *, ties: bool = False, every: bool = True) -> Table:
    """As RewardBench 2 is imported: right against wrong, and in the subset Ties right with right.

    Names `ref:N` and `tied:N` are of one question N.
    """
    items: list[Item] = []
    texts: list[ChecklistItem] = []
    facts: dict[RowKey, RowFacts] = {}
    for name, (scores, right) in named.items():
        kind, _, number = name.rpartition(":")
        pairs = [*product(range(right), range(right, len(scores)))]
        pairs = pairs if every else pairs[:-1]
        pairs += combinations(range(right), 2) if ties else []
        for a, b in pairs:
            place, both = f"{name}/{a}-{b}", (scores[a], scores[b])
            fields = {"tuple": {"id": name, "rank": b}, "meta": {"sample_type": kind}}
            texts.append(pair(place, f"text {a}", f"text {b}", **fields))
            known = [one for one in both if one is not None]
            shown = row(by_score(*known).verdict) if len(known) == 2 else no_answer()
            label = "tie" if b < right else "a"
            items.append(item(place, shown, label=label, group=number))  # type: ignore[arg-type]
            facts[place, "ab", 0] = RowFacts(scores=both)
    return table(*items, texts=texts, facts=facts)


def one(data: Table, name: str) -> Metric:
    return compute_metrics(data, names=[name], resamples=200)[name]


def test_best_of_n_by_hand() -> None:
    """right alone first: 1; shares the first place with one of three: 1/2; second: 0."""
    data = tuples({"p": ((4, 1, 2, 3), 1), "q": ((3, 1, 3, 2), 1), "r": ((3, 4, 1, 0), 1)})
    assert one(data, "best_of_n").value == pytest.approx(0.5)
    assert one(data, "best_of_n").n == 3
    assert one(data, "best_of_n.chance").value == pytest.approx(0.25)
    lost = one(tuples({"p": ((4, 1, 2, 3), 1), "q": ((3, None, 3, 2), 1)}), "best_of_n")
    assert (lost.value, lost.n, lost.n_excluded, lost.worst, lost.best) == (1.0, 1, 1, 0.5, 1.0)


def test_of_a_tuple_that_is_labelled_in_part_nobody_knows_the_best() -> None:
    found = one(tuples({"p": ((4, 1, 2, 3), 1)}, every=True), "best_of_n")
    assert found.value == 1.0
    part = one(tuples({"p": ((4, 3, 2, 1), 2)}, every=False), "best_of_n")
    assert part.value is None
    assert "labelled against each wrong one" in part.why


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4).map(float), min_size=4, max_size=4), min_size=1))
def test_best_of_n_is_that_of_the_public_script(rows: list[list[float]]) -> None:
    found = one(tuples({f"p{k}": (scores, 1) for k, scores in enumerate(rows)}), "best_of_n")
    assert found.value == pytest.approx(np.mean([rewardbench.best_of(scores) for scores in rows]))


def test_the_score_of_ties_by_hand() -> None:
    """tied:1 scores 5 4 | 2: gap 2, spread 1; ref:1 scores 3 | 1: gap 2: all holds, width tanh(1).
    tied:2 scores 5 2 | 1: gap 1, spread 3; ref:2 scores 1 | 2: wrong: nothing holds but accuracy
    of tied; the smaller gap is -1, its width tanh(-1/3 - 1).
    """
    named = {"tied:1": ((5, 4, 2), 2), "ref:1": ((3, 1), 1)}
    named |= {"tied:2": ((5, 2, 1), 2), "ref:2": ((1, 2), 1)}
    width = (np.tanh(1) + np.tanh(-4 / 3)) / 2
    found = one(tuples(named, ties=True), "rewardbench2.ties")
    assert found.value == pytest.approx(0.3 * 1 + 0.3 * 0.5 + 0.2 * 0.5 + 0.2 * 0.5 + 0.01 * width)
    assert found.n == 2
    alone = one(tuples({"tied:1": ((5, 4, 2), 2)}, ties=True), "rewardbench2.ties")
    assert "has a ref: and a tied: row" in alone.why or "has a ref:" in alone.why


scores_of = st.lists(st.integers(-3, 3).map(float), min_size=3, max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(scores_of, scores_of, st.integers(2, 4)), min_size=1, max_size=4))
def test_the_score_of_ties_is_that_of_the_public_script(
    rows: list[tuple[list[float], list[float], int]],
) -> None:
    named: dict[str, Tuple] = {}
    for k, (tied, ref, right) in enumerate(rows):
        named[f"tied:{k}"] = (tied, min(right, len(tied) - 1))
        named[f"ref:{k}"] = (ref, 1)
    public = rewardbench.ties(
        [
            rewardbench.RatedRow(name, "Ties", name, tuple(s or 0.0 for s in scores), right)
            for name, (scores, right) in named.items()
        ]
    )
    found = one(tuples(named, ties=True), "rewardbench2.ties")
    assert found.value == pytest.approx(public.value)


def styled(cells: Sequence[tuple[str, str, str, str]]) -> Table:
    """Domain, style of the better and of the worse response, verdict on one that is labelled a."""
    items, texts = [], []
    for k, (domain, better, worse, verdict) in enumerate(cells):
        items.append(item(f"i{k}", row(verdict), domain=domain))  # type: ignore[arg-type]
        texts.append(pair(f"i{k}", "x", "y", style_a=better, style_b=worse))
    return table(*items, texts=texts)


def test_the_table_of_styles_by_hand() -> None:
    """chat: easy 1/1, normal 1/2, hard 0/1, so 1/2; math: easy 1/1, so that its mean is 1."""
    data = styled(
        [
            ("chat", "markdown", "concise", "a"),
            ("chat", "concise", "concise", "a"),
            ("chat", "detailed", "detailed", "b"),
            ("chat", "concise", "markdown", "tie"),
            ("math", "markdown", "detailed", "a"),
        ]
    )
    assert one(data, "rm_bench.markdown.concise").value == 1.0
    assert one(data, "rm_bench.detailed.detailed").value == 0.0
    assert one(data, "rm_bench.concise.markdown").value == 0.0
    assert one(data, "rm_bench.detailed.concise").why == "no such pair of styles"
    assert one(data, "rm_bench.easy").value == 1.0
    # Each level of each domain counts the same: 1, 1/2, 0 of chat and 1 of math.
    assert one(data, "rm_bench.total").value == pytest.approx(2.5 / 4)


cell = st.tuples(
    st.sampled_from(["chat", "math"]),
    st.sampled_from(STYLES),
    st.sampled_from(STYLES),
    st.sampled_from(["a", "b", "tie"]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(cell, min_size=1, max_size=20))
def test_the_total_is_that_of_the_public_script(cells: list[tuple[str, str, str, str]]) -> None:
    way = {1: "easy", 0: "normal", -1: "hard"}
    public = rm_bench.numbers(
        rm_bench.Cell(
            domain, way[int(np.sign(STYLES.index(i) - STYLES.index(j)))], float(verdict == "a")
        )
        for domain, i, j, verdict in cells
    )
    found = one(styled(cells), "rm_bench.total")
    assert found.value == pytest.approx(public["compat.rm_bench.total"].value)


def test_macro_and_micro_by_hand() -> None:
    """x: 3 of 4 right; y: 0 of 1. Micro 3/5, macro (3/4 + 0) / 2; a lost row of y: 0 to 1/2."""
    rows = [item(f"x{k}", row("b" if k == 3 else "a"), domain="x") for k in range(4)]
    rows.append(item("y", row("tie"), domain="y"))
    assert one(table(*rows), "accuracy").value == pytest.approx(3 / 5)
    assert one(table(*rows), "accuracy.macro").value == pytest.approx(3 / 8)
    assert one(table(*rows), "accuracy.ties").value == pytest.approx(1 / 5)
    lost = one(table(*rows, item("z", no_answer(), domain="y")), "accuracy.macro")
    assert (lost.value, lost.n_excluded) == (pytest.approx(3 / 8), 1)
    assert (lost.worst, lost.best) == (pytest.approx(3 / 8), pytest.approx((3 / 4 + 1 / 2) / 2))
    none = one(table(item("t", row("a"), label="tie")), "accuracy.macro")
    assert none.why == "no item is labelled a or b"


def margins(values: Sequence[tuple[float, float, str]]) -> Table:
    items = [
        item(f"i{k}", row(by_score(a, b).verdict), label=label)  # type: ignore[arg-type]
        for k, (a, b, label) in enumerate(values)
    ]
    facts: dict[RowKey, RowFacts] = {
        (f"i{k}", "ab", 0): RowFacts(scores=(a, b)) for k, (a, b, _) in enumerate(values)
    }
    return table(*items, facts=facts)


def test_margins_by_hand() -> None:
    """Margins 2, 4, -3: mean 1, variance 29/3 - 1."""
    data = margins([(3, 1, "a"), (1, 5, "b"), (4, 1, "b"), (9, 1, "tie")])
    assert one(data, "score_margin").value == pytest.approx(1 / np.sqrt(29 / 3 - 1))
    assert one(data, "score_margin").n == 3
    assert one(margins([(2, 1, "a"), (2, 1, "a")]), "score_margin").why == "all margins are alike"
    assert one(table(item("i", row("a"))), "score_margin").why == "the model gives no scores"


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9),
    st.floats(0.1, 10),
    st.integers(-50, 50),
)
@settings(max_examples=40, deadline=None)
def test_no_scale_changes_a_margin(pairs: list[tuple[int, int]], scale: float, shift: int) -> None:
    first = one(margins([(a, b, "a") for a, b in pairs]), "score_margin").value
    moved = [(scale * a + shift, scale * b + shift, "a") for a, b in pairs]
    second = one(margins(moved), "score_margin").value
    gaps = np.array([a - b for a, b in pairs])
    if gaps.std() == 0:
        assert first is None
    else:
        assert first == pytest.approx(gaps.mean() / gaps.std(), abs=1e-9)
        assert second == pytest.approx(first, abs=1e-6)
