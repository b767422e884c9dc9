"""Amounts in words, figures, money and times read the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.embedded.amounts import plain_amounts


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("sixty-seven dollars and twenty cents", "67.20 dollars"),
        ("$67.20", "67.20 dollars"),
        ("£1,435.00 and €3", "1,435.00 pounds and 3 euros"),
        ("two hundred and ninety-one seconds", "291 seconds"),
        ("two thousand three hundred", "2300"),
        ("a hundred, one hundred and five", "100, 105"),
        ("twelve and nine", "12 9"),
        ("a dozen lines", "12 lines"),
        ("the sixty-word ceiling", "the 60-word ceiling"),
        ("half past eight, quarter to nine", "8:30, 8:45"),
        ("ten past six", "6:10"),
        ("May fourteenth, the 5th", "May 14, the 5"),
        ("15%, 18 per cent", "15 percent, 18  percent"),
        ("square metres, 5 m²", "m2, 5 m2"),
        ("a single entry", "only 1 entry"),
        ("half a dozen, a dozen", "6, 12"),
        ("half an hour late", "30 minutes late"),
        ("in eighteen sixty-nine", "in 1869"),
        ("the first one, one of the second", "the first one, one of the second"),
        ("nobody is often someone", "nobody is often someone"),
        ("eighty point five seven", "80.57"),
        ("two and a half metres", "2.5 metres"),
        ("two fifths of it, the twenty-third of May", "40 percent of it, the 23 of May"),
        ("a quarter to five as before", "a 4:45 as before"),
        ("three quarters of an hour", "45 minutes"),
        ("half of the users", "half of the users"),
        ("half the price, $20", "half the price, 20 dollars"),
        ("at half the price", "50 percent off"),
    ],
)
def test_spellings(text: str, plain: str) -> None:
    assert plain_amounts(text) == plain


@settings(deadline=None)
@given(st.integers(2, 9999))
def test_numbers_in_words(value: int) -> None:
    assert plain_amounts(f"about {in_words(value)} of them") == f"about {value} of them"


def in_words(value: int) -> str:
    small = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen"
    ).split()
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    if value < 20:
        return small[value]
    if value < 100:
        unit = f"-{small[value % 10]}" if value % 10 else ""
        return tens[value // 10 - 2] + unit
    name, size = ("hundred", 100) if value < 1000 else ("thousand", 1000)
    rest = value % size
    joint = " and " if rest < 100 else " "
    return f"{in_words(value // size)} {name}" + (f"{joint}{in_words(rest)}" if rest else "")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ten past four in the afternoon", "16:10"),
        ("at 8:10 pm", "at 20:10"),
        ("twenty to three.", "2:40."),
        ("the first 2 to 3 items", "the first 2 to 3 items"),
        ("until 07/19", "until 19 July"),
        ("Nov. 13", "November 13"),
        ("an hour and a half", "90 minutes"),
        ("forty-eight dollars sixty.", "48.60 dollars."),
        (
            "Es fehlt, dass sie sechs Stunden nichts essen",
            "Es fehlt, dass sie 6 Stunden nichts essen",
        ),
    ],
)
def test_hours_dates_and_other_languages(text: str, plain: str) -> None:
    assert plain_amounts(text) == plain


@pytest.mark.parametrize("number", ["dreißig", "DREISSIG", "zwölf", "vingt", "quince"])
def test_numbers_of_other_languages_never_end_the_judge(number: str) -> None:
    text = (
        f"Antwort A nennt {number} Stunden und vergisst die Uhrzeit; die Frist ist nicht genannt."
    )
    assert isinstance(plain_amounts(text), str)


def test_german_numbers_are_read_in_german_alone() -> None:
    said = "Die Frist ist nicht dreißig Tage, am zwölften Juni, und das um {}."
    plain = "Die Frist ist nicht 30 Tage, am 12 Juni, und das um {}."
    assert plain_amounts(said.format("16 Uhr 30")) == plain.format("16:30")
    assert plain_amounts("dreißig") == "dreißig"


@given(st.integers(1, 28), st.sampled_from(["Januar", "Juni", "Dezember"]))
def test_a_german_date_is_the_day_and_the_month(day: int, month: str) -> None:
    assert plain_amounts(f"am {day}. {month} statt") == f"am {day} {month} statt"


@given(st.integers(1, 4), st.sampled_from([("fifths", 5), ("eighths", 8), ("tenths", 10)]))
def test_shares_are_percentages(times: int, part: tuple[str, int]) -> None:
    name, parts = part
    assert plain_amounts(f"{times} {name} of it") == f"{100 * times // parts} percent of it"


@given(st.integers(0, 23), st.integers(10, 59))
def test_clocks_of_other_countries(hour: int, minute: int) -> None:
    for text in (f"{hour}h{minute}", f"{hour} Uhr {minute}", f"{hour}.{minute} Uhr"):
        assert plain_amounts(text) == f"{hour}:{minute}"
