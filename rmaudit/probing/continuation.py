"""Prefills that ask whether the stated reasons decide the verdict: own, reworded, swapped, none.

An answer is taken apart into what stands before its reasons, the reasons, and the words that open
its verdict. The model is given all of that, with the reasons as they were or changed, and only adds
the verdict. What no answer shows cannot be asked: reasons that follow the verdict decide nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.parsing.grammar import RECORDED, Grammar
from rmaudit.parsing.parse import stated_verdict
from rmaudit.parsing.sides import DEFAULT_NAMES, Names, swap_names
from rmaudit.probing.reword import reword
from rmaudit.records import Verdict
from rmaudit.taxonomy import Condition

NO_VERDICT = "no verdict for a side"
VERDICT_FIRST = "the verdict stands before the reasons"
IN_OBJECT = "the verdict stands in a JSON object"
NO_SIDE_NAMED = "the reasons name no side"


class Layout(NamedTuple):
    """The parts of an answer, raw: `opening` (its thinking), `reasons`, `lead` of the verdict."""

    opening: str
    reasons: str
    lead: str


def layout(
    text: str,
    *,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
    grammar: Grammar = RECORDED,
) -> Layout | str:
    """The parts up to the first verdict, or why this answer cannot be asked.

    The lead is the verdict up to the name of its side, so that only the name is left to add. A
    bracket between them belongs to the name: tokenizers join the two.
    """
    stated = stated_verdict(text, responses=responses, names=names, grammar=grammar)
    if stated is None or stated.verdict == "tie":
        return NO_VERDICT
    if stated.in_object:
        return IN_OBJECT
    if not stated.reasoned:
        return VERDICT_FIRST
    words = text[stated.start : stated.end]
    side = re.search(rf"(?<![^\W_])[{re.escape(names.a + names.b)}](?![^\W_])", words)
    if side is None:
        return NO_VERDICT
    lead = re.sub(r"(?<=\w)[^\w\s]\Z", "", words[: side.start()]).rstrip()
    reasons = text[stated.begin : stated.start]
    begin = stated.start - len(reasons.lstrip())
    found = Layout(text[:begin], text[begin : stated.start], lead)
    return found if swap_names(found.reasons, names=names) != found.reasons else NO_SIDE_NAMED


def prefill(
    parts: Layout, condition: Condition, *, names: Names = DEFAULT_NAMES, reworded: str = ""
) -> str:
    """The beginning of the answer under a condition; the thinking before it stays as it was.

    own: the reasons as the model wrote them. reworded: the same in other words, those of `reworded`
    or, where it is empty, by rule. swapped: the names
    of the two responses exchanged, which makes them reasons of the same form and force for the
    other side, whatever the side and without any reference. none: the verdict is opened at once.
    """
    if condition == "none":
        return parts.opening + parts.lead
    reasons = parts.reasons
    if condition == "reworded":
        reasons = reworded or reword(reasons)
    elif condition == "swapped":
        reasons = swap_names(reasons, names=names)
    return parts.opening + reasons + parts.lead


def added_verdict(
    begun: str,
    added: str,
    *,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
    grammar: Grammar = RECORDED,
) -> Verdict:
    """The verdict that a continuation completes, as shown; None where it is not readable."""
    stated = stated_verdict(
        begun + added, after=len(begun), responses=responses, names=names, grammar=grammar
    )
    return None if stated is None else stated.verdict
