"""How sure each verdict is, for the metrics that ask what that is worth.

Confidence is, of these, the first that the run has in more than one degree:

    margin     the distance of the two scores (score-only models)
    samples    the log odds of the verdict among the samples of its item and order
    strength   the verdict's own: better, much better
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.outcome import has_preference, right
from rmaudit.metrics.table import NONE, A, B, Table

EQUALLY_SURE = "verdicts do not differ in how sure they are"
DEGREES = "verdicts of differing strength (A>B, A>>B), scores, or --samples 4"
"""What a scan must have for verdicts that differ in it."""


class Sure(NamedTuple):
    """Decisive verdicts on items labelled a or b, and how sure each is; one entry a row.

    weight: 1 / (used rows of the item), 0 where not used.
    """

    used: BoolArray
    lost: BoolArray
    confidence: FloatArray
    weight: FloatArray
    right: BoolArray

    @property
    def items(self) -> int:
        """Items with a decisive verdict."""
        return round(float(self.weight.sum()))


def sure_verdicts(table: Table) -> Sure | None:
    """The verdicts; None where no source of confidence has more than one degree."""
    rows = table.rows
    decisive = np.isin(rows.verdict, (A, B)) & has_preference(table)
    for source in (table.facts.margin, _among_samples(table), table.facts.strength):
        used = decisive & ~np.isnan(source)
        if len(np.unique(source[used])) > 1:
            return Sure(
                used=used,
                lost=has_preference(table) & ~rows.answered,
                confidence=source,
                weight=item_weights(rows.item, used),
                right=right(table),
            )
    return None


def item_weights(item: IntArray, used: BoolArray) -> FloatArray:
    """1 / (used rows of the item) for each used row, else 0."""
    weight: FloatArray = used / np.maximum(np.bincount(item, weights=used)[item], 1.0)
    return weight


def _among_samples(table: Table) -> FloatArray:
    """Log odds of each verdict among the samples of its item and order, half a count added.

    NaN where there is one sample.
    """
    rows = table.rows
    cell = np.unique(rows.item * 3 + rows.order + 1, return_inverse=True)[1]
    size = np.bincount(cell, weights=rows.verdict != NONE)[cell]
    kinds = int(rows.verdict.max(initial=0)) + 2
    same = np.bincount(cell * kinds + rows.verdict + 1)[cell * kinds + rows.verdict + 1]
    odds: FloatArray = np.log((same + 0.5) / np.maximum(size - same + 0.5, 0.5))
    return np.where(size > 1, odds, np.nan)


def levels(confidence: FloatArray, weight: FloatArray, most: int) -> IntArray:
    """Each entry's place among at most `most` steps of equal weight, 0 the least sure.

    Equal confidence is one step, so that the order of ties does not matter.
    """
    values, place = np.unique(confidence, return_inverse=True)
    if len(values) <= most:
        return place
    mass = np.bincount(place, weights=weight)
    middle = (mass.cumsum() - mass / 2) / mass.sum()
    step = np.minimum((most * middle).astype(np.int64), most - 1)
    return np.unique(step, return_inverse=True)[1][place]
