"""The family `python`: what calls return (as the item records it), signatures, statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Part, Slot, made, parts, repaired

_DEF = re.compile(r"^def (\w+)\((.*)\) -> (.*):$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference."""
    assert reason.about in ("a", "b")
    check = reason.check or {}
    kind = item.meta.get("kinds", {}).get(reason.id, "")
    pattern = str(check.get("value", ""))
    functions = {name for name, *_ in _DEF.findall(item.response(reason.about))}
    if check.get("kind") == "python_tests":
        subject, wrong, right = facts
        roles: dict[str, Part] = {subject: "context", wrong: "wrong", right: "right"}
        if wrong == right:
            roles[wrong] = "context"
        tests = " ".join(check["tests"])
        name = next(one for one in _WORD.findall(subject) if one in tests and one in functions)
        where: dict[str, Any] = {
            "place": re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"),
            "placed": True,
        }
        return made(reason, roles, cased=True, **where)
    roles = parts(item, reason, facts)
    before = {name: rest for name, *rest in _DEF.findall(item.response(reason.about))}
    after = {name: rest for name, *rest in _DEF.findall(repaired(item, reason))}
    function = next((fact for fact in facts if fact in before), "")
    where = _place(before, function) if function else {}
    if kind == "missing_docstring":
        return made(reason, dict.fromkeys(facts, "context"), cased=True, **where)
    if kind == "wrong_annotation":
        return made(
            reason, {facts[0]: "context", facts[1]: "wrong"}, also_right=[after[function][1]],
            also_wrong=[before[function][1]], cased=True, **where,
        )  # fmt: skip
    if kind == "wrong_parameter":
        return made(
            reason, {facts[0]: "context", facts[1]: "wrong", facts[2]: "right"}, cased=True, **where
        )
    if kind in ("forbidden_call", "missing_call"):
        banned = pattern.startswith(r"\A(?!")
        called: dict[str, Part] = {facts[0]: "context", facts[1]: "wrong" if banned else "right"}
        return made(reason, called, cased=True, **where)
    if len(facts) == 3:
        roles = {facts[0]: "context", facts[1]: "wrong", facts[2]: "right"}
    return made(reason, roles, cased=True, **where)


def _place(functions: dict[str, list[str]], function: str) -> dict[str, Any]:
    others = "|".join(sorted(set(functions) - {function}, key=len, reverse=True)) or "(?!)"
    return {
        "place": re.compile(rf"(?<!\w){re.escape(function)}(?!\w)"),
        "places": re.compile(rf"(?<!\w)(?:{others})(?!\w)"),
    }
