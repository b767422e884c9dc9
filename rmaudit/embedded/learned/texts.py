"""A text as the learned judge takes it, and what code knows of a pair of texts.

The sides are marked as seen from the text itself: the response that it is about, and the other.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from rmaudit.parsing.sides import Names, mentions_of
from rmaudit.records import About
from rmaudit.text.normalise import normalise

OWN, OTHER, NONE = "[unused1]", "[unused2]", "[unused3]"
"""The response that a text is about, the other one, and that it names neither."""
NAMES = Names((
    "Response", "Assistant", "Answer", "Reply", "Model", "Output", "Candidate", "Completion",
    "Antwort", "Réponse", "Respuesta", "Risposta", "Resposta",
))  # fmt: skip
COMMON = frozenset(
    "the a an of to in is it that this and or for on with as by at not no but does do be are was "
    "its from which than response b user".split()
)
LONGEST = 2000
"""Characters that are read of a text."""
FEATURES = 13

DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot|false|untrue|wrong|incorrect)\b"
    r"|n['’]t\b"
)
"""Words that turn a claim over, the small closed class of English."""
WHOLE, MOST = 0.9, 0.5
"""The share of a reference's stems, and of a reason's, from which the reason repeats it."""

_MARK = re.compile(r"\[unused\d\]")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_STEMMER = snowballstemmer.stemmer("english")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with its sides marked, the sides that it names, its stems, numbers and denials."""

    marked: str
    about: About
    named: frozenset[About]
    stems: frozenset[str]
    numbers: frozenset[str]
    denials: int


@lru_cache(maxsize=1 << 14)
def text_of(text: str, about: About) -> MarkedText:
    """A reference or a reason, read."""
    marked, named = _marked(text[:LONGEST], about if about in ("a", "b") else "a")
    lead = NONE if about is None else f"{OWN} {OTHER}" if about == "both" else OWN
    plain = _MARK.sub(" ", marked).lower()
    words = [word for word in _WORD.findall(plain) if word not in COMMON]
    return MarkedText(
        f"{lead} : {marked}",
        about,
        named,
        frozenset(_STEMMER.stemWords(words)),
        frozenset(number.replace(",", "") for number in _NUMBER.findall(plain)),
        len(DENIAL.findall(plain)),
    )


def _marked(text: str, own: About) -> tuple[str, frozenset[About]]:
    text = normalise(text)
    _, found = mentions_of(text, names=NAMES)
    parts, at = [], 0
    for one in found:
        mark = f"{OWN} and {OTHER}" if one.about == "both" else OWN if one.about == own else OTHER
        parts += [text[at : one.start], f" {mark} "]
        at = one.end
    named = frozenset(one.about for one in found)
    return " ".join("".join([*parts, text[at:]]).split()), named


def apart(reference: MarkedText, reason: MarkedText) -> bool:
    """Whether they speak of different responses."""
    return {reference.about, reason.about} == {"a", "b"}


def denies(reference: MarkedText, reason: MarkedText) -> bool:
    """Whether a reason repeats a reference and turns it over: one denial more, or one less."""
    common = len(reference.stems & reason.stems)
    repeats = common >= WHOLE * len(reference.stems) and common >= MOST * len(reason.stems)
    return repeats and (reference.denials - reason.denials) % 2 == 1


def other_numbers(reference: MarkedText, reason: MarkedText) -> bool:
    """Whether both have numbers, and none of them is the same."""
    own, said = reference.numbers, reason.numbers
    return bool(own and said) and not own & said


def features(reference: MarkedText, reason: MarkedText) -> list[float]:
    """What code knows of a pair: sides, words in common, numbers."""
    both = "both" in (reference.about, reason.about)
    none = None in (reference.about, reason.about)
    common = len(reference.stems & reason.stems)
    own, said = reference.numbers, reason.numbers
    return [
        float(reference.about == reason.about and reference.about is not None),
        float(both),
        float(none),
        float(apart(reference, reason)),
        float(apart(reference, reason) and reference.about in reason.named),
        common / max(1, len(reference.stems)),
        common / max(1, len(reason.stems)),
        math.log1p(common),
        float(bool(own)),
        len(own & said) / max(1, len(own)),
        float(bool(said - own)),
        float(bool(own and said and not own & said)),
        math.log1p(len(reason.stems)) - math.log1p(len(reference.stems)),
    ]
