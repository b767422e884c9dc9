"""A set in parts that share no group and no request."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from rmaudit.checklists.curate.duplicates import near_requests
from rmaudit.checklists.curate.part import draw, families, part_of
from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError


class Split(NamedTuple):
    """The parts, in the order of the shares, and what kept items together.

    Attributes:
        parts: each a set of its own.
        families: how many there are that are not torn apart.
        largest: items of the largest one.
        left_out: pairs of requests that were not compared, since too many are alike.
    """

    parts: tuple[ChecklistSet, ...]
    families: int
    largest: int
    left_out: int


def split(whole: ChecklistSet, shares: Mapping[str, float], *, seed: int) -> Split:
    """Divides a set.

    What belongs together (`part.families`, and requests that are nearly the same) comes into one
    part. Where a family goes is decided by
    the seed and the least id in it, so that items added later move none of the others to another
    part, unless they join two families. Shares are therefore met on average, not exactly.

    Args:
        whole: the set.
        shares: of the families, by the name of the part; they are scaled to sum to 1.
        seed: another seed is another split.

    Raises:
        InputError: fewer than two parts, a share that is not positive, or a part without items.
    """
    if len(shares) < 2:
        raise InputError("a split needs two parts", "e.g. --part train=0.8 --part test=0.2")
    if not all(0 < share < float("inf") for share in shares.values()):
        raise InputError("every share must be a positive number", "e.g. --part train=0.8")
    total = sum(shares.values())
    ends = [end / total for end in accumulate(shares.values())]
    parts: dict[str, list[Item]] = {name: [] for name in shares}
    names = list(shares)
    near = near_requests(whole.items)
    together = families(whole.items, also=near.pairs)
    for family in together:
        at = draw(seed, min(item.id for item in family))
        place = next((k for k, end in enumerate(ends) if at < end), len(ends) - 1)
        parts[names[place]] += family
    empty = [name for name, items in parts.items() if not items]
    if empty:
        raise InputError(
            f"the part {empty[0]} gets no item: the set has too few groups for its share",
            "give it a larger share, take another --seed, or a larger set",
        )
    order = {item.id: k for k, item in enumerate(whole.items)}
    made = [
        part_of(
            whole,
            sorted(items, key=lambda item: order[item.id]),
            name=f"{whole.card.name}-{name}",
            how=f"part {name} (share {shares[name] / total:.3g}, seed {seed})",
        )
        for name, items in parts.items()
    ]
    return Split(tuple(made), len(together), max(map(len, together)), near.left_out)
