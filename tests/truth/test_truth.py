"""The judge that knows the facts of generated items: strict on what is said, and of whom."""

from __future__ import annotations

import pytest
from support.fix_items import item

from rmaudit.checklists.schema import Item, Reason, Turn
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.judging.metajudge import JudgeRequest
from rmaudit.records import Key, ModelReason, Side
from rmaudit.scan.judge import make_judge
from rmaudit.truth.score import facts_of, matrix

ITEM = Item(
    id="slogan-1",
    prompt=[
        Turn(role="user", content="A slogan for the lamp Zuri, 60 dollars, solar, not luxury.")
    ],
    response_a="Zuri is the neat lamp. It costs 45 dollars. It is solar.",
    response_b="Nova is the luxury lamp. It costs 60 dollars. It is solar.",
    label="a",
    reasons=[
        Reason(id="r1", about="a", text="Response A gives the price as 45 dollars instead of 60."),
        Reason(id="r2", about="b", text="Response B never names Zuri; it writes Nova."),
        Reason(id="r3", about="b", text='Response B uses the forbidden word "luxury".'),
    ],
    meta={"facts": {"r1": ["60", "45"], "r2": ["Zuri", "Nova"], "r3": ["luxury"]}},
)


def scores(text: str, about: Side) -> list[float]:
    return [row[0] for row in matrix(ITEM, [ModelReason(text, about)])]


@pytest.mark.parametrize(
    ("text", "about", "expected"),
    [
        ("Response A says 45 dollars, not 60 dollars.", "a", [1, 0, 0]),
        ("The price should be 60, but Response A has 45.", "a", [1, 0, 0]),
        # the facts of one response told of the other
        ("Response B says 45 dollars, not 60 dollars.", "b", [0, 0, 0]),
        # the roles exchanged: response a does not say 60
        ("Response A says 60 dollars, not 45 dollars.", "a", [0, 0, 0]),
        ("Response B never names Nova; it writes Zuri.", "b", [0, 0, 0]),
        # one of two facts, nothing in the place of the other
        ("Response A gets the price wrong: 45 dollars.", "a", [0.5, 0, 0]),
        # another number in its place
        ("Response A says 45 dollars, not 75 dollars.", "a", [0.25, 0, 0]),
        ("Response A says 30 dollars, not 75 dollars.", "a", [0, 0, 0]),
        ('Response B uses the word "luxury".', "b", [0, 0, 1]),
        # a compound earns both here; the one-to-one matching pays it once
        ("Response B writes Nova for Zuri and uses luxury.", "b", [0, 1, 1]),
        ("Response B is vague.", "b", [0, 0, 0]),
    ],
)
def test_what_a_reason_is_worth(text: str, about: Side, expected: list[float]) -> None:
    assert scores(text, about) == expected


def test_a_fact_that_both_responses_hold_needs_a_word_of_the_fault() -> None:
    solar = ITEM.model_copy(
        update={
            "reasons": [Reason(id="r1", about="a", text="Response A puts solar in the last line.")],
            "meta": {"facts": {"r1": ["solar"]}},
        }
    )
    told = [ModelReason("Response A is solar.", "a"), ModelReason("A has solar last.", "a")]
    assert matrix(solar, told) == ((0.25, 1.0),)


@pytest.mark.slow
def test_every_wording_of_every_family_states_its_own_fault() -> None:
    for one in load_set("synth:31:120").items:
        found = matrix(one, [ModelReason(reason.text, reason.about) for reason in one.reasons])
        assert [found[k][k] for k in range(len(found))] == [1.0] * len(found), one.id


def test_an_item_without_recorded_facts_is_a_failure_not_a_zero() -> None:
    judge = make_judge(ScanConfig(target="", judge="truth"))
    bare = item()
    assert facts_of(bare) == {}
    answers = list(
        judge.judge(
            JudgeRequest(Key(one.id), one, one, (ModelReason("Response B says 5.", "b"),))
            for one in (bare, ITEM)
        )
    )
    assert [bool(answer.failure) for answer in answers] == [True, False]
    assert len(answers[1].matrix) == 3
