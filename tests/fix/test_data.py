"""What trains, what chooses and what judges share nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fix_items import item

from rmaudit.checklists.schema import GoldJudgment, Item
from rmaudit.errors import InputError
from rmaudit.fix.data import Prompted, balanced, split


def many(n: int, start: int = 0, **more: object) -> list[Item]:
    return [
        item(name=f"i{k}", prompt=f"Say {k}.", label="ab"[k % 2], **more)  # type: ignore[arg-type]
        for k in range(start, start + n)
    ]


def first_is_right(prompted: Prompted) -> bool:
    return prompted.order == ("ab" if prompted.item.label == "a" else "ba")


def test_a_tenth_of_the_groups_becomes_the_development_set() -> None:
    found = split(many(40), None, held_out=[], seed=0)
    assert (len(found.train), len(found.dev), found.left_out) == (36, 4, {})
    assert not {one.item.id for one in found.train} & {one.id for one in found.dev}
    again = split(list(reversed(many(40))), None, held_out=[], seed=0)
    assert {one.id for one in again.dev} == {one.id for one in found.dev}
    assert again.train == found.train


def test_groups_stay_whole() -> None:
    items = [one.model_copy(update={"group": f"g{k // 4}"}) for k, one in enumerate(many(40))]
    found = split(items, None, held_out=[], seed=3)
    assert list(Counter(one.group for one in found.dev).values()) == [4]


def test_nothing_of_the_held_out_items_trains_or_chooses() -> None:
    held = [
        item(name="i3", prompt="Another."),  # by its id
        item(name="x", group="i4", prompt="Yet another."),  # i4 is the group of item i4
        item(name="y", prompt="  SAY   5. "),  # by its prompt, up to case and spaces
    ]
    found = split(many(12), many(3, start=5), held_out=held, seed=0)
    assert {one.item.id for one in found.train} == {f"i{k}" for k in (0, 1, 2, 8, 9, 10, 11)}
    assert {one.id for one in found.dev} == {"i6", "i7"}
    assert found.left_out == {
        "in the evaluation or audited set": 3,
        "dev: in the evaluation or audited set": 1,
        "in the dev set": 2,
    }


def test_items_without_reasons_cannot_train_and_are_counted() -> None:
    bare = many(5)[4].model_copy(update={"reasons": []})
    found = split([*many(4), bare], many(2, start=9), held_out=[], seed=0)
    assert found.left_out == {"without reasons": 1}
    with pytest.raises(InputError, match="no item of the train set has reasons") as error:
        split([bare], None, held_out=[], seed=0)
    assert "synth" in error.value.hint


def test_the_arm_r_align_needs_gold_judgments() -> None:
    gold = GoldJudgment(text="B says 5.", origin="human")
    with_gold = [one.model_copy(update={"gold_judgment": gold}) for one in many(3)]
    found = split([*with_gold, *many(2, start=7)], many(1, start=20), held_out=[], seed=0,
                  needs_gold=True)  # fmt: skip
    assert (len(found.train), found.left_out) == (3, {"without a gold judgment": 2})


def test_a_set_that_is_all_held_out_says_so() -> None:
    with pytest.raises(InputError, match="nothing is left to train on: 4 in the evaluation"):
        split(many(4), None, held_out=many(4), seed=0)


@given(st.lists(st.sampled_from(["a", "b", "tie"]), min_size=1, max_size=60), st.integers(0, 99))
def test_the_right_answer_stands_first_as_often_as_second(labels: list[str], seed: int) -> None:
    items = [item(name=f"i{k}", label=label) for k, label in enumerate(labels)]
    found = balanced(items, seed=seed)
    assert sorted(one.item.id for one in found) == sorted(one.id for one in items)
    decided = [first_is_right(one) for one in found if one.item.label != "tie"]
    ties = [one.order == "ab" for one in found if one.item.label == "tie"]
    for places in (decided, ties):
        assert abs(2 * sum(places) - len(places)) <= 1
    assert balanced(items[::-1], seed=seed) == found
