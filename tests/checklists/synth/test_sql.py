"""Family `sql`: queries that are executed, one wrong clause a fault, no clues."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.synth_properties import (
    check_faults,
    check_items,
    check_styles,
    check_wordings,
    coincidence,
)

from rmaudit.checklists.run_sql import query, statement
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.sql import FAMILY, QUESTIONS, draw
from rmaudit.records import ModelReason
from rmaudit.text.differences import count_differences
from rmaudit.truth.score import decide

SEEDS = st.integers(0, 2**32)


@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_faults_and_wordings(seed: int) -> None:
    rng = Random(seed)
    task = draw(rng)
    assert len(task.parts) == QUESTIONS
    check_faults(task, rng)
    check_styles(task, rng)
    for fault in task.faults(rng):
        check_wordings(fault)
        assert all(word in wording for wording in fault.wordings for word in fault.facts)


@pytest.mark.parametrize("seed", range(3))
def test_a_clean_response_returns_what_its_checks_say(seed: int) -> None:
    task = draw(Random(seed))
    text = task.render((), 4)
    for part in task.parts:
        sql = statement(text, part.label)
        assert sql is not None
        found = query(part.check["setup"], sql)
        assert found
        assert [list(row) for row in found] == part.check["rows"]
        assert part.question.ask in task.prompt


def test_items() -> None:
    items = make_items([FAMILY], n=25, seed=12)
    check_items(items)
    assert coincidence(items) < 0.25
    differences = [count_differences(item.response_a, item.response_b) for item in items]
    assert sum(differences) / len(items) >= 13
    for item in items:
        told = [ModelReason(reason.text, reason.about) for reason in item.reasons]
        found = decide(item, told)
        assert set(found.claims) == {True}
        assert [row[at] for at, row in enumerate(found.matrix)] == [1.0] * len(told)
