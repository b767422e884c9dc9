"""Are the reasons the right ones: rationale consistency and average precision.

Rationale consistency (arXiv 2602.04649, Eq. 2) is the weight of the one-to-one matching over the
number of references. It applies to items with references and to models that give reasons. An
answer without readable reasons scores 0; a row that the judge failed on is left out and bounded.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, per_item
from rmaudit.metrics.outcome import no_orders, right
from rmaudit.metrics.spec import Beside, Followed, MetricSpec
from rmaudit.metrics.table import Table

NO_REFERENCES = "no item has reference reasons"
NO_REASONS_GIVEN = "the model gives no reasons"
NO_SCORE = "no answer has a rationale score"
NO_MATRIX = "the match matrices are not at hand"
ALL_EMPTY = "no answer has a reason"


def applies(table: Table) -> BoolArray:
    """Rows of items with references, of a model that gives reasons."""
    return (table.rows.n_refs > 0) & table.gives_reasons


def why_not(table: Table) -> str:
    """Why no row has a rationale number."""
    return NO_REFERENCES if table.gives_reasons else NO_REASONS_GIVEN


def _mean(table: Table, value: FloatArray, *, missing: str = NO_SCORE) -> Estimand:
    """Mean over items of what is not NaN; `missing` is said where rows apply but all are NaN."""
    among, lost = applies(table), table.rows.lost
    return per_item(
        table.row_units,
        value,
        used=among & ~lost & ~np.isnan(value),
        lost=among & lost,
        why=missing if among.any() else why_not(table),
    )


def _with_reasons(table: Table, value: FloatArray) -> Estimand:
    """`_mean` over answers with at least one reason."""
    return _mean(table, np.where(table.rows.n_reasons > 0, value, np.nan), missing=ALL_EMPTY)


def _rc(table: Table) -> Estimand:
    return _mean(table, table.rows.rc)


def _precision(table: Table) -> Estimand:
    rows = table.rows
    return _with_reasons(table, rows.rc * rows.n_refs / np.maximum(rows.n_reasons, 1))


def _survivors(table: Table) -> Estimand:
    return _with_reasons(table, table.rows.rc)


def _given(table: Table, *, verdict: Literal["right", "wrong"]) -> Estimand:
    """Mean rc over the rows whose verdict is right, or is not (wrong or unreadable)."""
    among, lost = applies(table), table.rows.lost
    part = right(table) if verdict == "right" else ~right(table)
    used = among & ~lost & ~np.isnan(table.rows.rc)
    return per_item(
        table.row_units,
        table.rows.rc * part,
        part,
        used=used,
        lost=among & lost,
        why=f"no {verdict} verdict among them" if used.any() else why_not(table),
    )


def _length_ceiling(table: Table) -> Estimand:
    n_refs = np.maximum(table.rows.n_refs, 1)
    value = np.minimum(table.max_reasons, n_refs) / n_refs
    used = applies(table)
    return per_item(table.row_units, value, used=used, lost=np.zeros_like(used), why=why_not(table))


def _reuse_gap(table: Table) -> Estimand:
    return _mean(table, table.rows.reuse - table.rows.rc, missing=NO_MATRIX)


def _ap(table: Table) -> Estimand:
    return _mean(table, table.rows.ap)


def _ap_50(table: Table) -> Estimand:
    return _mean(table, table.rows.ap_50, missing=NO_MATRIX)


def _ap_75(table: Table) -> Estimand:
    return _mean(table, table.rows.ap_75, missing=NO_MATRIX)


def _order_delta(table: Table) -> Estimand:
    if not len(table.pairs.ab):
        return not_applicable(no_orders(table) if table.gives_reasons else NO_REASONS_GIVEN)
    ab, ba = table.pairs
    rc = np.where(table.rows.lost, np.nan, table.rows.rc)
    lost = applies(table)[ab] & (table.rows.lost[ab] | table.rows.lost[ba])
    used = applies(table)[ab] & ~np.isnan(rc[ab] - rc[ba])
    return per_item(
        table.pair_units,
        rc[ab] - rc[ba],
        used=used,
        lost=lost,
        why=why_not(table),
        low=Fill(-1.0),
        high=Fill(1.0),
    )


_spec = partial(
    MetricSpec,
    reader="judge",
    alike=("judge", "max_reasons"),
    topic="Reasons against the references",
)

METRICS = (
    _spec(
        "rc",
        "score",
        "higher",
        "Rationale consistency: weight of the maximum-weight one-to-one matching of the model's "
        "reasons to the references, over the number of references; 0 without reasons.",
        _rc,
        label="rationale consistency",
        title="Rationale consistency",
        gloss="reference reasons recovered",
        short="consistency",
        shown={
            "core": 20,
            "terminal": 30,
            "report": 20,
            "report_curves": 20,
            "model_card": 20,
            "repair_card": 20,
            "claims": 20,
            "training_curve": 20,
            "ranks": 20,
            "calibrate": 20,
        },
        beside=(
            Beside("chance", "rc.chance", terminal="column"),
            Beside("lists that read nothing reach", "rc.null", terminal="below"),
            Beside("reasons that praise one side only", "flaw.F4", terminal="below", unless=0.0),
            Beside("most", "rc.length_ceiling", unless=1.0),
        ),
        followed=Followed("items"),
        limits=(
            "References hold faults only, so that praise cannot match one, however true it is.",
            "A matched reason shows that the model named a fault that the references hold. It does "
            "not show that this fault decided its verdict.",
        ),
    ),
    _spec(
        "rc.precision",
        "score",
        "higher",
        "Weight of the matching over the number of the model's reasons, where there are any.",
        _precision,
        label="precision of the reasons",
        title="Precision of the reasons",
        gloss="weight matched, by reason given",
        followed=Followed("items", paired=False),
    ),
    _spec(
        "rc.survivors",
        "score",
        "higher",
        "Rationale consistency over answers with at least one reason; flatters a model that "
        "often gives none.",
        _survivors,
        followed=Followed("items", paired=False),
    ),
    _spec(
        "rc.right",
        "score",
        "higher",
        "Rationale consistency where the verdict is right.",
        partial(_given, verdict="right"),
        followed=Followed("items", paired=False),
    ),
    _spec(
        "rc.wrong",
        "score",
        "none",
        "Rationale consistency where the verdict is wrong or unreadable: as high as where it is "
        "right, the reasons do not decide.",
        partial(_given, verdict="wrong"),
        followed=Followed("items", paired=False),
    ),
    _spec(
        "rc.length_ceiling",
        "score",
        "none",
        "The most that rationale consistency can reach with the limit on the number of reasons.",
        _length_ceiling,
        reader=None,
        followed=Followed("items"),
    ),
    _spec(
        "rc.reuse_gap",
        "score",
        "lower",
        "What rationale consistency would gain if one reason could match several references; a "
        "large gap marks reasons worded so broadly that they fit many.",
        _reuse_gap,
        format="points",
        followed=Followed("items"),
    ),
    _spec(
        "rc.order_delta",
        "score",
        "zero",
        "Rationale consistency with response a shown first minus with response b shown first.",
        _order_delta,
        (-1.0, 1.0),
        format="points",
        needs="--orders both, and items with reasons",
        followed=Followed("items", paired=False),
    ),
    _spec(
        "ap",
        "score",
        "higher",
        "Average precision of the reasons at their true ranks; a hit is matched with s >= 0.25.",
        _ap,
        label="average precision",
        title="Average precision",
        format="plain",
        shown={
            "terminal": 60,
            "repair_card": 40,
            "claims": 40,
            "ranks": 30,
        },
        followed=Followed("items"),
    ),
    _spec(
        "ap@0.5",
        "score",
        "higher",
        "Average precision where a hit is matched with s >= 0.5.",
        _ap_50,
        format="plain",
        followed=Followed("items"),
    ),
    _spec(
        "ap@0.75",
        "score",
        "higher",
        "Average precision where a hit is matched with s >= 0.75.",
        _ap_75,
        format="plain",
        followed=Followed("items"),
    ),
)
