"""Quotes and numbers of reasons against the texts: by hand, by law, on planted reasons."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support.growth import check_linear

from rmaudit.checklists.sets import load_set
from rmaudit.grounding.grounding import ItemTexts, claims, standing
from rmaudit.parsing.sides import swap_names
from rmaudit.prompts import flatten
from rmaudit.records import About, ModelReason

REQUEST = (
    "Write an ad for the radio Tern, at most 90 characters. Price: 27 dollars. Say it is fast."
)
A = "The **Nova** radio: only 75 dollars!\n- loud\n- red"
B = "Tern, the radio that everyone, everywhere can afford. It is fast, fast and costs 27 dollars."
SOURCE = ItemTexts.of(REQUEST, A, B)


def stands(text: str, about: About = "a", source: ItemTexts = SOURCE) -> str | None:
    return standing(claims(ModelReason(text, about), source))


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('Response A says "Nova radio" although that is another name.', "a"),
        ("Response A says “only 75 dollars”.", "a"),
        ("Response A says ‘Only 75 dollars!’ too loudly.", "a"),
        ("Response A says «nova RADIO».", "a"),
        ("It contains `loud`.", "a"),
        ('Response B writes "the radio ... can afford".', "b"),
        ("The price should be 27 dollars, but Response A has 75.", "a"),
        ("It goes beyond the 90 characters.", "a"),
        ("With 92 characters Response B is too long.", "b"),
        ("Response A has 2 bullets.", "a"),
        ("Response A has two bullet points.", "a"),
        ('Response B uses "fast" twice.', "b"),
        ('"fast" stands there 2 times.', "b"),
        ("Response B has over 80 characters.", "b"),
        ("Response B runs to about 100 characters.", "b"),
        ("Response A has 75 where Response B has 27.", "a"),
    ],
)
def test_what_is_there(text: str, about: About) -> None:
    assert stands(text, about) == "grounded", claims(ModelReason(text, about), SOURCE)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('Response A says "Juno radio".', "a"),
        ("Response A asks for 78 euro.", "a"),
        ("Response A asks for 78 shiny dollars.", "a"),
        ("Response A has 7 bullets.", "a"),
        ("Response B has over 100 characters.", "b"),
        ('Response B uses "fast" three times.', "b"),
        ('Response A calls it "ova".', "a"),
        ("Response A asks for 7 euro.", "a"),
        ("The date is 2024-02-30.", "a"),
    ],
)
def test_what_is_not_there(text: str, about: About) -> None:
    assert stands(text, about) == "ungrounded", claims(ModelReason(text, about), SOURCE)


def test_only_the_response_that_is_meant_counts() -> None:
    assert stands('It says "only 75 dollars".', "b") == "ungrounded"
    assert stands('It says "only 75 dollars".', None) == "grounded"
    assert stands('One says "only 75 dollars".', "both") == "grounded"
    assert stands("It asks for 75 dollar.", "b") == "ungrounded"


@pytest.mark.parametrize(
    "text",
    [
        'Response A never mentions "free shipping".',
        'Response A should say "order today".',
        "Response A is wrong, since the correct price is 31.",
        "The price is 48 dollars too high.",  # 75 - 27, and a plural
        "Response A is off by 48.",
        "Response A lists 5 advantages.",
        "My own result is 12.5.",
    ],
)
def test_what_a_program_cannot_tell(text: str) -> None:
    assert stands(text) == "unchecked", claims(ModelReason(text, "a"), SOURCE)


@pytest.mark.parametrize(
    "text",
    [
        "Response A is the better one.",
        "Assistant 1 beats Assistant 2.",
        "I give Response A 8/10.",
        "Response A earns 4 out of 5.",
        "It is one of the two that don't help the users' needs.",
        "First it greets, then it ends.",
    ],
)
def test_what_claims_nothing(text: str) -> None:
    assert stands(text) is None, claims(ModelReason(text, "a"), SOURCE)


def test_one_made_up_claim_spoils_a_reason() -> None:
    found = claims(ModelReason('It says "Nova" and "Vega", 75 and maybe 31 things.', "a"), SOURCE)
    assert [claim.standing for claim in found] == [
        "grounded",
        "ungrounded",
        "grounded",
        "unchecked",
    ]
    assert standing(found) == "ungrounded"


def test_code_is_compared_without_its_white_space_and_calls_are_not_checked() -> None:
    source = ItemTexts.of("Write f.", "def f(x):\n    return [x,\n            1, 2]", "pass")
    assert stands("`return [x, 1, 2]` is wrong.", "a", source) == "grounded"
    assert (
        stands("`f('kiwi')` returns ['kiwi', 1] instead of ['kiwi'].", "a", source) == "unchecked"
    )
    assert stands("It calls `g(3)`.", "a", source) == "ungrounded"


@pytest.mark.parametrize("family", ["slogan", "ad-copy", "formats", "arithmetic", "python"])
def test_reasons_that_are_right_by_construction_are_never_ungrounded(family: str) -> None:
    """And held against the texts of another item, most of those that can be checked are."""
    items = load_set(f"synth:23:20:{family}").items
    other = 0, 0
    for item, wrong in zip(items, items[1:] + items[:1], strict=True):
        for reason in item.reasons:
            model_reason = ModelReason(reason.text, reason.about)
            found = claims(model_reason, of(item))
            assert standing(found) != "ungrounded", (reason.text, found)
            against = standing(claims(model_reason, of(wrong)))
            other = other[0] + (against == "ungrounded"), other[1] + (against == "grounded")
    assert other[0] > 4 * other[1]


def of(item: object) -> ItemTexts:
    return ItemTexts.of(flatten(item.prompt), item.response_a, item.response_b)  # type: ignore[attr-defined]


# ------------------------------------------------------------------------ laws

WORDS = st.lists(st.text(string.ascii_letters, min_size=2, max_size=8), min_size=3, max_size=12)
MARKS = [('"', '"'), ("“", "”"), ("«", "»"), ("`", "`"), ("「", "」"), ("„", "“")]


@given(WORDS, st.sampled_from(MARKS), st.data())
def test_a_quote_that_was_copied_is_grounded(
    words: list[str], marks: tuple[str, str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    source = ItemTexts.of("Write.", " ".join(words), "other")
    quote = " ".join(words[start:end])
    assert stands(f"It says {marks[0]}{quote.upper()}{marks[1]}.", "a", source) == "grounded"


@given(st.text(string.ascii_lowercase, min_size=3, max_size=12), st.sampled_from(MARKS))
def test_a_quote_that_was_made_up_is_not(quote: str, marks: tuple[str, str]) -> None:
    source = ItemTexts.of("Write.", "0123 4567", "X Y Z")
    assert stands(f"It says {marks[0]}{quote}{marks[1]}.", None, source) == "ungrounded"


@example(10**6, {0, 1})
@given(st.integers(21, 10**6), st.sets(st.integers(0, 20), max_size=3))
def test_numbers_follow_the_texts(value: int, others: set[int]) -> None:
    texts = " and ".join(map(str, sorted(others)))
    assert (
        stands(f"It says {value:,}.", "a", ItemTexts.of(texts, f"It is {value}.", "")) == "grounded"
    )
    assume(value > 2000)  # beyond what two of the others give
    assert stands(f"It says {value:,}.", "a", ItemTexts.of(texts, texts, "")) == "ungrounded"


@given(WORDS, st.integers(2, 40))
def test_counts_follow_the_text(words: list[str], more: int) -> None:
    source = ItemTexts.of("Write.", " ".join(words), "other")
    count = len(words)
    assert stands(f"It has {count} words.", "a", source) == "grounded"
    assert stands(f"It has {2 * count + more} words.", "a", source) == "ungrounded"


@given(
    st.text("abAB \"'“”`«»12.,%x/-:", max_size=60),
    st.sampled_from(["a", "b", "both", None]),
    st.text("ab 12.", max_size=20),
    st.text("ab 12.", max_size=20),
)
def test_the_names_of_the_sides_do_not_matter(text: str, about: About, a: str, b: str) -> None:
    text = f"Response A {text} unlike Response B."
    turned: dict[About, About] = {"a": "b", "b": "a"}
    there = claims(ModelReason(text, about), ItemTexts.of("q 7", a, b))
    back = claims(
        ModelReason(swap_names(text), turned.get(about, about)), ItemTexts.of("q 7", b, a)
    )
    assert [claim.standing for claim in there] == [claim.standing for claim in back]


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_can_be_read(reason: str, text: str) -> None:
    found = claims(ModelReason(reason, None), ItemTexts.of(text, text, text))
    assert standing(found) in ("grounded", "unchecked", "ungrounded", None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ['"', "`", "'a", "“", "[", "[[a]", "{1", "1,", "1-", "1.1", "3 times ", "a 1 a ", "··"]
)
def test_hostile_reasons_take_linear_time(piece: str) -> None:
    check_linear(lambda text: claims(ModelReason(text), ItemTexts.of(text, text, text)), piece)
