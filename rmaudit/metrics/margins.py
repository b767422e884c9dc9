"""How far apart scores put the better and the worse response, and how often not at all."""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.confidence import item_weights
from rmaudit.metrics.estimand import Estimand, Smooth, not_applicable, per_item
from rmaudit.metrics.outcome import NO_PREFERENCE, has_preference
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import TIE, A, Table

NO_SCORES = "the model gives no scores"
ALIKE = "all margins are alike"


def _ties(table: Table) -> Estimand:
    among, answered = has_preference(table), table.rows.answered
    return per_item(
        table.row_units,
        table.rows.verdict == TIE,
        used=among & answered,
        lost=among & ~answered,
        why=NO_PREFERENCE,
    )


def _margin(table: Table) -> Estimand | Smooth:
    """Mean over standard deviation of score(better) - score(worse)."""
    scores = table.facts.scores
    if np.isnan(scores).all():
        return not_applicable(NO_SCORES)
    among = has_preference(table)
    if not among.any():
        return not_applicable(NO_PREFERENCE)
    margin = np.where(table.rows.label == A, 1.0, -1.0) * (scores[:, 0] - scores[:, 1])
    used, lost = among & ~np.isnan(margin), among & np.isnan(margin)
    weight = item_weights(table.rows.item, used)[used]
    x = margin[used]
    columns = weight[:, np.newaxis] * np.column_stack([np.ones(len(x)), x, x**2])
    value = float(_effect(columns.sum(axis=0)))
    end = np.nan if lost.any() else value
    return Smooth(
        group=table.rows.group[used],
        columns=columns,
        statistic=_effect,
        n=len(np.unique(table.rows.item[used])),
        n_excluded=int(lost.sum()),
        low=end,
        high=end,
        why=ALIKE,
    )


def _effect(sums: FloatArray) -> FloatArray:
    n, first, second = np.moveaxis(sums, -1, 0)
    mean = first / np.maximum(n, 1e-300)
    variance = second / np.maximum(n, 1e-300) - mean**2
    some = variance > 1e-12 * np.maximum(mean**2, 1e-300)
    effect: FloatArray = np.divide(
        mean, np.sqrt(np.maximum(variance, 0)), out=np.full(n.shape, np.nan), where=some
    )
    return effect


_spec = partial(MetricSpec, reader=None, alike=("verdicts",), topic="Verdicts", since=8)

METRICS = (
    _spec(
        "accuracy.ties",
        "share",
        "lower",
        "Share of tie verdicts, over items labelled a or b: of scores, those that are equal.",
        _ties,
        needs="items labelled a or b",
    ),
    _spec(
        "score_margin",
        "score",
        "higher",
        "Score of the better response less that of the worse: mean over items by the standard "
        "deviation over items, so that no scale counts.",
        _margin,
        (-np.inf, np.inf),
        format="plain",
        needs="a model that gives scores, and items labelled a or b",
    ),
)
