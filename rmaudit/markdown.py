"""Text from models and data made safe for Markdown: it is shown as it is, and marks nothing up."""

from __future__ import annotations

import re

from rmaudit.terminal import plain

_MARKS = re.compile(r"([\\`*_{}\[\]#!|<>~@&$:])")


def inline(text: str) -> str:
    """One line of text, every mark of Markdown, HTML and mentions escaped."""
    line = " ".join(plain(text).split())
    return ("\\" if line[:1] in ("-", "+") else "") + cell(line)


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
    return "\\" + mark


def cell(text: str) -> str:
    """Text for a cell of a table: `inline`, where no mark can open a list."""
    return _MARKS.sub(_escaped, " ".join(plain(text).split()))
