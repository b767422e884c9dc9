"""A reason in the view of one fault: names and values become what they are for this fault.

So the same sentence about any value is the same text, and what is left to be read is language.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.records import Side
from rmaudit.truth.slots import Part, Slot
from rmaudit.truth.values import BOTH, FIRST, OTHER, OWN, Value, canonical, holds, mask

SIGNS = {OWN: "[unused1]", OTHER: "[unused2]", BOTH: "[unused1] and [unused2]"}
PARTS: dict[Part | None, str] = {
    "wrong": "[unused3]", "right": "[unused4]", "context": "[unused5]", None: "[unused6]",
}  # fmt: skip
"""What the response must not have, what it must have, what else the fault names; any other value.

The encoder keeps such tokens free for uses of one's own."""
_SIGN = re.compile(f"[{OWN}{OTHER}{BOTH}]")
_VALUE = re.compile("[\ue000-\uf8ff]")


class MaskedReason(NamedTuple):
    """A reason with its values masked, before it is related to a fault. shared: it names both."""

    masked: str
    values: tuple[Value, ...]

    @property
    def shared(self) -> bool:
        """Whether it speaks of both responses at once."""
        return BOTH in self.masked


def told(text: str, about: Side, known: re.Pattern[str]) -> MaskedReason:
    """What a reason says of a response.

    Args:
        text: in item coordinates.
        about: the response that it is about.
        known: finds the values of the item.
    """
    return MaskedReason(*mask(canonical(text), about, known))


def seen_from(one: MaskedReason, slot: Slot) -> tuple[str, frozenset[Part]]:
    """The text as the reader takes it, and which parts of the fault it names."""
    parts = [slot.part_of(value.text) or _instead(value, slot) for value in one.values]
    text = _VALUE.sub(lambda found: PARTS[parts[ord(found[0]) - FIRST]], one.masked)
    text = _SIGN.sub(lambda found: SIGNS[found[0]], text)
    return " ".join(text.split()), frozenset(part for part in parts if part)


def _instead(value: Value, slot: Slot) -> Part | None:
    """What a response has may stand in the place of what is missing there."""
    stands = not slot.wrong and slot.right and value.kind in ("known", "quoted")
    return "wrong" if stands and holds(slot.own, value.text) else None
