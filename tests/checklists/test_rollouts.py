"""Rollouts: which pairs are made of them, and what is refused, by line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.checklists.load import ItemPlace, load_file, load_items
from rmaudit.checklists.rollouts import PlacedRollout, Rollout, Rollouts, read_rollouts, rollout_set
from rmaudit.checklists.schema import SetCard
from rmaudit.errors import InputError

TURNS = [{"role": "user", "content": "Name a prime."}]


def line(*responses: object, **fields: object) -> dict[str, Any]:
    return {"prompt": TURNS, "responses": list(responses), **fields}


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def test_each_response_of_a_scored_prompt_stands_in_a_pair(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.jsonl", line("2", "3", "5"), line("7", "9", id="other"))
    made = rollout_set(read_rollouts(path), limit=None, seed=0, most=None)
    shown = {"rollout-1": set[str](), "other": set[str]()}
    for item in made.items:
        assert item.label is None
        assert item.tuple is not None
        assert item.group == item.tuple.id
        shown[item.group] |= {item.response_a, item.response_b}
    assert shown == {"rollout-1": {"2", "3", "5"}, "other": {"7", "9"}}
    assert len(made.items) == 3
    assert made.card.name == "mine"
    assert set(made.places) == {ItemPlace(str(path), 1), ItemPlace(str(path), 2)}


def test_a_prompt_that_is_a_text_is_a_turn_of_the_user(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", {**line("2", "3"), "prompt": "Name a prime."})
    (one,) = read_rollouts(path).placed
    assert [turn.model_dump() for turn in one.rollout.prompt] == TURNS


def test_equal_answers_are_one_candidate_that_counts_twice(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", line("2", " 2", "3"), line("4", "4"))
    first, second = sorted(
        rollout_set(read_rollouts(path), limit=None, seed=0, most=4).items, key=lambda i: i.group
    )
    copies = {
        first.response_a: first.meta["rollout"]["copies_a"],
        first.response_b: first.meta["rollout"]["copies_b"],
    }
    assert copies == {"2": 2, "3": 1}
    assert (second.response_a, second.response_b) == ("4", "4")  # a prompt without any spread


def test_labels_make_labels_of_pairs(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", line("2", "3", "4", labels=[1, 1, 0.5]))
    made = rollout_set(read_rollouts(path), limit=None, seed=0, most=3)
    found = {frozenset((i.response_a, i.response_b)): i for i in made.items}
    assert found[frozenset("23")].label == "tie"
    for worse in ("24", "34"):
        item = found[frozenset(worse)]
        assert item.response("b" if item.label == "a" else "a") == "4"


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (line("2"), "field responses: List should have at least 2 items"),
        (line("2", " "), "field responses.1: is empty"),
        (line("2", 3), "field responses.1: "),
        (line("2", "3", labels=[1]), "1 labels for 2 responses"),
        (line("2", "2", labels=[1, 2]), "two equal responses have different labels"),
        (line("2", "3", completions=[]), "field completions: unknown key; keys are prompt"),
        ({"responses": ["2", "3"]}, "field prompt: is missing"),
        (line("2", "3", prompt=7), "field prompt: "),
        (line("2", "3", prompt=[]), "field prompt: "),
        (line("2", "3", id="rollout-1"), "field id: 'rollout-1' is already on line 1"),
        ([1], "line 2"),
    ],
)
def test_a_bad_line_is_named_and_can_be_left_out(tmp_path: Path, bad: object, told: str) -> None:
    path = written(tmp_path / "r.jsonl", line("2", "3"), bad)
    with pytest.raises(InputError) as refused:
        read_rollouts(path)
    assert f"{path}, line 2" in refused.value.message
    assert told in refused.value.message
    kept = read_rollouts(path, skip_bad=True)
    assert [one.name for one in kept.placed] == ["rollout-1"]
    assert len(kept.skipped) == 1


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_rollouts(tmp_path / "none.jsonl")
    empty = tmp_path / "r.jsonl"
    empty.write_text("\n")
    with pytest.raises(InputError, match="holds no rollouts"):
        read_rollouts(empty)
    empty.write_text('{"prompt": 1, "prompt": 2}\n')
    with pytest.raises(InputError, match="line 1: is not a JSON object"):
        read_rollouts(empty)
    empty.write_text(json.dumps(line("2", "3", labels=[1, 2])).replace("2]", "NaN]"))
    with pytest.raises(InputError, match=r"line 1, field labels\.1"):
        read_rollouts(empty)


def test_a_set_has_labels_and_only_a_run_may_lack_them(tmp_path: Path) -> None:
    item = {"id": "i", "prompt": TURNS, "response_a": "2", "response_b": "4", "label": None}
    path = written(tmp_path / "items.jsonl", item)
    assert load_items(path)[0].label is None
    with pytest.raises(InputError, match=r"line 1, field label: is null; .*--rollouts"):
        load_file(path, card=SetCard(name="s"))


texts = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=9)


@given(st.lists(texts, min_size=1, max_size=5), st.integers(0, 5), st.integers(2, 5))
def test_nothing_is_lost_and_a_limit_is_a_prefix(
    prompts: list[list[str]], seed: int, most: int
) -> None:
    placed = tuple(
        PlacedRollout(f"p{k}", k + 1, Rollout.model_validate(line(*one)))
        for k, one in enumerate(prompts)
    )
    rollouts = Rollouts(Path("r.jsonl"), placed, ())
    every = rollout_set(rollouts, limit=None, seed=seed, most=None)
    for one in placed:
        counts = {}
        for item in every.items:
            if item.group == one.name:
                counts[item.response_a] = item.meta["rollout"]["copies_a"]
                counts[item.response_b] = item.meta["rollout"]["copies_b"]
        texts_of = one.rollout.responses
        assert counts == {text: texts_of.count(text) for text in set(texts_of)}
    bounded = rollout_set(rollouts, limit=None, seed=seed, most=most)
    for one in placed:
        pairs = [item for item in bounded.items if item.group == one.name]
        k = min(most, len(set(one.rollout.responses)))
        assert len(pairs) == max(k * (k - 1) // 2, 1)
    fewer = rollout_set(rollouts, limit=1, seed=seed, most=most)
    assert fewer.items == bounded.items[: len(fewer.items)]
    assert len({item.group for item in fewer.items}) == 1
