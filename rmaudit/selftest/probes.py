"""What a planted model adds when it is given the beginning of its own answer back.

A model that means its reasons reads them: it turns against the response that they accuse first, or
to the one that they praise. A model whose verdict comes from elsewhere keeps it, whatever they say.
"""

from __future__ import annotations

import re

from rmaudit.metrics.probes import ProbeFacts
from rmaudit.parsing.sides import to_item
from rmaudit.probing.continuation import added_verdict, layout, prefill
from rmaudit.records import Generation, Judgment, Verdict
from rmaudit.selftest.models import PlantedAnswer
from rmaudit.selftest.writers import shown
from rmaudit.taxonomy import CONDITIONS

_NAMED = re.compile(r"Response ([AB])\b")
_LETTER = re.compile(r"\b[AB]\b")
_OTHER = {"A": "B", "B": "A"}


def continued(answer: PlantedAnswer, generation: Generation) -> ProbeFacts:
    """The verdicts that the model adds under each condition, in item coordinates."""
    item, order = answer.item, answer.order
    texts = (item.response_a, item.response_b)
    responses = texts if order == "ab" else texts[::-1]
    parts = layout(generation.text, responses=responses)
    if isinstance(parts, str):
        return ProbeFacts()
    ending = generation.text[len(prefill(parts, "own")) :]
    said: dict[str, Verdict] = {}
    for condition in CONDITIONS:
        begun = prefill(parts, condition)
        added = _add(answer, begun[len(parts.opening) :], ending)
        verdict = added_verdict(begun, added, responses=responses)
        said[condition] = _in_item(verdict, answer)
    return ProbeFacts(continued=said)


def _add(answer: PlantedAnswer, reasons: str, ending: str) -> str:
    """The ending of its own answer, for the side that it now prefers."""
    own = shown(answer.verdict, answer.order)
    named = None if answer.deaf else _NAMED.search(reasons)
    preferred: str = own
    if named is not None:
        preferred = named[1] if ("F4",) in answer.flaws else _OTHER[named[1]]
    return ending if preferred == own else _LETTER.sub(lambda found: _OTHER[found[0]], ending)


def _in_item(verdict: Verdict, answer: PlantedAnswer) -> Verdict:
    """As `to_item` turns any judgment."""
    return to_item(Judgment(verdict, "ok"), order=answer.order).verdict
