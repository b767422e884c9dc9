"""What a reason points to in its item: values, names, quotations, places, telling words.

The item's texts say which part a fact plays. What stands in the faulted response and not in the
request was *found* there; what stands in the request and not in that response was *expected*; what
stands everywhere says *where* the fault is. A reason that names what was found states the fault
even if it leaves out what was expected, and not the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Literal, NamedTuple

from rmaudit.embedded.lexicon import MONTHS, STOP
from rmaudit.embedded.stems import (
    GENERIC_STEMS,
    TOKEN,
    UNIT_STEMS,
    is_number,
    number,
    stem,
    words,
)
from rmaudit.text.quotations import QUOTED

Kind = Literal["number", "name", "quote", "example", "place", "unit", "word"]
Role = Literal["found", "expected", "everywhere", "nowhere"]

_SIDE_NAME = re.compile(r"\bresponses? [ab]\b(?:['’]s)?|\bresponses a and b\b", re.IGNORECASE)
_PLACE = re.compile(r"\(([a-h])\)|\b(?:part|question|step|section) ([a-h])\b", re.IGNORECASE)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_LITERAL = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}")
_MONTH = f"(?:{'|'.join(name.title() for name in MONTHS)})"
_DATE = re.compile(rf"\b\d{{1,2}} (?:of )?{_MONTH}\b|\b{_MONTH} \d{{1,2}}\b")
_CODE = re.compile(r"[_(){}\[\]=<>$*/]|\w\.\w")


class FoundFact(NamedTuple):
    """A fact of a text: the tokens that make it up; `of`: the function that an example calls."""

    tokens: frozenset[str]
    kind: Kind
    of: str = ""


def without_sides(text: str) -> str:
    """A prepared text without the names of the responses."""
    return " ".join(_SIDE_NAME.sub(" ~ ", text).split())


def prose(text: str) -> str:
    """A text without calls, lists and objects."""
    return str(_LITERAL.sub(" ", _CALL.sub(r" \1 ", text)))


class Mentions(NamedTuple):
    """What a stretch of text says.

    Attributes:
        facts: each once, single words of its prose last.
        words: all stems but small words; small words that are quoted whole.
        plain: those outside the arguments of calls, lists and objects.
    """

    facts: tuple[FoundFact, ...]
    words: frozenset[str]
    plain: frozenset[str]


@lru_cache(maxsize=4096)
def said(text: str) -> Mentions:
    """Reads a prepared text, the names of the responses left out.

    A call such as `f([1, 2], 3)` names the function; its arguments are an example, and so is a
    list or object.
    """
    rest = without_sides(text)
    found: list[FoundFact] = []

    def take(pattern: re.Pattern[str], read: Callable[[re.Match[str]], list[FoundFact]]) -> None:
        """Reads the matches of a pattern, and takes them out."""
        nonlocal rest
        for match in pattern.finditer(rest):
            found.extend(read(match))
        rest = pattern.sub(" ", rest)

    take(_PLACE, lambda m: [FoundFact(frozenset({f"part {m[1] or m[2]}".casefold()}), "place")])
    take(_CALL, _call)
    take(_LITERAL, lambda m: [FoundFact(frozenset(words(m[0])), "example")])
    take(QUOTED, lambda m: [_quotation(m[m.lastindex or 0])])
    take(_DATE, lambda m: [FoundFact(frozenset(words(m[0])), "name")])
    general = set()
    for match in TOKEN.finditer(rest):
        one, stemmed = _single(match.group(), rest[max(0, match.start() - 6) : match.start()])
        if one is not None:
            found.append(one)
        elif stemmed:
            general.add(stemmed)
    kept = tuple(dict.fromkeys(one for one in found if one.tokens))
    plain = frozenset(general).union(*(one.tokens for one in kept if one.kind != "example"))
    return Mentions(
        kept, plain.union(*(one.tokens for one in kept if one.kind == "example")), plain
    )


def _call(match: re.Match[str]) -> list[FoundFact]:
    name = stem(match[1].casefold())
    arguments = FoundFact(frozenset(words(match[2])), "example", name)
    return [FoundFact(frozenset({name}), "name"), arguments]


def _quotation(text: str) -> FoundFact:
    tokens = frozenset(words(text)) or frozenset(text.casefold().split())
    return FoundFact(tokens, "name" if _CODE.search(text) and len(tokens) == 1 else "quote")


def _single(token: str, before: str) -> tuple[FoundFact | None, str]:
    """A number, name or word outside quotations; else the stem of a general word, '' of a small."""
    if is_number(token):
        return FoundFact(frozenset({number(token)}), "number"), ""
    bare = token.removesuffix("'s").removesuffix("’s")
    folded = bare.casefold()
    if folded[0] == "#" or "_" in folded or bare[1:] != bare[1:].lower():
        return FoundFact(frozenset({stem(folded)}), "name"), ""
    if folded in STOP:
        return None, ""
    stemmed = stem(folded)
    before = before.rstrip(" \"'“‘(`*")
    starts = not before or before[-1] in ".!?:;\n~"
    if stemmed in GENERIC_STEMS:
        return None, stemmed
    if bare[0].isupper() and len(bare) > 1 and not starts:
        return FoundFact(frozenset({stemmed}), "name"), ""
    return FoundFact(frozenset({stemmed}), "unit" if stemmed in UNIT_STEMS else "word"), ""


def role(
    tokens: Collection[str], own: Collection[str], other: Collection[str], request: Collection[str]
) -> Role:
    """The part that a fact plays; `own`: tokens of the faulted response, `other` of the other."""
    here = all(token in own for token in tokens)
    asked = all(token in request for token in tokens)
    if here and not asked:
        return "found"
    if asked and not here:
        return "expected"
    return "everywhere" if here else "nowhere"
