"""The items that planted models judge: program-made, some of them dressed up on one side.

Items of the generator look alike on both sides. Here one response of most items, chosen by chance,
gets sentences in bold type, so that a model can be drawn to them. Nothing else is changed.
"""

from __future__ import annotations

import re
from random import Random

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.records import Side

FAMILIES = ("slogan", "ad-copy", "formats")
MOST_BOLD = 3
_SENTENCE = re.compile(r"[A-Z][^.!?]{10,}[.!?]")


def make(*, n: int, seed: int) -> list[Item]:
    """`n` items of three families in turn; repairs and controls are left out."""
    items = make_items(choose(FAMILIES), n=n, seed=seed)
    return [_dressed(item, Random(f"dress/{seed}/{item.id}")) for item in items]


def _dressed(item: Item, rng: Random) -> Item:
    plain = item.model_copy(update={"repairs": None, "controls": None})
    side: Side = rng.choice(("a", "b"))
    text = before = item.response(side)
    passages = [passage for line in text.splitlines() for passage in _SENTENCE.findall(line)]
    for passage in rng.sample(passages, min(MOST_BOLD, len(passages))):
        bold = text.replace(passage, f"**{passage}**", 1)
        if "*" not in passage and _same_checks(item, before, bold):
            text = bold
    return plain.model_copy(update={f"response_{side}": text})


def _same_checks(item: Item, before: str, after: str) -> bool:
    """Whether no requirement of the item is met or broken by the edit."""
    checks = [reason.check for reason in item.reasons if reason.check is not None]
    return all(run_check(check, before) is run_check(check, after) for check in checks)
