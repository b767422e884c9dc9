"""Strings for numbers, true for false: which kind of value a reason says was found."""

from __future__ import annotations

import pytest

from rmaudit.embedded.value_types import found_kind, of_kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It wraps 12 in quotes, although a number is needed.", "string"),
        ("The 12 under § is quoted, so it is not a number.", "string"),
        ("§ is stored as text rather than as a number.", "string"),
        ("It should have stored 12 as a number; it is a string there.", "string"),
        ("The value 12 lacks its quotes.", "number"),
        ("§ is the number 12 instead of a string.", "number"),
        ("§ stays a plain number.", "number"),
        ("It says false for true.", "false"),
        ("§ should be false, but true stands there.", "true"),
        ("§ ought to be true.", "false"),
        ("The price is missing.", ""),
    ],
)
def test_kind_that_was_found(text: str, kind: str) -> None:
    assert found_kind(text) == kind


def test_only_a_contrast_of_kinds_is_about_them() -> None:
    assert of_kinds("12 is quoted, so it is not a number.")
    assert of_kinds("false for true")
    assert not of_kinds('It says "quiet" and gives the number 12.')
    assert not of_kinds("The quoted phrase is missing.")
