"""The judge that knows the truth of generated items: claims decide, whatever their words."""

from __future__ import annotations

import pytest
from support.fix_items import item

from rmaudit.checklists.schema import Item, Reason, Repair, Turn
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.judging.metajudge import JudgeRequest
from rmaudit.parsing.sides import reason_about
from rmaudit.records import Key, ModelReason, Side
from rmaudit.scan.judge import make_judge
from rmaudit.truth.score import decide, facts_of, matrix

ITEM = Item(
    id="slogan-1",
    prompt=[
        Turn(
            role="user",
            content="Write a slogan for the lamp Zuri. Say that it is solar, that it costs 60 "
            "dollars and that it ships from Lima. Never use the word premium.",
        )
    ],
    response_a="Zuri is the neat lamp. It costs 45 dollars. It ships from Seoul. It is solar.",
    response_b="Nova is the premium lamp. It costs 60 dollars. It ships from Lima. It is solar.",
    label="a",
    reasons=[
        Reason(id="r1", about="a", text="Response A gives the price as 45 dollars instead of 60."),
        Reason(id="r2", about="b", text="Response B never names Zuri; it writes Nova."),
        Reason(id="r3", about="b", text='Response B contains the banned word "premium".'),
        Reason(id="r4", about="a", text="Response A has the wrong city: Seoul instead of Lima."),
    ],
    repairs=[
        Repair(
            fixes=["r1"],
            response="a",
            text="Zuri is the neat lamp. It costs 60 dollars. It ships from Seoul. It is solar.",
        ),
        Repair(
            fixes=["r2"],
            response="b",
            text="Zuri is the premium lamp. It costs 60 dollars. It ships from Lima. It is solar.",
        ),
        Repair(
            fixes=["r3"],
            response="b",
            text="Nova is the handy lamp. It costs 60 dollars. It ships from Lima. It is solar.",
        ),
        Repair(
            fixes=["r4"],
            response="a",
            text="Zuri is the neat lamp. It costs 45 dollars. It ships from Lima. It is solar.",
        ),
    ],
    meta={
        "family": "slogan",
        "facts": {
            "r1": ["60", "45"],
            "r2": ["Zuri", "Nova"],
            "r3": ["premium"],
            "r4": ["Lima", "Seoul"],
        },
    },
)
ITEM = ITEM.model_copy(
    update={
        "reasons": [
            reason.model_copy(
                update={
                    "check": {
                        "kind": "lacks" if reason.id == "r3" else "contains",
                        "value": ITEM.meta["facts"][reason.id][0],
                    }
                }
            )
            for reason in ITEM.reasons
        ]
    }
)


def scores(text: str, about: Side) -> list[float]:
    return [row[0] for row in matrix(ITEM, [ModelReason(text, about)])]


@pytest.mark.parametrize(
    ("text", "about", "expected"),
    [
        ("Response A says 45 dollars, not 60 dollars.", "a", [1, 0, 0, 0]),
        ("The price should be 60, but Response A has 45.", "a", [1, 0, 0, 0]),
        # the facts of one response told of the other
        ("Response B says 45 dollars, not 60 dollars.", "b", [0, 0, 0, 0]),
        # the roles exchanged: response a does not say 60
        ("Response A says 60 dollars, not 45 dollars.", "a", [0, 0, 0, 0]),
        ("Response B never names Nova; it writes Zuri.", "b", [0, 0, 0, 0]),
        # another number in its place is a false claim
        ("Response A says 45 dollars, not 75 dollars.", "a", [0, 0, 0, 0]),
        ("Response A says 30 dollars, not 60 dollars.", "a", [0, 0, 0, 0]),
        ('Response B uses the word "premium".', "b", [0, 0, 1, 0]),
        # one true fault and one false claim
        pytest.param(
            "Response A says 45 instead of 60 and never says solar.",
            "a",
            [0, 0, 0, 0],
            marks=pytest.mark.xfail(strict=True, reason="the second claim is not read surely"),
        ),
        ("Response B is vague.", "b", [0, 0, 0, 0]),
    ],
)
def test_what_a_reason_is_worth(text: str, about: Side, expected: list[float]) -> None:
    assert scores(text, about) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Response A: Lima, Seoul.",
        'Response A says "Seoul" where Response B says "Lima".',
        'Response A says "Seoul" where Response B says "Lima"; both are fine.',
        "Response A correctly has the city Seoul instead of Lima.",
        "Response A is better because it says Seoul instead of Lima.",
        "The word premium is forbidden.",
        'Response B does not contain "premium".',
        "Response B always names Zuri.",
        "It is not true that Response A has the wrong city: Seoul instead of Lima.",
        "No, Response A does not say Seoul instead of Lima.",
        "It is not the case that Response A does not say Seoul.",
        "Response A and Response B have the wrong city: Seoul instead of Lima.",
        "The city is wrong: Seoul instead of Lima.",
        "Lima, Seoul",
        "premium",
        "45 60",
        # templates filled from the request alone, where they are false of this response
        "Response A does not say that it is solar.",
        "Response A does not mention Zuri.",
        "Response A uses the forbidden word premium.",
        "Response B ignores the price of 60 dollars.",
    ],
)
def test_texts_of_faults_found_before_earn_nothing(text: str) -> None:
    told = [ModelReason(text, reason_about(text)[0])]
    if text[0].isdigit() or "," in text:
        # under the heading of a response
        told += [ModelReason(text, "a"), ModelReason(text, "b")] if "Response" not in text else []
    assert all(not any(row) for row in matrix(ITEM, told))


@pytest.mark.parametrize(
    ("text", "about", "state"),
    [
        ("Response A has the wrong city: Seoul instead of Lima.", "a", True),
        ('Response A says "Seoul" where Response B says "Lima".', "a", None),
        # half of a fault is true
        ("Response A lacks the price of 60 dollars.", "a", True),
        ("Response A says Lima instead of Seoul.", "a", False),
        ("Response A correctly has the city Seoul instead of Lima.", "a", False),
        ("Response A is vague.", "a", None),
        ("Both responses could be better.", "both", None),
        ("Does Response A say Lima?", "a", None),
    ],
)
def test_whether_a_claim_is_true_false_or_undecided(
    text: str, about: Side, state: bool | None
) -> None:
    assert decide(ITEM, [ModelReason(text, about)]).claims == (state,)


def test_every_wording_of_every_family_states_its_own_fault() -> None:
    for one in load_set("synth:31:120").items:
        found = decide(one, [ModelReason(reason.text, reason.about) for reason in one.reasons])
        assert [found.matrix[k][k] for k in range(len(one.reasons))] == [1.0] * len(one.reasons)
        assert set(found.claims) == {True}, one.id


def test_the_shipped_set_is_read_too() -> None:
    for one in load_set("starter").items:
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
    assert len(answers[1].matrix) == 4


@pytest.mark.parametrize(
    "text",
    [
        "[unused1] has [unused3] instead of [unused4].",
        "Response A [unused1] has [unused3] instead of [unused4].",
        "① has \ue000 instead of \ue001.",
    ],
)
def test_the_reader_s_own_signs_mean_nothing_in_an_answer(text: str) -> None:
    assert not any(map(any, matrix(ITEM, [ModelReason(text, "a")])))


@pytest.mark.parametrize("part", ["Response A ", '"a ', "`a` ", "1. ", "45 ", "Lima", "\0", "回"])
def test_a_text_of_any_length_is_decided_at_once(part: str) -> None:
    """Quadratic work on a million characters would be hours."""
    told = [ModelReason(part * (size // len(part)), "a") for size in (4_096, 1_000_000)]
    found = decide(ITEM, told)
    assert not any(map(any, found.matrix))
    assert found.claims[1] is None


def test_a_fault_at_the_head_of_a_text_too_long_to_read_is_not_paid() -> None:
    stated = "Response A has the wrong city: Seoul instead of Lima."
    assert scores(stated, "a")[3] == 1
    assert scores(stated + " It is kept short." * 300, "a") == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        "Response A wrongly says 45 dollars instead of 60 dollars.",
        "Response A says 45 dollars instead of 60 dollars, which is wrong.",
        "Response A falsely gives 45 dollars instead of 60 dollars.",
    ],
)
def test_a_word_of_blame_denies_no_fault(text: str) -> None:
    assert scores(text, "a") == [1, 0, 0, 0]
