"""What a reference demands of a reason: its faults, and what each of their facts counts.

A fact counts most if it tells this fault from others: what the faulted response has and neither
the request nor the other response does. What stands in all texts says where the fault is, no more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rmaudit.embedded.clauses import clauses
from rmaudit.embedded.facts import Role, role, said
from rmaudit.embedded.reading import NO_TOKENS, OTHER, Context, Reading, Tokens, read
from rmaudit.embedded.stems import prepared, words
from rmaudit.records import About, Side

VALUES = frozenset({"number", "name", "quote"})
WEIGHTS = {"number": 1.0, "name": 1.0, "quote": 1.0, "example": 0.2, "place": 0.4, "word": 0.25}
EXPECTED, TOPIC, COMMON_WORD = 0.5, 0.3, 0.5
"""Factors: what was expected, where something was found; a value, or a word, of all texts."""

_JOINT = re.compile(r";\s+and\s+")
_JOINT_SUBJECT = re.compile(r",\s+and\s+(?=(?:it|Response [AB])\s)")

_DUE = re.compile(
    r"\b(?:instead of|in place of|rather than|since the (?:\w+ )?result is"
    r"|although [^,;.]{1,60}? (?:is|was|are)|should (?:be|have been)|ought to be|the problem says"
    r"|but it is|in fact it is)((?: [^\s,;]+){1,4})"
    r"|,? (?:and )?not ([^\s,;]+(?: \w+)?)(?=[.;,]|\Z)"
    r"|\b(?:where|but|;) ([^,;]{1,40}?) (?:is|was|are|were) (?:the )?"
    r"(?:right|expected|needed|required|correct|asked|wanted)"
)
"""Says what would be right."""
_SWAPPED = re.compile(
    r"\b([^\W\d]\w*) (?:instead of|and not|rather than|in place of) ([^\W\d]\w*)(?=[.,;]|\Z| in )"
)


class ReferenceFact(NamedTuple):
    """A fact of a reference.

    Attributes:
        tokens: those that tell it.
        kind: as in `facts.Found`; a unit is a name where units differ, else a word.
        role: the part that it plays in the item.
        weight: what it counts.
        telling: it can tell this fault from others.
    """

    tokens: Tokens
    kind: str
    role: Role
    weight: float
    telling: bool

    @property
    def is_value(self) -> bool:
        """A number, name or quotation."""
        return self.kind in VALUES


class ReferenceFault(NamedTuple):
    """One fault of the reference number `of`, with its facts in the item."""

    of: int
    reading: Reading
    facts: tuple[ReferenceFact, ...]

    @property
    def of_values(self) -> bool:
        """Whether one value stands in the place of another."""
        return {"found", "expected"} <= {fact.role for fact in self.facts if fact.telling}

    @property
    def side(self) -> Side:
        """The response that it is looked for in."""
        return "b" if self.reading.about == "b" else "a"


def faults_of(sided: Sequence[tuple[str, About]], context: Context) -> list[ReferenceFault]:
    """The faults of an item's references; a word that several of one side share counts less."""
    parts = [(of, part, about) for of, (text, about) in enumerate(sided) for part in split(text)]
    readings = [read(part, about) for _, part, about in parts]
    shared = Counter((reading.about, token) for reading in readings for token in reading.words)
    made = []
    for (of, _, about), reading in zip(parts, readings, strict=True):
        others = (r.words for r in readings if r.about not in (about, "both"))
        found = _weighed(reading, context, NO_TOKENS.union(*others))
        made.append(
            ReferenceFault(
                of, reading, tuple(_divided(fact, about, shared) for fact in found if fact.tokens)
            )
        )
    return made


@lru_cache(maxsize=2048)
def split(text: str) -> tuple[str, ...]:
    """The faults that a reference joins, where each part states one."""
    found: list[str] = []
    for part in _JOINT.split(text):
        pieces = _JOINT_SUBJECT.split(part)
        found += pieces if len(pieces) > 1 and all(map(_states_fault, pieces)) else [part]
    return tuple(found)


def _states_fault(text: str) -> bool:
    plain = prepared(text)
    stated = any(clause.claims for clause in clauses(plain, None))
    return stated and any(one.kind in VALUES for one in said(plain).facts)


def _divided(
    fact: ReferenceFact, about: About, shared: Counter[tuple[About, str]]
) -> ReferenceFact:
    """The fact, counting less the more references of its side hold it."""
    if fact.kind not in ("word", "place") and fact.role != "everywhere":
        return fact
    times = max(shared[about, token] for token in fact.tokens)
    return fact._replace(weight=fact.weight / max(times, 1))


@lru_cache(maxsize=2048)
def _due(text: str) -> Tokens:
    """Tokens of what a reference itself calls right or expected, and of nothing else in it."""
    due = [match[match.lastindex or 0] for match in _DUE.finditer(text)]
    return said(" ; ".join(due)).words - said(_DUE.sub(" ; ", text)).words


@lru_cache(maxsize=2048)
def swapped(text: str) -> Tokens:
    """Words of a reference that stand for one another: `cups and not sleeves`."""
    pairs = (match.groups() for match in _SWAPPED.finditer(text))
    found = [tuple(words(" ".join(pair))) for pair in pairs]
    return NO_TOKENS.union(*(pair for pair in found if len(pair) == 2))


def _weighed(reading: Reading, context: Context, faulted: Tokens) -> list[ReferenceFact]:
    """The facts of a reference; `faulted`: words of the references about the other response."""
    side: Side = "b" if reading.about == "b" else "a"
    own, other = context.response(side), context.response(OTHER[side])
    due, paired = _due(reading.text), swapped(reading.text)
    units = sum(one.kind == "unit" for one in reading.facts)
    placed: list[tuple[Tokens, str, Role]] = []
    for one in reading.facts:
        kind: str = one.kind
        if kind == "word" and one.tokens <= context.names:
            kind = "name"
        elif kind == "unit":
            kind = "name" if units > 1 else "word"
        elif kind == "word" and one.tokens <= paired:
            kind = "name"
        part = role(one.tokens, own, other, context.request)
        if part == "nowhere" and kind in VALUES and one.tokens <= due:
            part = "expected"
        placed.append((one.tokens, kind, part))
    values = {
        part: NO_TOKENS.union(*(t for t, kind, which in placed if which == part and kind in VALUES))
        for part in ("found", "expected")
    }
    frame = values["found"] & values["expected"]
    weighed = []
    for found, kind, part in placed:
        weight, telling = WEIGHTS[kind], kind != "place"
        if kind in VALUES:
            topic = part == "everywhere" or (part == "found" and not found <= faulted)
            if part == "expected" and values["found"] - frame:
                weight *= EXPECTED
            elif part == "everywhere" and kind != "number" and "extra" in reading.claims:
                pass  # What is forbidden stands in the request, and may stand in both responses.
            elif topic and found <= other:
                weight, telling = weight * TOPIC, False
        elif kind == "word" and not any(map(context.specific, found)):
            weight, telling = weight * COMMON_WORD, False
        # What a found and an expected value share does not tell them apart.
        kept = found - frame or found if part in values else found
        weighed.append(ReferenceFact(kept, kind, part, weight, telling))
    if not any(fact.telling and fact.is_value for fact in weighed):
        # Numbers are no mere topic: if none tells this fault from others, each of them may.
        weighed = [f._replace(telling=f.telling or f.kind == "number") for f in weighed]
    if any(fact.telling and (fact.kind, fact.role) != ("word", "nowhere") for fact in weighed):
        return weighed
    # Nor does the name of a function that stands everywhere, if there is anything else.
    rest = [fact for fact in weighed if fact.is_value and not any("_" in t for t in fact.tokens)]
    return [
        fact._replace(telling=fact in rest if rest else fact.kind != "place") for fact in weighed
    ]
