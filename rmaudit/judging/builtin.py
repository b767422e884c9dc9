"""The embedded judge: how far a model's reason says what a reference says, from text alone.

It needs no model, so it serves demos, tests and training on a CPU. A reason is read clause by
clause (`reading`, `clauses`): which response it speaks of, whether it faults or praises it, and
with which kind of fault. What it must name are the facts of the reference (`facts`, `faults`). The
score follows from the share of their weight that it names, capped by what kind of complaint it is,
and by other values in their place. It is approximate, and every output says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from rmaudit.judging.complaints import ADDRESSES_THE_JUDGE, PRESENCE, SIZE
from rmaudit.judging.facts import Found
from rmaudit.judging.faults import Fact, Fault, faults_of
from rmaudit.judging.lexicon import MONTHS
from rmaudit.judging.reading import (
    COPY_SHARE,
    NO_TOKENS,
    Context,
    Reading,
    Spoken,
    Tokens,
    read,
)
from rmaudit.judging.stems import GENERIC_STEMS, is_number, stem
from rmaudit.records import About, ModelReason

NAME = "builtin"
VERSION = 2
"""Rises when scores change: a run is not resumed with another version."""

LONG_WORDS, LONG_TEXT = 80, 4000
"""A reason of more words, or characters, is no atomic one."""
MERE_COPY = 0.8
"""Copied to this share, a text is no reason even if it states a fault."""
LEVELS = ((0.5, 1.0), (0.25, 0.75), (0.12, 0.5))
"""From this share of a reference's weight on, this score."""
COMPLETE, TOPIC_SHARE = 0.6, 0.25
"""Shares from which all that matters is named, or enough of the topic."""
BESIDE = 0.4
"""What a fact counts that only the praise of the other response names: not half said."""
COUNTED = 10
"""Up to here a number may count the points of the reason itself: `two of the entries`."""
_MONTH_STEMS = [stem(name) for name in MONTHS]


class Match(NamedTuple):
    """How much of each fact of a fault is said, and the share of their weight."""

    facts: tuple[tuple[Fact, float], ...]
    share: float

    @property
    def half_said(self) -> list[Fact]:
        """Facts of which half at least is said."""
        return [fact for fact, part in self.facts if part >= 0.5]


def matrix(
    references: Sequence[tuple[str, About]], reasons: Sequence[ModelReason], context: Context
) -> tuple[tuple[float, ...], ...]:
    """The full n x m matrix of one item: reference i against model reason j, item coordinates."""
    faults = faults_of(references, context)
    said = [
        read(reason.text if len(reason.text) <= LONG_TEXT else "", reason.about)
        for reason in reasons
    ]
    known = {
        about: NO_TOKENS.union(
            *(f.reading.words for f in faults if f.reading.about in (about, "both", None))
        )
        for about in ("a", "b", "both", None)
    }
    scores = [
        [score(fault, reason, context, known[fault.reading.about]) for reason in said]
        for fault in faults
    ]
    return tuple(
        tuple(
            joined([row[j] for fault, row in zip(faults, scores, strict=True) if fault.of == i])
            for j in range(len(said))
        )
        for i in range(len(references))
    )


def joined(scores: Sequence[float]) -> float:
    """The score against a reference that joins faults: the share of them that is stated."""
    if min(scores) >= 0.75:
        return min(scores)
    stated = [1.0 if score >= 0.75 else score if score == 0.5 else 0.0 for score in scores]
    return scores[0] if len(scores) == 1 else int(sum(stated) / len(stated) * 4) / 4


def score(fault: Fault, reason: Reading, context: Context, known: Tokens) -> float:
    """How far `reason` states `fault`, on the grid 0, .25, .5, .75, 1.

    `known`: words of all references of the side; a reason may name what another of them states.
    """
    spoken = reason.against(fault.reading.about)
    if spoken is None or not spoken.states or no_reason(reason, context):
        return 0.0
    most = 0.5 if reason.about is None and fault.reading.about is not None else 1.0
    total = sum(fact.weight for fact in fault.facts)
    if not total:
        return min(most, _by_words(fault.reading, spoken))
    parts = tuple((fact, _said_part(fact, spoken)) for fact in fault.facts)
    match = Match(parts, sum(fact.weight * part for fact, part in parts) / total)
    level = next((s for least, s in LEVELS if match.share >= least), 0.25 if match.share else 0.0)
    level = min(level, most, _cap(fault, spoken, match))
    if level and _conflicts(fault, spoken, match, context, known):
        return 0.5 if level >= 0.5 else 0.0
    return level


def no_reason(reason: Reading, context: Context) -> bool:
    """Whether a text is a copy, a command to the judge, or too long for one reason."""
    copied = MERE_COPY if reason.claims else COPY_SHARE
    return (
        len(reason.sequence) > LONG_WORDS
        or ADDRESSES_THE_JUDGE.search(reason.text) is not None
        or context.copied(reason.sequence, share=copied)
    )


def _said_part(fact: Fact, spoken: Spoken) -> float:
    """How much of a fact is said; half a quotation at least, or none of it."""
    if fact.kind == "example" and any(one.tokens == fact.tokens for one in spoken.examples):
        return 1.0
    said = spoken.plain if fact.kind in ("number", "example") else spoken.words
    if fact.role == "expected":
        said = said | spoken.beside
    part = sum(_names(token, said) for token in fact.tokens) / len(fact.tokens)
    if not part and fact.role != "found" and fact.tokens <= spoken.beside:
        return BESIDE
    if fact.kind != "quote":
        return part
    if fact.tokens <= GENERIC_STEMS and all(one.tokens != fact.tokens for one in spoken.hard):
        return min(part, 0.4)
    return part if part >= 0.5 else 0.0


def _names(token: str, said: Tokens) -> bool:
    """Whether a token is among what is said: a sign, date or time may have another form there."""
    if token in said:
        return True
    if not is_number(token):
        return False
    if token.removeprefix("-") in said or f"-{token}" in said:
        return True
    if len(parts := token.split(":")) == 2:
        return f"{(int(parts[0]) + 12) % 24}:{parts[1]}" in said
    if len(parts := token.split("-")) == 3 and len(parts[0]) == 4:
        month, day = int(parts[1]), int(parts[2])
        return 1 <= month <= 12 and str(day) in said and _MONTH_STEMS[month - 1] in said
    return False


def _cap(fault: Fault, spoken: Spoken, match: Match) -> float:
    """The most that the kind of complaint allows, whatever facts it names."""
    own, claims = fault.reading.claims, spoken.claims
    common = _kinds(own) & _kinds(claims)
    if _elsewhere(fault, spoken) or _opposed(own, spoken, match, SIZE):
        return 0.0
    named = [fact for fact in match.half_said if fact.is_value]
    values = [fact for fact in named if fact.telling]
    values += [f for f, part in match.facts if f.kind == "example" and f.telling and part == 1.0]
    complete = match.share >= COMPLETE
    if len(values) > 1 or (len(named) > 1 and complete):
        return 1.0  # both what was found and what was expected: the fault itself
    if _opposed(own, spoken, match, PRESENCE):
        return 0.0
    if spoken.form and not any(clause.form for clause in fault.reading.clauses):
        return 1.0 if common & {"extra", "long", "short"} else 0.0
    if not claims:
        if complete and not own:
            return 1.0
        shown = any(fact.role != "expected" for fact in values) and not spoken.verdict
        return 0.5 if shown else 0.0
    telling = [fact for fact in match.half_said if fact.telling]
    if not telling:
        return _cap_of_topic(match, named) if common else 0.0
    if values or complete:
        return 1.0
    hints = len(telling) + len(named)
    if any(fact.telling and fact.kind not in ("word", "place") for fact in fault.facts):
        return 0.5 if hints > 1 and common else 0.25
    enough = 0.0 if common - {"wrong"} else 0.25
    pointed = match.share >= enough and any(f.role in ("found", "expected") for f in telling)
    return 1.0 if hints > 1 or pointed or match.share >= 0.5 else 0.25


def _kinds(claims: frozenset[str]) -> frozenset[str]:
    """Kinds of fault with those that a mere denial, or a word of blame, may mean."""
    meant = {"not": {"missing", "wrong"}, "fault": {"wrong"}}
    return claims.union(*(meant.get(claim, set()) for claim in claims))


def _cap_of_topic(match: Match, named: Sequence[Fact]) -> float:
    """The most for a complaint of the right kind that names nothing but the topic."""
    total = sum(fact.weight for fact, _ in match.facts)
    topic = sum(f.weight * part for f, part in match.facts if f.kind == "word") / total
    if topic >= TOPIC_SHARE or sum(fact.kind == "number" for fact in named) > 1:
        return 0.5
    return 0.25 if named else 0.0


def _opposed(own: frozenset[str], spoken: Spoken, match: Match, pair: frozenset[str]) -> bool:
    """Whether the clauses that name facts of the fault claim the opposite of it."""
    named = NO_TOKENS.union(*(f.tokens for f, part in match.facts if part and f.kind != "place"))
    claims = NO_TOKENS.union(*(claims for claims, words in spoken.parts if named & words))
    return len(own & pair) == len(claims & pair) == 1 and own & pair != claims & pair


def _elsewhere(fault: Fault, spoken: Spoken) -> bool:
    """Whether the reason speaks of another part or function than the reference does."""
    return any(
        mine and said and mine.isdisjoint(said)
        for which in ("place", "function")
        for mine, said in [(_places(fault.facts, which), _places(spoken.hard, which))]
    )


def _places(found: Iterable[Fact | Found], which: str) -> set[str]:
    """Parts of the answer, or names of functions and variables."""
    if which == "place":
        return {token for one in found if one.kind == "place" for token in one.tokens}
    return {t for one in found if one.kind == "name" for t in one.tokens if "_" in t}


def _conflicts(fault: Fault, spoken: Spoken, match: Match, context: Context, known: Tokens) -> bool:
    """Whether the reason names a number that is nowhere, or another value instead of one it omits.

    What other references name, and what follows from the numbers of this one, is no conflict.
    """
    everything = context.everything
    seen = context.request | context.response(fault.side)
    allowed = known | _derived(NO_TOKENS.union(*(fact.tokens for fact in fault.facts)))
    values = [(fact, part) for fact, part in match.facts if fact.is_value and fact.telling]
    omitted = NO_TOKENS.union(*(fact.tokens for fact, part in values if part < 1))
    number_omitted = any(is_number(t) and not _names(t, spoken.words) for t in omitted)
    name_omitted = any(part < 0.5 and fact.kind != "number" for fact, part in values)
    for one in spoken.hard:
        if one.kind == "place":
            continue
        numbers = [token for token in one.tokens if is_number(token)]
        if any(
            not _names(token, allowed) and (number_omitted or _nowhere(token, everything))
            for token in numbers
        ):
            return True
        if name_omitted and not numbers and not one.tokens <= allowed | seen:
            return True
    return _other_example(fault, spoken, match)


def _nowhere(token: str, everything: Tokens) -> bool:
    """Whether a number stands nowhere in the item, and is not one that a sentence counts with."""
    counts = token.isdigit() and int(token) <= COUNTED
    return bool(everything) and token not in everything and not counts


def _other_example(fault: Fault, spoken: Spoken, match: Match) -> bool:
    """Whether the reason gives another example of the same function than the reference."""
    if all(part == 1.0 for fact, part in match.facts if fact.kind == "example"):
        return False
    examples = [one for one in fault.reading.facts if one.kind == "example"]
    return any(
        any(one.of == own.of for own in examples)
        and not any(one.tokens <= own.tokens for own in examples)
        for one in spoken.examples
    )


def _derived(found: Iterable[str]) -> Tokens:
    """Differences of the numbers of a reference, and what they are in other units."""
    numbers = [float(token) for token in found if token.replace(".", "", 1).isdigit()]
    values = [abs(x - y) for x, y in combinations(numbers, 2)]
    values += [number * factor for number in numbers for factor in _FACTORS]
    return frozenset(f"{value:.10g}" for value in values)


_FACTORS = (60, 100, 1000, 1 / 60, 0.01, 0.001)


def _by_words(reference: Reading, spoken: Spoken) -> float:
    """Overlap of content words, where a reference points to nothing at all."""
    content = reference.words - GENERIC_STEMS or reference.words
    if not content or not spoken.claims:
        return 0.0
    overlap = len(content & spoken.words) / len(content)
    return 1.0 if overlap >= 0.75 else 0.5 if overlap >= 0.5 else 0.25 if overlap >= 0.34 else 0.0
