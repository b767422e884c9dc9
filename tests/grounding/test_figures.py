"""Numbers as they are written, and what is counted in a text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.grounding.figures import UNITS, derivable, numbers, readings


@pytest.mark.parametrize(
    ("token", "values"),
    [
        ("7", {7}),
        ("1,200", {1200}),
        ("1,234,567.5", {1234567.5}),
        ("2,5", {2.5}),
        ("1.200", {1.2, 1200}),
        ("1.200,50", {1200.5}),
        ("007", {7}),
        ("1.2.3", set()),
        ("1,2,3", set()),
    ],
)
def test_readings(token: str, values: set[float]) -> None:
    assert readings(token) == values


def test_numbers_of_a_text() -> None:
    text = "Pay €1,200.50 (30%), i.e. three of 7kg; version v2, H2O, 5th, .5 and 90-character."
    assert numbers(text) == {1200.5, 30, 0.3, 3, 7, 5, 90}


@given(st.integers(0, 10**7), st.integers(0, 99))
def test_any_way_of_writing_a_number_is_read(whole: int, cents: int) -> None:
    value = round(whole + cents / 100, 10)
    written = [f"{value:.2f}", f"{value:,.2f}"]
    written += [text.translate(str.maketrans(",.", ".,")) for text in written]
    for text in written:
        assert value in numbers(f"It costs {text} euros.")


def test_one_step_of_arithmetic() -> None:
    given_ = frozenset({90.0, 12.0, 7.0})
    for value in (102, 78, 1080, 7.5, 10.8):  # 90 + 12, 90 - 12, 90 x 12, 90 / 12, 12 % of 90
        assert derivable(value, given_), value
    assert not derivable(55.0, given_)
    assert derivable(12.86, given_, places=2)  # 90 / 7
    assert not derivable(13.0, given_)
    assert derivable(13.0, given_, places=0)
    assert derivable(123456.0, frozenset(map(float, range(61))))


TEXT = """\
# Tips
One short line. And a second!

- eat #well
- sleep
1. walk
"""


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *[("words", 15), ("lines", 5), ("paragraphs", 2), ("bullets", 3), ("headings", 1)],
        *[("hashtags", 1), ("exclamation marks", 1), ("question marks", 0), ("links", 0)],
    ],
)
def test_counts_by_hand(name: str, count: int) -> None:
    unit = next(unit for unit in UNITS if re.fullmatch(unit.names, name))
    assert count in unit.measure(TEXT)
