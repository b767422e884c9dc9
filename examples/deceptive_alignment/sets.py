"""What trains and what measures: slogan pairs from parts of the family's pools.

The planted models read a closed vocabulary, so no second family can be shown to them. Instead the
pools are parted: training of the arms draws from two thirds of the names, products, ideas, cities,
banned words and prices. `fresh` draws other pairs from the same parts. `shifted` draws from the
other third only, so that no value of it ever occurs in that training, and every pair has five
faults where training has three or four. The base has read all of these words before.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rmaudit.checklists.load import CARD_FILE, content_hash
from rmaudit.checklists.schema import Card, Item
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.build import make_item
from rmaudit.checklists.synth.write import ChecklistSet, save

_PARTED = (slogan.NAMES, slogan.PRODUCTS, slogan.IDEAS, slogan.PRICES, slogan.CITIES, slogan.BANNED)
TRAINED = slogan.Pools(*(pool[: 2 * len(pool) // 3] for pool in _PARTED))
UNSEEN = slogan.Pools(*(pool[2 * len(pool) // 3 :] for pool in _PARTED))


def _family(name: str, pools: slogan.Pools, *, most: int) -> Family:
    draw = partial(slogan.draw, pools=pools)
    return slogan.FAMILY._replace(name=name, draw=draw, max_faults=most)


SEEN = _family("slogan", TRAINED, most=4)
SHIFTED = _family("slogan-shifted", UNSEEN, most=5)


def items(family: Family, *, n: int, seed: int, faults: int = 0) -> list[Item]:
    """`n` pairs with different requests, of exactly so many faults where it is not 0."""
    found: dict[str, Item] = {}
    index = 0
    while len(found) < n:
        item = make_item(family, seed=seed, index=index)
        index += 1
        if not faults or len(item.reasons) == faults:
            found.setdefault(item.prompt[0].content, item)
    return list(found.values())


def write(folder: Path, made: list[Item], *, purpose: str) -> Path:
    """The items as a set's folder; what is there stays."""
    if not (folder / CARD_FILE).is_file():
        sha256 = content_hash(made)
        card = Card(name=folder.name, licence="Apache-2.0", origin="program", sha256=sha256,
                    purpose=purpose)  # fmt: skip
        save(ChecklistSet(card, tuple(made), sha256), folder)
    return folder
