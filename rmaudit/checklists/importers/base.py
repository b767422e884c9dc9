"""A file of pairs as one set in memory: for recorded outputs, whose items come with answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rmaudit.checklists.cross_check import LineProblem
from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.rows import NumberedRow, file_rows
from rmaudit.checklists.load import ChecklistSet, checked_set
from rmaudit.checklists.schema import Item, SetCard


def read_rows(path: Path) -> Iterator[NumberedRow]:
    """The rows of a file, blank lines left out; a broken one is a BadField.

    Raises:
        InputError: the file cannot be read.
    """
    yield from file_rows(path)[1]


def import_rows(
    rows: Iterable[NumberedRow],
    items_of: Callable[[Mapping[str, Any]], Iterable[Item]],
    *,
    file: str,
    card: SetCard,
    skip_bad: bool,
) -> ChecklistSet:
    """The items of all rows, checked together; items with one prompt share a group.

    Raises:
        InputError: a row is bad and `skip_bad` is off, or none is left.
    """
    found: list[tuple[int, Item]] = []
    problems: list[LineProblem] = []
    groups = Groups()
    for line, row in rows:
        try:
            if isinstance(row, BadField):
                raise row
            items = list(items_of(row))
        except BadField as error:
            problems.append(LineProblem(file, line, error.field, error.what))
            continue
        found += ((line, groups.joined(item)) for item in items)
    made = checked_set(found, problems, file=file, card=card, skip_bad=skip_bad)
    return replace(made, card=card.model_copy(update={"sha256": made.sha256}))


class Groups:
    """Items with one prompt share the group of the first of them."""

    def __init__(self) -> None:
        self._groups: dict[bytes, str] = {}

    def joined(self, item: Item) -> Item:
        """The item in the group of its prompt."""
        prompt = json.dumps([turn.model_dump() for turn in item.prompt])
        digest = blake2b(prompt.encode(), digest_size=16).digest()
        group = self._groups.setdefault(digest, item.cluster)
        return item if group == item.group else item.model_copy(update={"group": group})
