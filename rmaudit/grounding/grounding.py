"""Is what a reason quotes or counts really there: quotes and numbers held against the texts.

A quote or number is *grounded* where it stands in the request or in the response that the reason
is about, or equals what a program counts there. It is *unchecked* where a program cannot tell: a
number that one step of arithmetic or a run of the code may give, a count of things that a program
does not know, and what a reason says should be there, or is missing. Else it is *ungrounded*: made
up, or misquoted.

Whether a grounded reason is right is another question; this one is whether it read the texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

from rmaudit.grounding import expressions as words
from rmaudit.grounding.figures import (
    NUMBER,
    NUMBER_WORDS,
    UNITS,
    WORD_NUMBER,
    derivable,
    names_a_number,
    numbers,
    readings,
)
from rmaudit.records import ModelReason
from rmaudit.text.normalise import normalise

Standing = Literal["grounded", "unchecked", "ungrounded"]

_STRAIGHT = str.maketrans("“”„«»‘’‚‹›´–—−‐‑", "\"\"\"\"\"''''''-----")
_MARKS = re.compile(r"[*`]")
_WORDLY = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_EDGES = " .,;:!?\"'()"
_DATA_INSIDE = re.compile(r"[\d\"'“‘]")
_ADVERBS = {"once": 1, "twice": 2, "thrice": 3}
_MAY_CLAIM = re.compile("[\\d`\"'“„«‘「『]")
_DIGIT = re.compile(r"\d")
MOST_CLAIMS = 50
_SMALL = 20
_BEFORE = 40
"""Characters before a number in which a word may say how it is meant."""
_ABOUT = 0.1
"""`about 200 words` holds from 180 to 220."""


class GroundedPart(NamedTuple):
    """A quote or a number of a reason, and how it stands."""

    text: str
    standing: Standing


@dataclass
class Text:
    """One text of an item, read once and only where it is needed."""

    raw: str

    @cached_property
    def folded(self) -> str:
        """As quotes are compared."""
        return _fold(self.raw)

    @cached_property
    def packed(self) -> str:
        """The same without white space, as code is compared."""
        return "".join(self.folded.split())

    @cached_property
    def numbers(self) -> frozenset[float]:
        """All numbers in it."""
        return numbers(normalise(self.raw))

    @cached_property
    def counts(self) -> tuple[set[int], ...]:
        """What a program counts in it, in the order of UNITS."""
        return tuple(unit.measure(self.raw) for unit in UNITS)

    def times(self, quote: str) -> int:
        """How often a folded quote stands here, as whole words."""
        return max(sum(1 for _ in _places(self.folded, part)) for part in _forms(quote))

    def holds(self, quote: str) -> bool:
        """Whether a folded quote stands here, as whole words."""
        return any(True for part in _forms(quote) for _ in _places(self.folded, part))


class ItemTexts(NamedTuple):
    """The texts of an item."""

    request: Text
    a: Text
    b: Text

    @classmethod
    def of(cls, request: str, response_a: str, response_b: str) -> ItemTexts:
        """From the texts themselves."""
        return cls(Text(request), Text(response_a), Text(response_b))


def claims(reason: ModelReason, source: ItemTexts) -> tuple[GroundedPart, ...]:
    """The quotes and numbers of a reason in item coordinates, and how each stands.

    So many at most, since a hostile reason may hold any number of them.
    """
    if not (_MAY_CLAIM.search(reason.text) or names_a_number(reason.text)):
        return ()
    return tuple(islice(_Reading(reason, source).claims(), MOST_CLAIMS))


def standing(found: Sequence[GroundedPart]) -> Standing | None:
    """That of a reason: ungrounded with any such claim, else unchecked; None without a claim."""
    kinds = {claim.standing for claim in found}
    order: tuple[Standing, ...] = ("ungrounded", "unchecked", "grounded")
    return next((kind for kind in order if kind in kinds), None)


def _fold(text: str) -> str:
    """Without case, emphasis and code marks; punctuation of one kind."""
    return _MARKS.sub("", normalise(text).translate(_STRAIGHT)).casefold()


def _forms(quote: str) -> tuple[str, str]:
    """As it is, and without the punctuation at its ends."""
    return quote.strip(), quote.strip(_EDGES)


def _places(text: str, part: str) -> Iterator[int]:
    """Where a part stands in a folded text as itself, no piece of a longer word or number."""
    place = text.find(part) if part else -1
    while place >= 0:
        end = place + len(part)
        whole = not (
            _joined(text[place - 1 : place], part[0]) or _joined(part[-1], text[end : end + 1])
        )
        if whole:
            yield place
        place = text.find(part, end if whole else place + 1)


def _joined(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word or number."""
    return left in _WORDLY and right in _WORDLY


class _Reading:
    """One reason, and the texts that it may speak of.

    `text` is it without the names of the sides, `voice` also without what it quotes, `rest` what no
    claim was found in yet; all of one length.
    """

    def __init__(self, reason: ModelReason, source: ItemTexts) -> None:
        text = normalise(reason.text)
        named = {"a" if match["a"] else "b" for match in words.SIDE.finditer(text)}
        if reason.about in ("a", "b"):
            named.add(reason.about)
        if reason.about == "both" or not named:
            named = {"a", "b"}
        self.responses = [
            text for side, text in (("a", source.a), ("b", source.b)) if side in named
        ]
        self.request = source.request
        self.texts = [self.request, *self.responses]
        self.text = words.SIDE.sub(lambda match: "·" * len(match[0]), text)
        self.rest = self.voice = self.text
        self.quotes: list[re.Match[str]] = []

    @cached_property
    def given(self) -> frozenset[float]:
        """All numbers in the texts."""
        return frozenset().union(*(text.numbers for text in self.texts))

    @cached_property
    def counted(self) -> frozenset[float]:
        """What a program counts in the responses, of the units that the reason names."""
        return frozenset(
            float(count)
            for k, unit in enumerate(UNITS)
            if re.search(rf"\b(?:{unit.names})(?!\w)", self.rest, re.IGNORECASE)
            for text in self.responses
            for count in text.counts[k]
        )

    def claims(self) -> Iterator[GroundedPart]:
        """Quotes, then numbers; each form takes its part out of what is left to read."""
        # A look for the characters that a form cannot do without is faster than its expression.
        code = self._take(words.CODE) if "`" in self.rest else []
        brackets = "[" in self.rest or "{" in self.rest
        data = self._take(words.DATA, holding=_DATA_INSIDE) if brackets else []
        self.quotes = [*code, *self._take(words.QUOTE)]
        self.voice = self.rest
        for match in self.quotes:
            quote = match[match.lastindex or 0]
            if any(character.isalnum() for character in quote):
                yield GroundedPart(quote, self._quote(quote, match))
        for match in self._take(words.TIMES) if self.quotes else ():
            yield GroundedPart(match[0], self._repeated(match))
        for match in self._take(words.RATING) if _DIGIT.search(self.rest) else ():
            if self._holds(match[0]):
                yield GroundedPart(match[0], "grounded")
        for match in data:
            excused = bool(code) or self._cued(match, words.NORM)
            yield GroundedPart(match[0], self._or_unchecked(self._holds(match[0]), excused))
        if _DIGIT.search(self.rest):
            for match in self._take(words.COMPOSITE):
                yield GroundedPart(match[0], self._composite(match))
            for match in NUMBER.finditer(self.rest):
                yield GroundedPart(match[0], self._number(match))
        for match in WORD_NUMBER.finditer(self.rest) if names_a_number(self.rest) else ():
            unit = words.UNIT.match(self.rest, match.end())
            if unit:
                value = float(NUMBER_WORDS[match[0].casefold()])
                yield GroundedPart(match[0], self._count(value, match, unit))

    def _take(
        self, pattern: re.Pattern[str], *, holding: re.Pattern[str] | None = None
    ) -> list[re.Match[str]]:
        """What is found in the rest, and taken out of it."""
        found = [
            match
            for match in pattern.finditer(self.rest)
            if holding is None or holding.search(match[0])
        ]
        if not found:
            return found
        pieces, end = [], 0
        for match in found:
            pieces += [self.rest[end : match.start()], "·" * len(match[0])]
            end = match.end()
        self.rest = "".join([*pieces, self.rest[end:]])
        return found

    @cached_property
    def segments(self) -> list[int]:
        """Where the parts of sentences begin and end."""
        ends = [end for match in words.SEGMENT.finditer(self.voice) for end in match.span()]
        return [0, *ends, len(self.voice)]

    def _holds(self, quote: str) -> bool:
        """Whether one of the texts holds a quote, all parts of it where it has gaps."""
        parts = [part for part in words.ELLIPSIS.split(_fold(quote)) if part.strip(_EDGES)]
        packed = "".join(_fold(quote).split())
        return any(
            all(text.holds(part) for part in parts) or (len(packed) > 8 and packed in text.packed)
            for text in self.texts
        )

    def _cued(self, match: re.Match[str], *cues: re.Pattern[str]) -> bool:
        begin = self.segments[bisect_right(self.segments, match.start()) - 1]
        segment = self.voice[begin : self.segments[bisect_left(self.segments, match.end())]]
        return any(cue.search(segment) for cue in cues)

    @staticmethod
    def _or_unchecked(grounded: bool, excused: bool) -> Standing:
        return "grounded" if grounded else "unchecked" if excused else "ungrounded"

    def _quote(self, quote: str, match: re.Match[str]) -> Standing:
        name = re.match(r"[^\W\d]\w*(?=\()", quote)  # a call that the model ran, of a function here
        called = name is not None and self._holds(name[0])
        excused = called or self._cued(match, words.NORM, words.ABSENT)
        return self._or_unchecked(self._holds(quote), excused)

    def _repeated(self, match: re.Match[str]) -> Standing:
        """`"free" three times`: how often the nearest quote stands in a response."""
        value = match["digits"] or _ADVERBS.get((match["adverb"] or "").casefold())
        value = value or NUMBER_WORDS.get((match["word"] or "").casefold())
        if value is None:
            return "unchecked"
        quote = min(self.quotes, key=lambda q: abs(q.start() - match.start()))
        folded = _fold(quote[quote.lastindex or 0])
        return self._or_unchecked(
            any(text.times(folded) == int(value) for text in self.texts), excused=False
        )

    def _composite(self, match: re.Match[str]) -> Standing:
        parts = [readings(part) for part in re.split(r"[-:/.]", match[0])]
        elsewhere = all(part & self.given for part in parts)  # perhaps written in another form
        excused = elsewhere or self._cued(match, words.NORM)
        return self._or_unchecked(self._holds(match[0]), excused)

    def _number(self, match: re.Match[str]) -> Standing:
        unit = words.UNIT.match(self.rest, match.end())
        values = readings(match[0])
        if unit and values:
            return self._count(min(values), match, unit)
        if values & (self.given | self.counted) or self._listed(match[0]):
            return "grounded"
        excused = (
            (match[0].isdigit() and self._may_count(match))
            or words.PLACE.search(self._before(match)) is not None
            or self._cued(match, words.NORM, words.ABSENT, words.ARITHMETIC)
            or any(derivable(v, self.given, places=self._places(match)) for v in values)
        )
        return self._or_unchecked(False, excused)

    def _listed(self, text: str) -> bool:
        """Whether it is several numbers of the texts: `(1,1)`, but not the zeros of `1,000,000`."""
        parts = text.split(",")
        if any(len(part) > 1 and part.startswith("0") for part in parts):
            return False
        return all(readings(part) & self.given for part in parts)

    def _places(self, match: re.Match[str]) -> int | None:
        """To how many places a number may be rounded: as many as it has; percentages to none."""
        places = len(match[0].partition(".")[2])
        after = self.rest[match.end() : match.end() + _BEFORE].lstrip()
        percent = after.startswith(("%", "percent"))
        return places if places or percent else None

    def _may_count(self, match: re.Match[str]) -> bool:
        """Before a plural, or small and beside a number that stands before one."""
        if words.NOUN.match(self.rest, match.end()):
            return True
        return int(match[0]) <= _SMALL and self.counts_things

    @cached_property
    def counts_things(self) -> bool:
        """Whether a number of the reason stands before a plural."""
        others = NUMBER.finditer(self.rest)
        return any(words.NOUN.match(self.rest, other.end()) for other in others)

    def _before(self, match: re.Match[str]) -> str:
        return self.rest[max(0, match.start() - _BEFORE) : match.start()]

    def _count(self, value: float, match: re.Match[str], unit: re.Match[str]) -> Standing:
        """A number of characters, words, bullets, ..., as stated in the texts or counted."""
        which = next(k for k in range(len(UNITS)) if unit[f"u{k}"] is not None)
        counted = set().union(*(text.counts[which] for text in self.responses))
        stated = value in self.request.numbers or self._holds(match[0] + unit[0])
        if stated or _agrees(value, counted, self._before(match)):
            return "grounded"
        taste = UNITS[which].fuzzy and any(c == 0 or abs(c - value) <= 1 for c in counted)
        limits = self.request.numbers | {float(count) for count in counted}
        excused = (
            taste
            or any(value == abs(x - y) for x in limits for y in limits)  # so many too long
            or self._cued(match, words.NORM, words.ABSENT)
        )
        return self._or_unchecked(False, excused)


def _agrees(value: float, counted: set[int], before: str) -> bool:
    """Whether a count is what is said: exactly, or as `more than`, `under` or `about` has it."""
    bound = words.BOUND.search(before)
    if bound is None:
        return value in counted
    if bound["over"]:
        return any(count >= value for count in counted)
    if bound["under"]:
        return any(count <= value for count in counted)
    return any(abs(count - value) <= _ABOUT * value for count in counted)
