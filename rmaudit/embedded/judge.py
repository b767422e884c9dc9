"""The embedded judge: how far a model's reason says what a reference says, from text alone.

It needs no model, so it serves demos, tests and training on a CPU. A reason is read clause by
clause (`reading`, `clauses`): which response it speaks of, whether it faults or praises it, and
with which kind of fault. What it must name are the facts of the reference (`facts`, `faults`). The
score follows from the share of their weight that it names, capped by what kind of complaint it is,
and by other values in their place. It is approximate, and every output says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.embedded.calibration import NAMED, calibrated
from rmaudit.embedded.causes import by_cause
from rmaudit.embedded.clauses import claiming
from rmaudit.embedded.conflicts import conflicts, counts, elsewhere, half_right, opposed
from rmaudit.embedded.fact_coverage import BESIDE, NOTHING, Match, match_of
from rmaudit.embedded.fault_phrases import ADDRESSES_THE_JUDGE, PRESENCE, SIZE
from rmaudit.embedded.faults import ReferenceFact, ReferenceFault, faults_of
from rmaudit.embedded.reading import COPY_SHARE, NO_TOKENS, Context, Reading, Spoken, Tokens, read
from rmaudit.embedded.stems import GENERIC_STEMS, UNIT_STEMS, is_number
from rmaudit.embedded.value_types import found_kind, of_kinds
from rmaudit.records import About, ModelReason

NAME = "builtin"
VERSION = 6
"""Rises when scores change: a run is not resumed with another version."""

LONG_WORDS, LONG_TEXT = 80, 4000
"""A reason of more words, or characters, is no atomic one."""
MERE_COPY = 0.8
"""Copied to this share, a text is no reason even if it states a fault."""
LEVELS = ((0.5, 1.0), (0.25, 0.75), (0.1, 0.5))
"""From this share of a reference's weight on, this score."""
COMPLETE, TOPIC_SHARE = 0.6, 0.25
"""Shares from which all that matters is named, or enough of the topic."""
TOLD = 3
"""So many words of its own, and no blame, are another matter than a value found there."""
WHOLE, AHEAD = 0.85, 0.3
"""From this share on, a fault is said for itself; so far ahead, another is meant by a count."""


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
    columns = []
    for reason in said:
        if no_reason(reason, context):
            columns.append([0.0] * len(references))
            continue
        found = [scored(fault, reason, context, known[fault.reading.about]) for fault in faults]
        found = [
            (level if level > 0.5 else max(level, by_cause(fault, faults, reason, context)), match)
            for fault, (level, match) in zip(faults, found, strict=True)
        ]
        scores = [
            calibrated(
                _unexplained(faults, found, k),
                match.share,
                blames=_blames(reason, faults, found, k),
            )
            for k, (_, match) in enumerate(found)
        ]
        columns.append(
            [
                joined([one for fault, one in zip(faults, scores, strict=True) if fault.of == i])
                for i in range(len(references))
            ]
        )
    return tuple(tuple(column[i] for column in columns) for i in range(len(references)))


def _blames(
    reason: Reading, faults: Sequence[ReferenceFault], found: Sequence[tuple[float, Match]], k: int
) -> bool:
    """Whether it states a fault of the response that it names, and none that is said more fully."""
    spoken = reason.against(faults[k].reading.about)
    if reason.about is None or spoken is None or not spoken.claims:
        return False
    return all(
        level < 0.5
        or match.share <= found[k][1].share
        or faults[other].reading.about != faults[k].reading.about
        for other, (level, match) in enumerate(found)
    )


def joined(scores: Sequence[float]) -> float:
    """The score against a reference that joins faults: the share of them that is stated."""
    if min(scores) >= 0.75:
        return min(scores)
    stated = [1.0 if score >= 0.75 else score if score == 0.5 else 0.0 for score in scores]
    return scores[0] if len(scores) == 1 else int(sum(stated) / len(stated) * 4) / 4


def _unexplained(
    faults: Sequence[ReferenceFault], found: Sequence[tuple[float, Match]], k: int
) -> float:
    """The score against fault `k`, unless another one of its side explains what the reason names.

    `Both start with the lantern` names the lantern of the wrong start, not that of the bold entry:
    the other reference is said more fully, and nothing is left over that tells of this one.
    """
    level, match = found[k]
    if not level or match.share >= WHOLE:
        return level
    mine = [fact.tokens for fact in match.half_said if fact.telling]
    for other, (rival, theirs) in enumerate(found):
        same = faults[other].reading.about == faults[k].reading.about
        if other == k or not same or rival < max(level, 0.5) or theirs.share <= match.share:
            continue
        left = NO_TOKENS.union(*mine) - theirs.said
        if not left or (theirs.share > match.share + AHEAD and all(map(counts, left))):
            return min(level, 0.25)
    return level


def scored(
    fault: ReferenceFault, reason: Reading, context: Context, known: Tokens
) -> tuple[float, Match]:
    """How far `reason` states `fault`, on the grid 0, .25, .5, .75, 1, and what it names of it.

    What it names is nothing where it makes another complaint: then no share may raise its level.
    `known`: words of all references of the side; a reason may name what another of them states.
    """
    spoken = reason.against(fault.reading.about)
    if spoken is None or not spoken.states:
        return 0.0, NOTHING
    if reason.about is None and not spoken.claims - {"fault"}:
        return 0.0, NOTHING
    most = 0.5 if reason.about is None and fault.reading.about is not None else 1.0
    if not any(fact.weight for fact in fault.facts):
        return min(most, _by_words(fault.reading, spoken)), NOTHING
    match = match_of(fault, spoken, context)
    level = next((s for least, s in LEVELS if match.share >= least), 0.25 if match.share else 0.0)
    cap = _cap(fault, spoken, match)
    if cap is None:
        return 0.0, NOTHING
    level = min(level, most, cap)
    kind = _of_kind(fault, reason, match) if of_kinds(fault.reading.text) else None
    if kind is not None:
        if kind > 0.5 and conflicts(fault, reason, spoken, match, context, known):
            return 0.5, _at_most_half(match)
        return min(most, kind), match if kind else NOTHING
    matters = level or match.share >= NAMED
    if matters and any(is_so(fault, reason, spoken, match) for is_so in (_aside, _lacks_another)):
        return 0.0, NOTHING
    if level and _tells_another(fault, reason, spoken, match, context):
        return min(level, 0.25), match
    if level and conflicts(fault, reason, spoken, match, context, known):
        half = level >= 0.5 or half_right(fault, reason, spoken, match)
        # What else it names cannot make up for another value.
        return (0.5 if half else 0.0), _at_most_half(match)
    return level, match


def _at_most_half(match: Match) -> Match:
    return match._replace(share=min(match.share, 0.5))


def _of_kind(fault: ReferenceFault, reason: Reading, match: Match) -> float | None:
    """The score of a reason about the kind of a value, such as a quoted number; None if unclear."""
    mine = found_kind(fault.reading.text)
    spoken = (c for c in reason.clauses if c.about in (fault.reading.about, "both", None))
    theirs = found_kind(" ".join(clause.text for clause in spoken if not clause.merit))
    if not mine or not theirs:
        return None
    values = [part for fact, part in match.facts if fact.is_value]
    if mine != theirs:
        return 0.0
    named = [part >= BESIDE for part in values]
    return 0.25 if not any(named) else 1.0 if all(named) else 0.75


def no_reason(reason: Reading, context: Context) -> bool:
    """Whether a text is a copy, a command to the judge, or too long for one reason."""
    copied = MERE_COPY if reason.claims else COPY_SHARE
    return (
        len(reason.sequence) > LONG_WORDS
        or ADDRESSES_THE_JUDGE.search(reason.text) is not None
        or context.copied(reason.sequence, share=copied)
    )


def _cap(fault: ReferenceFault, spoken: Spoken, match: Match) -> float | None:
    """The most that the kind of complaint allows, whatever facts it names; None: it is another."""
    own, claims = fault.reading.claims, spoken.claims
    common = _kinds(own) & _kinds(claims) or _alike(own, claims)
    if spoken.verdict and not claims:
        return None
    if elsewhere(fault, spoken, match) or opposed(own, spoken, match, SIZE):
        return None
    named = [fact for fact in match.half_said if fact.is_value]
    values = [fact for fact in named if fact.telling]
    values += [f for f, part in match.facts if f.kind == "example" and f.telling and part == 1.0]
    complete = match.share >= COMPLETE
    # Two values of unlike parts: what was found and what was expected, the fault itself.
    parts = {fact.role for fact in named if not fact.tokens <= UNIT_STEMS}
    both = len(parts - {"everywhere"}) > 1
    form = spoken.form and not any(clause.form for clause in fault.reading.clauses)
    if (both or not (form or fault.of_values)) and (
        len({fact.tokens for fact in values}) > 1 or (len(named) > 1 and complete)
    ):
        return 1.0
    if opposed(own, spoken, match, PRESENCE):
        return None
    if form:
        return 1.0 if common & {"extra", "long", "short"} else None
    if not claims:
        shown = any(fact.role != "expected" for fact in values)
        if complete and (not own or (shown and len(named) > 1)):
            return 1.0
        seen = any(fact.role == "found" for fact in match.half_said)
        return 0.5 if shown or (complete and seen) else 0.0
    telling = [fact for fact in match.half_said if fact.telling]
    if not telling:
        shared = fault.reading.words & spoken.words & GENERIC_STEMS
        bare = all(one.kind == "place" or one.tokens <= match.said for one in spoken.hard)
        wrong = bare and "wrong" in claims
        return _cap_of_topic(match, named, wrong, len(shared)) if common else 0.0
    if values or complete:
        return 1.0
    hints = len(telling) + len(named)
    if any(fact.telling and fact.kind not in ("word", "place") for fact in fault.facts):
        return 0.5 if hints > 1 and common else 0.25
    enough = 0.0 if common - {"wrong"} else 0.25
    pointed = match.share >= enough and any(f.role in ("found", "expected") for f in telling)
    return 1.0 if hints > 1 or pointed or match.share >= 0.5 else 0.25


def _aside(fault: ReferenceFault, reason: Reading, spoken: Spoken, match: Match) -> bool:
    """Whether it says how or where a thing is put, and not that another was expected."""
    own = fault.reading
    if not reason.asides or own.asides or "quot" in own.text:
        return False
    if match.share >= WHOLE and sum(f.telling and part == 1.0 for f, part in match.facts) > 1:
        return False
    common = spoken.claims & own.claims
    if "extra" in spoken.claims or common & {"long", "short"}:
        return False
    said = [fact for fact, part in match.facts if part == 1.0 and fact.is_value]
    shown = any(fact.kind == "example" and part == 1.0 for fact, part in match.facts)
    told = [fact for fact in said if fact.telling]
    if shown or len({fact.role for fact in told}) > 1 or len({f.tokens for f in told}) > 1:
        return False
    telling = [fact for fact in match.half_said if fact.telling]
    return all(f.role != "expected" and f.tokens & reason.asides for f in telling)


def _only_found(match: Match) -> bool:
    """Whether it names one value, found there, and nothing of what was expected instead."""
    if any(fact.role == "expected" and fact.telling for fact in match.half_said):
        return False
    if any(fact.kind == "example" and part == 1.0 for fact, part in match.facts):
        return False
    said = (fact for fact, part in match.facts if part == 1.0 and fact.is_value and fact.telling)
    return len({fact.tokens for fact in said}) == 1


def _lacks_another(fault: ReferenceFault, reason: Reading, spoken: Spoken, match: Match) -> bool:
    """Whether it misses something beside the value that it names: `60 dollars, without a reason`.

    What the reference expects would be named if it were what is missing.
    """
    claims = spoken.claims
    mute = "missing" in claims and claims <= {"missing", "not"}
    lacks = mute or _lacks_beside(fault, spoken, match)
    denied = any(clause.denies for clause in reason.clauses)
    mine = NO_TOKENS.union(*(fact.tokens for fact in fault.facts))
    named = all(one.kind == "place" or one.tokens <= mine for one in spoken.hard)
    return (
        lacks and named and not denied and not claims & fault.reading.claims and _only_found(match)
    )


def _lacks_beside(fault: ReferenceFault, spoken: Spoken, match: Match) -> bool:
    """Whether one clause names the value and no fault, and another one misses what is not there."""
    naming = [claims for claims, words in spoken.parts if words & match.said]
    others = [(claims, words) for claims, words in spoken.parts if not words & match.said]
    return (
        all(claims <= {"fault"} for claims in naming)
        and any(claims and claims <= {"missing", "not"} for claims, _ in others)
        and all(words - fault.reading.words - GENERIC_STEMS for _, words in others)
    )


def _tells_another(
    fault: ReferenceFault, reason: Reading, spoken: Spoken, match: Match, context: Context
) -> bool:
    """Whether it says much that is neither of the item nor blame of a kind with the reference."""
    if spoken.claims - {"fault"} or spoken.claims & fault.reading.claims:
        return False
    if not context.everything or not _only_found(match):
        return False
    left = spoken.plain - fault.reading.words - GENERIC_STEMS
    told = NO_TOKENS.union(*map(claiming, reason.clauses)) | context.everything
    return sum(not is_number(token) for token in left - told) >= TOLD


def _kinds(claims: frozenset[str]) -> frozenset[str]:
    """Kinds of fault with those that a mere denial, or a word of blame, may mean."""
    meant = {"not": {"missing", "wrong"}, "fault": {"wrong"}}
    return claims.union(*(meant.get(claim, set()) for claim in claims))


def _alike(own: frozenset[str], claims: frozenset[str]) -> frozenset[str]:
    """Kinds that two sentences can use of one fault: what lacks a sign gives a wrong result."""
    loose = own | claims
    if own and claims and loose <= {"missing", "not", "wrong", "fault"}:
        return frozenset({"wrong"})
    return NO_TOKENS


def _cap_of_topic(match: Match, named: Sequence[ReferenceFact], wrong: bool, shared: int) -> float:
    """The most for a complaint of the right kind that names nothing but the topic.

    `wrong`: it calls that wrong, and names no value but those of the fault; `shared`: how many
    words of critique, such as `type` or `working`, it has in common with the reference.
    """
    total = sum(fact.weight for fact, _ in match.facts)
    topic = sum(f.weight * part for f, part in match.facts if f.kind == "word") / total
    if topic >= TOPIC_SHARE or sum(fact.kind == "number" for fact in named) > 1:
        return 0.5
    placed = any(part and fact.kind == "place" for fact, part in match.facts)
    function = any("_" in token for fact in named for token in fact.tokens)
    if (function and (topic or shared > 1)) or (placed and wrong):
        return 0.5
    return 0.25 if named else 0.0


def _by_words(reference: Reading, spoken: Spoken) -> float:
    """Overlap of content words, where a reference points to nothing at all."""
    content = reference.words - GENERIC_STEMS or reference.words
    if not content or not spoken.claims:
        return 0.0
    overlap = len(content & spoken.words) / len(content)
    return 1.0 if overlap >= 0.75 else 0.5 if overlap >= 0.5 else 0.25 if overlap >= 0.34 else 0.0
