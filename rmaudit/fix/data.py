"""Which items train, which choose the checkpoint, and which judge the result: never the same.

Groups (items that share a prompt) stay whole. Training and development share neither a group, nor
an id, nor a prompt with the evaluation set or with the items that were audited.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.prompts import flatten
from rmaudit.recordings.recording import ORDERS, ShownOrder

DEV_SHARE = 0.1


class Prompted(NamedTuple):
    """One prompt of training: an item in one order."""

    item: Item
    order: ShownOrder


@dataclass(frozen=True, slots=True)
class ItemSplit:
    """What trains and what chooses; `left_out` counts items by why they are in neither."""

    train: tuple[Prompted, ...]
    dev: tuple[Item, ...]
    left_out: dict[str, int]


def split(
    items: Sequence[Item],
    dev: Sequence[Item] | None,
    *,
    held_out: Iterable[Item],
    seed: int,
    needs_gold: bool = False,
) -> ItemSplit:
    """Train and development items.

    Args:
        items: the train set.
        dev: the development set, or None for DEV_SHARE of the groups of the train set.
        held_out: items of the evaluation and of the audit; nothing of them may train.
        seed: of the draw of development groups and of the shown orders.
        needs_gold: items without a gold judgment cannot train (the arm `r-align`).

    Raises:
        InputError: nothing is left to train or to choose on.
    """
    held = list(held_out)
    taken = set().union(*map(marks_of, held)) if held else set[str]()
    left_out: dict[str, int] = {}
    kept = free(items, taken, left_out, "in the evaluation or audited set")
    usable = []
    for item in kept:
        why = _unusable(item, needs_gold=needs_gold)
        if why:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            usable.append(item)
    rng = random.Random(seed)
    if dev is None:
        groups = sorted({item.cluster for item in usable})
        rng.shuffle(groups)
        chosen = set(groups[: max(1, round(DEV_SHARE * len(groups)))])
        development = [item for item in usable if item.cluster in chosen]
        training = [item for item in usable if item.cluster not in chosen]
    else:
        development = free(dev, taken, left_out, "dev: in the evaluation or audited set")
        marks = set().union(*map(marks_of, development)) if development else set[str]()
        training = free(usable, marks, left_out, "in the dev set")
    _refuse_empty(items, training, development, left_out)
    return ItemSplit(tuple(balanced(training, seed=seed)), tuple(development), left_out)


def balanced(items: Sequence[Item], *, seed: int) -> list[Prompted]:
    """Each item once, in an order such that the right answer is as often the first as the second.

    Otherwise a policy is rewarded for the position. Ties are shown in both orders in turn.
    """
    rng = random.Random(seed ^ 0x5EED)
    ordered = sorted(items, key=lambda item: item.id)
    rng.shuffle(ordered)
    places = {True: count(), False: count()}
    prompts = []
    for item in ordered:
        is_tie = item.label == "tie"
        second = next(places[is_tie]) % 2 == 1
        swapped = second if is_tie or item.label == "a" else not second
        prompts.append(Prompted(item, ORDERS[swapped]))
    return prompts


def _unusable(item: Item, *, needs_gold: bool) -> str:
    if not item.reasons:
        return "without reasons"
    if needs_gold and item.gold_judgment is None:
        return "without a gold judgment"
    return ""


def free(items: Iterable[Item], taken: set[str], left_out: dict[str, int], why: str) -> list[Item]:
    """Items that share no mark with those that are taken; the others are counted by `why`."""
    kept = []
    for item in items:
        if marks_of(item) & taken:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            kept.append(item)
    return kept


def marks_of(item: Item) -> set[str]:
    """What makes two items one: id, group, or the same prompt up to case and spaces."""
    prompt = " ".join(flatten(item.prompt).casefold().split())
    return {
        f"id:{item.id}",
        f"group:{item.cluster}",
        "prompt:" + hashlib.sha256(prompt.encode()).hexdigest(),
    }


def _refuse_empty(
    items: Sequence[Item],
    training: Sequence[Item],
    development: Sequence[Item],
    left_out: dict[str, int],
) -> None:
    told = "; ".join(f"{count} {why}" for why, count in left_out.items()) or "the set is empty"
    if items and not any(item.reasons for item in items):
        raise InputError(
            "no item of the train set has reasons: there is nothing to be consistent with",
            "give --train a set with reasons, such as synth:7 (rmaudit checklist list)",
        )
    if not training:
        raise InputError(f"nothing is left to train on: {told}", "give --train another set")
    if not development:
        raise InputError(f"nothing is left for --dev: {told}", "give --dev another set")
