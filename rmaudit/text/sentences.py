"""Splits prose into sentences: not at decimals, abbreviations or inside quotations; CJK too."""

from __future__ import annotations

import re

from rmaudit.text.masking import FILL, mask_quoted

_END = re.compile(r"[.!?]{1,3}[\"'”’)\]*_`]{0,3}(?=\s)|[。！？!?]{1,3}[」』”’）)]{0,2}|…(?=\s)")
_ABBREVIATIONS = frozenset(
    "al approx cf dept dr e.g ex fig i.e inc jr mr mrs ms prof sr st viz vs".split()
)
# Before a number these are abbreviations, elsewhere words: `The answer is no. 5 ...`.
_NUMBERED = frozenset("eq fig line no nos p pp sec vol".split())
_INITIALS = re.compile(r"(?:[A-Za-z]\.){1,4}[A-Za-z]\Z")
_LAST_WORD = re.compile(r"[\w.'’-]{1,24}\Z")


def sentences(text: str) -> list[str]:
    """The sentences of one paragraph, in order, whitespace collapsed."""
    text = " ".join(text.split())
    masked = mask_quoted(text)
    found, start = [], 0
    for match in _END.finditer(text):
        if match.start() >= start and _ends_sentence(text, masked, start, match):
            found.append(text[start : match.end()].strip())
            start = match.end()
    return [sentence for sentence in [*found, text[start:].strip()] if sentence]


def _ends_sentence(text: str, masked: str, start: int, match: re.Match[str]) -> bool:
    end = match.end()
    if masked[end : end + 1] == FILL:
        return False
    following = text[end : end + 2].strip()
    if match[0][0] in "。！？":
        return True
    if not text[end : end + 1].isspace() or following[:1].islower():
        return False
    if match[0][0] != ".":
        return True
    last = _LAST_WORD.search(text[max(start, match.start() - 24) : match.start()])
    word = last[0].casefold() if last else ""
    if word in _ABBREVIATIONS or (word in _NUMBERED and following[:1].isdigit()):
        return False
    numbers_an_item = word.isdigit() and not text[start : match.start()].strip("0123456789 ")
    return not (_INITIALS.search(word) or numbers_an_item)
