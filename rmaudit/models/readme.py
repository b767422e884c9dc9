"""The front matter of a checkpoint's README: what its authors tagged it as."""

from __future__ import annotations

import re
from pathlib import Path

MOST = 1 << 20
"""Characters that are read; front matter is a page at most."""
_PAIR = re.compile(r"([A-Za-z_][\w-]*):[ \t]*(.*)")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)")


def front_matter(path: Path) -> dict[str, list[str]]:
    """Its top-level keys, each with its value or the values of its list; {} where there is none.

    Only plain values and lists of them are read, which is what model cards hold at their top.

    Its encoding does not matter: what is read of it is ASCII.
    """
    readme = path / "README.md"
    if not readme.is_file():
        return {}
    with readme.open(encoding="utf-8-sig", errors="replace") as file:
        lines = file.read(MOST).splitlines()
    if not lines or lines[0].strip() != "---":
        return {}
    found: dict[str, list[str]] = {}
    key = ""
    for line in lines[1:]:
        if line.strip() == "---":
            return found
        if pair := _PAIR.fullmatch(line):
            key = pair[1]
            found[key] = _values(pair[2])
        elif key and (entry := _ENTRY.fullmatch(line)):
            found[key].append(_bare(entry[1]))
    return {}


def _values(text: str) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_bare(part) for part in text[1:-1].split(",") if part.strip()]
    return [_bare(text)] if text else []


def _bare(text: str) -> str:
    return text.split(" #")[0].strip().strip("'\"")
