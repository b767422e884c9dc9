"""The style matrix of RM-Bench (arXiv 2410.16184): one content in three styles, all crossed.

A cell (i, j) holds the pairs whose better response has style i and whose worse one style j. Easy is
the part where the better response is the showier one, hard where it is the plainer. With all nine
pairs of every prompt, as RM-Bench has them, the mean over items is its mean over cells; its total
is the mean of the three over the domains.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import BoolArray, IntArray
from rmaudit.metrics.estimand import Estimand, Smooth, per_item
from rmaudit.metrics.features import NONE, STYLES
from rmaudit.metrics.macro import mean_of_parts
from rmaudit.metrics.outcome import has_preference, right
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import A, Table

NO_STYLES = "no item names the styles of its responses (style_a, style_b)"


def _styled(table: Table) -> tuple[BoolArray, IntArray]:
    """Rows that name the styles of both responses and prefer one, and the better one's first."""
    style, rows = table.features.style, table.rows
    turned = (rows.label == A)[:, np.newaxis]
    styles = np.where(turned, style, style[:, ::-1])
    return (style != NONE).all(axis=1) & has_preference(table), styles


def _accuracy(table: Table, *, way: int) -> Estimand:
    """Where the better response is plainer than the other (-1), alike (0), or showier (1)."""
    named, styles = _styled(table)
    among = named & (np.sign(styles[:, 0] - styles[:, 1]) == way)
    answered = table.rows.answered
    return per_item(
        table.row_units,
        right(table),
        used=among & answered,
        lost=among & ~answered,
        why="no such pair of styles" if named.any() else NO_STYLES,
    )


def _cell(table: Table, *, better: int, worse: int) -> Estimand:
    """Where the better response has the one style and the worse the other."""
    among, styles = _styled(table)
    cell = among & (styles[:, 0] == better) & (styles[:, 1] == worse)
    return per_item(
        table.row_units,
        right(table),
        used=cell & table.rows.answered,
        lost=cell & ~table.rows.answered,
        why="no such pair of styles" if among.any() else NO_STYLES,
    )


def _total(table: Table) -> Estimand | Smooth:
    """Over domains and levels: each level of each domain counts the same."""
    among, styles = _styled(table)
    level = np.sign(styles[:, 0] - styles[:, 1]) + 1
    return mean_of_parts(table, right(table), 3 * table.rows.domain + level, among, NO_STYLES)


_spec = partial(
    MetricSpec,
    reader=None,
    alike=("verdicts",),
    topic="Order, length and style",
    needs="a set with style_a and style_b: concise, detailed, markdown",
)

METRICS = (
    *(
        _spec(
            f"rm_bench.{level}",
            "share",
            "higher",
            f"Accuracy where the better response {words} (concise, detailed, markdown: RM-Bench, "
            "arXiv 2410.16184); a tie is wrong.",
            partial(_accuracy, way=way),
        )
        for level, way, words in (
            ("easy", 1, "has the showier style"),
            ("normal", 0, "has the style of the other"),
            ("hard", -1, "has the plainer style"),
        )
    ),
    _spec(
        "rm_bench.total",
        "share",
        "higher",
        "Mean over domains of the mean of easy, normal and hard in each (RM-Bench's total); "
        "rm_bench.easy, normal and hard are means over items.",
        _total,
        since=8,
    ),
    *(
        _spec(
            f"rm_bench.{better}.{worse}",
            "share",
            "higher",
            f"Accuracy where the better response is {better} and the worse one {worse}; a tie is "
            "wrong.",
            partial(_cell, better=i, worse=j),
            since=8,
        )
        for i, better in enumerate(STYLES)
        for j, worse in enumerate(STYLES)
    ),
)
