"""How a response looks: counts by hand, and laws on any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.text.markup import Markup, markup

SHOWY = """\
# Plan

Buy **two** apples and __three__ pears.

1. Wash
2) Peel
- Cut
  * thinly
• Serve
```
# a comment
- **not** an item
```
## Notes
"""


def test_counts_by_hand() -> None:
    assert markup(SHOWY) == Markup(length=len(SHOWY) - 1, headers=2, bold=2, lists=5)


@pytest.mark.parametrize(
    "text",
    [
        "#hashtag and #1",
        "2 * 3 ** 2 * 4",
        "-5 degrees",
        "3.5 apples",
        "a - b",
        "snake_case __init__.py_",
        "    # an indented block",
        "** not bold\nover lines **",
    ],
)
def test_what_only_resembles_markup(text: str) -> None:
    _, headers, bold, lists = markup(text)
    assert (headers, lists) == (0, 0)
    assert bold == text.count("__init__")


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    assert markup("```\n- one\n- two").lists == 2


@given(st.text(alphabet="ab #*-_1.)`\n", max_size=60))
def test_laws(text: str) -> None:
    found = markup(text)
    assert found.length == len(text.strip())
    assert found.headers + found.lists <= len(text.split("\n"))
    assert 5 * found.bold <= len(text)
    twice = markup(text + "\n\nplain words\n\n" + text)
    if "`" not in text:
        assert twice[1:] == tuple(2 * count for count in found[1:])
