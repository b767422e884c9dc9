"""A program-made set as a whole: its card, and its folder on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tomli_w

from rmaudit.checklists.differences import mean_differences
from rmaudit.checklists.load import CARD_FILE, ITEMS_FILE, ChecklistSet, content_hash, dump_item
from rmaudit.checklists.schema import SetCard
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.build import make_items

GENERATOR_VERSION = "2"


def make_set(
    families: Sequence[Family], *, n: int, seed: int, name: str | None = None
) -> ChecklistSet:
    """`n` program-made items with their card, baselines not yet measured."""
    items = tuple(make_items(families, n=n, seed=seed))
    sha256 = content_hash(items)
    names = ", ".join(family.name for family in families)
    card = SetCard(
        name=name or f"synth-{seed}",
        version=GENERATOR_VERSION,
        licence="Apache-2.0",
        origin="program",
        sha256=sha256,
        purpose=f"Program-made preference pairs ({names}) whose reasons are proved by checks.",
        differences=mean_differences(items),
        not_for="Ranking models in general: the faults are injected, simple and known in advance.",
    )
    return ChecklistSet(card, items, sha256)


def save(made: ChecklistSet, directory: Path) -> None:
    """Writes items.jsonl and card.toml; the same set gives the same bytes."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = "".join(dump_item(item) + "\n" for item in made.items)
    (directory / ITEMS_FILE).write_text(lines, encoding="utf-8", newline="\n")
    card = made.card.model_dump(mode="json", exclude_none=True)
    (directory / CARD_FILE).write_text(tomli_w.dumps(card), encoding="utf-8", newline="\n")
