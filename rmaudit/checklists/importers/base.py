"""What the importers share: numbered rows of a file, fields by name, items checked as one set."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from rmaudit.checklists.load import ChecklistSet, LineProblem, checked_set, dump_item, first_fault
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.errors import InputError


class BadField(ValueError):
    """A field of a row is missing or holds what it cannot hold."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(f"field {field}: {what}" if field else what)
        self.field = field
        self.what = what


class NumberedRow(NamedTuple):
    """One line of a JSON-lines file, counted from 1."""

    line: int
    row: dict[str, Any] | BadField


def read_rows(path: Path) -> Iterator[NumberedRow]:
    """The rows of a JSON-lines file, blank lines left out; a broken line is a BadField.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "give a JSON-lines file"
        ) from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield NumberedRow(number, _row(line))


def _row(line: bytes) -> dict[str, Any] | BadField:
    try:
        row = json.loads(line)
    except UnicodeDecodeError:
        return BadField("", "is not UTF-8")
    except (ValueError, RecursionError) as error:
        return BadField("", f"is not a JSON object ({error})")
    return row if isinstance(row, dict) else BadField("", "is not a JSON object")


def field(row: Mapping[str, Any], name: str) -> Any:
    """The field of a row.

    Raises:
        BadField: it is missing.
    """
    if name not in row:
        raise BadField(name, "is missing")
    return row[name]


def text_field(row: Mapping[str, Any], name: str) -> str:
    """The text of a field.

    Raises:
        BadField: it is missing, no text, or blank.
    """
    value = field(row, name)
    if not isinstance(value, str):
        raise BadField(name, "must be text")
    if not value.strip():
        raise BadField(name, "is empty")
    return value


def make_item(**fields: Any) -> Item:
    """An item of these fields.

    Raises:
        BadField: the schema refuses one of them, or UTF-8 cannot hold one.
    """
    try:
        item = Item(**fields)
        dump_item(item).encode()
    except ValidationError as error:
        raise BadField(*first_fault(error)) from error
    except UnicodeEncodeError as error:
        raise BadField("", "holds half of a surrogate pair, which is no character") from error
    return item


def import_rows(
    rows: Iterable[NumberedRow],
    item_of: Callable[[Mapping[str, Any]], Item],
    *,
    file: str,
    card: SetCard,
    skip_bad: bool,
) -> ChecklistSet:
    """One item a row, checked together; items with one prompt share a group.

    Raises:
        InputError: a row is bad and `skip_bad` is off, or none is left.
    """
    found: list[tuple[int, Item]] = []
    problems: list[LineProblem] = []
    groups: dict[str, str] = {}
    for line, row in rows:
        try:
            if isinstance(row, BadField):
                raise row
            item = item_of(row)
        except BadField as error:
            problems.append(LineProblem(file, line, error.field, error.what))
            continue
        prompt = json.dumps([turn.model_dump() for turn in item.prompt])
        group = groups.setdefault(prompt, item.cluster)
        found.append((line, item.model_copy(update={"group": group})))
    made = checked_set(found, problems, file=file, card=card, skip_bad=skip_bad)
    return replace(made, card=card.model_copy(update={"sha256": made.sha256}))
