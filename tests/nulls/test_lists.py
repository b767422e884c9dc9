"""The lists that read nothing but an item: hand-worked ones, and what holds for any item."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.checklists.schema import Item, Label, Reason, Turn
from rmaudit.nulls.lists import MOST_SHOWN, NULLS, SIDED, cut, demands
from rmaudit.records import ModelReason


def item_of(
    first: str, second: str, label: Label = "b", request: str = "Say 60, and be brief.", **more: str
) -> Item:
    return Item(
        id="i1",
        prompt=[Turn(role="user", content=request)],
        response_a=first,
        response_b=second,
        label=label,
        reasons=[Reason(id="r1", text=more.get("reason", "A secret."), about="a")],
    )


def texts_of(name: str, item: Item) -> list[str]:
    return [reason.text for reason in NULLS[name](item)]


PAIR = item_of("It costs 45 dollars. Buy it.", "It costs 60 dollars. Wait for it now.")


def test_neutral_words_and_sentences() -> None:
    assert NULLS["diff_words"](PAIR) == [
        ModelReason('Response A says "45" where Response B says "60".', "a"),
        ModelReason('Response A says "Buy" where Response B says "Wait for".', "a"),
        ModelReason('Response A says nothing where Response B says "now".', "a"),
    ]
    assert texts_of("diff_sentences", PAIR) == [
        'Response A says "It costs 45 dollars.", and Response B does not.',
        'Response A says "Buy it.", and Response B does not.',
        'Response B says "It costs 60 dollars.", and Response A does not.',
        'Response B says "Wait for it now.", and Response A does not.',
    ]


def test_laid_to_the_loser() -> None:
    assert NULLS["diff_words_sided"](PAIR) == [
        ModelReason('Response A wrongly says "45" instead of "60".', "a"),
        ModelReason('Response A wrongly says "Buy" instead of "Wait for".', "a"),
        ModelReason('Response A wrongly leaves out "now".', "a"),
    ]
    turned = PAIR.model_copy(update={"label": "a"})
    assert texts_of("diff_words_sided", turned) == [
        'Response B wrongly says "60" instead of "45".',
        'Response B wrongly says "Wait for" instead of "Buy".',
        'Response B wrongly adds "now".',
    ]
    assert texts_of("diff_sentences_sided", PAIR)[1:3] == [
        'Response A wrongly says "Buy it.".',
        'Response A wrongly leaves out "It costs 60 dollars.".',
    ]


def test_demands_of_a_request() -> None:
    item = item_of(
        "x", "y", request="Write it. Rules:\n- It is light, and it is red.\n- No, really."
    )
    assert demands(item) == ["Write it", "Rules", "It is light", "and it is red", "No, really"]
    assert texts_of("constraints", item)[0] == "Response A does not meet this demand: Write it."
    assert texts_of("restated", item)[0] == 'The request says "Write it".'
    assert all(reason.about is None for reason in NULLS["restated"](item))


def test_a_tie_has_no_loser_so_faults_go_to_both_in_turn() -> None:
    tie = PAIR.model_copy(update={"label": "tie"})
    assert [reason.about for reason in NULLS["diff_words_sided"](tie)] == ["a", "b", "a"]


@pytest.mark.parametrize("name", list(NULLS))
def test_no_null_reads_references_or_facts(name: str) -> None:
    other = item_of("It costs 45 dollars. Buy it.", "It costs 60 dollars. Wait for it now.",
                    reason="Response A says 45 instead of 60.")  # fmt: skip
    other = other.model_copy(update={"meta": {"facts": {"r1": ["45", "60"]}}})
    assert NULLS[name](other) == NULLS[name](PAIR)


def test_the_cut_is_seeded_and_keeps_no_more_than_allowed() -> None:
    reasons = [ModelReason(str(number)) for number in range(9)]
    first = cut(reasons, max_reasons=4, seed=3, item="i1")
    assert first == cut(reasons, max_reasons=4, seed=3, item="i1")
    assert len(first) == 4
    assert set(first) <= set(reasons)
    draws = {tuple(cut(reasons, max_reasons=4, seed=3, item=f"i{number}")) for number in range(20)}
    assert len(draws) > 10
    assert cut(reasons[:2], max_reasons=4, seed=3, item="i1")
    assert cut([], max_reasons=4, seed=3, item="i1") == []


TEXTS = st.text(min_size=1, max_size=120).filter(lambda text: text.strip())


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, TEXTS, st.sampled_from(("a", "b", "tie")))
def test_any_item(first: str, second: str, request: str, label: Label) -> None:
    item = item_of(first, second, label, request)
    for name, null in NULLS.items():
        reasons = null(item)
        assert reasons == null(item)
        for reason in reasons:
            assert reason.text.endswith(".")
            assert "\n" not in reason.text
            assert len(reason.text) < 2 * MOST_SHOWN + 100
            if name in SIDED and label != "tie":
                assert reason.about == ("b" if label == "a" else "a"), reason
    same = item_of(first, first, label, request)
    assert not any(NULLS[name](same) for name in NULLS if name.startswith("diff_"))
