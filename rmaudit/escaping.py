"""Text from models and data made safe where it is shown: a terminal, a log of CI, and Markdown.

CI services take orders from a log: GitHub reads `::error::` at the start of a line, with blanks
before it or without, others `##[error]` or `##vso[...]` anywhere. Both get a blank inside.
"""

from __future__ import annotations

import re

# C0 and C1 controls, DEL, the separators of lines and paragraphs, and the characters that turn the
# writing direction around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = re.compile("[\n\r\t\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_ORDER = re.compile(r"(?<!\S)::|##(?=\w*\[)")
_MARKS = re.compile(r"([\\`*_{}\[\]#!|<>~@&$:])")


def plain(text: str) -> str:
    """`text` with every control character but newline and tab shown as �."""
    return _CONTROL.sub("\ufffd", text)


def one_line(text: str) -> str:
    """`text` as one line of a terminal or a log: line breaks are blanks, orders to CI are none.

    Blanks are kept, so that columns stay where they are.
    """
    line = plain(_BREAKS.sub(" ", text))
    return _ORDER.sub(lambda order: f"{order[0][0]} {order[0][1]}", line)


def quoted(text: str) -> list[str]:
    """Lines of a text that is shown as it is, each behind a bar, so that none can pose as ours."""
    return [f"  │ {one_line(line)}".rstrip() for line in text.replace("\r\n", "\n").split("\n")]


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
