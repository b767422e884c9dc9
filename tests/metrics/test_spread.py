"""Reward spread by hand, of scores and of comparisons, and what no score may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from rmaudit.parsing.decisions import by_score
from rmaudit.records import Metric, Verdict

KEYS = (
    "reward_spread",
    "reward_spread.dead",
    "reward_spread.ties",
    "reward_spread.sd",
    "reward_spread.accuracy",
    "reward_spread.length",
    "reward_spread.markup",
)

Scores = Sequence[float | None]
Label = str | None


def scored(prompts: Mapping[str, Scores], labels: Mapping[str, str] | None = None) -> Table:
    """Prompts with scored candidates x0, x1, ...; each pairs with the next one, in a ring."""
    items: list[Item] = []
    texts: list[ChecklistItem] = []
    facts: dict[RowKey, RowFacts] = {}
    for name, scores in prompts.items():
        ring = [(k, (k + 1) % len(scores)) for k in range(len(scores))]
        for a, b in ring if len(scores) > 2 else ring[:1]:
            place, both = f"{name}/{a}-{b}", (scores[a], scores[b])
            label = (labels or {}).get(name)
            fields = {"tuple": {"id": name, "rank": b}, "label": label}
            texts.append(pair(place, "x" * (a + 1), "x" * (b + 1), **fields))
            facts[place, "ab", 0] = RowFacts(scores=both)
            known = [one for one in both if one is not None]
            shown = row(by_score(*known).verdict) if len(known) == 2 else no_answer()
            items.append(item(place, shown, label=label, group=name))  # type: ignore[arg-type]
    return table(*items, texts=texts, facts=facts)


def compared(name: str, verdicts: Mapping[tuple[str, str], Sequence[Verdict]]) -> Table:
    items, texts = [], []
    for (a, b), said in verdicts.items():
        place = f"{name}/{a}{b}"
        rows = [row(one, order="ba" if k else "ab") for k, one in enumerate(said)]
        items.append(item(place, *rows, label=None, group=name))
        texts.append(pair(place, a, b, tuple={"id": name, "rank": 1}, label=None))
    return table(*items, texts=texts)


def measured(data: Table) -> dict[str, Metric]:
    return compute_metrics(data, names=KEYS, resamples=200)


def test_scores_by_hand() -> None:
    """p 1 2 3, q 4 4 4, r 0 (longer: 10).

    Means 2, 4, 5: within 2 + 0 + 50 = 52. All eight have mean 28/8 = 3.5 and squares
    1+4+9+48+0+100 = 162, so the total is 162 - 98 = 64.
    """
    found = measured(scored({"p": (1, 2, 3), "q": (4, 4, 4), "r": (0, 10)}))
    assert found["reward_spread"].value == pytest.approx(52 / 64)
    assert found["reward_spread.dead"].value == pytest.approx(1 / 3)
    assert found["reward_spread.ties"].value == pytest.approx(1 / 3)  # 0 of 3, 3 of 3, 0 of 1
    assert found["reward_spread.sd"].value == pytest.approx(((2 / 3) ** 0.5 + 0 + 5) / 3)
    assert found["reward_spread.length"].value == pytest.approx(1.0)  # q does not count
    assert found["reward_spread.length"].n == 2
    assert found["reward_spread.markup"].why == "in no prompt do both reward and this differ"
    assert found["reward_spread.accuracy"].why == "no pair of candidates is labelled a or b"
    assert {found[key].n for key in KEYS[:4]} == {3}


def test_spread_times_accuracy_by_hand() -> None:
    """p: pairs 0-1, 1-2, 2-0 labelled a, scores 1 2 3: only the last is right. Of r it is wrong.

    Accuracy (0 + 0 + 1 + 0) / 4; spread 52 / 60 without q: within 52, total 114 - 16^2 / 5 = 62.8.
    """
    found = measured(scored({"p": (1, 2, 3), "r": (0, 10)}, {"p": "a", "r": "a"}))
    assert found["reward_spread"].value == pytest.approx(52 / 62.8)
    assert found["reward_spread.accuracy"].value == pytest.approx(52 / 62.8 / 4)


def test_comparisons_by_hand() -> None:
    """x over y, y over z, x over z in both orders: a strict ranking, and 1 of it."""
    strict = {("x", "y"): "aa", ("y", "z"): "aa", ("x", "z"): "aa"}
    cycle = {("x", "y"): "aa", ("y", "z"): "aa", ("x", "z"): "bb"}
    # x over y in one order only: rewards x 1/2, y -1/2 + ... : (0 + 1)/2, (0 + 1)/2, -1.
    torn = {("x", "y"): "ab", ("y", "z"): "aa", ("x", "z"): "aa"}
    found = {
        name: measured(compared(name, said))  # type: ignore[arg-type]
        for name, said in (("strict", strict), ("cycle", cycle), ("torn", torn))
    }
    spread = {name: one["reward_spread"].value for name, one in found.items()}
    # Rewards 1 0 -1 have 2 of the 2 that are possible; 1/2 1/2 -1 have 1.5.
    assert spread == {"strict": pytest.approx(1.0), "cycle": 0.0, "torn": pytest.approx(0.75)}
    assert found["cycle"]["reward_spread.dead"].value == 1.0
    assert found["torn"]["reward_spread.ties"].value == pytest.approx(1 / 3)
    assert found["strict"]["reward_spread.ties"].value == 0.0


def test_candidates_that_were_not_all_compared_have_no_ranking() -> None:
    star = compared("one", {("x", "y"): "aa", ("x", "z"): "aa"})  # type: ignore[dict-item]
    found = measured(star)["reward_spread"]
    assert (found.value, found.why) == (None, "in no prompt was each candidate compared with each")


def test_what_is_missing_is_excluded_and_bounded() -> None:
    found = measured(scored({"p": (1, 2, 3), "q": (4, None, 5)}))
    spread = found["reward_spread"]
    assert (spread.n, spread.n_excluded, spread.worst, spread.best) == (1, 1, 0.0, 1.0)
    assert found["reward_spread.dead"].n_excluded == 1
    assert (found["reward_spread.dead"].worst, found["reward_spread.dead"].best) == (0.5, 0.0)


def test_equal_scores_leave_no_spread_to_speak_of() -> None:
    found = measured(scored({"p": (0.1, 0.1, 0.1), "q": (0.1, 0.1)}))
    assert found["reward_spread"].value is None
    assert found["reward_spread"].why == "all rewards are equal, over all prompts"
    assert found["reward_spread.dead"].value == 1.0
    assert found["reward_spread.ties"].value == 1.0


def test_a_set_without_tuples_is_not_asked() -> None:
    found = measured(table(item("i0", row("a"))))
    assert all(found[key].why.startswith("not measured; ") for key in KEYS)


prompts_of = st.lists(
    st.lists(st.integers(-50, 50).map(float), min_size=2, max_size=5), min_size=2, max_size=6
)


@settings(max_examples=60, deadline=None)
@given(prompts_of, st.floats(0.01, 100), st.integers(-1000, 1000))
def test_it_is_the_share_within_and_no_scale_changes_it(
    prompts: list[list[float]], scale: float, shift: int
) -> None:
    names = {f"p{k:02}": scores for k, scores in enumerate(prompts)}
    found = measured(scored(names))
    moved = measured(scored({k: [scale * x + shift for x in v] for k, v in names.items()}))
    every = np.concatenate(prompts)
    within = sum(((np.array(one) - np.mean(one)) ** 2).sum() for one in prompts)
    total = ((every - every.mean()) ** 2).sum()
    value = found["reward_spread"].value
    if total == 0:
        assert value is None
    else:
        assert value == pytest.approx(within / total, abs=1e-9)
        assert moved["reward_spread"].value == pytest.approx(value, abs=1e-6)
    assert found["reward_spread.dead"].value == pytest.approx(
        np.mean([len(set(one)) == 1 for one in prompts])
    )
    assert found["reward_spread.ties"].value == pytest.approx(
        np.mean([np.mean([a == b for a, b in combinations(one, 2)]) for one in prompts])
    )
