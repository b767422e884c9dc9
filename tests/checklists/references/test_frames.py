"""References that name the responses in their own words: learned from the set, then held to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.turned_items import about_turned, small

from rmaudit.checklists.references.frames import Frames, frames_of
from rmaudit.checklists.references.read import read_references
from rmaudit.checklists.schema import Item

LANGUAGES = {
    "Chinese": (
        "回答A没有给出价格。",
        "回答B太晚了。",
        "回答A写错了城市：首尔而不是利马。",
        "在回答B中，第2行缺失。",
    ),
    "Chinese, full width": (
        "答复Ａ没有给出价格。",
        "答复Ｂ太晚了。",
        "我认为答复Ａ写错了城市。",
        "答复Ｂ少了一行。",
    ),
    "Japanese": (
        "応答Aには値段がない。",
        "応答Bは遅い。",
        "応答Aは長すぎる。",
        "都市が応答Bで間違っている。",
    ),
    "Japanese, label first": (
        "Aの回答は価格を述べていない。",
        "Bの回答は短い。",
        "Aの回答は古い。",
        "Bの回答は都市を間違えている。",
    ),
    "Korean": (
        "응답 A는 늦다.",
        "응답 B에는 가격이 없다.",
        "응답 A는 서울이라고 한다.",
        "응답 B는 짧다.",
    ),
    "German": (
        "Antwort A ist zu spät.",
        "In Antwort B fehlt der Preis.",
        "Antwort A nennt Seoul statt Lima.",
        "Im Schritt 1 rechnet Antwort B falsch.",
    ),
    "German, other noun": (
        "Text 1 ist zu spät.",
        "In Text 2 fehlt der Preis.",
        "Text 1 nennt 45 statt 60.",
        "Text 2 ist zu kurz.",
    ),
    "Spanish": (
        "La respuesta A llega tarde.",
        "La respuesta B no dice el precio.",
        "La respuesta A dice Seúl en vez de Lima.",
        "Falta el precio en la respuesta B.",
    ),
    "Arabic": ("الرد أ متأخر", "الرد ب لا يذكر السعر", "في الرد أ خطأ في المدينة", "الرد ب قصير"),
    "Russian": (
        "Ответ А опоздал.",
        "В ответе Б нет цены.",
        "Ответ А называет Сеул.",
        "Ответ Б слишком короткий.",
    ),
    "Hindi": ("उत्तर क देर से है", "उत्तर ख छोटा है", "उत्तर क गलत है", "उत्तर ख में मूल्य नहीं है"),
}
"""Reasons about a, b, a, b."""


def items_of(texts: Sequence[str], **fields: str) -> list[Item]:
    """One reason an item, about a and b in turn."""
    return [
        small(
            f"i{k}", reasons=[{"id": "r1", "text": text, "about": "ab"[k % 2]}], label="tie"
        ).model_copy(update=fields)
        for k, text in enumerate(texts)
    ]


def turned(items: Sequence[Item]) -> list[str]:
    """Ids of the items with a reason whose text names the other side than `about` does."""
    return [one.item for one in read_references(items).findings if one.kind == "side"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turned_reason_is_found_in_any_language(language: str) -> None:
    items = items_of(LANGUAGES[language])
    assert turned(items) == []
    assert turned([*map(about_turned, items)]) == ["i0", "i1", "i2", "i3"]  # a whole set
    assert turned([about_turned(items[0]), *items[1:]]) == ["i0"]  # one
    assert turned([*map(about_turned, items[:2]), *items[2:]]) == ["i0", "i1"]  # half of it


@pytest.mark.parametrize(
    "texts",
    [
        [
            "Schritt 1 fehlt.",
            "Schritt 2 fehlt.",
            "Schritt 1 irrt.",
            "Schritt 2 irrt.",
            "Schritt 3 auch.",
        ],
        ["Zeile 12 fehlt.", "Zeile 2 fehlt.", "Zeile 1 fehlt.", "Zeile 2 irrt.", "Zeile 1 irrt."],
        ["Sie nennt 45.", "Sie nennt 60.", "Sie nennt 45.", "Sie nennt 60."],
        ["Es fehlt Vitamin A.", "Es fehlt Vitamin B."],  # no custom
        [
            "Antwort A irrt.",
            "Antwort B irrt.",
            "Antwort C irrt.",
            "Antwort A fehlt.",
            "Antwort B fehlt.",
        ],
        [
            "Es sagt „Antwort A“.",
            "Es sagt „Antwort B“.",
            "Es sagt „Antwort A“.",
            "Es sagt „Antwort B“.",
        ],
        ["a b c", "A", "B", "A"],
    ],
)
def test_what_goes_on_counting_or_is_no_custom_names_no_response(texts: list[str]) -> None:
    assert frames_of(texts).labels == {}
    assert turned([*map(about_turned, items_of(texts))]) == []


def test_a_name_in_few_of_many_reasons_is_not_learned() -> None:
    others = [f"Das ist zu lang, um {k} Zeichen." for k in range(100)]
    texts = ["Plan A fehlt.", "Plan B fehlt.", "Plan A irrt.", "Plan B irrt."]
    assert frames_of(texts * 2 + others).labels == {"plan": ("A", "B")}
    assert frames_of(texts + others).labels == {}


def test_what_the_item_itself_says_names_no_response() -> None:
    texts = ["Plan A fehlt.", "Plan B fehlt.", "Plan A irrt.", "Plan B irrt."]
    wrong = [*map(about_turned, items_of(texts))]
    assert len(turned(wrong)) == 4
    spoken = [one.model_copy(update={"response_b": "Plan A costs 5."}) for one in wrong]
    assert turned(spoken) == []


def test_who_is_compared_with_the_other_is_not_held_against_it() -> None:
    frames = frames_of(LANGUAGES["German"])
    assert frames.sides("Antwort A ist kürzer als B.", ()) == {"a", "b"}
    assert frames.sides("Anders als Antwort B sagt Antwort A den Preis.", ()) == {"a", "b"}
    assert frames.sides("Antwort A ist kürzer.", ()) == {"a"}
    assert frames.sides("Sie ist kürzer.", ()) == set()


def test_sets_in_several_languages() -> None:
    items = items_of([text for texts in LANGUAGES.values() for text in texts])
    assert turned(items) == []
    assert len(turned([*map(about_turned, items)])) == len(items)


def _texts() -> Iterator[str]:
    for texts in LANGUAGES.values():
        yield from texts


@given(st.lists(st.text(max_size=60) | st.sampled_from([*_texts()]), max_size=12))
def test_any_texts_are_learned_from(texts: list[str]) -> None:
    frames = frames_of(texts)
    assert frames == frames_of(reversed(texts))
    for text in texts:
        assert frames.sides(text, ()) <= {"a", "b"}
        assert not frames.sides(text, [text])
        assert Frames({}).sides(text, ()) == set()
