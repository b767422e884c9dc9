"""What the reasons are made of: shares of their flaws and categories (arXiv 2602.04649).

A rate is flagged reasons over all reasons, a ratio over items with its error clustered as such. An
answer whose labels failed, or that the target did not give, is left out and comes back in the
bounds as a full list of reasons, all with the flaw or none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rmaudit import taxonomy
from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.estimand import Direction, Estimand, Fill, MetricSpec, not_applicable, per_item
from rmaudit.metrics.labels import CANNOT_TEST, NOT_LABELLED
from rmaudit.metrics.rationale import ALL_EMPTY, NO_REASONS_GIVEN
from rmaudit.metrics.table import Table
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES


def unlabelled(table: Table) -> str:
    """Why no row of the table has labels; '' where rows should have them."""
    if not table.gives_reasons:
        return NO_REASONS_GIVEN
    return "" if table.labels.asked.any() else NOT_LABELLED


def lost_labels(table: Table) -> BoolArray:
    """Rows that should have labels and do not: the target or the labeller failed."""
    lost: BoolArray = table.labels.asked & ~table.labels.known
    return lost


def _share(table: Table, count: FloatArray) -> Estimand:
    """Reasons counted over all reasons."""
    why, lost = unlabelled(table), lost_labels(table)
    if why:
        return not_applicable(why)
    known = table.labels.known
    if known.any() and np.isnan(count[known]).all():
        return not_applicable(CANNOT_TEST.format(table.labeler))
    most = float(table.max_reasons)
    return per_item(
        table.row_units,
        count,
        table.labels.reasons,
        used=known & ~np.isnan(count),
        lost=lost,
        why=ALL_EMPTY,
        low=Fill(0.0, most),
        high=Fill(most, most),
    )


def _flaw(table: Table, *, index: int) -> Estimand:
    return _share(table, table.labels.flaws[:, index])


def _category(table: Table, *, index: int) -> Estimand:
    return _share(table, table.labels.categories[:, index])


def _any(table: Table) -> Estimand:
    why = unlabelled(table)
    if why:
        return not_applicable(why)
    labels = table.labels
    return per_item(
        table.row_units,
        labels.flagged,
        used=labels.known,
        lost=lost_labels(table),
        why=NOT_LABELLED,
    )


def _spec(
    key: str, better: Direction, definition: str, estimand: Callable[[Table], Estimand]
) -> MetricSpec:
    return MetricSpec(key, "share", better, definition, estimand)


_BETTER: dict[str, Direction] = {"EG": "higher", "CG": "none", "GS": "lower"}

METRICS = (
    *(
        _spec(
            f"flaw.{flaw}",
            "lower",
            f"Share of reasons with this flaw: {taxonomy.FLAWS[flaw].name}. It "
            f"{taxonomy.FLAWS[flaw].rule}",
            partial(_flaw, index=index),
        )
        for index, flaw in enumerate(FLAW_NAMES)
    ),
    _spec(
        "flaw.any",
        "lower",
        "Share of items with a flawed reason, of the flaws that the labeller tests; an answer "
        "without reasons counts as flawed.",
        _any,
    ),
    *(
        _spec(
            f"category.{category}",
            _BETTER[category],
            f"Share of reasons that are {taxonomy.CATEGORIES[category].name}: such a reason "
            f"{taxonomy.CATEGORIES[category].rule}",
            partial(_category, index=index),
        )
        for index, category in enumerate(CATEGORY_NAMES)
    ),
)
