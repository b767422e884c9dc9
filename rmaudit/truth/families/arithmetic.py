"""The family `arithmetic`: steps and answer lines of lettered parts, a rule, a name, a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Slot, made, normal, parts, repaired
from rmaudit.truth.values import canonical

_PART = re.compile(r"Answer\\? ?\\?\(([a-f])\\?\)")
_ANY_PART = re.compile(r"\bpart \(?[a-f]\)?(?!\w)|\([a-f]\)")


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
    note = next((fact for fact, part in roles.items() if part == "context"), None)
    if note and kind == "skipped_condition":
        roles = {**roles, note: "right"}
    elif note and kind == "other_question":
        roles = {**roles, note: "wrong"}
    return made(reason, roles, **more)


def canonical_lines(text: str) -> str:
    """Each line in canonical spelling."""
    return "\n".join(canonical(line) for line in text.splitlines())
