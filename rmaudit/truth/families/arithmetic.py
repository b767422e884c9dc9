"""The family `arithmetic`: steps and answer lines of lettered parts, a rule, a name, a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Part, Slot, made, normal, parts, repaired
from rmaudit.truth.values import canonical, folded

_PART = re.compile(r"Answer\\? ?\\?\(([a-f])\\?\)")
_ANSWER = re.compile(r"^Answer \(([a-f])\):.*$", re.MULTILINE)
_ANY_PART = re.compile(r"\bpart \(?[a-f]\)?(?!\w)|\([a-f]\)")
_WORKING = re.compile(
    r"\b(?:working|steps?|derivation|computation|arithmetic|workings|own|calculates"
    r"|computes|works out|derives|obtains|arrives at)\b"
)
_TWICE = re.compile(r"\b(?:twice|two times|double[ds]?|a second time|doubly|again)\b")
_DOWN = re.compile(
    r"\bround\w*(?: \S+){0,3}? down(?:wards?)?\b|\btruncat\w*|\bcuts?(?: \S+){0,2}? (?:down|off)\b"
)
_UP = re.compile(r"\bround\w*(?: \S+){0,3}? up(?:wards?)?\b")


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference."""
    assert reason.about in ("a", "b")
    kind = item.meta.get("kinds", {}).get(reason.id, "")
    roles = parts(item, reason, facts)
    found = _PART.search(str((reason.check or {}).get("value", "")))
    if found is None:
        return made(reason, roles)
    letter = found[1]
    answer = re.compile(rf"Answer \({letter}\): (.+?)\s*$", re.MULTILINE)
    wrong, right = (
        {given[1] for given in answer.finditer(canonical_lines(text))}
        for text in (item.response(reason.about), repaired(item, reason))
    )
    for fact in facts:
        if normal(fact) in map(normal, wrong):
            roles[fact] = "wrong"
        elif normal(fact) in map(normal, right):
            roles[fact] = "right"
    more: dict[str, Any] = {
        "also_wrong": wrong - right,
        "also_right": right - wrong,
        "place": re.compile(rf"\bpart \(?{letter}\)?(?!\w)|\({letter}\)", re.IGNORECASE),
        "places": _ANY_PART,
    }
    if kind == "wrong_final":
        more["anywhere"] = _WORKING
    elif kind == "applied_twice":
        more |= {"wrong_words": _TWICE, "telling": True}
    elif kind == "wrong_rounding":
        more |= {"wrong_words": _DOWN, "right_words": _UP, "telling": True}
    elif kind == "skipped_condition":
        note = next((fact for fact, part in roles.items() if part == "context"), None)
        if note:
            roles = {**roles, note: "right"}
    elif kind == "other_question":
        note = next((fact for fact, part in roles.items() if part == "context"), None)
        if note:
            roles = {**roles, note: "wrong"}
            more["tells"] = normal(note)
    fixed: dict[str, Part] = dict(roles)
    return made(reason, fixed, **more)


def canonical_lines(text: str) -> str:
    """Each line in canonical spelling."""
    return "\n".join(canonical(line) for line in text.splitlines())


def sections(response: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The lettered parts of a solution, each with an expression that finds its name."""
    found = []
    start = 0
    for answer in _ANSWER.finditer(response):
        name = re.compile(rf"\bpart \(?{answer[1]}\)?(?!\w)|\({answer[1]}\)", re.IGNORECASE)
        found.append((name, folded(response[start : answer.end()])))
        start = answer.end()
    return tuple(found)
