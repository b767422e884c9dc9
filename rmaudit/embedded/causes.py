"""Bugs told by their function and cause, without the example that the reference gives."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.embedded.conflicts import conflicts, elsewhere, opposed
from rmaudit.embedded.fact_coverage import match_of
from rmaudit.embedded.fault_phrases import PRESENCE
from rmaudit.embedded.faults import ReferenceFault
from rmaudit.embedded.reading import NO_TOKENS, Context, Reading, Tokens
from rmaudit.embedded.stems import CAUSES, CODE_TOPICS, GENERIC_STEMS

TOLD = 3
"""So many words of its own at least tell a cause."""
UNCLAIMED = 1
"""So many causes at least tell a bug in a sentence without a word of blame."""


def by_cause(
    fault: ReferenceFault, faults: Sequence[ReferenceFault], reason: Reading, context: Context
) -> float:
    """The score of a reason that names the function and the cause of a bug, not its example.

    The cause has more words than any list of them: where no other reference of the side is about
    the function, a fault of it in words of its own is most likely this one.
    """
    spoken = reason.against(fault.reading.about)
    functions = _functions(fault)
    if spoken is None or not spoken.states or reason.about is None or not functions:
        return 0.0
    match = match_of(fault, spoken, context)
    own = fault.reading.claims
    if spoken.form or spoken.verdict or not functions & spoken.words:
        return 0.0
    if CODE_TOPICS & spoken.words != CODE_TOPICS & fault.reading.words:
        return 0.0
    if elsewhere(fault, spoken, match) or opposed(own, spoken, match, PRESENCE):
        return 0.0
    if conflicts(fault, reason, spoken, match, context, NO_TOKENS):
        return 0.0
    told = spoken.plain - functions - GENERIC_STEMS
    if len(told) < TOLD:
        return 0.0
    causes = [
        f for f, part in match.facts if part and f.kind != "example" and not f.tokens & functions
    ]
    rivals = [
        other
        for other in faults
        if other is not fault
        and other.reading.about == fault.reading.about
        and _functions(other) & functions
    ]
    mine = _causes(fault.reading, told)
    if any(_causes(other.reading, told) > mine for other in rivals):
        mine = 0
    if not spoken.claims and len(causes) + mine < UNCLAIMED:
        return 0.0
    if causes or mine:
        return 0.75 if len(causes) + mine > 1 or not rivals else 0.5
    return 0.0 if rivals else 0.5


def _functions(fault: ReferenceFault) -> frozenset[str]:
    """Names of functions of a fault that has an example."""
    if all(fact.kind != "example" for fact in fault.facts):
        return NO_TOKENS
    return frozenset(
        t for fact in fault.facts if fact.kind == "name" for t in fact.tokens if "_" in t
    )


def _causes(reading: Reading, told: Tokens) -> int:
    """How many causes of a bug both name, in words that stand for one another."""
    shared = (group for group in CAUSES if group & told)
    return sum(bool(group & reading.words) for group in shared)
