"""What speaks against a reason that names facts of a fault: another value, place or kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import combinations

from rmaudit.embedded.fact_coverage import Match, names
from rmaudit.embedded.facts import FoundFact
from rmaudit.embedded.fault_phrases import CORRECTS, SIZE
from rmaudit.embedded.faults import ReferenceFact, ReferenceFault, swapped
from rmaudit.embedded.reading import NO_TOKENS, Context, Reading, Spoken, Tokens
from rmaudit.embedded.stems import UNIT_STEMS, is_number

COUNTED = 10
"""Up to here a number may count the points of the reason itself: `two of the entries`."""
_CLOCK = re.compile(r"\d{1,2}:\d\d").fullmatch
_ISO = re.compile(r"\d{4}-\d\d?-\d\d?").fullmatch
_FACTORS = (60, 100, 1000, 1 / 60, 0.01, 0.001)


def opposed(own: frozenset[str], spoken: Spoken, match: Match, pair: frozenset[str]) -> bool:
    """Whether the clauses that name facts of the fault claim the opposite of it."""
    named = NO_TOKENS.union(*(f.tokens for f, part in match.facts if part and f.kind != "place"))
    claims = NO_TOKENS.union(*(claims for claims, words in spoken.parts if named & words))
    if pair is SIZE and "not" in own | claims:
        return False  # `not under 2 hours` is no opposite of `more than 2 hours`
    return len(own & pair) == len(claims & pair) == 1 and own & pair != claims & pair


def elsewhere(fault: ReferenceFault, spoken: Spoken, match: Match) -> bool:
    """Whether the reason speaks of another part or function than the reference does.

    Another key beside all values of the fault is but one more complaint of the same sentence.
    """
    for which in ("place", "function"):
        said = _places(spoken.hard, which)
        if said and (mine := _places(fault.facts, which)) and mine.isdisjoint(said):
            return which == "place" or not _tells_all(match)
    return False


def _tells_all(match: Match) -> bool:
    """Whether all values of a fault are said, or an identifier of it in words."""
    values = [part for fact, part in match.facts if fact.is_value and fact.telling]
    named = any(part == 1.0 for f, part in match.facts if f.kind == "name" and "_" in min(f.tokens))
    return named or (len(values) > 1 and min(values) == 1.0)


def _places(found: Iterable[ReferenceFact | FoundFact], which: str) -> set[str]:
    """Parts of the answer, or names of functions and variables."""
    if which == "place":
        return {token for one in found if one.kind == "place" for token in one.tokens}
    return {t for one in found if one.kind == "name" for t in one.tokens if "_" in t}


def conflicts(
    fault: ReferenceFault,
    reason: Reading,
    spoken: Spoken,
    match: Match,
    context: Context,
    known: Tokens,
) -> bool:
    """Whether the reason names a number that is nowhere, or another value instead of one it omits.

    What other references name, and what follows from the numbers of this one, is no conflict.
    """
    everything = context.everything
    seen = context.request | context.response(fault.side)
    allowed = known | _derived(NO_TOKENS.union(*(fact.tokens for fact in fault.facts)))
    values = [(fact, part) for fact, part in match.facts if fact.is_value and fact.telling]
    omitted = NO_TOKENS.union(*(fact.tokens for fact, part in values if part < 1))
    number_omitted = any(is_number(t) and not names(t, spoken.words) for t in omitted)
    name_omitted = any(part < 0.5 and fact.kind != "number" for fact, part in values)
    swaps = any(CORRECTS.search(clause.spoken) for clause in reason.clauses)
    said = [fact for fact, part in match.facts if fact.is_value and part == 1.0]
    if swaps and said and not name_omitted and not number_omitted:
        unsaid = [f for f, part in match.facts if f.is_value and f.role != "expected" and not part]
        number_omitted = any(fact.kind == "number" for fact in unsaid)
        quotes = [fact for fact in unsaid if fact.kind == "quote"]
        if quotes and any(one.kind == "quote" and not one.tokens & known for one in spoken.hard):
            return True
    for one in spoken.hard:
        if one.kind == "place":
            continue
        numbers = [token for token in one.tokens if is_number(token)]
        if any(_sign_of_its_own(token, allowed, everything) for token in numbers):
            return True
        if any(
            not names(token, allowed) and (number_omitted or _nowhere(token, everything))
            for token in numbers
        ):
            return True
        if name_omitted and not numbers and not one.tokens <= allowed | seen:
            return True
    return _other_example(fault, spoken, match) or _other_pair(fault, reason, spoken)


def half_right(fault: ReferenceFault, reason: Reading, spoken: Spoken, match: Match) -> bool:
    """Whether it sets another value against the right one, at the place or topic of the fault."""
    swaps = any(CORRECTS.search(clause.spoken) for clause in reason.clauses)
    values = [fact for fact in match.half_said if fact.is_value and not fact.tokens <= UNIT_STEMS]
    about = [f for f, part in match.facts if part and f.kind != "number" and f not in values]
    replaces = any(CORRECTS.search(clause.spoken) for clause in fault.reading.clauses)
    replaces = replaces or "wrong" in fault.reading.claims
    return bool(swaps and values and about and replaces and "wrong" in spoken.claims)


def _nowhere(token: str, everything: Tokens) -> bool:
    """Whether a number stands nowhere in the item, and is not one that a sentence counts with."""
    return bool(everything) and token not in everything and not counts(token)


def _sign_of_its_own(token: str, allowed: Tokens, everything: Tokens) -> bool:
    """Whether a number is negative, and nothing else has it so."""
    return token.startswith("-") and bool(everything) and token not in allowed | everything


def counts(token: str) -> bool:
    """Whether a token is a number that a sentence may count anything with: `two of the entries`."""
    return token.isdigit() and int(token) <= COUNTED


def _other_example(fault: ReferenceFault, spoken: Spoken, match: Match) -> bool:
    """Whether the reason gives another example of the same function than the reference."""
    if all(part == 1.0 for fact, part in match.facts if fact.kind == "example"):
        return False
    examples = [one for one in fault.reading.facts if one.kind == "example"]
    return any(
        any(one.of == own.of for own in examples)
        and not any(one.tokens <= own.tokens for own in examples)
        for one in spoken.examples
    )


def _other_pair(fault: ReferenceFault, reason: Reading, spoken: Spoken) -> bool:
    """Whether it sets another word against the one that both set it against: `trays, not bags`."""
    mine, theirs = swapped(fault.reading.text), swapped(reason.text)
    return bool(mine & theirs and mine - spoken.words and theirs - fault.reading.words)


def _derived(found: Collection[str]) -> Tokens:
    """Differences of the numbers of a reference, and what they are in other units."""
    numbers = [float(token) for token in found if token.replace(".", "", 1).isdigit()]
    values = [abs(x - y) for x, y in combinations(numbers, 2)]
    values += [number * factor for number in numbers for factor in _FACTORS]
    clocks = [60 * int(t.split(":")[0]) + int(t.split(":")[1]) for t in found if _CLOCK(t)]
    values += [abs(x - y) * part for x, y in combinations(clocks, 2) for part in (1, 1 / 60)]
    values += [float(part) for token in found if _ISO(token) for part in token.split("-")]
    return frozenset(f"{value:.10g}" for value in values)
