"""A set as a folder: items.jsonl and card.toml."""

from __future__ import annotations

from pathlib import Path

import tomli_w

from rmaudit.checklists.load import CARD_FILE, ITEMS_FILE, ChecklistSet, dump_item
from rmaudit.checklists.schema import SetCard
from rmaudit.errors import InputError


def save(made: ChecklistSet, directory: Path) -> None:
    """Writes items.jsonl and card.toml; the same set gives the same bytes."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = "".join(dump_item(item) + "\n" for item in made.items)
    (directory / ITEMS_FILE).write_text(lines, encoding="utf-8", newline="\n")
    save_card(made.card, directory)


def save_card(card: SetCard, directory: Path) -> None:
    """Writes card.toml."""
    content = tomli_w.dumps(card.model_dump(mode="json", exclude_none=True))
    (directory / CARD_FILE).write_text(content, encoding="utf-8", newline="\n")


def refuse_occupied(directory: Path) -> None:
    """Refuses a folder that holds a set.

    Raises:
        InputError: it holds an items file, or is no folder.
    """
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory} is no folder", "name another --out")
    if (directory / ITEMS_FILE).exists():
        raise InputError(f"{directory} holds a set already", "name another --out, or delete it")
