"""Text from models and data made safe for Markdown: it is shown as it is, and marks nothing up."""

from __future__ import annotations

import re

from rmaudit.terminal import plain

_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|<>~@&$:-])")


def inline(text: str) -> str:
    """One line of text, every mark of Markdown, HTML and mentions escaped."""
    return _MARKS.sub(_escaped, " ".join(plain(text).split()))


def _escaped(match: re.Match[str]) -> str:
    mark = match[0]
    if mark == "&":
        return "&amp;"
    if mark == "<":
        return "&lt;"
    if mark == "@":
        return "&#64;"  # a backslash does not stop a mention
    if mark == ":":
        return "&#58;" if match.string[match.end() : match.end() + 2] == "//" else mark
    return "\\" + mark if mark not in "-+()!$" or _opens(match) else mark


def _opens(match: re.Match[str]) -> bool:
    """Whether `-`, `+` and their like stand where they mark up: first on the line, or an image."""
    return match.start() == 0 or match[0] in "!$"


def cell(text: str) -> str:
    """Text for a cell of a table; `inline` escapes the bars."""
    return inline(text)
