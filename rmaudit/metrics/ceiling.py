"""What a person reaches on the references of other persons, and the model on the same ones."""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.estimand import Estimand, per_item
from rmaudit.metrics.spec import Beside, MetricSpec
from rmaudit.metrics.table import Table

NO_PANEL = "needs items with the reasons of two annotators, and a judge that reads them"


def _on_left_out(table: Table, value: FloatArray) -> Estimand:
    asked, known = table.facts.panel, ~np.isnan(value)
    return per_item(table.row_units, value, used=asked & known, lost=asked & ~known, why=NO_PANEL)


def _human(table: Table) -> Estimand:
    return _on_left_out(table, table.facts.human)


def _model(table: Table) -> Estimand:
    return _on_left_out(table, table.facts.ceiling)


_spec = partial(
    MetricSpec,
    reader="judge",
    alike=("judge", "max_reasons"),
    topic="Reasons against the references",
    needs="items with the reasons of two annotators; a judge that is no replay",
)

METRICS = (
    _spec(
        "rc.human_ceiling",
        "score",
        "none",
        "Rationale consistency of annotators: the reasons of each against those of each other "
        "annotator of the item, mean over the pairs; lists cut like the model's.",
        _human,
    ),
    _spec(
        "rc.human_ceiling.model",
        "score",
        "higher",
        "Rationale consistency of the model on the references of rc.human_ceiling: against each "
        "annotator of an item, mean over them.",
        _model,
        title="Consistency beside people",
        gloss="model and people on the same references",
        shown={"report": 21},
        beside=(Beside("people", "rc.human_ceiling"),),
    ),
)
