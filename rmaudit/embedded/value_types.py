"""Values told by their kind: a string where a number is due, true where false is.

`66 is quoted` and `66 is left as a plain number` name one value and say the opposite of it: what
kind was found there decides, and not which kinds are named.
"""

from __future__ import annotations

import re
from functools import lru_cache

_STRING = r"strings?|text|quot(?:es|ed|ation marks)|inverted commas"
_NUMBER = r"numbers?|integers?|int|numeric|numeral|unquoted"
_PAIRS = tuple(
    (one, other, re.compile(rf"\b(?:(?P<one>{ones})|(?P<other>{others}))\b"))
    for one, ones, other, others in (
        ("string", _STRING, "number", _NUMBER),
        ("true", "true", "false", "false"),
    )
)
_WANTED_BEFORE = re.compile(
    r"(?:\b(?:instead|in place|lieu) of|\brather than|\bnot|n['’]t|\b(?:no|without|never|unlike)"
    r"|\b(?:should|must|ought to|needs? to|ha[sd] to|supposed to|meant to|expected to)(?: have)?"
    r"(?: been?)?|\b(?:wants?|wanted|asks?|asked|calls?|called|requires?|required|needs?|needed|due"
    r"|demands?|demanded|specif\w+|expect\w*|where|for|(?:request|brief|user|task)(?: says?)?"
    r"|lacks?|lacking|missing|misses|omits?|leaves? out|drops?|forgets?)"
    r"|\b(?:should|must|ought to)(?: have)?(?: been?)? (?:\S+ ){1,3}(?:as|in))"
    r"(?: (?:in|as|for|it|is|was|are|be|been|stay|stored|given|written|set|to|an?|the|its|§))*"
    r"(?: (?:json|plain|proper|real|genuine|bare|double|actual))* ?\W?\Z"
)
_WANTED_AFTER = re.compile(
    r"\W?(?:value |type )?,? ?(?:is|was|were|are|would be|would have been)"
    r" (?:\w+ )?(?:asked|wanted|required|needed|requested|expected|demanded|specified|called|right"
    r"|correct|due|meant|prescribed)\b|\W? as (?:asked|requested|required|specified)\b"
    r"|\W? (?:belongs|is due)\b"
)


@lru_cache(maxsize=4096)
def found_kind(text: str) -> str:
    """The kind of value that a text says was found: string, number, true or false; else ''.

    Where only the kind that was wanted is named, its contrary was found.
    """
    folded = text.casefold()
    for one, other, either in _PAIRS:
        held: set[str] = set()
        wanted: set[str] = set()
        for match in either.finditer(folded):
            kind = one if match["one"] else other
            due = _WANTED_BEFORE.search(folded[max(0, match.start() - 40) : match.start()])
            due = due or _WANTED_AFTER.match(folded, match.end())
            (wanted if due else held).add(kind)
        held -= wanted
        if len(held) == 1:
            return min(held)
        if not held and len(wanted) == 1:
            return other if wanted == {one} else one
    return ""


@lru_cache(maxsize=4096)
def of_kinds(text: str) -> bool:
    """Whether a text sets one kind of value against its contrary."""
    folded = text.casefold()
    return any(
        len({match.lastgroup for match in either.finditer(folded)}) == 2 for *_, either in _PAIRS
    )
