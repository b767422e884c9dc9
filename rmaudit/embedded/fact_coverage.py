"""How much of each fact of a fault a reason says: in other words, formats, or half."""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.embedded.faults import ReferenceFact, ReferenceFault
from rmaudit.embedded.lexicon import MONTHS, STOP
from rmaudit.embedded.reading import NO_TOKENS, Context, Spoken, Tokens
from rmaudit.embedded.stems import GENERIC_STEMS, is_number, stem

BESIDE, BESIDE_A_VALUE = 0.4, 0.8
"""What a fact counts that only the praise of the other response names: not half said, unless the
faulted response is said to have another value."""
EXAMPLE_SHARE = 0.75
"""From this share of its words on, an example is named."""
NEAR = 0.6
"""A number at least so near to another one, as a ratio, may be a slip for it."""
_PLAIN = re.compile(r"\d+(?:\.\d+)?").fullmatch
_MONTH_STEMS = [stem(name) for name in MONTHS]


class Match(NamedTuple):
    """How much of each fact of a fault is said, and the share of their weight."""

    facts: tuple[tuple[ReferenceFact, float], ...]
    share: float

    @property
    def half_said(self) -> list[ReferenceFact]:
        """Facts of which half at least is said."""
        return [fact for fact, part in self.facts if part >= 0.5]

    @property
    def said(self) -> Tokens:
        """Tokens of the facts of which anything is said, but of places."""
        return NO_TOKENS.union(*(f.tokens for f, part in self.facts if part and f.kind != "place"))


NOTHING = Match((), 0.0)


def match_of(fault: ReferenceFault, spoken: Spoken, context: Context) -> Match:
    """What is said against a response of a fault with facts."""
    parts = tuple((fact, _said_part(fact, spoken)) for fact in fault.facts)
    if any(part == BESIDE for _, part in parts) and any(
        part == 1.0 and fact.is_value and fact.role != "expected" for fact, part in parts
    ):
        parts = tuple((f, BESIDE_A_VALUE if part == BESIDE else part) for f, part in parts)
    if any(part == 1.0 and (fact.is_value or fact.kind == "place") for fact, part in parts):
        parts = _with_slips(parts, spoken, context)
    total = sum(fact.weight for fact, _ in parts)
    return Match(parts, sum(fact.weight * part for fact, part in parts) / total)


def _with_slips(
    parts: tuple[tuple[ReferenceFact, float], ...], spoken: Spoken, context: Context
) -> tuple[tuple[ReferenceFact, float], ...]:
    """A number that stands nowhere in the item, and is much like one left out, half says it."""
    strays = [
        float(token)
        for one in spoken.hard
        if one.kind == "number"
        for token in one.tokens
        if context.everything and token not in context.everything and _PLAIN(token)
    ]
    if not strays:
        return parts
    return tuple(
        (fact, 0.5)
        if not part
        and fact.kind == "number"
        and fact.telling
        and fact.role == "found"
        and any(
            _PLAIN(token) and NEAR <= (float(token) or 1.0) / (stray or 1.0) <= 1 / NEAR
            for token in fact.tokens
            for stray in strays
        )
        else (fact, part)
        for fact, part in parts
    )


def _said_part(fact: ReferenceFact, spoken: Spoken) -> float:
    """How much of a fact is said; half a quotation of some words at least, or none of it."""
    if fact.kind == "example" and any(one.tokens == fact.tokens for one in spoken.examples):
        return 1.0
    said = spoken.plain if fact.kind in ("number", "example") else spoken.words
    if fact.role == "expected":
        said = said | spoken.beside
    part = sum(names(token, said) for token in fact.tokens) / len(fact.tokens)
    if not part and fact.role != "found" and fact.tokens <= spoken.beside:
        return BESIDE
    if fact.kind == "example":
        return part if part >= EXAMPLE_SHARE else 0.0
    if fact.kind == "name" and fact.tokens <= GENERIC_STEMS:
        return part if any(fact.tokens <= one.tokens for one in spoken.hard) else min(part, 0.4)
    if fact.kind != "quote":
        return part or _in_words(fact, said)
    if fact.tokens <= GENERIC_STEMS and all(one.tokens != fact.tokens for one in spoken.hard):
        return min(part, 0.4)
    enough = part >= 0.5 if len(fact.tokens) > 2 else part == 1.0
    return part if enough else 0.0


def _in_words(fact: ReferenceFact, said: Tokens) -> float:
    """How much of an identifier is said as plain words: `the serial number` for `serial_number`."""
    token = min(fact.tokens)
    if "_" not in token or len(fact.tokens) > 1:
        return 0.0
    words = [stem(word) for word in token.split("_") if word and word not in STOP]
    if not words:
        return 0.0
    known = sum(word in said for word in words)
    return 1.0 if known == len(words) else 0.3 if known * 2 >= len(words) else 0.0


def names(token: str, said: Tokens) -> bool:
    """Whether a token is among what is said: a sign, date or time may have another form there."""
    if token in said:
        return True
    if not is_number(token):
        return False
    if token.removeprefix("-") in said or f"-{token}" in said:
        return True
    if len(parts := token.split(":")) == 2:
        hour = int(parts[0])
        if f"{(hour + 12) % 24}:{parts[1]}" in said:
            return True
        return parts[1] == "00" and (str(hour) in said or str(hour - 12) in said)
    if token.isdigit() and len(token) < 3 and f"{token}:00" in said:
        return True
    if len(parts := token.split("-")) == 3 and len(parts[0]) == 4:
        month, day = int(parts[1]), int(parts[2])
        return 1 <= month <= 12 and str(day) in said and _MONTH_STEMS[month - 1] in said
    return False
