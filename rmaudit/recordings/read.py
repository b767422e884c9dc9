"""Reads a file of recorded outputs: its format is told by its keys, or named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.base import read_rows
from rmaudit.checklists.importers.judgebench import FIELDS
from rmaudit.errors import InputError
from rmaudit.recordings.document import read_document
from rmaudit.recordings.formats import FORMATS, Format
from rmaudit.recordings.recording import Recording

SHOWN_KEYS = 12


def read_recording(path: Path, *, skip_bad: bool = False, named: str | None = None) -> Recording:
    """Reads a file of recorded outputs.

    Args:
        path: the file.
        skip_bad: leave bad lines of a file out, and count them.
        named: `NAME` or `NAME:WHICH` of `--format`; default: the format that the keys tell.

    Raises:
        InputError: the file cannot be read, is of no known format, or has a bad line (file, line,
            field and remedy).
    """
    if named is None:
        return _told(path).read(path, skip_bad=skip_bad)
    name, _, which = named.partition(":")
    found = next((one for one in FORMATS if one.name == name), None)
    if found is None:
        raise InputError(
            f"no format '{name}' of recorded outputs",
            f"formats: {', '.join(one.name for one in FORMATS)}",
        )
    if not which:
        return found.read(path, skip_bad=skip_bad)
    if not found.chooses:
        raise InputError(f"--format {name} takes nothing after it", f"give --format {name}")
    return found.read(path, skip_bad=skip_bad, which=which)


def _told(path: Path) -> Format:
    line, first = _first_row(path)
    found = next((one for one in FORMATS if one.fits(first)), None)
    if found is not None:
        return found
    if first.keys() >= set(FIELDS):
        raise InputError(
            f"{path}, line {line}: pairs without answers (no field judgments)",
            f"import them as a set: rmaudit checklist import judgebench {path} --out DIR",
        )
    raise InputError(
        f"{path}, line {line}: not a known format of recorded outputs; its keys are "
        f"{', '.join(list(first)[:SHOWN_KEYS])}",
        "known are " + "; ".join(f"{one.name} ({one.keys})" for one in FORMATS),
    )


def _first_row(path: Path) -> tuple[int, dict[str, Any]]:
    """The one object of the file, or the first line that can be read."""
    document = read_document(path)
    if document is not None:
        return 1, document
    for line, row in read_rows(path):
        if isinstance(row, dict):
            return line, row
    return 0, {}
