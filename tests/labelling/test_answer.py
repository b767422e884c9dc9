"""What a labeller's model is asked, and how strictly its answer is read."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.checklists.schema import GoldJudgment
from rmaudit.checklists.sets import load_set
from rmaudit.judging.answers import Malformed
from rmaudit.judging.metajudge_prompt import match_prompt, sided_references
from rmaudit.labelling.answer import Labelled, read_labels
from rmaudit.labelling.prompt import label_prompt, label_schema
from rmaudit.records import ModelReason, ReasonLabel
from rmaudit.taxonomy import CATEGORIES, FLAWS

ITEM = load_set("synth:3:2:slogan").items[0].model_copy(update={"gold_judgment": None})
GOLD = ITEM.model_copy(
    update={
        "gold_judgment": GoldJudgment(
            text="<think>Hm.</think>\nResponse A names the wrong city.\n[end Gold judgment]",
            origin="model:x",
        )
    }
)
REASONS = [ModelReason("Response A is long.", "a"), ModelReason("Response B is short.", "b")]
ONE = {"s": 1, "category": "EG", "flaws": ["F4"]}
TWO = {"s": 2, "category": "GS", "flaws": []}
LABELS = (ReasonLabel("EG", ("F4",)), ReasonLabel("GS"))


def text_of(item: object = ITEM, view: str = "full") -> str:
    prompt = label_prompt(item, REASONS, view=view)  # type: ignore[arg-type]
    return prompt.messages[0]["content"]


def test_the_label_call_begins_as_the_match_call_does() -> None:
    match = match_prompt(ITEM, sided_references(ITEM), REASONS, view="full").messages[0]["content"]
    shared = match[: match.index("The reference reasons")]
    assert len(shared) > 500
    assert text_of().startswith(shared)
    assert text_of(GOLD).startswith(shared)


def test_every_definition_is_told() -> None:
    text = text_of()
    for key, meaning in (*CATEGORIES.items(), *FLAWS.items()):
        assert f"{key}  {meaning.name}: {meaning.rule}" in text
    assert "each of the 2 reasons" in text


def test_the_gold_judgment_is_there_only_where_an_item_has_one() -> None:
    assert "gold" not in text_of().casefold()
    text = text_of(GOLD)
    assert "Response A names the wrong city." in text
    assert "Hm." not in text
    assert text.count("[end Gold judgment]") == 1
    prompt = label_prompt(GOLD, REASONS, view="full")
    assert prompt.neutralised == label_prompt(ITEM, REASONS, view="full").neutralised + 1


def test_lists_view_shows_the_reasons_alone() -> None:
    text = text_of(view="lists")
    assert ITEM.response_a not in text
    assert "S1 (Response A): Response A is long." in text
    assert "You do not see the responses" in text


def test_schema_asks_for_one_entry_a_reason() -> None:
    plain, gold = label_schema(3, gold=False), label_schema(3, gold=True)
    entries = plain["properties"]["labels"]
    assert entries["minItems"] == entries["maxItems"] == 3
    assert entries["items"]["properties"]["flaws"]["items"] == {"enum": list(FLAWS)}
    assert plain["required"] == ["labels"]
    assert gold["required"] == ["labels", "decisive", "gold"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"labels": [ONE, TWO]}),
        json.dumps([TWO, ONE]),
        json.dumps({"labels": [TWO | {"s": "S2"}, ONE | {"s": "1", "flaws": ["F4", "F4"]}]}),
        "<think>{}</think>Sure:\n```json\n" + json.dumps({"labels": [ONE, TWO]}) + "\n```",
        json.dumps({"labels": [ONE, TWO]}) + " or " + json.dumps({"labels": [ONE, TWO]}),
        "S1 EG F4\nS2 GS none",
        "**S1**: EG, F4\n- S2: GS\n",
        "s: none\nS1 = eg | f4\nS2 = gs",
    ],
)
def test_readable_answers(text: str) -> None:
    assert read_labels(text, n_reasons=2, gold=False) == Labelled(LABELS, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no list of labels"),
        ("{}", "no list of labels"),
        ('{"labels": []}', "each of the 2"),
        (json.dumps({"labels": [ONE]}), "each of the 2"),
        (json.dumps({"labels": [ONE, ONE]}), "twice"),
        (json.dumps({"labels": [ONE, TWO, TWO | {"s": 3}]}), "each of the 2"),
        (json.dumps({"labels": [ONE, TWO | {"category": "XX"}]}), "category"),
        (json.dumps({"labels": [ONE, TWO | {"flaws": ["F8"]}]}), "flaw that"),
        (json.dumps({"labels": [ONE, TWO | {"flaws": "F1"}]}), "not a list"),
        (json.dumps({"labels": [ONE, TWO | {"flaws": None}]}), "not a list"),
        (json.dumps({"labels": [ONE, {"s": 2, "category": "GS"}]}), "lacks"),
        (json.dumps({"labels": [ONE, TWO | {"s": True}]}), "number"),
        (json.dumps({"labels": [ONE, TWO]})[:-4], "no list of labels|not readable"),
        (json.dumps({"labels": [ONE, TWO]}) + '{"labels": [', "not readable"),
        ("<think>" + json.dumps({"labels": [ONE, TWO]}), "thinking"),
        ("S1 EG F4\nS2 fine", "no readable label"),
        ("S1 EG F9\nS2 GS", "flaw that"),
        ("S1 EG but also F4\nS2 GS", "no readable label"),
    ],
)
def test_what_is_not_understood_in_full_is_no_label(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        read_labels(text, n_reasons=2, gold=False)


def test_gold_verdicts() -> None:
    both = {"labels": [ONE, TWO], "decisive": ["x"], "gold": "incorrect"}
    assert read_labels(json.dumps(both), n_reasons=2, gold=True) == Labelled(LABELS, "incorrect")
    lines = "S1 EG F4\nS2 GS\nGold: correct"
    assert read_labels(lines, n_reasons=2, gold=True).gold == "correct"
    assert read_labels(lines, n_reasons=2, gold=False).gold is None
    for said in ("Correct.", "", None, True):
        with pytest.raises(Malformed, match="gold judgment"):
            read_labels(json.dumps(both | {"gold": said}), n_reasons=2, gold=True)
    with pytest.raises(Malformed, match="gold judgment"):
        read_labels(json.dumps({"labels": [ONE, TWO]}), n_reasons=2, gold=True)


@given(st.text(alphabet='S12EGCF4{}[]":,\n labelsgodctr', max_size=60), st.booleans())
def test_never_raises_anything_else(text: str, gold: bool) -> None:
    with contextlib.suppress(Malformed):
        assert len(read_labels(text, n_reasons=1, gold=gold).labels) == 1


CATEGORY, FLAW_SET = st.sampled_from(list(CATEGORIES)), st.sets(st.sampled_from(list(FLAWS)))


@given(st.lists(st.tuples(CATEGORY, FLAW_SET)))
def test_what_the_schema_allows_is_read(labels: list[tuple[str, set[str]]]) -> None:
    answer = {
        "labels": [
            {"s": number, "category": category, "flaws": sorted(flaws)}
            for number, (category, flaws) in enumerate(labels, start=1)
        ]
    }
    found = read_labels(json.dumps(answer), n_reasons=len(labels), gold=False).labels
    assert [(one.category, set(one.flaws)) for one in found] == labels
