"""Text from models and data made safe where it is shown: a terminal, and Markdown."""

from __future__ import annotations

import re

# C0 and C1 controls, DEL, and the characters that turn the writing direction around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MARKS = re.compile(r"([\\`*_{}\[\]#!|<>~@&$:])")


def plain(text: str) -> str:
    """`text` with every control character but newline and tab shown as �."""
    return _CONTROL.sub("\ufffd", text)


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
