"""The judge of program-made sets that knows the truth: the generator's own facts of each fault.

A generated item records what each fault consists of (`meta.facts`: a wrong price, the right one).
A reason states a fault if it is about the same response and says all of its facts; some of them,
with nothing else in their place, is half of it. What the reason plainly says of a response is
looked up there, so that "says 45, not 60" is not taken for "says 60, not 45". It needs no model, is
strict on wording that leaves facts out, and knows nothing of sets that no program made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import regex

from rmaudit.checklists.schema import Item, Reason
from rmaudit.embedded.lexicon import STOP
from rmaudit.embedded.reading import hard_facts
from rmaudit.embedded.stems import stem
from rmaudit.records import ModelReason
from rmaudit.text.normalise import normalise

Tokens = tuple[str, ...]

NAME = "truth"
UNKNOWN = "the item records no facts of its reasons, so their truth is not known"
_TOKEN = regex.compile(r"\d+(?:[.,:]\d+)*|[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*|[^\s\w\p{P}]")
_SAYS = (
    "says|writes|states|gives|names|has|uses|puts|lists|mentions|advertises|sells|charges"
    "|ships from"
)
_LACKS = "never (?:names|mentions|says|states|lists)|does not (?:name|mention|say)|omits|lacks"
_CLAIM = regex.compile(
    rf"\bResponse [AB] (?:(?P<says>{_SAYS})|(?P<lacks>{_LACKS}))\b(?P<what>[^,;.]*)",
    regex.IGNORECASE,
)
_CONTRAST = regex.compile(
    r"\b(?:instead of|in place of|rather than|for|and|not|but|although|where|while)\b"
)


def facts_of(item: Item) -> Mapping[str, Sequence[str]]:
    """The facts of each reason by its id; empty for items that record none."""
    facts = item.meta.get("facts")
    if not isinstance(facts, dict) or not all(facts.get(reason.id) for reason in item.reasons):
        return {}
    return facts


def matrix(item: Item, reasons: Sequence[ModelReason]) -> tuple[tuple[float, ...], ...]:
    """How far each model reason states each fault of a generated item, on the grid.

    Args:
        item: with `meta.facts`.
        reasons: in item coordinates.
    """
    facts = facts_of(item)
    return tuple(
        tuple(_score(item, reference, facts[reference.id], reason) for reason in reasons)
        for reference in item.reasons
    )


def _score(item: Item, reference: Reason, facts: Sequence[str], reason: ModelReason) -> float:
    if reason.about != reference.about:
        return 0.0
    text, stated = normalise(reason.text), _tokens(normalise(reference.text))
    said = _tokens(text)
    parts = [_tokens(normalise(fact)) for fact in facts]
    # What the reference itself leaves out, such as what stands there instead, is not asked for.
    needed = [part for part in parts if _holds(stated, part)] or parts
    held = [part for part in parts if _holds(said, part)]
    met = sum(part in held for part in needed)
    if not held or _refuted(text, held, item, reference):
        return 0.0
    if met == len(needed):
        told = len(needed) > 1 or _telling(item, needed[0]) or _shared(text, reference.text, parts)
        return 1.0 if told else 0.25
    return 0.25 if _alien(text, reference, facts) else 0.5


def _telling(item: Item, fact: Tokens) -> bool:
    """Whether a fact tells one fault from others; what stands in both responses does not."""
    texts = (item.response_a, item.response_b)
    return not all(_holds(_tokens(normalise(text)), fact) for text in texts)


def _shared(text: str, reference: str, facts: Sequence[Tokens]) -> bool:
    """Whether both texts have a word in common beside names of sides, small words and facts."""
    known = {token for fact in facts for token in fact} | STOP | {"response"}
    first, second = (
        {stem(token) for token in _tokens(normalise(one)) if token not in known}
        for one in (text, reference)
    )
    return bool(first & second)


def _alien(text: str, reference: Reason, facts: Sequence[str]) -> bool:
    """Whether the reason names a number, quotation or name that belongs to no part of the fault."""
    known = _tokens(normalise(" ".join([reference.text, *facts])))
    return any(not _holds(known, _tokens(fact)) for fact in hard_facts(text))


def _refuted(text: str, facts: Sequence[Tokens], item: Item, reference: Reason) -> bool:
    """Whether the response does not say what it is said to say, or says what it is said to lack.

    Where the reference itself would be refuted, the wording is beyond this test.
    """
    response = _tokens(normalise(item.response("a" if reference.about == "a" else "b")))
    return _contradicts(text, facts, response) and not _contradicts(
        normalise(reference.text), facts, response
    )


def _contradicts(text: str, facts: Sequence[Tokens], response: Tokens) -> bool:
    for claim in _CLAIM.finditer(text):
        first = _tokens(_CONTRAST.split(claim["what"], maxsplit=1)[0])
        stands = [_holds(response, fact) for fact in facts if _holds(first, fact)]
        if stands and (not all(stands) if claim["says"] else any(stands)):
            return True
    return False


@lru_cache(maxsize=1 << 12)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(found.group().casefold() for found in _TOKEN.finditer(text))


def _holds(text: Tokens, part: Tokens) -> bool:
    """Whether the tokens of `part` stand in `text` one after another."""
    size = len(part)
    return bool(part) and any(text[at : at + size] == part for at in range(len(text) - size + 1))
