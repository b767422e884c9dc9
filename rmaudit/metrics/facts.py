"""What a row says beside its verdict and its matching, as columns: how sure, how well grounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.records import Verdict


@dataclass(frozen=True, slots=True)
class RowFacts:
    """The facts of one row; None where the row, or the run, has no such thing.

    Attributes:
        strength: of the verdict, as stated: 0 a tie, 1 better, 2 much better.
        margin: distance of the two scores that decided the verdict.
        scores: of responses a and b, the higher being better, of a model that gives scores.
        by_slot: the verdict of scores that each response got alone, where the row's own verdict
            is another reading of the model (it was asked which of the two is better).
        grounded: reasons with a quote or a number, all of which stand where they should.
        ungrounded: reasons with a quote or a number that stands nowhere.
        unchecked: the other reasons with a number, which might be derived from those at hand.
        panel: the item has several annotators with reasons, and the judge was asked about them.
        ceiling: rc against the reasons of these annotators, one left out in turn.
        human: rc of the one left out against the same reasons.
        sensitivity: of a model that gives scores, what `metrics.sensitivity` makes of the item.
        by_kind: the same of the repairs of each kind of fault, None where a score is missing.
        sensitivity_lost: a score that it needs is missing.
        few_edits: the item's domain has too few neutral edits for it.
        saturated: share of the item's repairs whose response has the highest score of the run.
        monotone: 1 where its score never falls as faults are mended one after another, else 0.
        monotone_lost: a score that this needs is missing.
    """

    strength: int | None = None
    margin: float | None = None
    scores: tuple[float | None, float | None] = (None, None)
    by_slot: Verdict = None
    grounded: int | None = None
    ungrounded: int | None = None
    unchecked: int | None = None
    panel: bool = False
    ceiling: float | None = None
    human: float | None = None
    sensitivity: float | None = None
    by_kind: Mapping[str, float | None] = field(default_factory=dict, hash=False)
    sensitivity_lost: bool = False
    few_edits: bool = False
    saturated: float | None = None
    monotone: float | None = None
    monotone_lost: bool = False


class Facts(NamedTuple):
    """One array a column, one entry a row; NaN for None, `by_slot` in codes of verdicts.

    scores: [rows, 2], of responses a and b. by_kind, by_kind_lost: [rows, kinds of faults].
    """

    strength: FloatArray
    margin: FloatArray
    scores: FloatArray
    by_slot: IntArray
    grounded: FloatArray
    ungrounded: FloatArray
    unchecked: FloatArray
    panel: BoolArray
    ceiling: FloatArray
    human: FloatArray
    sensitivity: FloatArray
    by_kind: FloatArray
    by_kind_lost: BoolArray
    sensitivity_lost: BoolArray
    few_edits: BoolArray
    saturated: FloatArray
    monotone: FloatArray
    monotone_lost: BoolArray


def fault_kinds(rows: Iterable[RowFacts]) -> tuple[str, ...]:
    """The kinds of faults of which a row says something, in the order of the columns."""
    return tuple(sorted({kind for row in rows for kind in row.by_kind}))


def fact_columns(rows: Sequence[RowFacts], *, codes: Mapping[Verdict, int]) -> Facts:
    """The columns; `codes` are those of verdicts."""
    kinds = fault_kinds(rows)
    shape = len(rows), len(kinds)
    return Facts(
        strength=_floats(row.strength for row in rows),
        margin=_floats(row.margin for row in rows),
        scores=_floats(score for row in rows for score in row.scores).reshape(-1, 2),
        by_slot=np.array([codes[row.by_slot] for row in rows], dtype=np.int64),
        grounded=_floats(row.grounded for row in rows),
        ungrounded=_floats(row.ungrounded for row in rows),
        unchecked=_floats(row.unchecked for row in rows),
        panel=_flags(row.panel for row in rows),
        ceiling=_floats(row.ceiling for row in rows),
        human=_floats(row.human for row in rows),
        sensitivity=_floats(row.sensitivity for row in rows),
        by_kind=_floats(row.by_kind.get(kind) for row in rows for kind in kinds).reshape(shape),
        by_kind_lost=_flags(
            kind in row.by_kind and row.by_kind[kind] is None for row in rows for kind in kinds
        ).reshape(shape),
        sensitivity_lost=_flags(row.sensitivity_lost for row in rows),
        few_edits=_flags(row.few_edits for row in rows),
        saturated=_floats(row.saturated for row in rows),
        monotone=_floats(row.monotone for row in rows),
        monotone_lost=_flags(row.monotone_lost for row in rows),
    )


def _floats(values: Iterable[float | None]) -> FloatArray:
    return np.fromiter((np.nan if v is None else v for v in values), dtype=np.float64)


def _flags(values: Iterable[bool]) -> BoolArray:
    return np.fromiter(values, dtype=np.bool_)
