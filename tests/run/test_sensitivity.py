"""Reason sensitivity: by hand on a few edits, and of scorers whose reasons are known."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.fault_kinds import fault_kind
from rmaudit.checklists.schema import Control, Item, Repair
from rmaudit.checklists.sets import load_set
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.parts import compute_parts, faults_sentence, part_of
from rmaudit.metrics.sensitivity import Edit, sign, threshold
from rmaudit.metrics.table import Table
from rmaudit.parsing.decisions import by_score
from rmaudit.records import Key, Metric, Side
from rmaudit.run.row_facts import row_facts
from rmaudit.run.rows import ScoreRow, VerdictRow
from rmaudit.run.sensitivity import base_key, control_key, repair_key, sensitivities
from rmaudit.run.table import TableSettings, table_of_rows
from rmaudit.scan.score_requests import score_requests

Scorer = Callable[[Item, Side, str], float]
KEYS = ("reason_sensitivity", "reason_sensitivity.saturated", "sensitivity.monotone")


def scored(items: Sequence[Item], scorer: Scorer) -> list[ScoreRow]:
    by_id = {item.id: item for item in items}
    rows = []
    for request in score_requests(items):
        slot = request.key.slot
        assert slot != "pair"
        text = request.messages[-1]["content"]
        rows.append(ScoreRow(request.key, scorer(by_id[request.key.item], slot, text), {}))
    return rows


def table(items: Sequence[Item], rows: Sequence[ScoreRow], *, lower: bool = False) -> Table:
    found = {row.key: -row.score if lower else row.score for row in rows}
    verdicts = [
        VerdictRow(Key(item.id), by_score(found[base_key(item, "a")], found[base_key(item, "b")]))
        for item in items
    ]
    settings = TableSettings(0, 5, False, None, lower_is_better=lower)
    return table_of_rows(items, verdicts, (), rows, settings)[1]


def measured(items: Sequence[Item], scorer: Scorer, *, lower: bool = False) -> dict[str, Metric]:
    made = table(items, scored(items, scorer), lower=lower)
    return compute_metrics(made, names=KEYS, resamples=400)


@pytest.fixture(scope="module")
def slogans() -> tuple[Item, ...]:
    return load_set("synth:5:60:slogan").items


def reads_faults(item: Item, side: Side, text: str) -> float:
    checks = [one.check for one in item.reasons if one.about == side and one.check is not None]
    return float(sum(run_check(check, text) for check in checks) - len(checks))


def counts_letters(item: Item, side: Side, text: str) -> float:
    return float(len(text))


def loves_emoji(item: Item, side: Side, text: str) -> float:
    return float(len(re.findall("[\U0001f300-\U0001faff]", text)))


def draws(item: Item, side: Side, text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


def test_the_threshold_by_hand() -> None:
    repairs = [Edit(1.0, 3), Edit(-0.5, -4), Edit(0.1, 2)]
    neutral = [Edit(0.01 * n, 1) for n in range(1, 41)] + [Edit(9.0, 50), Edit(None, 0)]
    # The edit of 50 letters is longer than any repair; of .01 ... .40 the 95th percentile is .3805.
    assert threshold(neutral, repairs) == pytest.approx(0.3805)
    assert [sign(one.moved or 0, 0.3805) for one in repairs] == [1, -1, 0]
    assert threshold(neutral[:39], repairs) is None
    assert threshold(neutral, []) is None


def test_an_item_by_hand() -> None:
    base = load_set("synth:5:1:slogan").items[0]
    reasons = [one.id for one in base.reasons]
    items = [
        base.model_copy(
            update={
                "id": f"i{n}", "domain": "one",
                "repairs": [
                    Repair(fixes=[reasons[0]], response="a", text=base.response_a + "x"),
                    Repair(fixes=[reasons[1]], response="b", text=base.response_b + "x"),
                    Repair(fixes=reasons[:2], response="a", text=base.response_a + "xy"),
                ],
                "controls": [Control(response="a", text=base.response_a + " ", kind="spaces"),
                             Control(response="a", text=base.response_a + "!", kind="emoji")],
            }
        )
        for n in range(40)
    ]  # fmt: skip
    rows = []
    for item in items:
        rows += [
            ScoreRow(base_key(item, "a"), 1.0, {}),
            ScoreRow(base_key(item, "b"), 2.0, {}),
            ScoreRow(repair_key(item, 0), 1.5, {}),  # +1
            ScoreRow(repair_key(item, 1), 1.0, {}),  # -1, of b, which has the highest score
            ScoreRow(repair_key(item, 2), 1.4, {}),  # two faults: below the one before
            ScoreRow(control_key(item, 0), 1.1, {}),
        ]
    found = sensitivities(items, rows, lower_is_better=False)["i7"]
    assert (found.value, found.saturated, found.monotone) == (0.0, 0.5, 0.0)
    turned = sensitivities(items, rows, lower_is_better=True)["i7"]
    assert (turned.value, turned.saturated) == (0.0, 0.5)
    gone = [row for row in rows if row.key != repair_key(items[7], 0)]
    lost = sensitivities(items, gone, lower_is_better=False)["i7"]
    assert (lost.value, lost.lost, lost.monotone_lost) == (None, True, True)
    few = sensitivities(items[:39], rows, lower_is_better=False)["i7"]
    assert (few.value, few.few_edits, few.lost) == (None, True, False)


def test_a_scorer_that_reads_the_faults(slogans: tuple[Item, ...]) -> None:
    value = measured(slogans, reads_faults)["reason_sensitivity"]
    assert value.value is not None
    assert value.value >= 0.98
    # A cost model that counts the same faults says the same in its own direction.
    cost = measured(slogans, lambda *x: -reads_faults(*x), lower=True)["reason_sensitivity"]
    assert cost.value == value.value


@pytest.mark.parametrize("scorer", [counts_letters, loves_emoji, draws])
def test_scorers_that_read_no_fault(slogans: tuple[Item, ...], scorer: Scorer) -> None:
    value = measured(slogans, scorer)["reason_sensitivity"]
    assert value.low is not None
    assert value.high is not None
    assert value.low <= 0 <= value.high


def test_a_counter_of_words_follows_faults_of_words_only(slogans: tuple[Item, ...]) -> None:
    """It counts ideas that were asked for, less banned words; prices are nothing to it."""

    def counts(item: Item, side: Side, text: str) -> float:
        kind_of = item.meta["kinds"]
        ideas = [one.check for one in item.reasons if kind_of[one.id] == "missing_idea"]
        banned = [one.check for one in item.reasons if kind_of[one.id] == "banned_word"]
        return float(sum(run_check(one, text) for one in [*ideas, *banned] if one is not None))

    rows = {row.key: row.score for row in scored(slogans, counts)}
    rises: dict[str, list[float]] = {}
    for item in slogans:
        for number, repair in enumerate(item.repairs or ()):
            moved = rows[repair_key(item, number)] - rows[base_key(item, repair.response)]
            rises.setdefault(item.meta["kinds"][repair.fixes[0]], []).append(moved)
    assert {kind for kind, moved in rises.items() if sum(moved) > 0} == {
        "missing_idea",
        "banned_word",
    }
    assert all(sum(moved) == 0 for kind, moved in rises.items() if kind.startswith("wrong"))
    found = measured(slogans, counts)["reason_sensitivity"]
    assert found.value is not None
    assert 0.2 < found.value < 0.7
    parts = compute_parts(table(slogans, scored(slogans, counts)), resamples=400)
    by_kind = {name: metrics["reason_sensitivity"] for name, metrics in parts.items()}
    for kind in ("missing_idea", "banned_word"):
        assert by_kind[f"fault:{kind}"].value == 1.0
    for kind in ("wrong_price", "wrong_name", "wrong_city"):
        assert by_kind[f"fault:{kind}"].value == 0.0
    assert by_kind["family:slogan"] == found
    told = faults_sentence(parts)
    assert "rises when these are mended: banned word 1.00" in told
    assert "not shown to move: wrong city 0.00" in told


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_an_item_is_the_mean_of_its_kinds(slogans: tuple[Item, ...], seed: int) -> None:
    """Each kind weighs as many repairs as it has, whatever the scores."""

    def scorer(item: Item, side: Side, text: str) -> float:
        return draws(item, side, f"{seed}/{text}") + reads_faults(item, side, text)

    found = sensitivities(slogans, scored(slogans, scorer), lower_is_better=False)
    for item in slogans:
        kinds = [
            item.meta["kinds"][one.fixes[0]] for one in item.repairs or () if len(one.fixes) == 1
        ]
        one = found[item.id]
        assert set(one.by_kind) == set(kinds)
        assert one.value == pytest.approx(sum(one.by_kind[k] or 0 for k in kinds) / len(kinds))


def test_a_part_is_the_run_on_these_items_alone(slogans: tuple[Item, ...]) -> None:
    made = table(slogans, scored(slogans, draws))
    part = part_of(made, "fault:wrong_price")
    assert part is not None
    priced = [item for item in slogans if "wrong_price" in item.meta["kinds"].values()]
    assert len(np.unique(part.rows.item)) == len(priced)
    assert part_of(made, "fault:none") is None
    assert part_of(made, "family:slogan") is not None
    domain = part_of(made, "creative")
    assert domain is not None
    assert len(domain.rows.item) == len(made.rows.item)


def test_a_missing_score_is_missing_in_its_kind_alone(slogans: tuple[Item, ...]) -> None:
    item = slogans[0]
    gone = next(n for n, one in enumerate(item.repairs or ()) if len(one.fixes) == 1)
    kind = item.meta["kinds"][(item.repairs or [])[gone].fixes[0]]
    rows = [row for row in scored(slogans, reads_faults) if row.key != repair_key(item, gone)]
    found = sensitivities(slogans, rows, lower_is_better=False)[item.id]
    assert found.by_kind[kind] is None
    assert {value for name, value in found.by_kind.items() if name != kind} <= {1.0}
    parts = compute_parts(table(slogans, rows), resamples=50)
    assert parts[f"fault:{kind}"]["reason_sensitivity"].n_excluded == 1


def test_kinds_of_faults_that_no_program_names(slogans: tuple[Item, ...]) -> None:
    item = slogans[0].model_copy(update={"meta": {}})
    reason = item.reasons[0]
    assert reason.check is not None
    assert fault_kind(item, reason.id) == reason.check["kind"]
    bare = [reason.model_copy(update={"check": None})]
    assert fault_kind(item.model_copy(update={"reasons": bare}), reason.id) == ""


def test_what_is_not_there_is_not_measured(slogans: tuple[Item, ...]) -> None:
    few = measured(slogans[:3], reads_faults)["reason_sensitivity"]
    assert few.value is None
    assert "fewer than 40 neutral edits" in few.why
    bare = [item.model_copy(update={"repairs": None}) for item in slogans[:3]]
    none = measured(bare, reads_faults)["reason_sensitivity"]
    assert "single fault mended" in none.why
    rows = scored(slogans, reads_faults)
    lost = [row for row in rows if row.key != repair_key(slogans[0], 0)]
    value = compute_metrics(table(slogans, lost), names=KEYS, resamples=50)["reason_sensitivity"]
    assert value.n_excluded == 1
    assert value.worst is not None
    assert value.value is not None
    assert value.worst < value.value


def test_recorded_scores_have_no_edits(slogans: tuple[Item, ...]) -> None:
    rows = [row for row in scored(slogans, reads_faults) if row.key.variant == "base"]
    assert sensitivities(slogans, rows, lower_is_better=False) == {}
    facts = row_facts(slogans, [], rows, gives_reasons=False)
    assert facts == {}
