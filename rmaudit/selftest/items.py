"""The items that planted models judge: program-made, some of them dressed up on one side.

Items of the generator look alike on both sides. Here one response of every second item, chosen by
chance, gets the marks of a dressed-up answer, so that a model can be drawn to them.
"""

from __future__ import annotations

from random import Random

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.records import Side

FAMILIES = ("slogan", "ad-copy", "formats")


def make(*, n: int, seed: int) -> list[Item]:
    """`n` items of three families in turn; repairs and controls are left out."""
    items = make_items(choose(FAMILIES), n=n, seed=seed)
    return [_dressed(item, Random(f"dress/{seed}/{item.id}")) for item in items]


def _dressed(item: Item, rng: Random) -> Item:
    plain = item.model_copy(update={"repairs": None, "controls": None})
    side: Side = rng.choice(("a", "b"))
    text = item.response(side)
    for edit in (_bold_and_closing, _closing):
        dressed = edit(text)
        if rng.random() < 0.6 and _same_checks(item, text, dressed):
            return plain.model_copy(update={f"response_{side}": dressed})
    return plain


def _bold_and_closing(text: str) -> str:
    head, dot, tail = text.partition(". ")
    return f"**{head}**{dot}{tail}\n\n**Ready when you are.**"


def _closing(text: str) -> str:
    return f"{text}\n\n**Ready when you are.**"


def _same_checks(item: Item, before: str, after: str) -> bool:
    """Whether no requirement of the item is met or broken by the edit."""
    checks = [reason.check for reason in item.reasons if reason.check is not None]
    return all(run_check(check, before) is run_check(check, after) for check in checks)
