"""What lists that judge nothing (`rmaudit.nulls`) earn on the items of a run, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray

NOT_SCORED = "no list that reads nothing was scored"


class NullScore(NamedTuple):
    """What one list earns on an item; both None where the judge failed.

    rc: weight of its matching over the number of references. precision: over the number of its
    reasons, None where it has none.
    """

    rc: float | None = None
    precision: float | None = None


@dataclass(frozen=True, slots=True)
class ItemNulls:
    """The lists of one item, by name. half: 0 or 1, which half of the groups it is in."""

    half: int
    scores: Mapping[str, NullScore]


@dataclass(frozen=True, slots=True)
class NullsMeasured:
    """The lists of a run.

    Attributes:
        names: of the lists, in the order in which the first of equals is chosen.
        items: those that the lists were to be scored on, by id.
        why: there are none; '' where there may be some.
    """

    names: tuple[str, ...] = ()
    items: Mapping[str, ItemNulls] = field(default_factory=dict)
    why: str = ""


NO_NULLS = NullsMeasured(why=NOT_SCORED)


@dataclass(frozen=True, slots=True)
class Nulls:
    """The lists of the items of rows.

    Attributes:
        names: of the k lists.
        why: as in `NullsMeasured`.
        drawn: [rows], the lists were to be scored on the item of the row.
        half: [rows], -1 where it was not drawn.
        rc: [rows, k], NaN where the judge failed or the item was not drawn.
        precision: [rows, k], NaN besides where a list is empty.
    """

    names: tuple[str, ...]
    why: str
    drawn: BoolArray
    half: IntArray
    rc: FloatArray
    precision: FloatArray

    def only(self, keep: BoolArray) -> Nulls:
        """The same of some rows."""
        return Nulls(
            self.names,
            self.why,
            self.drawn[keep],
            self.half[keep],
            self.rc[keep],
            self.precision[keep],
        )


def null_columns(measured: NullsMeasured, items: Sequence[str]) -> Nulls:
    """The columns of rows; `items` has the item of each."""
    shape = len(items), len(measured.names)
    rc, precision = np.full(shape, np.nan), np.full(shape, np.nan)
    half = np.full(len(items), -1, dtype=np.int64)
    for row, name in enumerate(items):
        found = measured.items.get(name)
        if found is None:
            continue
        half[row] = found.half
        for k, null in enumerate(measured.names):
            score = found.scores.get(null, NullScore())
            rc[row, k] = np.nan if score.rc is None else score.rc
            precision[row, k] = np.nan if score.precision is None else score.precision
    return Nulls(measured.names, measured.why, half >= 0, half, rc, precision)
