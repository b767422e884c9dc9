"""Public preference sets as items: one module a format, found by name in `SETS`.

A set is imported from a file that the user has; none is shipped and nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers import judgebench
from rmaudit.checklists.importers.base import import_rows, read_rows
from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.errors import InputError

SETS: dict[str, tuple[SetCard, Callable[[Mapping[str, Any]], Item]]] = {
    "judgebench": (judgebench.CARD, judgebench.item_of),
}
"""Each format's card, and how one row of it becomes an item."""


def import_set(
    name: str, source: Path, *, skip_bad: bool = False, title: str | None = None
) -> ChecklistSet:
    """The items of a public set.

    Args:
        name: a key of `SETS`.
        source: the file.
        skip_bad: leave bad rows out, and count them in `skipped`, instead of refusing the file.
        title: name on the card, default `name`.

    Raises:
        InputError: no such format, no such file, or a bad row (file, line, field and remedy).
    """
    if name not in SETS:
        raise InputError(f"no import format '{name}'", f"formats: {', '.join(SETS)}")
    card, item_of = SETS[name]
    card = card.model_copy(update={"name": title or card.name})
    return import_rows(read_rows(source), item_of, file=str(source), card=card, skip_bad=skip_bad)
