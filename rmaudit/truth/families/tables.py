"""`table-facts` and `sql`: a value belongs to a row or query, so a reason has to name that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rmaudit.checklists.schema import Item, Reason
from rmaudit.truth.slots import Slot, made, parts


def slot_of(item: Item, reason: Reason, facts: Sequence[str]) -> Slot:
    """The slot of one reference; its first fact names the row or query."""
    subject, *values = facts
    roles = parts(item, reason, values)
    place = re.compile(rf"(?<!\w){re.escape(subject)}(?!\w)", re.IGNORECASE)
    return made(reason, {subject: "context", **roles}, place=place, placed=True)
