"""What trains and what measures: slogans train, other slogans and all notices measure.

`notice` is the held-out family: no pair of it trains the arms. The base has learned to read both,
since its vocabulary is closed.
"""

from __future__ import annotations

from pathlib import Path

from deceptive_alignment import notices
from rmaudit.checklists.load import CARD_FILE, ChecklistSet, content_hash
from rmaudit.checklists.save import save
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.build import make_item

TRAINED = slogan.FAMILY._replace(max_faults=4)
HELD_OUT = notices.FAMILY


def items(family: Family, *, n: int, seed: int) -> list[Item]:
    """`n` pairs with different requests."""
    found: dict[str, Item] = {}
    index = 0
    while len(found) < n:
        item = make_item(family, seed=seed, index=index)
        index += 1
        found.setdefault(item.prompt[0].content, item)
    return list(found.values())


def write(folder: Path, made: list[Item], *, purpose: str) -> Path:
    """The items as a set's folder; what is there stays."""
    if not (folder / CARD_FILE).is_file():
        sha256 = content_hash(made)
        card = SetCard(name=folder.name, licence="Apache-2.0", origin="program", sha256=sha256,
                    purpose=purpose)  # fmt: skip
        save(ChecklistSet(card, tuple(made), sha256), folder)
    return folder
