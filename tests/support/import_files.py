"""Files to import, with text of our own, and what an import makes of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers import KINDS, kind_named
from rmaudit.checklists.importers.kind import ImportOptions
from rmaudit.checklists.importers.write import Imported, import_to
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set


def write_lines(name: str, rows: Sequence[Any]) -> str:
    """Writes JSON lines; a text is written as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    Path(name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return name


def imported(
    rows: Sequence[Any], kind: str | None = None, *, out: str = "made", file: str = "rows.jsonl",
    skip_bad: bool = False, **options: Any,
) -> tuple[list[Item], Imported]:  # fmt: skip
    """Rows as items, through the file system, and the report."""
    source = write_lines(file, rows)
    named = kind_named(kind) if kind else None
    made = import_to(
        Path(out), source, KINDS, kind=named, options=ImportOptions(**options), skip_bad=skip_bad
    )
    loaded = load_set(out)
    assert not loaded.stale_card
    return list(loaded.items), made


def user(text: str) -> list[dict[str, str]]:
    """A conversation of one turn."""
    return [{"role": "user", "content": text}]
