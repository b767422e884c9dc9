"""Claims about how long or how many: compared with what is there, in either direction."""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.truth import lexicon as lex
from rmaudit.truth import patterns as pat
from rmaudit.truth.clauses import Clause
from rmaudit.truth.language import Reading
from rmaudit.truth.lexicon import V
from rmaudit.truth.slots import Size, normal

_OVER = (
    r"more|longer|exceed\w*|surpass\w*|too (?:long|many|much)|overshoot\w*|overr[ua]n\w*|larger"
    r"|greater"
    r"|bigger|excess|extra|surplus|superfluous|outgrow\w*|oversteps?"
)
_UNDER = (
    r"less|fewer|shorter|short|too (?:short|few|little)|undershoot\w*|smaller|insufficient"
    r"|undercuts?"
)
# Prepositions compare only in front of a number or a limit.
_NEXT = (
    rf"(?= (?:(?:the|its|a|an|of|required|requested|allowed|set) )*(?:{V}|limit|maximum|minimum"
    rf"|cap|bound|length))"
)
_WITHIN = rf"within{_NEXT}|keep\w*(?: \w+)? to|at most|no more than|up to|maximum"
_REACH = (
    r"reach\w*|comes? up to|at least|no (?:fewer|less) than|minimum|get\w* to|attain\w*"
    r"|makes? it to|enough|sufficient"
)
_KEEP = (
    r"keep\w*|kept|meets?|met|respect\w*|observ\w*|honou?r\w*|obey\w*|stick\w*|compl\w*|stay\w*"
    r"|satisf\w*"
)
_WORD = re.compile(
    rf"\b(?:(?P<within>{_WITHIN})|(?P<reach>{_REACH})"
    rf"|(?P<over>{_OVER}|(?:over|above|past|beyond){_NEXT}|past it|beyond it)"
    rf"|(?P<under>{_UNDER}|(?:under|below){_NEXT}|before{_NEXT}|(?:below|under) *(?:it|that)?$)"
    rf"|(?P<few>only|just"
    rf"|merely))(?!\w)"
)
# `does not stay below 80`, `does not get above 80`: a bound is missed by what is not done.
_REMAINS = re.compile(
    r"\b(?:stay|keep|get|come)\w* (?:up )?(?:above|below|under|past|beyond"
    r"|over)\b"
)
_NOUNS = frozenset(("maximum", "minimum"))
_LIMIT = re.compile(
    r"\b(?:limit|maximum|minimum|cap|length|bound|allowance|ceiling|floor|target)\b"
)
NUMBERS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split(),
        range(21),
        strict=True,
    )
)


class SizeClaims(NamedTuple):
    """What a reason says about a size: is any of it false, does it state the fault."""

    false: bool
    fault: bool


def size_claims(reading: Reading, size: Size) -> SizeClaims:
    """Reads every clause about the response that compares."""
    false = fault = False
    asked = False
    for clause in reading.clauses:
        for truth, against in _compared(clause, reading, size):
            false |= not truth
            fault |= truth and against
        if asked and clause.frame == "own" and not clause.valued and pat.OBJECT.search(clause.text):
            # `At most 80 words were allowed, and Response A ignores this.`
            false |= clause.odd != _breaks(size)
            fault |= clause.odd and _breaks(size)
        asked = clause.frame == "demand" and _WORD.search(clause.text) is not None
    return SizeClaims(false, fault)


def _compared(clause: Clause, reading: Reading, size: Size) -> list[tuple[bool, bool]]:
    """Each comparison of a clause: whether it is true, and whether it breaks the demand."""
    head = clause.text[: clause.tail]
    found: list[tuple[bool, bool]] = []
    if clause.frame == "demand":
        for word in _WORD.finditer(head):
            if word["within"] or word["reach"]:
                wants = "max" if word["within"] else "min"
                found.append((size.bound in (wants, "exact"), False))
        return found
    if clause.frame not in ("own", "open"):
        return found
    flips = sum(1 for _ in lex.NEGATORS.finditer(head)) + sum(
        1 for _ in re.finditer(r"\bfail\w* to\b", head)
    )
    turned = (flips % 2 == 1) != clause.denied
    compared = next((one for one in _WORD.finditer(head) if one[0] not in _NOUNS), None)
    named = _LIMIT.search(head)
    limit = _number_after(clause, named.end(), reading) if named else None
    if named and limit not in (None, size.needed) and not compared:
        found.append((False, False))
    elif named and lex.BREAKS.search(head):
        found.append((_breaks(size) != turned, not turned))
    elif compared:
        word = compared
        limit = _number_after(clause, word.end(), reading)
        place = word[0] in ("under", "below", "over", "above", "past", "beyond", "within", "before")
        if place and limit is None and re.search(V, head[word.end() :]):
            return found
        given = limit is not None
        limit = size.needed if limit is None else limit
        kind = word.lastgroup
        if kind == "few":
            few = size.actual < size.needed and (not given or size.actual == limit)
            found.append((few, _breaks(size)))
        elif kind in ("within", "reach"):
            # `within 80 words` holds or not; turned round it is a breach.
            keeps = size.actual <= limit if kind == "within" else size.actual >= limit
            found.append((keeps != turned, turned))
        else:
            over = size.actual > limit if kind == "over" else size.actual < limit
            above = (kind == "over") != turned
            bounds: tuple[str, ...] = ("max", "exact") if above else ("min", "exact")
            if turned and not _REMAINS.search(head):
                bounds = ()
            found.append((over != turned, size.bound in bounds and _breaks(size)))
    elif named and re.search(rf"\b(?:{_KEEP})\b", head):
        found.append((_breaks(size) == turned, turned))
    return found


def _breaks(size: Size) -> bool:
    if size.bound == "max":
        return size.actual > size.needed
    if size.bound == "min":
        return size.actual < size.needed
    return size.actual != size.needed


def _number_after(clause: Clause, at: int, reading: Reading) -> int | None:
    value = re.compile(V).search(clause.text, at)
    if value is None:
        return None
    text = normal(reading.values[ord(value[0]) - 0xE000].text)
    return int(text) if text.isdigit() else None
