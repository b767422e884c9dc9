"""Is what the reasons say of the responses true of them.

A judge that knows the facts of an item, or a model that reads it, finds each reason refuted by the
responses, borne out by them, or without anything that can be looked up. Reasons are pooled: an
answer counts by its reasons. A share of refuted reasons says little where few are decided, so it is
read, and ruled on, beside the share of those that are.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, pooled_ratio
from rmaudit.metrics.rationale import ALL_EMPTY, applies, why_not
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table

NOT_DECIDED = "the judge does not decide whether what a reason says is true"
NOTHING_DECIDED = "no reason says anything that the judge could decide"


def _share(table: Table, count: FloatArray, among: FloatArray, *, why: str) -> Estimand:
    rows, asked = table.rows, applies(table)
    decided = ~np.isnan(rows.claims_decided)
    known = asked & ~rows.lost & decided
    said = asked & ~rows.lost & (rows.n_reasons > 0)
    if not asked.any():
        return not_applicable(why_not(table))
    if said.any() and not decided[said].any():
        return not_applicable(NOT_DECIDED)
    most = float(table.max_reasons)
    return pooled_ratio(
        table.row_units,
        count,
        among,
        used=known,
        lost=asked & ~known,
        why=why,
        low=Fill(0.0, most),
        high=Fill(most, most),
    )


def _false(table: Table) -> Estimand:
    rows = table.rows
    return _share(table, rows.claims_false, rows.claims_decided, why=NOTHING_DECIDED)


def _checked(table: Table) -> Estimand:
    return _share(
        table, table.rows.claims_decided, table.rows.n_reasons.astype(float), why=ALL_EMPTY
    )


_spec = partial(
    MetricSpec,
    reader="judge",
    alike=("judge", "max_reasons"),
    topic="What the reasons are",
    needs="a judge that decides claims: a model that sees the item, or truth on a program-made set",
)

METRICS = (
    _spec(
        "claims.false",
        "share",
        "lower",
        "Reasons that say something false of a response, over those of which the judge could "
        "decide it.",
        _false,
        floor="claims.checked",
        label="false claims",
        title="False claims",
        limits=("A claim that nothing in the item decides counts neither as true nor as false.",),
    ),
    _spec(
        "claims.checked",
        "share",
        "higher",
        "Reasons whose claim the judge could decide, over all reasons.",
        _checked,
        label="claims checked",
        title="Claims checked",
    ),
)
