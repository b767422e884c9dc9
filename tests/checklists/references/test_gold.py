"""The verdict of a gold judgment in prose, and against the label."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.turned_items import small

from rmaudit.checklists.references.gold import gold_verdict
from rmaudit.checklists.references.read import read_references
from rmaudit.records import Verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Response B is better. Response A is late.", "b"),
        ("Response A is late.\n\nOverall, Response B is better.", "b"),
        ("Response A is much better because it names the price.", "a"),
        ("Response A is better than Response B.", "a"),
        ("The tone is warm. Response B wins.", "b"),
        ("It is short.\n\nVerdict: A", "a"),
        ("Both are fine. [[B]]", "b"),
        ("Both are equally good.", "tie"),
        ("Response A is not better.", None),
        ("Response A is better in tone, but Response B is right.", None),
        ("Response A would be better if it named the price.", None),
        ("Response A is better. It is short. Response B is better.", None),
        ('He said "Response A is better". So what?', None),
        ("Vitamin B is better.", None),
        ("It names the price.", None),
    ],
)
def test_verdict_in_prose(text: str, verdict: Verdict) -> None:
    assert gold_verdict(text) == verdict


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_a_verdict_or_none(text: str) -> None:
    assert gold_verdict(text) in ("a", "b", "tie", None)


def test_against_the_label() -> None:
    def judged(name: str, text: str, label: str = "b") -> object:
        return small(name, label=label, gold_judgment={"text": text, "origin": "human"})

    read = read_references(
        [
            judged("right", "Response B is better."),  # type: ignore[list-item]
            judged("wrong", "Response A is better."),  # type: ignore[list-item]
            judged("tied", "Response B is better.", "tie"),  # type: ignore[list-item]
            judged("unread", "It names the price."),  # type: ignore[list-item]
        ]
    )
    gold = [(one.item, one.what) for one in read.findings if one.kind == "gold"]
    assert gold == [
        ("wrong", "decides for response a, the label for response b"),
        ("tied", "decides for response b, the label for a tie"),
    ]
    assert (read.gold, read.gold_read) == (4, 3)
