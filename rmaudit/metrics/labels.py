"""Labels of reasons as columns: how many reasons of a row are of a kind, and the gold verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.records import LabelSet
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES

NOT_LABELLED = "the reasons were not labelled"
CANNOT_TEST = "the {} labeller cannot test it"


@dataclass(frozen=True, slots=True)
class RowLabels:
    """The labels of one row.

    Attributes:
        found: None where the row has none, because it was not asked for or got lost.
        asked: the run labels reasons, so an answered row without labels is a failure.
        has_gold: the item has a gold judgment.
        weak: labels that the labeller knows too badly for `flagged`.
    """

    found: LabelSet | None = None
    asked: bool = False
    has_gold: bool = False
    weak: frozenset[str] = frozenset()


class Labels(NamedTuple):
    """One array a column, one entry a row; NaN where there are no labels, or none of that kind.

    reasons: how many were labelled. flaws: [rows, 7], reasons with each flaw. categories:
    [rows, 3], reasons of each category. flagged: 1 where a reason has a flaw, or there is none.
    gold: 1 where the reasons give the ground of the gold judgment, 0 where they do not.
    asked, has_gold: see `RowLabels`. known: the row has labels.
    """

    reasons: FloatArray
    flaws: FloatArray
    categories: FloatArray
    flagged: FloatArray
    gold: FloatArray
    asked: BoolArray
    has_gold: BoolArray
    known: BoolArray


def label_columns(rows: Sequence[RowLabels]) -> Labels:
    """The columns."""
    count = len(rows)
    columns = Labels(
        reasons=np.full(count, np.nan),
        flaws=np.full((count, len(FLAW_NAMES)), np.nan),
        categories=np.full((count, len(CATEGORY_NAMES)), np.nan),
        flagged=np.full(count, np.nan),
        gold=np.full(count, np.nan),
        asked=np.array([row.asked for row in rows], dtype=np.bool_),
        has_gold=np.array([row.has_gold for row in rows], dtype=np.bool_),
        known=np.zeros(count, dtype=np.bool_),
    )
    first: dict[tuple[LabelSet, frozenset[str]], int] = {}
    for k, row in enumerate(rows):
        if row.found is None or row.found.failure is not None:
            continue
        place = first.setdefault((row.found, row.weak), k)
        if place == k:
            _fill(columns, k, row.found, row.weak)
        else:  # most rows are labelled like an earlier one
            for column in _FILLED(columns):
                column[k] = column[place]
    return columns


_FILLED = attrgetter("reasons", "flaws", "categories", "flagged", "gold", "known")


def _fill(columns: Labels, k: int, found: LabelSet, weak: frozenset[str]) -> None:
    labels, tested = found.labels, found.tested
    columns.known[k] = True
    columns.reasons[k] = len(labels)
    for j, flaw in enumerate(FLAW_NAMES):
        if flaw in tested:
            columns.flaws[k, j] = sum(flaw in label.flaws for label in labels)
    if "category" in tested:
        for j, category in enumerate(CATEGORY_NAMES):
            columns.categories[k, j] = sum(label.category == category for label in labels)
    columns.flagged[k] = not labels or any(
        flaw not in weak for label in labels for flaw in label.flaws
    )
    if found.gold is not None:
        columns.gold[k] = found.gold == "correct"
