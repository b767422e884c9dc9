"""Files that are one JSON object, over one line or many: the object, or its columns as rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.base import read_rows
from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.errors import InputError


def read_document(path: Path) -> dict[str, Any] | None:
    """The one object of a file; None where it holds rows, or is no JSON at all.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "give a JSON or JSON-lines file"
        ) from error
    if not text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        found = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def rows_of(path: Path, column: str) -> Iterator[NumberedRow]:
    """The rows of a file: its lines, or those of one object whose fields are columns.

    A row of columns has its place from 1; a field that is no list belongs to every row.

    Raises:
        InputError: the file cannot be read, or its columns are not of one length.
    """
    document = read_document(path)
    if document is None or not isinstance(document.get(column), list):
        yield from read_rows(path)
        return
    yield from _of_columns(document, path, column)


def _of_columns(document: Mapping[str, Any], path: Path, column: str) -> Iterator[NumberedRow]:
    length = len(document[column])
    for name, values in document.items():
        if isinstance(values, list) and len(values) != length:
            raise InputError(
                f"{path}, field {name}: has {len(values)} values, but {column} has {length}",
                "the columns of a file of results are of one length: write it again",
            )
    for k in range(length):
        row = {n: v[k] if isinstance(v, list) else v for n, v in document.items()}
        yield NumberedRow(k + 1, row)


def object_at(value: object, where: str) -> dict[str, Any]:
    """An object.

    Raises:
        BadField: it is something else.
    """
    if not isinstance(value, dict):
        raise BadField(where, "must be an object")
    return value


def list_at(value: object, where: str) -> list[Any]:
    """A list.

    Raises:
        BadField: it is something else.
    """
    if not isinstance(value, list):
        raise BadField(where, "must be a list")
    return value


def shared_start(texts: Sequence[str]) -> str:
    """The whole lines with which all texts begin: of templated conversations, their prompt."""
    first, last = min(texts), max(texts)
    same = next((k for k, (x, y) in enumerate(zip(first, last, strict=False)) if x != y), None)
    shared = first[:same]
    return shared[: shared.rfind("\n") + 1]
