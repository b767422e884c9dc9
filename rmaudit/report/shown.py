"""Which items a page shows: the failing ones first, then a seeded sample, up to a size.

A page that opens slowly is not read, so its texts have a budget. What is left out is counted, and
`rmaudit show` prints it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

BUDGET = 6_400_000
"""Bytes of the items' texts and markup; the rest of the page takes well below a megabyte."""
OVERHEAD = 2_200
"""Markup of one item, beside its texts."""


class ShownItems(NamedTuple):
    """What is shown, in order, and how much is left out."""

    places: tuple[int, ...]
    failing_left_out: int
    others_left_out: int


def choose(
    sizes: Sequence[int],
    failing: Sequence[bool],
    *,
    seed: int,
    budget: int = BUDGET,
    first: Sequence[int] = (),
) -> ShownItems:
    """Places of the items to show, in their order.

    Args:
        sizes: bytes of each item, worst item first.
        failing: whether the item is a failure: a wrong or unreadable answer, or a right one for
            the wrong reasons.
        seed: of the sample among the others.
        budget: bytes for all.
        first: places of items that something on the page refers to; they come before all others.
    """
    fails = [place for place, bad in enumerate(failing) if bad]
    others = [place for place, bad in enumerate(failing) if not bad]
    random.Random(seed).shuffle(others)
    kept = []
    for place in dict.fromkeys([*first, *fails, *others]):
        budget -= sizes[place]
        if budget < 0:
            break
        kept.append(place)
    shown = set(kept)
    return ShownItems(
        tuple(sorted(kept)),
        sum(place not in shown for place in fails),
        sum(place not in shown for place in others),
    )


class TextPart(NamedTuple):
    """A stretch of a response; `marked` where a reason quotes it."""

    text: str
    marked: bool


def highlighted(text: str, quotes: Sequence[str]) -> tuple[TextPart, ...]:
    """The text in stretches, those that a quote repeats word for word marked; the longest first."""
    spans: list[tuple[int, int]] = []
    for quote in sorted(
        {quote for quote in quotes if len(quote) > 1}, key=lambda one: (-len(one), one)
    ):
        start = text.find(quote)
        while start >= 0:
            span = start, start + len(quote)
            if all(span[1] <= other[0] or span[0] >= other[1] for other in spans):
                spans.append(span)
            start = text.find(quote, span[1])
    parts, place = [], 0
    for start, end in sorted(spans):
        if start > place:
            parts.append(TextPart(text[place:start], False))
        parts.append(TextPart(text[start:end], True))
        place = end
    return (
        (*parts, TextPart(text[place:], False)) if place < len(text) or not parts else tuple(parts)
    )
