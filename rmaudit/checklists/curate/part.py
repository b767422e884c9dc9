"""Some items of a set as a set of its own, and which items must not be torn apart."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rmaudit.checklists.load import ChecklistSet, content_hash
from rmaudit.checklists.schema import Item
from rmaudit.text.normalise import normalise


def part_of(whole: ChecklistSet, items: Sequence[Item], *, name: str, how: str) -> ChecklistSet:
    """These items of a set, with a card that says where they come from.

    Baselines are left out: they were measured on the whole.
    """
    sha256 = content_hash(items)
    card = whole.card.model_copy(
        update={
            "name": name,
            "sha256": sha256,
            "origin": f"{whole.card.origin}; {how} of {whole.card.name} {whole.sha256[:12]}",
            "baselines": None,
        }
    )
    return ChecklistSet(card, tuple(items), sha256)


def families(items: Iterable[Item], *, also: Iterable[tuple[int, int]] = ()) -> list[list[Item]]:
    """Items that belong together, in the order of the set.

    Together are items that share a group, a request (case and white space apart), a tuple, or of
    which one is a variant of the other: knowing one tells something about the other.

    Args:
        items: of a set.
        also: further pairs that belong together, by their places.
    """
    listed = list(items)
    first: dict[str, int] = {}
    parent = list(range(len(listed)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    def join(k: int, m: int) -> None:
        one, other = root(k), root(m)
        parent[max(one, other)] = min(one, other)

    for k, item in enumerate(listed):
        for key in _keys(item):
            join(first.setdefault(key, k), k)
    for k, m in also:
        join(k, m)
    found: dict[int, list[Item]] = defaultdict(list)
    for k, item in enumerate(listed):
        found[root(k)].append(item)
    return list(found.values())


def draw(seed: int, name: str) -> float:
    """A number in [0, 1) that only the seed and the name decide."""
    digest = hashlib.sha256(f"{seed}/{name}".encode(errors="replace")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def _keys(item: Item) -> list[str]:
    turns = [[turn.role, normalise(turn.content).casefold()] for turn in item.prompt]
    keys = [f"group {item.cluster}", f"item {item.id}", f"request {json.dumps(turns)}"]
    if item.tuple is not None:
        keys.append(f"tuple {item.tuple.id}")
    if item.variant_of is not None:
        keys.append(f"item {item.variant_of}")
    return keys
