"""The families `slogan` and `ad-copy`: values that stand in the text as they are, and lengths."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Part, Slot, made, parts


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference."""
    check = reason.check or {}
    kind = str(check.get("kind", ""))
    if kind.endswith(("_words", "_chars")):
        assert reason.about in ("a", "b")
        text = item.response(reason.about)
        actual = len(text.split()) if kind.endswith("_words") else len(text)
        roles: dict[str, Part] = dict.fromkeys(facts, "right")
        return made(reason, roles, also_right=[check["value"]], also_wrong=[actual])
    exclaims = kind == "lacks" and check["value"] == "!"
    also = [f"{fact}!" for fact in facts] if exclaims else ()
    return made(reason, parts(item, reason, facts), also_wrong=also)


# What a request names: quotations, hashtags, amounts, names, and what `it is` and `the word` say.
_DEMANDED = re.compile(
    r'"([^"]+)"|(#\w+)|([$€£]\d[\d,]*(?:\.\d+)?)|(\d+%)|(?<=[a-z] )([A-Z]\w+(?: [A-Z]\w+)*)'
    r"|\bit is (\w+),|\bthe word (\w+)\."
)


def demanded(item: Item) -> set[str]:
    """Values that the request names; a reason may claim that a response has or lacks them."""
    request = " ".join(turn.content for turn in item.prompt)
    return {found[found.lastindex or 0] for found in _DEMANDED.finditer(request)}
