"""Reading reasons for the embedded judge: the item around them, and what each says against a side.

Reading a text does not depend on what it is compared with, so it is done once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import regex

from rmaudit.embedded.clauses import Clause, claiming, clauses
from rmaudit.embedded.facts import FoundFact, prose, said, without_sides
from rmaudit.embedded.presentation_phrases import ASIDES
from rmaudit.embedded.stems import TOKEN, prepared, stem, tokens
from rmaudit.records import About, Side
from rmaudit.text.quotations import QUOTED

COPY_TOKENS, COPY_SHARE = 8, 0.5
"""A text of so many tokens, this share of them in runs that a response holds, is copied."""
REPEAT_TOKENS = 12
"""Mostly copied and so long, a text says nothing of its own."""
LISTED, LIST_SHARE = 3, 0.75
"""So many entries, this share of them a word or two, are a list of facts, not a statement."""

Run = tuple[str, str, str]
Tokens = frozenset[str]
NO_TOKENS: Tokens = frozenset()
OTHER: dict[Side, Side] = {"a": "b", "b": "a"}

_NAME = regex.compile(r"(?<=[\p{Ll},;:] )\p{Lu}[\p{L}\p{M}]+")
_ENTRY = regex.compile(r"[,;](?=\s|\Z)")


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What the judge sees of the item: stems of its texts, runs of words of the responses, names.

    Empty in the `lists` view, where only the two lists of reasons are seen.
    """

    request: Tokens = NO_TOKENS
    first: Tokens = NO_TOKENS
    second: Tokens = NO_TOKENS
    runs: frozenset[Run] = frozenset()
    names: Tokens = NO_TOKENS

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, request: str, response_a: str, response_b: str) -> Context:
        """The full view of an item; kept, since judge and labeller see the same items in turn."""
        asked, first, second = (prepared(text) for text in (request, response_a, response_b))
        return cls(
            request=_all_words(asked),
            first=_all_words(first),
            second=_all_words(second),
            runs=_runs(tokens(first)) | _runs(tokens(second)),
            names=_names(f"{asked}\n{first}\n{second}"),
        )

    def response(self, side: Side) -> Tokens:
        """Stems of a response."""
        return self.first if side == "a" else self.second

    @property
    def everything(self) -> Tokens:
        """Stems of all texts; empty in the `lists` view."""
        return self.request | self.first | self.second

    def copied(self, sequence: Sequence[str], *, share: float = COPY_SHARE) -> bool:
        """Whether most of a text, `share` of it, stands in a response as it is."""
        runs = _runs(sequence)
        return len(sequence) >= COPY_TOKENS and len(runs & self.runs) >= share * len(runs)

    def repeats(self, text: str) -> bool:
        """Whether a text is a copy and little else, not a statement that names something long."""
        sequence = tokens(prepared(text))
        return len(sequence) >= REPEAT_TOKENS and self.copied(sequence)

    def specific(self, word: str) -> bool:
        """Whether a word can tell one fault from another; one of both responses cannot."""
        return not (word in self.first and word in self.second)


class Spoken(NamedTuple):
    """What a reason says against one response.

    Attributes:
        words: stems of the clauses that fault it.
        plain: those outside calls, lists and objects.
        beside: stems of the clauses that praise it or speak of the other response.
        hard: numbers, names, quotations and places of `words`.
        examples: arguments of calls, lists and objects.
        parts: the kinds of fault of each clause, and its stems.
        form: it complains about form.
        verdict: it says who wins or what follows.
        states: it is a statement, not a list of facts.
    """

    words: Tokens
    plain: Tokens
    beside: Tokens
    hard: tuple[FoundFact, ...]
    examples: tuple[FoundFact, ...]
    parts: tuple[tuple[frozenset[str], Tokens], ...]
    form: bool
    verdict: bool
    states: bool

    @property
    def claims(self) -> frozenset[str]:
        """Kinds of fault that it states."""
        return NO_TOKENS.union(*(claims for claims, _ in self.parts))


@dataclass(frozen=True, eq=False)
class Reading:
    """A reason or reference as read, without its item.

    Attributes:
        about: its side in item coordinates.
        text: with amounts in one spelling.
        clauses: in order.
        words: stems.
        sequence: all tokens in order.
    """

    about: About
    text: str
    clauses: tuple[Clause, ...]
    words: Tokens
    sequence: tuple[str, ...]

    @cached_property
    def claims(self) -> frozenset[str]:
        """Kinds of fault that it states anywhere."""
        return NO_TOKENS.union(*(clause.claims for clause in self.clauses))

    @cached_property
    def facts(self) -> tuple[FoundFact, ...]:
        """What it points to; words that only state a kind of fault are none."""
        claimed = NO_TOKENS.union(*map(claiming, self.clauses))
        found = dict.fromkeys(one for clause in self.clauses for one in said(clause.text).facts)
        return tuple(one for one in found if one.kind != "word" or not one.tokens <= claimed)

    @cached_property
    def asides(self) -> Tokens:
        """Stems of the clauses that may speak of how, where or how often a thing is said."""
        found = (clause for clause in self.clauses if ASIDES.search(clause.spoken))
        return NO_TOKENS.union(*(said(clause.text).words for clause in found if not clause.merit))

    @cached_property
    def sides(self) -> dict[Side, Spoken | None]:
        """What it says against each response; None where it says nothing."""
        return {"a": _spoken(self, "a"), "b": _spoken(self, "b")}

    def against(self, about: About) -> Spoken | None:
        """What it says against the response that a reference is about."""
        if about in ("a", "b"):
            return self.sides[about]
        return self.sides["a"] or self.sides["b"]


@lru_cache(maxsize=2048)
def read(text: str, about: About) -> Reading:
    """Reads a reason or reference; `about` in item coordinates."""
    plain = prepared(text)
    parts = clauses(plain, about)
    return Reading(
        about=about,
        text=plain,
        clauses=parts,
        words=NO_TOKENS.union(*(said(clause.text).words for clause in parts)),
        sequence=tuple(tokens(plain)),
    )


def hard_facts(text: str) -> frozenset[str]:
    """Numbers, quotations, names and examples of a text, each as one string."""
    return frozenset(
        " ".join(sorted(one.tokens))
        for one in said(prepared(text)).facts
        if one.kind in ("number", "name", "quote", "example")
    )


def _all_words(text: str) -> Tokens:
    """Stems and tokens of one of the item's texts."""
    return said(text).words.union(tokens(text))


def _runs(sequence: Sequence[str]) -> frozenset[Run]:
    return frozenset(zip(sequence, sequence[1:], sequence[2:], strict=False))


def _names(text: str) -> Tokens:
    """Stems of words that the item writes with a capital within a sentence, and never without."""
    small = {token for token in TOKEN.findall(text) if token[0].islower()}
    found = {name.casefold() for name in _NAME.findall(text)}
    return frozenset(stem(name) for name in found - small)


def _spoken(reading: Reading, side: Side) -> Spoken | None:
    against: list[tuple[str, frozenset[str]]] = []
    beside = NO_TOKENS
    form = verdict = speaks = False
    for k, clause in enumerate(reading.clauses):
        mine = clause.about in (side, "both")
        if clause.denies:
            denied = reading.clauses[k - 1 if k else min(1, len(reading.clauses) - 1)]
            if mine and not denied.claims:
                against.append((denied.text, frozenset({"missing"})))
                speaks = True
        elif clause.about is None or (mine and not clause.merit):
            against.append((clause.text, clause.claims))
            form |= clause.form
            verdict |= clause.verdict
            speaks |= mine
        else:
            beside |= said(clause.text).words
    if not against or not (speaks or reading.about is None):
        return None
    parts = [said(text) for text, _ in against]
    found = tuple(dict.fromkeys(one for part in parts for one in part.facts))
    hard = tuple(one for one in found if one.kind not in ("word", "example", "unit"))
    return Spoken(
        words=NO_TOKENS.union(*(part.words for part in parts)),
        plain=NO_TOKENS.union(*(part.plain for part in parts)),
        beside=beside,
        hard=hard,
        examples=tuple(one for one in found if one.kind == "example"),
        parts=tuple((claims, said(text).words) for text, claims in against),
        form=form,
        verdict=verdict,
        states=not _lists(" ; ".join(text for text, _ in against)),
    )


def _lists(text: str) -> bool:
    """Whether a text lists facts rather than making a sentence with them."""
    bare = prose(QUOTED.sub(" § ", without_sides(text))).replace("~", " ").strip(" :.-")
    entries = [words for entry in _ENTRY.split(bare) if (words := entry.split())]
    short = sum(len(entry) <= 2 for entry in entries)
    return len(entries) >= LISTED and short >= LIST_SHARE * len(entries)
