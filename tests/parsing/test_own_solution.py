"""A judge that first answers the request itself: its own steps are no reasons."""

from __future__ import annotations

import pytest

from rmaudit.parsing.own_solution import argument
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import DEFAULT_NAMES

SOLUTION = """I will work out my own answer first.

1. The train covers 120 km in 1.5 hours.
2. So its speed is 80 km/h, choice (C).

"""
ARGUMENT = """Comparing the two:

Response A multiplies instead of dividing and gets 180. It does not check the unit.

Response B divides correctly. Its result of 80 km/h is right."""
CLOSE = "\n\n\\boxed{B>A}"
EXPECTED = [
    ("Response A multiplies instead of dividing and gets 180.", "a"),
    ("It does not check the unit.", "a"),
    ("Response B divides correctly.", "b"),
    ("Its result of 80 km/h is right.", "b"),
]


def reasons(text: str) -> list[tuple[str, str | None]]:
    judgment = parse_pairwise(text, finish_reason="stop", max_reasons=9)
    return [(reason.text, reason.about) for reason in judgment.reasons]


@pytest.mark.parametrize(
    "text",
    [
        SOLUTION + ARGUMENT + CLOSE,
        SOLUTION.replace("my own answer first", "the numbers") + ARGUMENT + CLOSE,
        SOLUTION + "My verdict: \\boxed{B>A}\n\n" + ARGUMENT,
        "To judge Response A and Response B, I first give my own answer.\n\n"
        + SOLUTION
        + ARGUMENT
        + CLOSE,
    ],
    ids=["announced", "not announced", "argument after the verdict", "the lead-in names the sides"],
)
def test_steps_of_an_own_solution_are_no_reasons(text: str) -> None:
    assert reasons(text) == EXPECTED


def test_an_own_solution_alone_gives_no_reasons() -> None:
    judgment = parse_pairwise(SOLUTION + CLOSE, finish_reason="stop", max_reasons=9)
    assert judgment.verdict == "b"
    assert judgment.reasons == ()
    assert "no_reasons" in judgment.flags


def test_points_that_name_no_side_stay_without_an_argument_after_them() -> None:
    text = "1. The price is missing.\n2. The tone is flat.\n\nSo Response B is better."
    assert [reason for reason, _ in reasons(text + CLOSE)] == [
        "The price is missing.",
        "The tone is flat.",
    ]


def test_a_sentence_that_goes_on_keeps_the_side_and_another_does_not() -> None:
    text = "Response A omits the price. It also names no city. Nobody asked for a joke."
    assert reasons(text + CLOSE) == [
        ("Response A omits the price.", "a"),
        ("It also names no city.", "a"),
        ("Nobody asked for a joke.", None),
    ]


def test_listed_choices_are_no_names_of_sides() -> None:
    text = "**Response B:**\n- rules out the wrong choices (A, C, D)\n- picks the year 1969"
    assert reasons(text + CLOSE) == [
        ("rules out the wrong choices (A, C, D)", "b"),
        ("picks the year 1969", "b"),
    ]


def test_argument_leaves_a_text_alone_that_argues_from_its_first_paragraph() -> None:
    assert argument(ARGUMENT.partition("\n\n")[2], names=DEFAULT_NAMES).startswith("Response A")
    assert argument("", names=DEFAULT_NAMES) == ""
