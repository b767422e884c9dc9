"""Right answer for the right reasons: verdict and rationale jointly.

The idea of R-Align's F-Score and S-Corr (arXiv 2602.06763) with rationale consistency in the
place of a gold judgment: reasons are right where rc reaches a threshold t. Of the two spurious
shares `s_rc` is among right verdicts and `spurious_rc` among all, so that
f_rc + spurious_rc is the accuracy on the same items.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray
from rmaudit.metrics.estimand import Estimand, per_item
from rmaudit.metrics.outcome import has_preference, right
from rmaudit.metrics.rationale import NO_REASONS_GIVEN, applies
from rmaudit.metrics.spec import Followed, MetricSpec
from rmaudit.metrics.table import Table

THRESHOLDS = ("0+", "0.25", "0.5")
"""`0+` asks for any credit at all."""

NO_ITEM = "no item labelled a or b has reference reasons"


class _Cells(NamedTuple):
    """The rows by verdict and reasons."""

    used: BoolArray
    lost: BoolArray
    right: BoolArray
    faithful: BoolArray
    why: str


def _cells(table: Table, threshold: str) -> _Cells:
    rows = table.rows
    among = applies(table) & has_preference(table)
    reached = rows.rc > 0 if threshold == "0+" else rows.rc >= float(threshold)
    return _Cells(
        used=among & ~rows.lost & ~np.isnan(rows.rc),
        lost=among & rows.lost,
        right=right(table),
        faithful=right(table) & reached,
        why=NO_ITEM if table.gives_reasons else NO_REASONS_GIVEN,
    )


def _faithful(table: Table, *, threshold: str) -> Estimand:
    c = _cells(table, threshold)
    return per_item(table.row_units, c.faithful, used=c.used, lost=c.lost, why=c.why)


def _spurious(table: Table, *, threshold: str) -> Estimand:
    c = _cells(table, threshold)
    return per_item(table.row_units, c.right & ~c.faithful, used=c.used, lost=c.lost, why=c.why)


def _spurious_among_right(table: Table, *, threshold: str) -> Estimand:
    c = _cells(table, threshold)
    why = "no right verdict among them" if c.used.any() else c.why
    return per_item(
        table.row_units, c.right & ~c.faithful, c.right, used=c.used, lost=c.lost, why=why
    )


_spec = partial(
    MetricSpec,
    reader="judge",
    alike=("judge", "max_reasons", "verdicts"),
    topic="Right for the right reasons",
    idea="right for right reasons",
)


def _at(threshold: str) -> Iterator[MetricSpec]:
    """The three shares at a threshold of rationale consistency; a few of them are headlines."""
    condition = "rc > 0" if threshold == "0+" else f"rc >= {threshold}"
    faithful = _spec(
        f"f_rc@{threshold}",
        "share",
        "higher",
        f"Fidelity: share of items with the right verdict and {condition}.",
        partial(_faithful, threshold=threshold),
        followed=Followed("items"),
    )
    among_right = _spec(
        f"s_rc@{threshold}",
        "share",
        "lower",
        f"Share without {condition} among right verdicts.",
        partial(_spurious_among_right, threshold=threshold),
        keyed=True,
        followed=Followed("items", paired=False),
    )
    of_all = _spec(
        f"spurious_rc@{threshold}",
        "share",
        "lower",
        f"Share of items with the right verdict but not {condition}.",
        partial(_spurious, threshold=threshold),
        followed=Followed("items"),
    )
    if threshold == "0+":
        among_right = replace(
            among_right,
            label="right for the wrong reasons",
            title="Right for the wrong reasons",
            gloss="right, but no reason matches",
            phrase="the share of right verdicts without a right reason",
            shown={
                "terminal": 50,
                "report": 30,
                "model_card": 30,
                "repair_card": 50,
                "claims": 30,
                "ranks": 40,
                "calibrate": 40,
            },
        )
        of_all = replace(
            of_all,
            title="Right for the wrong reasons, of all items",
            gloss="right, but no reason matches",
        )
    if threshold == "0.25":
        faithful = replace(
            faithful,
            title="Right with a quarter of the reasons, of all items",
            shown={"calibrate": 30},
        )
    yield from (faithful, among_right, of_all)


METRICS = tuple(spec for threshold in THRESHOLDS for spec in _at(threshold))
