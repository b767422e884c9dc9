"""`table-facts`, `sql`, `quantities`: a value belongs to a row, a query or a letter.

So a reason has to name it; the same value of another row is another claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Slot, made, parts

_LETTER = re.compile(r"\(([a-z])\)")


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference; its first fact names the row, query or letter."""
    subject, *values = facts
    roles = parts(item, reason, values)
    if letter := _LETTER.fullmatch(subject):
        place = re.compile(
            rf"\(?(?<!\w){letter[1]}\)|\b(?:part|question|line|item) {letter[1]}(?!\w)",
            re.IGNORECASE,
        )
        return made(reason, roles, place=place, placed=True)
    place = re.compile(rf"(?<!\w){re.escape(subject)}(?!\w)", re.IGNORECASE)
    return made(reason, {subject: "context", **roles}, place=place, placed=True)
