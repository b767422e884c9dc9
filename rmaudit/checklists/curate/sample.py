"""A seeded sample of a set, the same number of each stratum or in proportion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rmaudit.checklists.curate.part import part_of
from rmaudit.checklists.load import ChecklistSet, subset
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError

STRATA: dict[str, Callable[[Item], str]] = {
    "domain": lambda item: item.domain,
    "label": lambda item: str(item.label),
    "strength": lambda item: str(item.strength),
    "source": lambda item: str(item.source),
    "origin": lambda item: item.reference_origin,
    "family": lambda item: item.family,
    "reasons": lambda item: str(len(item.reasons)),
}
"""What a set can be divided by; `reasons` is their number."""


class Stratum(NamedTuple):
    """One stratum: its name, how many items it holds, how many were wanted and drawn."""

    name: str
    holds: int
    wanted: int
    drawn: int


class Sample(NamedTuple):
    """The sample, and what came of each stratum."""

    items: ChecklistSet
    strata: tuple[Stratum, ...]


def sample(
    whole: ChecklistSet,
    *,
    strata: Sequence[str] = (),
    n: int | None = None,
    each: int | None = None,
    seed: int = 0,
) -> Sample:
    """Draws items in the seeded order of their groups, within each stratum.

    A larger sample of the same seed holds the smaller one where `each` is given. A stratum that
    holds fewer than wanted gives all it has, and says so.

    Args:
        whole: the set.
        strata: keys of `STRATA`; their combinations are the strata.
        n: of all, in proportion to the strata (largest remainders).
        each: of every stratum, instead of `n`.
        seed: another seed is another sample.

    Raises:
        InputError: an unknown stratum, neither or both of n and each, or n above the set.
    """
    unknown = [name for name in strata if name not in STRATA]
    if unknown:
        raise InputError(f"no stratum '{unknown[0]}'", f"strata: {', '.join(STRATA)}")
    if (n is None) == (each is None):
        raise InputError("a sample needs --n or --each", "--n is of all, --each of every stratum")
    found: dict[str, list[Item]] = defaultdict(list)
    for item in whole.items:
        found[" / ".join(STRATA[name](item) for name in strata) or "all"].append(item)
    names = sorted(found)
    sizes = [len(found[name]) for name in names]
    wanted = [each] * len(names) if each is not None else _shares(sizes, n or 0)
    drawn = [
        subset(found[name], limit=count, seed=seed)
        for name, count in zip(names, wanted, strict=True)
    ]
    chosen = {item.id for items in drawn for item in items}
    items = [item for item in whole.items if item.id in chosen]
    by = f" by {', '.join(strata)}" if strata else ""
    made = part_of(
        whole,
        items,
        name=f"{whole.card.name}-sample",
        how=f"sample of {len(items)}{by} (seed {seed})",
    )
    told = zip(names, sizes, wanted, map(len, drawn), strict=True)
    return Sample(made, tuple(Stratum(*one) for one in told))


def _shares(sizes: Sequence[int], n: int) -> list[int]:
    """N in proportion to sizes, the largest remainders rounded up, the first of equals."""
    total = sum(sizes)
    if n > total:
        raise InputError(f"the set holds {total} items, fewer than {n}", "ask for fewer")
    whole = [size * n // total for size in sizes]
    rest = sorted(range(len(sizes)), key=lambda k: (-(sizes[k] * n % total), k))
    for k in rest[: n - sum(whole)]:
        whole[k] += 1
    return whole
