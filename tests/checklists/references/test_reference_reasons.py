"""Reasons against their side, the responses and the label: by hand."""

from __future__ import annotations

from typing import Any

import pytest
from support.turned_items import small

from rmaudit.checklists.references.frames import Frames
from rmaudit.checklists.references.reasons import reason_findings, repeated_often


def reason(text: str, about: str | None, name: str = "r1") -> dict[str, Any]:
    return {"id": name, "text": text, "about": about}


def found(*reasons: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    item = small(reasons=list(reasons), **fields)
    return [(one.kind, one.field) for one in reason_findings(item, Frames({}))]


@pytest.mark.parametrize(
    ("text", "about", "turned"),
    [
        ("Response A is late.", "b", True),
        ("The price is missing from Response B.", "a", True),
        ("Response A is late.", "a", False),
        ("Response A is late.", None, False),
        ("Response A is late.", "both", False),
        ("Both responses are late.", "a", False),
        ("Unlike Response B, Response A is late.", "b", False),  # names both
        ("It lacks vitamin B.", "a", False),
        ('It quotes "Response B" as a name.', "a", False),
        ("Response Ａ is late.", "b", True),  # a full-width letter
        ("Assistant A's answer is late.", "b", True),
        ("Answer 1 is late.", "b", True),
        ("Answer 1 is late.", "a", False),
        ("Answer 1 is late, Answer 2 is not.", "b", False),
    ],
)
def test_text_and_about(text: str, about: str | None, turned: bool) -> None:
    kinds = found(reason(text, about), label="tie")
    assert kinds == ([("side", "reasons.0.about")] if turned else [])


def test_a_name_that_the_item_itself_says_names_no_side() -> None:
    told = reason("Model A is dearer, says the table.", "b")
    assert found(told, label="tie") == [("side", "reasons.0.about")]
    assert found(told, label="tie", response_b="Model A costs 5, Model B costs 4.") == []


@pytest.mark.parametrize(
    ("text", "about", "foreign"),
    [
        ('Response B says "Seoul".', "b", True),
        ('Response A says "Seoul".', "a", False),
        ('Response B says "premium kettle", which is vague.', "b", True),
        ("Response B writes `Seoul`.", "b", True),
        ('Response B does not say "Seoul".', "b", False),
        ('"Seoul" is missing from Response B.', "b", False),
        ('Response B should say "Seoul".', "b", False),
        ('Response A says "ships from Lima", not Seoul.', "a", True),
        ('Response A says "Lima".', "a", False),  # the request says it too
        ('Response B says "at once", not "premium".', "b", False),
        ('The right word is "at once", not "premium", in Response A.', "a", False),
        ('Response A says "Seoul" where Response B says "at once".', "a", False),
        ('Response B says "Quito".', "b", False),  # nobody does
        ('It says "Seoul".', "b", True),
        ('It says "Seoul".', None, False),
        ("Response B has 43 characters.", "b", True),  # those of response A
    ],
)
def test_quote_of_the_other_response(text: str, about: str | None, foreign: bool) -> None:
    kinds = found(reason(text, about), label="tie")
    assert kinds == ([("quote", "reasons.0.text")] if foreign else [])


def test_all_reasons_about_the_preferred() -> None:
    a, b = reason("It is late.", "a", "r1"), reason("It is dull.", "b", "r2")
    assert found(b) == [("preferred", "reasons")]
    assert found(b, reason("It is long.", "b", "r3")) == [("preferred", "reasons")]
    assert found(a) == []
    assert found(a, b) == []
    assert found(b, reason("It is long.", None, "r3")) == []
    assert found(reason("They are dull.", "both")) == []
    assert found() == []
    assert found(b, label="tie") == []


def test_annotators_are_read_against_their_own_label() -> None:
    own = {"label": "a", "reasons": [reason("Response B is late.", "b")]}
    turned = {"label": "b", "reasons": [reason("Response B is late.", "b")]}
    assert found(annotators=[own, turned]) == [("preferred", "annotators.1.reasons")]


def test_repeated_within_an_item() -> None:
    same = [reason("It is  late.", "a", "r1"), reason("it is late.", "a", "r2")]
    assert found(*same) == [("repeated", "reasons.1.text")]
    assert found(same[0], {**same[1], "about": "b"}) == []  # a fault that both have


def often(texts: list[str]) -> list[str]:
    items = [small(f"i{k}", reasons=[reason(text, "a")]) for k, text in enumerate(texts)]
    return [f"{one.item} {one.what}" for one in repeated_often(items)]


def test_one_text_over_many_items() -> None:
    others = [f"Response A is wrong in line {k}." for k in range(50)]
    dull = "Response A is less helpful."
    assert often([dull] * 4 + others[:10]) == []  # fewer than 5
    assert often([dull] * 5 + others[:46]) == []  # 5 of 51: under one of ten
    said = often([*others[:3], *[dull] * 5, *others[3:45]])
    assert len(said) == 1
    assert said[0].startswith("i3 the same text is a reason of 5 of 50 items")
    assert len(often([dull, dull.replace("A", "B").upper()] * 3)) == 1
    # A fact of the item is cited every time, so the reason was written for each.
    assert often(['Response A says "Seoul".'] * 20) == []
    assert len(often(['Response A says "Quito".'] * 20)) == 1
