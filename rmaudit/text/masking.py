"""What an answer says in its own voice: look-alike characters folded, quoted material masked.

Whatever searches an answer (for verdicts, sides, run-on markers) looks at the folded text, where
full width or a zero-width space cannot hide a verdict, and trusts only what the mask leaves, where
a verdict inside quotation marks, code or a blockquote does not count. Every expression here takes
time linear in the text, since the text may be hostile.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

FILL = "\0"
"""Stands for each masked character; no expression of this package matches it."""

_BRACKETS = {"【": "[", "】": "]", "〔": "[", "〕": "]"}
_INVISIBLE = frozenset("\r\u034f\u115f\u1160\u3164\uffa0")


class Folded(NamedTuple):
    """A folded text; `origin[i]` is where its character i stands in the original.

    `origin` has one entry more than `text`, the length of the original.
    """

    text: str
    origin: Sequence[int]


def fold(text: str) -> Folded:
    """NFKC character by character, without invisible ones, so that positions can be traced back.

    Characters that NFKC expands (`…`, `½`) stay, as nothing searched for is written with them.
    """
    plain = "\r" not in text if text.isascii() else all(map(_folds_to_itself, set(text)))
    if plain:
        return Folded(text, range(len(text) + 1))
    folded = [_fold_character(character) for character in text]
    origin = [i for i, character in enumerate(folded) if character]
    return Folded("".join(folded), [*origin, len(text)])


@lru_cache(maxsize=1 << 12)
def _fold_character(character: str) -> str:
    if unicodedata.category(character) == "Cf" or character in _INVISIBLE:
        return ""
    plain = unicodedata.normalize("NFKC", character)
    return _BRACKETS.get(character, plain if len(plain) == 1 else character)


@lru_cache(maxsize=1 << 12)
def _folds_to_itself(character: str) -> bool:
    return _fold_character(character) == character


# A quotation may run over a line break, but not into a new block: a stray quotation mark must not
# swallow the rest of a list, nor a verdict that stands on its own line.
_NEW_BLOCK = r"[ \t]{0,8}(?:\n|\Z|[-*•#>\\]|\d{1,3}[.)])"
_QUOTATIONS = tuple(
    (marks, re.compile(pattern))
    for marks, pattern in (
        ('"', rf'(?<![\w"])"(?=\S)(?:[^"\n]|\n(?!{_NEW_BLOCK}))*"'),
        ("“„", rf"[“„](?:[^“”„\n]|\n(?!{_NEW_BLOCK}))*[“”]"),
        ("«", rf"«(?:[^«»\n]|\n(?!{_NEW_BLOCK}))*»"),
        ("「『", rf"[「『](?:[^「」『』\n]|\n(?!{_NEW_BLOCK}))*[」』]"),
        ("‘", r"‘[^‘’\n]*(?:’(?=\w)[^‘’\n]*)*’"),
        ("'", r"(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)"),
    )
)
"""The marks that open a quotation, and the whole of it."""
_BLOCKQUOTE = re.compile(r"^[ \t]{0,8}>.*", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`]*)$")
_TICKS_OR_BREAK = re.compile(r"`+|\n")
_VISIBLE = re.compile(r"[^\n]")


def fenced_lines(lines: Sequence[str]) -> list[bool]:
    """Which lines belong to a fenced code block, fences included.

    A fence that is never closed was forgotten: it hides nothing.
    """
    inside, fence, opened = [], "", 0
    for i, line in enumerate(lines):
        match = _FENCE.match(line)
        inside.append(bool(fence or match))
        if not fence and match:
            fence, opened = match[1], i
        elif match and match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return inside if not fence else [*inside[: opened + 1], *[False] * (len(lines) - opened - 1)]


def mask_blocks(text: str) -> str:
    """The text, same length, with fenced code, blockquotes and code spans overwritten by FILL."""
    if not any(mark in text for mark in "`~>"):
        return text
    lines = text.split("\n")
    text = "\n".join(
        FILL * len(line) if fenced else line
        for line, fenced in zip(lines, fenced_lines(lines), strict=True)
    )
    return _mask_code_spans(_BLOCKQUOTE.sub(_fill, text))


def mask_quotations(text: str) -> str:
    """The text, same length, with what stands in quotation marks overwritten by FILL."""
    for marks, quotation in _QUOTATIONS:
        if any(mark in text for mark in marks):
            text = quotation.sub(_fill, text)
    return text


def mask_quoted(text: str) -> str:
    """The text, same length, with code, blockquotes and quotations overwritten by FILL."""
    return mask_quotations(mask_blocks(text))


def blank(text: str, spans: Sequence[tuple[int, int]], *, fill: str = FILL) -> str:
    """The text, same length, with the (ascending) spans overwritten by `fill`."""
    pieces, position = [], 0
    for start, end in spans:
        start = max(start, position)
        pieces += [text[position:start], _VISIBLE.sub(fill, text[start:end])]
        position = max(position, end)
    return "".join([*pieces, text[position:]])


def _fill(match: re.Match[str]) -> str:
    return _VISIBLE.sub(FILL, match[0])


def _mask_code_spans(text: str) -> str:
    """A run of backticks opens a span that the next run of the same length on its line closes."""
    if "`" not in text:
        return text
    runs = list(_TICKS_OR_BREAK.finditer(text))
    closing: list[int | None] = [None] * len(runs)
    following: dict[int, int] = {}
    for i in reversed(range(len(runs))):
        if runs[i][0] == "\n":
            following.clear()
            continue
        length = len(runs[i][0])
        closing[i] = following.get(length)
        following[length] = i
    spans, i = [], 0
    while i < len(runs):
        close = closing[i]
        if close is not None:
            spans.append((runs[i].start(), runs[close].end()))
        i = i + 1 if close is None else close + 1
    return blank(text, spans)
