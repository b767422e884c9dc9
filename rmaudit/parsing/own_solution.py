"""Tells a judge's own solution of the request from its argument about the responses.

Some judges answer the request themselves before they compare. The steps of that solution are no
reasons: they name no response. The argument begins with the first paragraph that does.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rmaudit.parsing.lists import heading_text
from rmaudit.parsing.sides import Names, names_vaguely, places_named

_ANNOUNCED = re.compile(
    r"\b(?:my (?:own )?(?:answer|solution|response|analysis|approach)\b"
    r"|(?:generat|provid|giv|writ|work|deriv|comput|com|produc)(?:e|es|ing)? (?:out |up with )?"
    r"(?:my|an?) (?:own )?(?:answer|solution|response)\b"
    r"|(?:answer|solv|work through|go through|break down)(?:e|ing)? (?:the|this|it)\b)",
    re.IGNORECASE,
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_SEPARATE = re.compile(r"[.!?。！？\n]")
_ARGUES = 2
"""So many sentences that name a side are an argument, not only a conclusion."""
_MUCH = 2
_OPENING = 600
"""An own solution is announced within so many characters."""


def argument(text: str, *, names: Names) -> str:
    """The text from where it speaks of the responses on; all of it where nothing else precedes.

    An announced solution that no word about a response follows leaves nothing.
    """
    announced = bool(_ANNOUNCED.search(text[:_OPENING]))
    places = [
        place
        for place in places_named(text, names=names)
        if not (place < _OPENING and _ANNOUNCED.search(_line(text, place)))
    ]
    if not places:
        return "" if announced else text
    start = _start_of_paragraph(text, places[0])
    before = text[:start]
    if not (announced or (_says_much(before) and not names_vaguely(before, names=names))):
        return text
    return text[start:] if _sentences(text, places) >= _ARGUES else text


def _start_of_paragraph(text: str, place: int) -> int:
    breaks = list(_PARAGRAPHS.finditer(text, 0, place))
    return breaks[-1].end() if breaks else 0


def _says_much(text: str) -> bool:
    """Whether more than headings and a lead-in stands here."""
    lines = (line for line in text.split("\n") if line.strip() and not heading_text(line))
    return sum(1 for _ in lines) >= _MUCH


def _line(text: str, place: int) -> str:
    start = text.rfind("\n", 0, place) + 1
    return text[start : place + 1]


def _sentences(text: str, places: list[int]) -> int:
    """How many sentences or lines the places are spread over."""
    return 1 + sum(bool(_SEPARATE.search(text, *gap)) for gap in pairwise(places))
