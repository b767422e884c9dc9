from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.parsing.sides import DEFAULT_NAMES, Names, reason_about, swap_names, to_item
from rmaudit.records import Judgment, ModelReason

ONE_SIDE = [
    ("Response A omits the price.", "a"),
    ("Response B's tone is rude.", "b"),
    ("RESPONSE B is wrong", "b"),
    ("the code in response A fails", "a"),
    ("response b's date is wrong", "b"),
    ("the date is wrong in response a.", "a"),
    ("**Response A** cites 1969", "a"),
    ("Ｒｅｓｐｏｎｓｅ Ａ omits the price", "a"),
    ("Resp\u200bonse\u200b B omits the price", "b"),
    ("response a better way to say it", None),
    ("Vitamin A is missing", None),
    ("Plan B is never explained", None),
    ("A better answer would cite 1969", None),
    ("Grade A work", None),
    ("It omits the price", None),
    ("", None),
]

SUBJECT = [
    ("Unlike Response B, Response A gives the 1969 date.", "a"),
    ("Response A gives the date, unlike Response B.", "a"),
    ("Response B is shorter than Response A.", "b"),
    ("Response B is worse than the code of Response A.", "b"),
    ("Compared with Response B, Response A is specific.", "a"),
    ("In contrast to Response A's date, Response B gives none.", "b"),
    ("While Response A is short, Response B covers all 3 steps.", "b"),
    ("Response A is right, whereas Response B says 1970.", "a"),
    ("Although Response A is polite, Response B answers.", "b"),
    ("Response A: misses the price that Response B gives", "a"),
    ("[Response B] lacks the price in Response A", "b"),
    ("(Response A) misses what Response B has", "a"),
    ("**Response B:** shorter than Response A", "b"),
    ("Response B lacks the price that Response A gives", "b"),
    ("Response A and Response B both miss the date", "both"),
    ("Responses A and B are equally long", "both"),
    ("Response A/B give no source", "both"),
    ("Both responses cite 1969", "both"),
    ("Neither response cites a source", "both"),
    ("Both responses cite 1969, but Response B misspells it", "b"),
]

AMBIGUOUS = [
    "B omits the price",
    "A's tone is rude",
    "A omits the price",
    "(A) omits the price",
    "It is longer than B.",
    "Answer A is wrong",
    "Assistant B is wrong",
    "Response 1 is wrong",
    "The first response is wrong",
    "回答A没有给出日期",
]

NOT_AMBIGUOUS = [
    "A better answer would cite 1969",
    "A series of steps is missing",
    "Vitamin A is missing",
    "Hepatitis B is a virus",
    "The A/B test is ignored",
    "a list without an end",
    "It uses a B+ tree",
    "The correct option letter is missing",
]


@pytest.mark.parametrize(("text", "about"), ONE_SIDE + SUBJECT)
def test_reason_is_about_its_subject(text: str, about: str | None) -> None:
    assert reason_about(text) == (about, False)


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_undefined_names_are_ambiguous_and_never_mapped(text: str) -> None:
    assert reason_about(text) == (None, True)


@pytest.mark.parametrize("text", NOT_AMBIGUOUS)
def test_letters_that_name_no_side(text: str) -> None:
    assert reason_about(text) == (None, False)


@pytest.mark.parametrize("quote", ['"{}"', "“{}”", "`{}`", "'{}'", "‘{}’", "«{}»", "「{}」"])
def test_names_inside_quotations_do_not_count(quote: str) -> None:
    quoted = quote.format("Response A wins")
    assert reason_about(f"It says {quoted} at the end") == (None, False)
    assert reason_about(f"Response B says {quoted} at the end") == ("b", False)
    assert swap_names(f"Response B says {quoted}") == f"Response A says {quoted}"


def test_apostrophes_are_no_quotation_marks() -> None:
    text = "Response A's users' guide isn't what Response B's is"
    assert swap_names(text) == "Response B's users' guide isn't what Response A's is"


def test_heading_counts_where_the_reason_names_no_subject() -> None:
    assert reason_about("omits the price", heading="b") == ("b", False)
    assert reason_about("less exact than Response A", heading="b") == ("b", False)
    assert reason_about("Response A omits the price", heading="b") == ("a", False)
    assert reason_about("A omits the price", heading="b") == (None, True)


def test_other_names() -> None:
    names = Names(("Assistant", "Model"), "1", "2")
    assert reason_about("Assistant 2 is terse, unlike model 1", names=names) == ("b", False)
    assert reason_about("Assistant 12 is no name", names=names) == (None, False)
    assert reason_about("It lists 2 of 10 steps", names=names) == (None, False)
    assert swap_names("Assistant 1 beats Model 2", names=names) == "Assistant 2 beats Model 1"
    assert reason_about("Response A omits the price", names=names) == (None, True)


def test_to_item_turns_everything_of_ba_and_nothing_of_ab() -> None:
    shown = Judgment(
        verdict="a",
        outcome="ok",
        strength=2,
        flags=("conflict",),
        reasons=(
            ModelReason("Response A cites 1969, unlike Response B; plan B and 'Response B'.", "a"),
            ModelReason("omits the price", "b"),
            ModelReason("Responses A and B are long", "both"),
            ModelReason("B is rude", None, ambiguous=True),
        ),
    )
    assert to_item(shown, order="ab") == shown
    assert to_item(shown, order=None) == shown
    assert to_item(shown, order="ba") == Judgment(
        verdict="b",
        outcome="ok",
        strength=2,
        flags=("conflict",),
        reasons=(
            ModelReason("Response B cites 1969, unlike Response A; plan B and 'Response B'.", "b"),
            ModelReason("omits the price", "a"),
            ModelReason("Responses B and A are long", "both"),
            ModelReason("B is rude", None, ambiguous=True),
        ),
    )


words = st.sampled_from(
    "Response response Responses A B a b Ａ 𝐁 and than unlike while both A's b's ' \" ` “ ” ( ) "
    ", . \u200b x\n".split(" ")
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(words, max_size=25).map(" ".join),
    st.lists(words, max_size=25).map("".join),
)
judgments = st.builds(
    Judgment,
    verdict=st.sampled_from(["a", "b", "tie", None]),
    outcome=st.just("ok"),
    reasons=st.lists(
        st.builds(ModelReason, texts, st.sampled_from(["a", "b", "both", None]), st.booleans())
    ).map(tuple),
)


@settings(max_examples=150)
@given(judgments)
def test_to_item_is_its_own_inverse(judgment: Judgment) -> None:
    assert to_item(to_item(judgment, order="ba"), order="ba") == judgment


@settings(max_examples=300)
@given(texts)
def test_swapped_names_swap_what_a_reason_is_about(text: str) -> None:
    other = {"a": "b", "b": "a"}
    about, _ = reason_about(text)
    swapped, _ = reason_about(swap_names(text))
    assert swapped == other.get(about or "", about)


@settings(max_examples=200)
@given(st.text(alphabet=st.characters(exclude_characters="Rr"), max_size=80))
def test_no_name_no_side(text: str) -> None:
    assert reason_about(text, names=DEFAULT_NAMES)[0] is None
