"""The style matrix of RM-Bench (arXiv 2410.16184): one content in three styles, all crossed.

A cell (i, j) holds the pairs whose better response has style i and whose worse one style j. Easy is
the part where the better response is the showier one, hard where it is the plainer. With all nine
pairs of every prompt, as RM-Bench has them, the mean over items is its mean over cells; its total
is the mean of the three over the domains.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.estimand import Estimand, per_item
from rmaudit.metrics.features import NONE
from rmaudit.metrics.outcome import has_preference, right
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import A, Table

NO_STYLES = "no item names the styles of its responses (style_a, style_b)"


def _accuracy(table: Table, *, way: int) -> Estimand:
    """Where the better response is plainer than the other (-1), alike (0), or showier (1)."""
    style, rows = table.features.style, table.rows
    better = np.where(rows.label == A, style[:, 0], style[:, 1])
    worse = np.where(rows.label == A, style[:, 1], style[:, 0])
    named = (style != NONE).all(axis=1) & has_preference(table)
    among = named & (np.sign(better - worse) == way)
    return per_item(
        table.row_units,
        right(table),
        used=among & rows.answered,
        lost=among & ~rows.answered,
        why="no such pair of styles" if named.any() else NO_STYLES,
    )


METRICS = tuple(
    MetricSpec(
        f"rm_bench.{level}",
        "share",
        "higher",
        f"Accuracy where the better response {words} (concise, detailed, markdown: RM-Bench, "
        "arXiv 2410.16184); a tie is wrong.",
        partial(_accuracy, way=way),
        reader=None,
        alike=("verdicts",),
        topic="Order, length and style",
        needs="a set with style_a and style_b: concise, detailed, markdown",
    )
    for level, way, words in (
        ("easy", 1, "has the showier style"),
        ("normal", 0, "has the style of the other"),
        ("hard", -1, "has the plainer style"),
    )
)
