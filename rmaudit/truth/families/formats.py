"""The family `formats`: lines and entries of a list, keys and values of a JSON object, counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rmaudit.checklists.checks import fenced, run_check
from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.families import copy
from rmaudit.truth.slots import Part, Slot, made, parts


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference."""
    check = reason.check or {}
    kind = str(check.get("kind", ""))
    if kind.endswith(("_words", "_chars")) or kind == "lacks":
        return copy.slot_of(item, reason, facts)
    assert reason.about in ("a", "b")
    response = item.response(reason.about)
    if kind in ("bullet_count", "line_count", "json_length"):
        return _counted(item, reason, facts, response)
    if kind == "regex":
        return _marked(reason, facts)
    if kind == "json_type":
        return _typed(item, reason, facts)
    if kind == "json_equals" and isinstance(check["value"], bool):
        right = json.dumps(check["value"])
        wrong = json.dumps(not check["value"])
        words = {"also_right": [right], "also_wrong": [wrong]}
        return made(
            reason,
            dict.fromkeys(facts, "context"),
            placed=True,
            **_place(item, check["key"]),
            **words,
        )
    roles = parts(item, reason, facts)
    key = check.get("key")
    where = _place(item, key) if key else {}
    if key and not any(str(fact) == key for fact in facts):
        where = _place(item, key)
    also: dict[str, Any] = {"also_right": [check["value"]]} if kind != "json_lacks_key" else {}
    return made(reason, roles, **where, **also)


def _counted(item: Item, reason: Reason, facts: Sequence[str], response: str) -> Slot:
    check = reason.check or {}
    needed = int(check["value"])
    actual = _actual(check, response)
    roles: dict[str, Part] = {
        fact: "right" if fact == str(needed) else "wrong" if fact == str(actual) else "context"
        for fact in facts
    }
    where = _place(item, check["key"]) if "key" in check else {}
    return made(reason, roles, also_right=[needed], also_wrong=[actual], **where)


def _actual(check: Mapping[str, Any], response: str) -> int:
    """How many there are: the count with which the check would pass."""
    return next(n for n in range(400) if run_check({**check, "value": n}, response))


def _marked(reason: Reason, facts: Sequence[str]) -> Slot:
    """The first bullet, or the one in bold: both entries stand in both responses."""
    pattern = str((reason.check or {})["value"])
    asked = [
        fact for fact in facts if re.escape(fact) in pattern or fact.replace(" ", r"\ ") in pattern
    ]
    roles: dict[str, Part] = {fact: "right" if fact in asked else "wrong" for fact in facts}
    return made(reason, roles)


def _typed(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """A number as a string, or a string as a number: the value is the same, its form is wrong."""
    where = _place(item, (reason.check or {})["key"])
    return made(reason, dict.fromkeys(facts, "context"), placed=True, **where)


def keys_of(item: Item) -> set[str]:
    """The keys of both objects."""
    keys: set[str] = set()
    for response in (item.response_a, item.response_b):
        try:
            found = json.loads(fenced(response))
        except ValueError:
            continue
        keys |= set(found) if isinstance(found, dict) else set()
    return keys


def _place(item: Item, key: str) -> dict[str, Any]:
    """The key, and the other keys of both objects."""
    keys = keys_of(item)
    others = "|".join(map(re.escape, sorted(keys - {key}, key=len, reverse=True)))
    return {
        "place": re.compile(rf"(?<!\w){re.escape(key)}(?!\w)"),
        "places": re.compile(rf"(?<!\w)(?:{others or '(?!)'})(?!\w)"),
    }
