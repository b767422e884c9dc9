"""flaws.jsonl: rows there and back, and what is no row."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.records import Key, LabelSet, ReasonLabel
from rmaudit.run.label_rows import LabelRow, label_of, label_row
from rmaudit.run.rows import JudgeUse
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES, GOLD, TESTED


def some_of(names: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.sets(st.sampled_from(names)).map(
        lambda chosen: tuple(name for name in names if name in chosen)
    )


reasons = st.builds(ReasonLabel, st.sampled_from((*CATEGORY_NAMES, None)), some_of(FLAW_NAMES))
label_sets = st.builds(
    LabelSet,
    st.lists(reasons, max_size=5).map(tuple),
    some_of(TESTED),
    st.sampled_from((*GOLD, None)),
    st.none() | st.text(),
    st.none() | st.text(min_size=1),
)


@given(label_sets, st.integers(0, 3), st.booleans())
def test_a_row_comes_back_as_it_was(labels: LabelSet, calls: int, cached: bool) -> None:
    use = JudgeUse(calls=calls, tokens_in=7 * calls, cached=cached)
    row = LabelRow(Key("one", order="ba", sample=2), labels, use)
    assert label_of(json.loads(json.dumps(label_row(row)))) == row


def test_a_row_reads_as_documented() -> None:
    labels = LabelSet((ReasonLabel("EG", ("F4",)), ReasonLabel("GS")), ("category", "F4"))
    assert label_row(LabelRow(Key("one"), labels)) == {
        "item": "one",
        "variant": "base",
        "slot": "pair",
        "order": "ab",
        "sample": 0,
        "labels": [{"category": "EG", "flaws": ["F4"]}, {"category": "GS", "flaws": []}],
        "tested": ["category", "F4"],
        "gold": None,
        "raw": None,
        "failure": None,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"labels": [{"category": "XX", "flaws": []}]},
        {"labels": [{"category": "EG", "flaws": ["F8"]}]},
        {"labels": [{"category": "EG", "flaws": "F1"}]},
        {"tested": ["everything"]},
        {"gold": "maybe"},
        {"gold": True},
        {"order": "abc"},
    ],
)
def test_a_value_that_no_row_has_is_refused(change: dict[str, object]) -> None:
    row = label_row(LabelRow(Key("one"), LabelSet((), ("F4",))))
    with pytest.raises(ValueError, match=r"none of|must be"):
        label_of({**row, **change})


def test_flaws_come_in_order_and_once() -> None:
    row = label_row(LabelRow(Key("one"), LabelSet((ReasonLabel("GS"),), ("category",))))
    row["labels"][0]["flaws"] = ["F4", "F1", "F4"]
    assert label_of(row).labels.labels[0].flaws == ("F1", "F4")
