"""Does the order in which the responses are shown decide the verdict.

Verdicts are in item coordinates, so a model that does not mind the order says the same in both.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.estimand import Estimand, not_applicable, pooled
from rmaudit.metrics.outcome import ONE_ORDER, no_orders
from rmaudit.metrics.spec import Followed, MetricSpec
from rmaudit.metrics.table import AB, BA, A, B, Table


def _order_consistency(table: Table) -> Estimand:
    if not len(table.pairs.ab):
        return not_applicable(no_orders(table))
    first, second = (table.rows.verdict[side] for side in table.pairs)
    compared = (first >= 0) & (second >= 0)
    return pooled(table.pair_units, first == second, used=compared, lost=~compared, why=ONE_ORDER)


def _first_position_bias(table: Table) -> Estimand:
    rows = table.rows
    in_both = np.isin(rows.item, rows.item[rows.order == AB]) & np.isin(
        rows.item, rows.item[rows.order == BA]
    )
    if not in_both.any():
        return not_applicable(no_orders(table))
    chose_first = ((rows.order == AB) & (rows.verdict == A)) | (
        (rows.order == BA) & (rows.verdict == B)
    )
    decisive = np.isin(rows.verdict, (A, B))
    return pooled(
        table.row_units,
        chose_first,
        used=in_both & decisive,
        lost=in_both & ~rows.answered,
        why="no decisive verdict",
        shift=-0.5,
    )


_spec = partial(
    MetricSpec,
    reader=None,
    alike=("verdicts",),
    topic="Order, length and style",
    needs="--orders both",
)

METRICS = (
    _spec(
        "order_consistency",
        "share",
        "higher",
        "Share of (item, sample) pairs with the same verdict in both orders, ties included, among "
        "pairs with a readable verdict in both.",
        _order_consistency,
        label="order consistency",
        title="Order consistency",
        gloss="one verdict in both orders",
        counted="pairs",
        shown={
            "terminal": 80,
            "repair_card": 60,
            "claims": 70,
            "calibrate": 80,
        },
        followed=Followed("pairs"),
    ),
    _spec(
        "first_position_bias",
        "share",
        "zero",
        "Share of decisive verdicts for the response shown first, minus one half, over all "
        "decisive verdicts on items run in both orders.",
        _first_position_bias,
        (-0.5, 0.5),
        label="first-position bias",
        title="First-position bias",
        format="points",
        counted="verdicts",
        shown={"terminal": 90, "repair_card": 70, "claims": 80},
        followed=Followed("rows", paired=False),
    ),
)
