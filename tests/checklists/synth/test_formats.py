"""Family `formats`: each fault breaks one requirement, each wording names its facts, no clues."""

from __future__ import annotations

import json
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

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import formats_json, formats_lists
from rmaudit.checklists.synth import formats_notes as notes
from rmaudit.checklists.synth import formats_words as words
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.formats import FAMILY
from rmaudit.checklists.synth.formats_json import JsonTask
from rmaudit.checklists.synth.formats_lists import ListTask
from rmaudit.checklists.synth.formats_records import EXTRAS, RECORDS
from rmaudit.judge_check.no_read_baselines import surface_accuracy

SEEDS = st.integers(0, 2**32)
TEXTS = (*notes.REMARKS.values(), *notes.TEXTS.values())
HALVES = pytest.mark.parametrize("half", [formats_lists, formats_json], ids=["lists", "json"])


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return make_items([FAMILY], n=600, seed=11)


@HALVES
@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_faults_alone_and_in_pairs(half: object, seed: int) -> None:
    rng = Random(seed)
    check_faults(_draw(half, rng), rng)


@HALVES
@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_wordings(half: object, seed: int) -> None:
    rng = Random(seed)
    for fault in _draw(half, rng).faults(rng):
        check_wordings(fault)
        for wording in fault.wordings:
            assert fault.facts[0] in wording or fault.facts[-1] in wording


@HALVES
@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_prompt_mentions_every_requirement(half: object, seed: int) -> None:
    task = _draw(half, Random(seed))
    fewest, most = (getattr(half, name) for name in ("FEWEST", "MOST"))
    assert fewest <= len(task.rules) <= most
    for met in task.texts if isinstance(task, JsonTask) else task.remarks:
        assert f'"{met}"' in task.prompt
    for rule in task.rules:
        assert rule.ask in task.prompt
        assert rule.right in rule.ask
        if "key" in rule.check:
            assert f'"{rule.check["key"]}"' in rule.ask
        if rule.check["kind"] not in ("regex", "json_type"):
            value = rule.check["value"]
            shown = json.dumps(value) if isinstance(value, bool) else str(value)
            assert shown in rule.ask


@HALVES
@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_styles(half: object, seed: int) -> None:
    rng = Random(seed)
    check_styles(_draw(half, rng), rng)


@settings(max_examples=50, deadline=None)
@given(SEEDS)
def test_json_stays_valid_whatever_the_faults(seed: int) -> None:
    rng = Random(seed)
    task = formats_json.draw(rng)
    assert run_check({"kind": "json_valid"}, task.render(task.faults(rng), rng.getrandbits(32)))


@settings(max_examples=50, deadline=None)
@given(SEEDS)
def test_list_has_no_entry_twice(seed: int) -> None:
    rng = Random(seed)
    task = formats_lists.draw(rng)
    text = task.render(task.faults(rng), rng.getrandbits(32))
    bullets = [line.lstrip("-*• ") for line in text.splitlines() if line[:1] in "-*•"]
    bullets = [re.split(" [–/…] ", bullet)[0].strip("*") for bullet in bullets]
    bullets = [bullet for bullet in bullets if bullet in task.stock.topic.entries]
    assert len(bullets) == len(set(bullets)) >= 1


@pytest.mark.slow
def test_items_are_proved(items: list[Item]) -> None:
    check_items(items[:200])


@pytest.mark.slow
def test_kinds(items: list[Item]) -> None:
    found = [kind for item in items for kind in set(item.meta["kinds"].values())]
    assert set(found) == {
        "missing_item", "wrong_value", "missing_key", "wrong_first_line", "forbidden_key",
        "wrong_heading", "wrong_flag", "wrong_bold", "wrong_amount", "forbidden_word",
        "wrong_first_bullet", "wrong_last_line", "forbidden_item", "array_too_long",
        "array_too_short", "wrong_number", "string_as_number", "number_as_string", "wrong_date",
        "date_format", "over_limit", "under_limit", "too_many_bullets", "too_few_bullets",
        "too_many_lines", "too_few_lines",
    }  # fmt: skip
    assert max(found.count(kind) for kind in set(found)) < 0.5 * len(items)


@pytest.mark.slow
def test_no_reading_gives_nothing_away(items: list[Item]) -> None:
    accuracy = surface_accuracy(items, seed=0)
    assert accuracy is not None
    assert accuracy <= 0.60
    assert coincidence(items) < 0.04


@pytest.mark.slow
def test_same_bytes_in_any_process() -> None:
    check_same_bytes(FAMILY, "rmaudit.checklists.synth.formats")


def test_no_entry_holds_another() -> None:
    for topic in words.TOPICS:
        assert len(set(topic.entries)) == 18
        for entry in topic.entries:
            others = [other for other in topic.entries if other != entry]
            assert not any(f" {entry} " in f" {other} " for other in others), entry


def test_neutral_text_breaks_no_rule() -> None:
    harmless = [*words.FILLERS, *notes.NOTES, *(some for texts in TEXTS for some in texts)]
    for text in (*harmless, *(entry for topic in words.TOPICS for entry in topic.entries)):
        assert not {*words.ADJECTIVES} & {*text.lower().rstrip(".").split()}, text
        assert not any(character.isdigit() for character in text)
        assert not any(text.lower().startswith(mark) for mark in "-*•")
    entries = [entry for topic in words.TOPICS for entry in topic.entries]
    for text in harmless:
        assert not any(f" {entry} " in f" {text.lower().rstrip('.')} " for entry in entries), text


def test_no_key_twice_in_a_record() -> None:
    extra_keys = [*(key for key, _ in EXTRAS), *notes.TEXTS]
    for record in RECORDS:
        keys = [name for field in record.fields for name in field.names] + extra_keys
        assert len(keys) == len(set(keys)), record.title
        for field in record.fields:
            assert field.sort not in ("choice", "array") or len(set(field.pool)) >= 6


def _draw(half: object, rng: Random) -> ListTask | JsonTask:
    return formats_lists.draw(rng) if half is formats_lists else formats_json.draw(rng)
