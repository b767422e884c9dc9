"""What one plain look at each pair would score: rulers beside the accuracy of the model.

Computed from the texts alone (`checklists.rulers`), over the items on which accuracy is, so that
the two can be compared.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.checklists.rulers import RULERS
from rmaudit.metrics.estimand import Estimand, not_applicable, per_item
from rmaudit.metrics.features import NO_ITEMS, NONE
from rmaudit.metrics.outcome import NO_PREFERENCE, has_preference
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table

FAMILY = "ruler"


def _ruler(table: Table, *, place: int) -> Estimand:
    if len(table.rows.item) and np.isnan(table.features.length).all():
        return not_applicable(NO_ITEMS)
    pick = table.features.picks[:, place]
    among = has_preference(table) & ~np.isnan(table.features.length[:, 0])
    return per_item(
        table.row_units,
        np.where(pick == NONE, 0.5, pick == table.rows.label),
        used=among & table.rows.answered,
        lost=np.zeros_like(among),
        why=NO_PREFERENCE,
    )


METRICS = tuple(
    MetricSpec(
        f"ruler.{name}",
        "share",
        "none",
        f"Accuracy of always picking by one look alone ({words}), over the items of accuracy; a "
        "pair that is equal by it counts one half.",
        partial(_ruler, place=place),
        reader=None,
        alike=(),
        topic="Verdicts",
        family=FAMILY,
        needs="items labelled a or b",
    )
    for place, (name, words) in enumerate(RULERS.items())
)
