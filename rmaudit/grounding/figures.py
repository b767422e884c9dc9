"""Numbers in a text, and what a program can count in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from rmaudit.text.markup import markup
from rmaudit.text.sentences import sentences

NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*|(?<=[.,])(?<!\w[.,])\d+(?:[.,]\d+)*")
NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
WORD_NUMBER = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", re.IGNORECASE)
MOST_GIVEN = 60
"""Of more numbers than these some pair gives almost any number, so that finding one says little."""

_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_PERCENT = re.compile(r"\s?(?:%|percent)")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_TOKENS = re.compile(r"\w+(?:['’-]\w+)*")


def names_a_number(text: str) -> bool:
    """Whether WORD_NUMBER finds anything; a look for the letters is faster than the expression."""
    folded = text.casefold()
    return any(word in folded for word in NUMBER_WORDS) and bool(WORD_NUMBER.search(text))


def readings(token: str) -> frozenset[float]:
    """What a number may mean: `1,200` is 1200, `2,5` is 2.5, `1.200` is 1.2 or 1200.

    A token with more parts than a number has (`1.2.3`) means none.
    """
    found = set()
    if _GROUPED.fullmatch(token):
        found.add(_float(token.replace(",", "")))
    elif token.count(",") + token.count(".") <= 1:
        found.add(_float(token.replace(",", ".")))
    if _EUROPEAN.fullmatch(token):
        found.add(_float(token.replace(".", "").replace(",", ".")))
    return frozenset(found)


def _float(text: str) -> float:
    return round(float(text), 10)


def numbers(text: str) -> frozenset[float]:
    """All numbers of a text, in digits or as words up to twenty; percentages as shares too."""
    found: set[float] = set()
    for match in NUMBER.finditer(text):
        values = readings(match[0])
        found |= values
        if _PERCENT.match(text, match.end()):
            found |= {round(value / 100, 10) for value in values}
    found |= {float(NUMBER_WORDS[word.casefold()]) for word in WORD_NUMBER.findall(text)}
    return frozenset(found)


def derivable(value: float, given: frozenset[float], *, places: int | None = None) -> bool:
    """Whether one step of arithmetic on two given numbers gives `value`.

    `places` is the number of digits after the point to which `value` may be rounded, None if it is
    exact. True where too many numbers are given for that to tell anything.
    """
    if len(given) > MOST_GIVEN:
        return True
    return any(
        abs(found - value) < 1e-9 or (places is not None and round(found, places) == value)
        for x, y in product(given, repeat=2)
        for found in _results(x, y)
    )


def _results(x: float, y: float) -> Iterator[float]:
    yield from (x + y, x - y, x * y, x * y / 100)
    if y:
        yield from (x / y, 100 * x / y)


class Unit(NamedTuple):
    """Something that a program counts.

    names: as an expression. measure: one text may be counted in several ways. fuzzy: where a unit
    begins and ends is a matter of taste, so that one more or less is no contradiction.
    """

    names: str
    measure: Callable[[str], set[int]]
    fuzzy: bool = False


def _characters(text: str) -> set[int]:
    return {len(text), len(text.strip()), len("".join(text.split()))}


def _words(text: str) -> set[int]:
    return {len(text.split()), len(_TOKENS.findall(text))}


def _lines(text: str) -> set[int]:
    lines = text.strip().split("\n")
    return {len(lines), sum(bool(line.strip()) for line in lines)}


def _sentences(text: str) -> set[int]:
    return {sum(len(sentences(line)) for line in text.split("\n"))}


def _paragraphs(text: str) -> set[int]:
    return {len(_BLANK_LINES.split(text.strip()))}


def _found(pattern: str) -> Callable[[str], set[int]]:
    return lambda text: {len(re.findall(pattern, text))}


UNITS = (
    Unit("characters?|chars?", _characters),
    Unit("words?", _words),
    Unit("lines?", _lines),
    Unit("sentences?", _sentences, fuzzy=True),
    Unit("paragraphs?", _paragraphs, fuzzy=True),
    Unit(
        "bullets?|bullet[ -]points?|list[ -]items?",
        lambda text: {markup(text).lists},
        fuzzy=True,
    ),
    Unit("headers?|headings?", lambda text: {markup(text).headers}),
    Unit("hashtags?", _found(r"#\w+")),
    Unit("exclamation (?:marks?|points?)", _found("[!！]")),
    Unit("question marks?", _found("[?？]")),
    Unit("links?|urls?", _found("https?://")),
)
