"""In how many places the two responses of an item differ, over a set.

Whoever lists mere differences is right as often as a difference is a fault: the fewer there are,
the less a right reason shows. Sets can be compared by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from rmaudit.checklists.schema import Item
from rmaudit.text.differences import count_differences

MOST_COUNTED = 100
FEW_DIFFERENCES = 13
"""With fewer, a good part of what differs is a fault (`benchmarks/strong_nulls.py`)."""


def mean_differences(items: Sequence[Item]) -> float | None:
    """The mean over items, of a large set over 100 of them, evenly spread; None of no items.

    A difference is a run of words between words that both responses have, see `text.differences`.
    """
    counted = items[:: max(1, len(items) // MOST_COUNTED)][:MOST_COUNTED]
    counts = [count_differences(item.response_a, item.response_b) for item in counted]
    return round(fmean(counts), 1) if counts else None
