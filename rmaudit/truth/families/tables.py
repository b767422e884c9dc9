"""The family `table-facts`: a value belongs to its row, so a reason has to name the row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Slot, made, parts


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference; its first fact is the name of the row."""
    subject, *values = facts
    roles = parts(item, reason, values)
    place = re.compile(rf"(?<!\w){re.escape(subject)}(?!\w)", re.IGNORECASE)
    return made(reason, {subject: "context", **roles}, place=place, placed=True)
