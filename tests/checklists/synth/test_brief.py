"""Families made of a table: each fault breaks one rule, each wording names its facts, no clues."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from support.synth_properties import (
    check_faults,
    check_items,
    check_styles,
    check_wordings,
    coincidence,
)

from rmaudit.checklists.synth.base import Task
from rmaudit.checklists.synth.brief import BriefTask, Range, SlotTable, draw, table_of
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.checklists.synth.multilingual import LANGUAGES, language
from rmaudit.records import ModelReason
from rmaudit.text.differences import count_differences
from rmaudit.truth.score import decide

SEEDS = st.integers(0, 2**32)
TABLES = ("email", "story", "table-facts", "command-line")
NAMES = (*TABLES, "multilingual")
TASKS: dict[str, Callable[[Random], Task]] = {
    **{name: FAMILIES[name].draw for name in TABLES},
    **{code: lambda rng, code=code: draw(language(code), rng) for code in LANGUAGES},  # type: ignore[misc]
}
EACH = pytest.mark.parametrize("name", list(TASKS))


@EACH
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_faults_alone_and_in_pairs(name: str, seed: int) -> None:
    rng = Random(seed)
    check_faults(TASKS[name](rng), rng)


@EACH
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_wordings_and_requests(name: str, seed: int) -> None:
    rng = Random(seed)
    task = TASKS[name](rng)
    assert isinstance(task, BriefTask)
    assert task.table.fewest <= len(task.rules) <= task.table.most
    for fault in task.faults(rng):
        check_wordings(fault)
    for rule in task.rules:
        shown = "?" if rule.requirement.right == "not recorded" else rule.requirement.right
        assert shown in task.prompt
        assert rule.subject in task.prompt


@EACH
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_styles(name: str, seed: int) -> None:
    rng = Random(seed)
    check_styles(TASKS[name](rng), rng)


@pytest.mark.parametrize("name", NAMES)
def test_items(name: str) -> None:
    """Proved, hidden among differences, and each reference is true to the judge that knows."""
    items = make_items([FAMILIES[name]], n=40, seed=12)
    check_items(items)
    assert coincidence(items) < 0.2
    differences = [count_differences(item.response_a, item.response_b) for item in items]
    assert sum(differences) / len(items) >= 13
    for item in items:
        told = [ModelReason(reason.text, reason.about) for reason in item.reasons]
        found = decide(item, told)
        assert set(found.claims) == {True}
        assert [row[at] for at, row in enumerate(found.matrix)] == [1.0] * len(told)


def test_a_value_of_another_row_is_not_paid() -> None:
    items = make_items([FAMILIES["table-facts"]], n=20, seed=5)
    for item in items:
        rows = [facts[0] for facts in item.meta["facts"].values()]
        for reason in item.reasons:
            subject, right, wrong = item.meta["facts"][reason.id]
            if "not recorded" in (right, wrong):  # what rows share is said of the other as well
                continue
            other = next((row for row in rows if row != subject), "Nile")
            side = f"Response {str(reason.about).upper()}"
            text = f"{side} gives {wrong} for the {other} instead of {right}."
            found = decide(item, [ModelReason(text, reason.about)])
            assert not any(row[0] for row in found.matrix)


def test_near_values_by_hand() -> None:
    slot = SlotTable(
        name="x", kind="k", weight=1, form="{a}-{n}",
        parts={"a": ("p", "q"), "n": Range(first=1, last=2)},
        asks=("{right}",), lines=("{value}",), wordings=("a", "b", "c"),
    )  # fmt: skip
    for seed in range(20):
        right, wrong = slot.draw(Random(seed))
        letter, number = right.split("-")
        assert sorted(wrong) == sorted(
            [f"{'q' if letter == 'p' else 'p'}-{number}", f"{letter}-{3 - int(number)}"]
        )


def test_a_slot_says_where_its_values_come_from() -> None:
    table = {"name": "x", "kind": "k", "weight": 1, "asks": ["a"], "wordings": ["a", "b", "c"]}
    for more in ({}, {"values": ["1"], "form": "{n}"}, {"values": ["1"], "plain": ["2"]}):
        with pytest.raises(ValidationError):
            SlotTable.model_validate({**table, **more})
    assert table_of("email").name == "email"
