"""Family `quantities`: results that are right, mistakes that are wrong, no clues."""

from __future__ import annotations

import re
from datetime import date
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from support.synth_properties import (
    check_faults,
    check_items,
    check_styles,
    check_wordings,
    coincidence,
)

from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.quantities import FAMILY, LETTERS, MONTHS, UNITS, draw, spelled
from rmaudit.records import ModelReason
from rmaudit.text.differences import count_differences
from rmaudit.truth.score import decide

SEEDS = st.integers(0, 2**32)
DATE = re.compile(r"(\d+) ([A-Z][a-z]+) (\d{4})")


def days(text: str) -> list[date]:
    return [date(int(y), MONTHS.index(m) + 1, int(d)) for d, m, y in DATE.findall(text)]


@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_faults_and_wordings(seed: int) -> None:
    rng = Random(seed)
    task = draw(rng)
    check_faults(task, rng)
    check_styles(task, rng)
    for fault in task.faults(rng):
        check_wordings(fault)
        assert all(word in wording for wording in fault.wordings for word in fault.facts)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_results_are_right(seed: int) -> None:
    """Worked out again from the words of the question."""
    factors = {(source, target): float(factor) for source, target, factor in UNITS}
    for letter, one in zip(LETTERS, draw(Random(seed)).questions, strict=True):
        assert letter in LETTERS
        assert one.right not in one.wrong.values()
        if found := re.fullmatch(r"How many (.+) are (\d+) (.+)\?", one.ask):
            value = int(found[2]) * factors[found[3], found[1]]
            assert one.right == f"{round(value)} {found[1]}"
        elif found := re.match(r"Which day is (\d+) days after", one.ask):
            (start,), (end,) = days(one.ask), days(one.right)
            assert (end - start).days == int(found[1])
        elif one.ask.startswith("How many days"):
            start, end = days(one.ask)
            assert one.right == f"{(end - start).days} days"
        else:
            found = re.search(r"at (\d+):(\d+) and takes (\d+)", one.ask)
            assert found
            end_minutes = int(found[1]) * 60 + int(found[2]) + int(found[3])
            assert one.right == f"{end_minutes // 60 % 24}:{end_minutes % 60:02d}"


def test_by_hand() -> None:
    assert spelled(date(2026, 3, 1)) == "1 March 2026"


def test_items() -> None:
    items = make_items([FAMILY], n=40, seed=12)
    check_items(items)
    assert coincidence(items) < 0.2
    differences = [count_differences(item.response_a, item.response_b) for item in items]
    assert sum(differences) / len(items) >= 13
    scores, claims = [], []
    for item in items:
        told = [ModelReason(reason.text, reason.about) for reason in item.reasons]
        found = decide(item, told)
        claims += found.claims
        scores += [row[at] for at, row in enumerate(found.matrix)]
    assert set(claims) == {True}
    assert set(scores) == {1.0}
