"""The families `slogan` and `ad-copy`: values that stand in the text as they are, and lengths."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Size, Slot, made, parts

_EXCLAIMS = re.compile(r"\bexclamation(?: (?:marks?|points?))?|!")
_LENGTH = re.compile(
    r"\b(?:words?|characters?|letters|signs|limit|length|longe?r?|shorte?r?|brief|long-winded"
    r"|size)\b"
)
_UNITS = {
    "words": re.compile(r"\bwords?\b"),
    "chars": re.compile(r"\b(?:characters?|letters|signs)\b"),
}


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference."""
    check = reason.check or {}
    kind = str(check.get("kind", ""))
    if kind.endswith(("_words", "_chars")):
        return made(reason, parts(item, reason, facts), size=length(item, reason), topic=_LENGTH)
    if kind == "lacks" and check["value"] == "!":
        return made(
            reason,
            parts(item, reason, facts),
            ban=True,
            wrong_words=_EXCLAIMS,
            also_wrong=[f"{fact}!" for fact in facts],
        )
    if kind == "regex":
        never = "(?!" in str(check.get("value"))
        addressed = ("you", "your", "yours")
        return made(
            reason,
            parts(item, reason, facts),
            ban=never,
            also_wrong=addressed if never else (),
            also_right=() if never else addressed,
        )
    return made(reason, parts(item, reason, facts), ban=kind == "lacks")


def length(item: Item, reason: Reason) -> Size:
    """A limit of words or characters, and how many there are."""
    check = reason.check or {}
    assert reason.about in ("a", "b")
    bound, _, unit = str(check["kind"]).partition("_")
    text = item.response(reason.about)
    actual = len(text.split()) if unit == "words" else len(text)
    return Size(_UNITS[unit], "max" if bound == "max" else "min", int(check["value"]), actual)


# What a request names: quotations, hashtags, amounts, names, and what `it is` and `the word` say.
_DEMANDED = re.compile(
    r'"([^"]+)"|(#\w+)|([$€£]\d[\d,]*(?:\.\d+)?)|(\d+%)|(?<=[a-z] )([A-Z]\w+(?: [A-Z]\w+)*)'
    r"|\bit is (\w+),|\bthe word (\w+)\."
)


def demanded(item: Item) -> set[str]:
    """Values that the request names; a reason may claim that a response has or lacks them."""
    request = " ".join(turn.content for turn in item.prompt)
    return {found[found.lastindex or 0] for found in _DEMANDED.finditer(request)}
