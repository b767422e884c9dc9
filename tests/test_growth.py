"""The check of linear time lets linear work pass and finds quadratic work."""

from __future__ import annotations

import re

import pytest
from support.growth import check_linear


def test_linear_work_passes() -> None:
    check_linear(lambda text: [character.upper() for character in text], "ab")


def test_quadratic_work_is_found() -> None:
    with pytest.raises(AssertionError, match="times as long"):
        check_linear(re.compile("a+b").search, "a", 1_000)
