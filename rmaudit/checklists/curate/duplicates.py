"""Near duplicates within a set, and items that another set already holds.

Texts are alike by the Jaccard similarity of their windows of eight bytes, after Unicode
normalisation, without case and with white space collapsed; texts with other numbers are not alike,
since one number can make another question. Candidates come from MinHash signatures
(`references.minhash`), so that the time is linear in the texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rmaudit.checklists.references.minhash import candidates, signature, windows
from rmaudit.checklists.references.near_pairs import (
    SIMILAR,
    PairTexts,
    alike_pairs,
    alike_texts,
    pair_signatures,
)
from rmaudit.checklists.schema import Item


class Duplicate(NamedTuple):
    """An item that an earlier one is alike; `similarity` is that of the part least alike."""

    item: str
    of: str
    similarity: float


class Duplicates(NamedTuple):
    """What was found within a set.

    Attributes:
        found: in the order of the set, each with the first item that it is alike.
        by_design: pairs alike that share a tuple, a style matrix, or vary one another.
        left_out: pairs that were not compared, since too many are alike.
    """

    found: tuple[Duplicate, ...]
    by_design: int
    left_out: int


def duplicates(items: Sequence[Item], *, similarity: float = SIMILAR) -> Duplicates:
    """Pairs whose requests and responses, in either order, are alike.

    Args:
        items: of one set.
        similarity: the least similarity of the request and of each response, above 0 to 1.
    """
    texts = [PairTexts.of(item) for item in items]
    near = candidates([pair_signatures(one) for one in texts], similarity=similarity)
    first: dict[int, tuple[int, float]] = {}
    by_design = 0
    for one, other in sorted(map(tuple, near.pairs.tolist())):
        alike = alike_pairs(texts[one], texts[other])
        if alike < similarity:
            continue
        if _meant_alike(items[one], items[other]):
            by_design += 1
        elif one not in first:
            first.setdefault(other, (one, alike))
    found = [
        Duplicate(items[k].id, items[of].id, alike) for k, (of, alike) in sorted(first.items())
    ]
    return Duplicates(tuple(found), by_design, near.left_out)


class NearRequests(NamedTuple):
    """Pairs of items, by their places, with requests alike; `left_out` pairs were not compared."""

    pairs: tuple[tuple[int, int], ...]
    left_out: int


def near_requests(items: Sequence[Item], *, similarity: float = SIMILAR) -> NearRequests:
    """Which requests of a set are alike but not the same; one pair of items for two requests."""
    first: dict[str, int] = {}
    for k, item in enumerate(items):
        first.setdefault(PairTexts.of(item).request, k)
    texts = list(first)
    near = candidates([(signature(windows(one)),) for one in texts], similarity=similarity)
    pairs = tuple(
        (first[texts[one]], first[texts[other]])
        for one, other in near.pairs.tolist()
        if alike_texts(texts[one], texts[other]) >= similarity
    )
    return NearRequests(pairs, near.left_out)


class Contaminated(NamedTuple):
    """An item whose request stands in another set; `pair`: and whose responses do too."""

    item: str
    of: str
    similarity: float
    pair: bool


class Contamination(NamedTuple):
    """What a set shares with another one; `left_out` pairs were not compared."""

    found: tuple[Contaminated, ...]
    left_out: int


def contamination(
    items: Sequence[Item], against: Sequence[Item], *, similarity: float = SIMILAR
) -> Contamination:
    """Items whose request is alike one of another set, each with the one most alike.

    Args:
        items: of the set that is asked about.
        against: of the other one, such as what a model was trained on.
        similarity: the least similarity of the requests.
    """
    mine, theirs = _by_request(items), _by_request(against)
    requests = [*mine, *theirs]
    signatures = [(signature(windows(one)),) for one in requests]
    near = candidates(signatures, similarity=similarity)
    best: dict[str, Contaminated] = {}
    for one, other in near.pairs.tolist():
        if not one < len(mine) <= other:
            continue
        alike = alike_texts(requests[one], requests[other])
        if alike < similarity:
            continue
        there = theirs[requests[other]]
        for item in mine[requests[one]]:
            texts = PairTexts.of(item)
            same = next(
                (two for two in there if alike_pairs(texts, PairTexts.of(two)) >= similarity), None
            )
            told = Contaminated(item.id, (same or there[0]).id, alike, same is not None)
            held = best.get(item.id)
            if held is None or (told.pair, told.similarity) > (held.pair, held.similarity):
                best[item.id] = told
    found = tuple(best[item.id] for item in items if item.id in best)
    return Contamination(found, near.left_out)


def _by_request(items: Sequence[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        found[PairTexts.of(item).request].append(item)
    return found


def _meant_alike(one: Item, other: Item) -> bool:
    """Whether two items share their texts by the design of the set."""
    if one.tuple is not None and other.tuple is not None and one.tuple.id == other.tuple.id:
        return True
    if one.id == other.variant_of or other.id == one.variant_of:
        return True
    styled = (one.style_a, one.style_b, other.style_a, other.style_b)
    return one.cluster == other.cluster and all(styled)
