"""What an import did, as lines for a terminal and as import.json beside the items."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

IMPORT_FILE = "import.json"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Provenance and counts of an import.

    Attributes:
        kind: what it was read as, and `why`: named, or by which fields.
        source, revision, format: where the rows come from.
        licence: as on the card.
        seed: of placement.
        rows: read; `items` written; `left_out` bad rows or items, with the first of them.
        taken: which field was taken for what.
        counts: what rows lack or contradict.
        scores: lines of the kind about numbers in the file.
    """

    kind: str
    why: str
    source: str
    revision: str
    format: str
    licence: str
    seed: int
    rows: int
    items: int
    left_out: int
    taken: dict[str, str]
    counts: dict[str, int]
    scores: list[str] = field(default_factory=list)
    first_left_out: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """For a terminal."""
        return report_lines(asdict(self))

    def save(self, directory: Path) -> None:
        """Writes import.json."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2, sort_keys=True)
        (directory / IMPORT_FILE).write_text(text + "\n", encoding="utf-8", newline="\n")


def saved_lines(directory: Path) -> list[str]:
    """The lines of the import that made a folder; none where no import did, or it is unreadable."""
    try:
        return report_lines(json.loads((directory / IMPORT_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def report_lines(told: dict[str, Any]) -> list[str]:
    """Provenance, counts and scores, a line each."""
    at = f" at {told['revision']}" if told["revision"] else ""
    lines = [
        f"imported  {told['source']}{at} ({told['format']}) as {told['kind']}, {told['why']}",
        f"licence   {told['licence']}",
        f"rows      {told['rows']} read, {told['items']} items written, "
        f"{told['left_out']} bad rows or items left out",
    ]
    taken = ", ".join(f"{part}: {name}" for part, name in told["taken"].items())
    if taken:
        lines.append(f"fields    taken as {taken}")
    counts = sorted(told["counts"].items(), key=lambda pair: (-pair[1], pair[0]))
    lines += [f"counted   {n} {what}" for what, n in counts]
    # Names of fields and files come from outside: each line stays one line.
    return [" ".join(line.splitlines()) for line in [*lines, *told["scores"]]]
