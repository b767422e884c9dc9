"""The embedded judge: how far a model's reason says what a reference says, from text alone.

It needs no model, so it serves demos, tests and training on a CPU. It reads the side, the kind of
fault claimed, and facts (numbers, quoted spans, names, words specific to the item), and falls back
on content words where a reference has no fact. It is approximate, and every output says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex
import snowballstemmer

from rmaudit.judging.lexicon import (
    CLAIM_PATTERNS,
    GENERIC,
    NUMBER_WORDS,
    OPPOSED,
    PRAISE,
    STOP,
    SYNONYMS,
)
from rmaudit.judging.text import normalise
from rmaudit.records import About, ModelReason

NAME = "builtin"
LONG_WORDS = 60
COPY_TOKENS, COPY_SHARE = 8, 0.5
"""A reason of more words, or mostly copied from a response, is capped like one without a claim."""
REPEAT_TOKENS = 12
"""Mostly copied and so long, a text says nothing of its own."""

_TOKEN = regex.compile(r"\d+(?:[.,]\d+)*|#\w+|\p{Han}|[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:'s\b)?")
_QUOTED = regex.compile(
    r"\"([^\"]{1,200})\"|“([^”]{1,200})”|`([^`]{1,200})`|«([^»]{1,200})»|「([^」]{1,200})」"
    r"|(?<![\w'])'([^']{1,200})'(?!\w)|‘([^’]{1,200})’(?!\w)"
)
_SIDE_NAME = regex.compile(r"\bresponses? [ab]\b(?:'s)?|\bresponses a and b\b", regex.IGNORECASE)
_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The English stem; synonyms of critique share the first of their group."""
    stemmed: str = str(_STEMMER.stemWord(word.removesuffix("'s")))
    return _SYNONYM.get(stemmed, stemmed)


_SYNONYM: dict[str, str] = {}
for _group in SYNONYMS:
    _stems = [str(_STEMMER.stemWord(_word)) for _word in _group.split()]
    _SYNONYM.update({_other: _stems[0] for _other in _stems if _other not in _SYNONYM})
_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC) | frozenset(_SYNONYM.values())
_PRAISE_WORDS = frozenset(PRAISE)


Run = tuple[str, str, str]


def _runs(tokens: Sequence[str]) -> frozenset[Run]:
    return frozenset(zip(tokens, tokens[1:], tokens[2:], strict=False))


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What the judge sees of the item: stems of its texts, and runs of words of the responses.

    Empty in the `lists` view, where only the two lists of reasons are seen. Compared by identity,
    so that what was read in it can be kept.
    """

    request: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    second: frozenset[str] = frozenset()
    runs: frozenset[Run] = frozenset()

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, request: str, response_a: str, response_b: str) -> Context:
        """The full view of an item; kept, since judge and labeller see the same items in turn."""
        asked, first, second = (normalise(text) for text in (request, response_a, response_b))
        return cls(
            request=frozenset(_words(asked)),
            first=frozenset(_words(first)),
            second=frozenset(_words(second)),
            runs=_runs(_tokens(first)) | _runs(_tokens(second)),
        )

    def copied(self, tokens: Sequence[str]) -> bool:
        """Whether most of a text stands in a response as it is."""
        runs = _runs(tokens)
        return len(tokens) >= COPY_TOKENS and len(runs & self.runs) >= COPY_SHARE * len(runs)

    def repeats(self, text: str) -> bool:
        """Whether a text is a copy and little else, not a statement that names something long."""
        tokens = _tokens(normalise(text))
        return len(tokens) >= REPEAT_TOKENS and self.copied(tokens)

    def specific(self, word: str) -> bool:
        """Whether a word of the item can tell one fault from another; the topic's cannot."""
        if word in self.first and word in self.second:
            return False
        return word in self.request or word in self.first or word in self.second


@dataclass(frozen=True, slots=True)
class Features:
    """What the judge reads off one reason."""

    about: About
    claims: frozenset[str]
    praise: bool
    facts: frozenset[str]
    hard: frozenset[str]
    words: frozenset[str]
    text: str
    padded: bool


@lru_cache(maxsize=512)
def quotations(text: str) -> list[str]:
    """What stands in quotation marks or code marks in a reason."""
    return [match[match.lastindex] for match in _QUOTED.finditer(text) if match.lastindex]


def read(text: str, about: About, context: Context) -> Features:
    """Features of one reason; `about` in item coordinates.

    Kept, since references are met by the reasons of both orders, and reasons by the references of
    another item.

    `facts` are the tokens specific to the item; `hard` those that are numbers, quotes or names.
    """
    unnamed = _SIDE_NAME.sub(" ", normalise(text))
    tokens = _tokens(unnamed)
    hard = _hard_facts(unnamed)
    lower = _QUOTED.sub(" § ", unnamed).casefold()
    claims = frozenset(c for c, pattern in CLAIM_PATTERNS.items() if pattern.search(lower))
    stems = frozenset(_words(unnamed))
    parts = {part for fact in hard for part in _words(fact)}
    soft = {word for word in stems - parts - _GENERIC_STEMS if context.specific(word)}
    return Features(
        about=about,
        claims=claims,
        praise=not _PRAISE_WORDS.isdisjoint(word.strip(".,;:!") for word in lower.split()),
        facts=hard | soft,
        hard=hard,
        words=stems,
        text=" ".join(tokens),
        padded=len(tokens) > LONG_WORDS or context.copied(tokens),
    )


def _hard_facts(text: str) -> frozenset[str]:
    """Numbers, quoted spans, hashtags, identifiers, and words capitalised within a sentence."""
    facts = {" ".join(_tokens(match[match.lastindex])) for match in _QUOTED.finditer(text)}
    outside = _QUOTED.sub(" ", text)
    for match in _TOKEN.finditer(outside):
        token = match.group().removesuffix("'s")
        before = outside[: match.start()].rstrip(" \"'“‘(`*")
        starts_sentence = not before or before[-1] in ".!?:;\n"
        if token[0].isdigit():
            facts.add(_number(token))
        elif token[0] == "#" or "_" in token or token[1:] != token[1:].lower():
            facts.add(token.casefold())
        elif token.casefold() in NUMBER_WORDS:
            facts.add(NUMBER_WORDS[token.casefold()])
        elif token[0].isupper() and len(token) > 1 and not starts_sentence:
            facts.add(token.casefold())
    return frozenset(facts - {""})


def _number(token: str) -> str:
    """`1,200` and `1200.0` are one number."""
    plain = regex.sub(r",(?=\d{3}(?:\D|$))", "", token).replace(",", ".")
    try:
        return f"{float(plain):.10g}"
    except ValueError:
        return str(plain)


def _tokens(text: str) -> list[str]:
    found = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[0].isdigit():
            found.append(_number(token))
        else:
            word = token.casefold().removesuffix("'s")
            found.append(NUMBER_WORDS.get(word, word))
    return found


def _words(text: str) -> list[str]:
    return [
        token if token[0].isdigit() else stem(token) for token in _tokens(text) if token not in STOP
    ]


def score(reference: Features, reason: Features) -> float:
    """How far `reason` says what `reference` says, on the grid 0, .25, .5, .75, 1."""
    cap = _side_cap(reference.about, reason.about)
    if not cap or _opposed(reference.claims, reason.claims):
        return 0.0
    if reason.praise and not reason.claims and not (reference.praise and not reference.claims):
        return 0.0
    if (reference.claims and not reason.claims) or reason.padded:
        cap = min(cap, 0.25)
    if not reference.facts:
        return min(cap, _by_words(reference, reason))
    share = _recall(reference, reason)
    conflict = _conflict(reference, reason)
    shared_words = (reference.words & reason.words) - reference.facts
    if share == 0.0:
        vague = reference.claims & reason.claims and shared_words and not conflict
        return min(cap, 0.25 if vague else 0.0)
    if conflict:
        cap = min(cap, 0.5 if share >= 0.5 else 0.25)
    elif not shared_words and _matched_numbers_only(reference, reason):
        cap = min(cap, 0.5)
    return min(cap, 1.0 if share >= 0.7 else 0.75 if share >= 0.4 else 0.5)


def _side_cap(reference: About, reason: About) -> float:
    """Another side is another reason; a reason about no or both sides can only half match."""
    if reference is None or reference == reason:
        return 1.0
    return 0.5 if reason is None or "both" in (reference, reason) else 0.0


def _opposed(first: frozenset[str], second: frozenset[str]) -> bool:
    return any(
        len(first & pair) == 1 and len(second & pair) == 1 and first & pair != second & pair
        for pair in OPPOSED
    )


def _says(reason: Features, fact: str) -> bool:
    if " " in fact:
        return f" {fact} " in f" {reason.text} "
    return fact in reason.words or fact in reason.hard or f" {fact} " in f" {reason.text} "


def _recall(reference: Features, reason: Features) -> float:
    return sum(_says(reason, fact) for fact in reference.facts) / len(reference.facts)


def _conflict(reference: Features, reason: Features) -> bool:
    """Both name hard facts that the other does not: another number, another name."""
    unmet = [fact for fact in reference.hard if not _says(reason, fact)]
    alien = [fact for fact in reason.hard if not _says(reference, fact)]
    return bool(unmet and alien)


def _matched_numbers_only(reference: Features, reason: Features) -> bool:
    return all(fact[0].isdigit() for fact in reference.facts if _says(reason, fact))


def _by_words(reference: Features, reason: Features) -> float:
    """Overlap of content words, where a reference points to nothing specific."""
    words = reference.words - _GENERIC_STEMS or reference.words
    if not words:
        return 0.0
    overlap = len(words & reason.words) / len(words)
    return 1.0 if overlap >= 0.75 else 0.5 if overlap >= 0.5 else 0.25 if overlap >= 0.34 else 0.0


def matrix(
    references: Sequence[tuple[str, About]], reasons: Sequence[ModelReason], context: Context
) -> tuple[tuple[float, ...], ...]:
    """The full n x m matrix of one item: reference i against model reason j, item coordinates."""
    read_refs = [read(text, about, context) for text, about in references]
    read_reasons = [read(reason.text, reason.about, context) for reason in reasons]
    return tuple(tuple(score(ref, reason) for reason in read_reasons) for ref in read_refs)
