"""How a response looks: its length and its markup, counted from the text alone.

The counts are those of the style control of Chatbot Arena (headers, bold spans, list items), where
fenced code counts for length only: a `#` in a program is a comment, not a heading.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.text.masking import fenced_lines

_HEADER = re.compile(r" {0,3}#{1,6}[ \t]+\S")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+\S")
_BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")


class Markup(NamedTuple):
    """Characters (without white space at the ends), headers, bold spans and list items."""

    length: int
    headers: int
    bold: int
    lists: int


def markup(text: str) -> Markup:
    """The counts of one text."""
    lines = text.split("\n")
    prose = [line for line, code in zip(lines, fenced_lines(lines), strict=True) if not code]
    return Markup(
        length=len(text.strip()),
        headers=sum(_HEADER.match(line) is not None for line in prose),
        bold=sum(len(_BOLD.findall(line)) for line in prose),
        lists=sum(_LIST_ITEM.match(line) is not None for line in prose),
    )
