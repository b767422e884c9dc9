"""Family `ad-copy`: each fault breaks one requirement, each wording names its facts, no clues."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.synth_properties import (
    check_faults,
    check_items,
    check_same_bytes,
    check_styles,
    check_wordings,
    coincidence,
)

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import ad_copy_words as words
from rmaudit.checklists.synth.ad_copy import FAMILY, FEWEST, MOST, AdTask, draw
from rmaudit.checklists.synth.ad_copy_kinds import ASKS, KINDS, LINES, OPENINGS
from rmaudit.checklists.synth.build import make_items
from rmaudit.judge_check.no_read_baselines import surface_accuracy

SEEDS = st.integers(0, 2**32)
# What a prompt says for a check whose value is no text of the item.
SPELLED = {"!": "exclamation mark", "#": "ashtag"}


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return make_items([FAMILY], n=600, seed=11)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_faults_alone_and_in_pairs(seed: int) -> None:
    rng = Random(seed)
    check_faults(draw(rng), rng)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_wordings(seed: int) -> None:
    rng = Random(seed)
    for fault in draw(rng).faults(rng):
        check_wordings(fault)
        # A wording may leave out the right fact only where it quotes the wrong one.
        for wording in fault.wordings:
            assert fault.facts[0] in wording or fault.facts[-1] in wording


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_prompt_mentions_every_requirement(seed: int) -> None:
    task = draw(Random(seed))
    assert isinstance(task, AdTask)
    assert FEWEST <= len(task.rules) <= MOST
    for rule in task.rules:
        value = str(rule.check["value"])
        wanted = '"you"' if rule.check["kind"] == "regex" else SPELLED.get(value, value)
        assert wanted in task.prompt


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_styles(seed: int) -> None:
    rng = Random(seed)
    check_styles(draw(rng), rng)


@pytest.mark.slow
def test_items_are_proved(items: list[Item]) -> None:
    check_items(items[:200])


@pytest.mark.slow
def test_all_kinds_appear_and_none_in_most_items(items: list[Item]) -> None:
    found = [kind for item in items for kind in set(item.meta["kinds"].values())]
    expected = {kind.name for kind in KINDS.values()} | {"over_limit", "under_limit"}
    assert set(found) == expected
    assert max(found.count(kind) for kind in expected) < 0.75 * len(items)


@pytest.mark.slow
def test_no_reading_gives_nothing_away(items: list[Item]) -> None:
    accuracy = surface_accuracy(items, seed=0)
    assert accuracy is not None
    assert accuracy <= 0.60
    assert coincidence(items) < 0.04


@pytest.mark.slow
def test_same_bytes_in_any_process() -> None:
    check_same_bytes(FAMILY, "rmaudit.checklists.synth.ad_copy")


def test_neutral_text_breaks_no_rule() -> None:
    """Whatever stands in ads by itself holds none of the things that a brief can forbid."""
    neutral = [*words.FILLERS, *words.CALLS, *words.MODEST, *words.PEOPLE, *words.PLAIN]
    neutral += [*OPENINGS, *(line for lines in LINES.values() for line in lines)]
    for product in words.PRODUCTS:
        neutral += [*product.ideas, *product.audiences, *product.headlines]
    for text in neutral:
        lowered = text.lower()
        tokens = re.findall(r"\w+", lowered)
        assert not {"you", "your", "yours"} & set(tokens), text
        assert not any(banned in lowered for banned in words.BANNED), text
        assert not any(mark in text for mark in "!#$%"), text
        assert not any(promise in lowered for promise in words.PROMISES), text
        assert not any(rival.lower() in lowered for rival in words.RIVALS), text


def test_pools_are_large_and_apart() -> None:
    pools = (words.NAMES, words.RIVALS, words.CITIES, words.CALLS, words.BANNED, words.TAGS)
    for pool in (*pools, words.COLOURS, words.CRIES, words.VOICE, words.PROMISES):
        assert len(pool) == len(set(pool)) >= 16
    assert not set(words.NAMES) & ({*words.RIVALS} | {*words.CITIES})
    assert set(KINDS) - {"name"} == set(ASKS)
