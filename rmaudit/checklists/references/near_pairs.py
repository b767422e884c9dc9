"""Pairs that come more than once, the same or nearly, with labels that contradict each other.

Texts are compared after Unicode normalisation (NFKC), without case and with white space collapsed.
A pair comes again with its responses in either order, so labels are compared by the text that they
prefer. Nearly identical are two pairs whose requests and responses are each alike by `SIMILAR`
(Jaccard similarity of windows of eight bytes) and hold the same numbers, since one number can turn
an answer from wrong to right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal, NamedTuple

import numpy as np

from rmaudit.checklists.references.finding import ReferenceFinding
from rmaudit.checklists.references.minhash import Signature, candidates, jaccard, signature, windows
from rmaudit.checklists.schema import Item
from rmaudit.text.normalise import normalise

SIMILAR = 0.9
_NUMBER = re.compile(r"\d+")


class PairTexts(NamedTuple):
    """The texts of an item as they are compared."""

    request: str
    a: str
    b: str
    label: Literal["a", "b", "tie"]

    @classmethod
    def of(cls, item: Item) -> PairTexts:
        """From an item; one without a label contradicts no other."""
        request = "\n".join(f"{turn.role}: {_plain(turn.content)}" for turn in item.prompt)
        return cls(request, _plain(item.response_a), _plain(item.response_b), item.label or "tie")


class _Digest(NamedTuple):
    """What is kept of a pair: `texts` is the same in either order, `winner` '' for a tie."""

    texts: tuple[bytes, ...]
    winner: bytes

    @classmethod
    def of(cls, pair: PairTexts) -> _Digest:
        request, a, b = (
            blake2b(text.encode(errors="replace"), digest_size=16).digest()
            for text in (pair.request, pair.a, pair.b)
        )
        return cls((request, *sorted((a, b))), {"a": a, "b": b, "tie": b""}[pair.label])


class NearPairs(NamedTuple):
    """The findings, in the order of the items; `left_out` counts pairs not compared."""

    findings: list[ReferenceFinding]
    left_out: int


def contradictions(items: Sequence[Item]) -> NearPairs:
    """Items whose pair comes again with another label; each names one such item."""
    digests = [_Digest.of(PairTexts.of(item)) for item in items]
    same: dict[tuple[bytes, ...], list[int]] = defaultdict(list)
    for place, digest in enumerate(digests):
        same[digest.texts].append(place)
    against: dict[int, tuple[int, str]] = {}
    for places in same.values():
        first: dict[bytes, int] = {}
        for place in places:
            first.setdefault(digests[place].winner, place)
        for place in places if len(first) > 1 else ():
            other = next(k for winner, k in first.items() if winner != digests[place].winner)
            against[place] = other, "the same but for case, white space or Unicode form"
    distinct = [places[0] for places in same.values() if places[0] not in against]
    near, left_out = _nearly(items, distinct)
    for one, other, alike in near:
        how = f"alike by {int(100 * alike)} %"
        for this, that in ((one, other), (other, one)):
            for place in same[digests[this].texts]:
                against.setdefault(place, (that, how))
    return NearPairs(
        [_finding(items, place, *against[place]) for place in sorted(against)], left_out
    )


def _finding(items: Sequence[Item], place: int, other: int, how: str) -> ReferenceFinding:
    what = f"prefers the other response than item '{items[other].id}' does ({how})"
    if "tie" in (items[place].label, items[other].label):
        what = f"differs from that of item '{items[other].id}', which is the same pair ({how})"
    return ReferenceFinding("near_pair", items[place].id, "label", what)


def _nearly(
    items: Sequence[Item], places: Sequence[int]
) -> tuple[list[tuple[int, int, float]], int]:
    """Nearly identical pairs with opposite preferences, each with its least similarity."""
    decided = [place for place in places if items[place].label != "tie"]
    signatures = [pair_signatures(PairTexts.of(items[place])) for place in decided]
    found = candidates(signatures, similarity=SIMILAR)
    near = []
    for first, second in found.pairs:
        one, other = decided[first], decided[second]
        alike = opposite(PairTexts.of(items[one]), PairTexts.of(items[other]))
        if alike is not None:
            near.append((one, other, alike))
    return near, found.left_out


def opposite(one: PairTexts, other: PairTexts) -> float | None:
    """How alike two pairs are that prefer opposite responses; None where they do not, or are not.

    The responses are aligned the way in which they are more alike. Where both ways fit as well, as
    with two responses that hardly differ, the labels cannot be compared.
    """
    request = alike_texts(one.request, other.request)
    if request < SIMILAR:
        return None
    straight = min(alike_texts(one.a, other.a), alike_texts(one.b, other.b))
    swapped = min(alike_texts(one.a, other.b), alike_texts(one.b, other.a))
    if max(straight, swapped) < SIMILAR or straight == swapped:
        return None
    same_side = one.label == other.label
    return None if same_side == (straight > swapped) else min(request, max(straight, swapped))


def alike_pairs(one: PairTexts, other: PairTexts) -> float:
    """The similarity of the part least alike, the responses in the order that fits better."""
    request = alike_texts(one.request, other.request)
    if not request:
        return 0.0
    straight = min(alike_texts(one.a, other.a), alike_texts(one.b, other.b))
    swapped = min(alike_texts(one.a, other.b), alike_texts(one.b, other.a))
    return min(request, max(straight, swapped))


def alike_texts(one: str, other: str) -> float:
    """Similarity of two texts, 0 where their numbers differ."""
    if one != other and _NUMBER.findall(one) != _NUMBER.findall(other):
        return 0.0
    return jaccard(one, other)


def pair_signatures(pair: PairTexts) -> tuple[Signature, Signature]:
    """Of the request, and of both responses together."""
    responses = np.concatenate([windows(pair.a), windows(pair.b)])
    return signature(windows(pair.request)), signature(responses)


def _plain(text: str) -> str:
    return normalise(text).casefold()
