"""Pairs that come again with another label: normal forms, near copies, and what is no copy."""

from __future__ import annotations

import random
import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.turned_items import small

from rmaudit.checklists.references import minhash
from rmaudit.checklists.references.near_pairs import contradictions
from rmaudit.checklists.schema import Item

SOUND = "bdfgklmnprstvz"


def text(rng: random.Random, words: int) -> str:
    return " ".join(
        "".join(rng.choice(SOUND) + rng.choice("aeiou") for _ in range(rng.randint(1, 4)))
        for _ in range(words)
    )


def long_item(name: str, rng: random.Random, **fields: Any) -> Item:
    fields = {"response_a": text(rng, 120), "response_b": text(rng, 120)} | fields
    turns = [{"role": "user", "content": text(rng, 40)}]
    return small(name, prompt=turns, **fields)


def again(item: Item, **changes: Any) -> Item:
    """A copy with another id; by default with the opposite label."""
    label = {"a": "b", "b": "a", "tie": "a"}[item.label]
    return item.model_copy(update={"id": item.id + "-again", "label": label} | changes)


def turned(item: Item, **changes: Any) -> Item:
    """A copy with the responses exchanged and the label left, so that the other text wins."""
    responses = {"response_a": item.response_b, "response_b": item.response_a}
    return item.model_copy(update={"id": item.id + "-turned"} | responses | changes)


def named(*items: Item) -> list[str]:
    return [one.item for one in contradictions(items).findings]


CAFE = small(response_a="Un café élégant.", response_b="Une tasse de thé.")


@pytest.mark.parametrize(
    "other",
    [
        again(CAFE),
        turned(CAFE),
        again(CAFE, response_a=CAFE.response_a + " "),
        again(CAFE, response_b=unicodedata.normalize("NFD", CAFE.response_b)),
        again(CAFE, response_a=CAFE.response_a.upper()),
        again(CAFE, response_a="Un\u00a0café\n\n élégant\u200b."),
        turned(CAFE, response_a="Une tasse de thé.\n"),
        again(CAFE, label="tie"),
        again(
            CAFE,
            prompt=[
                CAFE.prompt[0].model_copy(
                    update={"content": "WRITE one line on the kettle  Otto from Lima."}
                )
            ],
        ),
    ],
)
def test_same_but_for_the_normal_form(other: Item) -> None:
    assert named(CAFE, other) == [CAFE.id, other.id]
    agreeing = {"a": "b", "b": "a", "tie": CAFE.label}[other.label]
    assert named(CAFE, other.model_copy(update={"label": agreeing})) == []


def test_each_contradiction_names_another_item() -> None:
    items = [CAFE, again(CAFE, id="same", label=CAFE.label), again(CAFE)]
    found = contradictions(items).findings
    assert [one.item for one in found] == ["i1", "same", "i1-again"]
    assert "'i1-again'" in found[0].what
    assert "'i1-again'" in found[1].what
    assert "'i1'" in found[2].what


def test_nearly_the_same() -> None:
    rng = random.Random(5)
    first = long_item("i1", rng)
    words = first.response_a.split()
    typo = " ".join([*words[:60], words[60][1:], *words[61:]])
    for other in (
        again(first, response_a=typo),
        again(first, response_a=first.response_a + "!", response_b="> " + first.response_b),
        turned(first, response_b=typo),
    ):
        (one, two) = contradictions([first, other]).findings
        assert (one.item, two.item) == ("i1", other.id)
        assert "alike by 9" in one.what
    assert named(first, again(first, response_a=typo, label=first.label)) == []
    assert named(first, again(first, response_a=" ".join(words[:60]))) == []  # half of it
    assert named(first, again(first, response_b=text(rng, 120))) == []


def test_another_number_is_another_question() -> None:
    rng = random.Random(6)
    first = long_item("i1", rng, response_a=text(rng, 100) + " 12 euros")
    other = again(first, response_a=first.response_a.replace("12", "13"))
    assert named(first, other) == []
    assert named(first, again(first)) == ["i1", "i1-again"]


def test_responses_that_hardly_differ_are_aligned_by_the_better_fit() -> None:
    """Right and wrong answer differ by one word: shown in the other order, the same one wins."""
    rng = random.Random(7)
    answer = text(rng, 150)
    first = long_item("i1", rng, response_a=answer, response_b=answer.replace(" ", " no ", 1))
    shown = {"response_a": first.response_b + " ", "response_b": first.response_a}
    assert named(first, first.model_copy(update={"id": "i2", "label": "a"} | shown)) == []
    assert named(first, first.model_copy(update={"id": "i2", "label": "b"} | shown)) == ["i1", "i2"]


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["b", "a", "tie"]))
def test_only_the_preferred_text_matters(rng: random.Random, label: Any) -> None:
    """Whatever the order of items and responses, agreeing labels are no finding and others are."""
    items = [
        small(f"i{k}", response_a=f"Left {k}. {text(rng, 8)}", response_b=f"Right. {text(rng, 8)}")
        for k in range(4)
    ]
    other = {"a": "b", "b": "a", "tie": "tie"}
    agreeing = [turned(item, label=other[item.label]) for item in items]
    mixed = [*items, *agreeing]
    rng.shuffle(mixed)
    assert named(*mixed) == []
    against = turned(items[0], id="x", label=label)
    clash = {"i0", "i0-turned", "x"} if label != other[items[0].label] else set()
    mixed.insert(rng.randrange(len(mixed)), against)
    assert set(named(*mixed)) == clash


def test_similarity_by_hand() -> None:
    """`abcdefghij` has the windows a-h, b-i, c-j; `abcdefghi` the first two of them."""
    assert minhash.jaccard("abcdefghij", "abcdefghi") == pytest.approx(2 / 3)
    assert minhash.jaccard("abc", "abc") == 1
    assert minhash.jaccard("abc", "abd") == 0


@pytest.mark.parametrize("changed", [2, 5, 10])
def test_signatures_agree_as_often_as_sets_are_alike(changed: int) -> None:
    rng = random.Random(8)
    shares, truths = [], []
    for _ in range(60):
        words = text(rng, 100).split()
        other = [text(rng, 1) if k % (100 // changed) == 0 else w for k, w in enumerate(words)]
        one, two = " ".join(words), " ".join(other)
        signed = [minhash.signature(minhash.windows(part)) for part in (one, two)]
        shares.append(np.mean(signed[0] == signed[1]))
        truths.append(minhash.jaccard(one, two))
    assert np.mean(shares) == pytest.approx(np.mean(truths), abs=0.02)


def test_near_copies_among_many_are_found() -> None:
    """300 items, 100 of them copied with a word changed in each text and the opposite label."""
    rng = random.Random(9)
    items = [long_item(f"i{k}", rng) for k in range(300)]

    def typo(whole: str) -> str:
        words = whole.split()
        words[rng.randrange(len(words))] += "s"
        return " ".join(words)

    copies = [
        again(one, response_a=typo(one.response_a), response_b=typo(one.response_b))
        for one in items[:100]
    ]
    found = contradictions([*items, *copies])
    assert found.left_out == 0
    assert {one.item for one in found.findings} == {one.id for one in [*items[:100], *copies]}


def test_too_many_alike_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(10)
    stem = text(rng, 200)
    items = [
        small(f"i{k}", response_a=f"{stem} {text(rng, 1)}", response_b=stem) for k in range(30)
    ]
    assert contradictions(items).left_out == 0
    monkeypatch.setattr(minhash, "MOST_PAIRS", 50)
    assert contradictions(items).left_out > 0
