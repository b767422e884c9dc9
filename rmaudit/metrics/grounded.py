"""Do the reasons speak of what is there: quotes and numbers held against the texts.

`judging.grounding` says how each reason with a quote or a number stands. A rate is a ratio over
items of such reasons. An answer that the target did not give comes back in the bounds as a full
list of reasons.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, per_item
from rmaudit.metrics.features import NO_ITEMS
from rmaudit.metrics.rationale import NO_REASONS_GIVEN
from rmaudit.metrics.spec import Followed, MetricSpec
from rmaudit.metrics.table import Table

NOTHING_SAID = "no reason quotes anything or names a number"


def _share(table: Table, part: FloatArray, whole: FloatArray) -> Estimand:
    if not table.gives_reasons:
        return not_applicable(NO_REASONS_GIVEN)
    answered, known = table.rows.answered, ~np.isnan(part)
    if answered.any() and not known[answered].any():
        return not_applicable(NO_ITEMS)
    most = float(table.max_reasons)
    return per_item(
        table.row_units,
        part,
        whole,
        used=answered & known,
        lost=~answered,
        why=NOTHING_SAID,
        low=Fill(0.0, most),
        high=Fill(most, most),
    )


def _grounded(table: Table) -> Estimand:
    facts = table.facts
    return _share(table, facts.grounded, facts.grounded + facts.ungrounded)


def _unchecked(table: Table) -> Estimand:
    facts = table.facts
    return _share(table, facts.unchecked, facts.grounded + facts.ungrounded + facts.unchecked)


_spec = partial(
    MetricSpec,
    reader=None,
    alike=("max_reasons",),
    topic="What the reasons are",
    followed=Followed("reasons", paired=False),
)

METRICS = (
    _spec(
        "grounded",
        "share",
        "higher",
        "Share of reasons whose quotes and numbers all stand in the request or in the response "
        "that they are about, or equal what a program counts there, among reasons with a quote or "
        "a number that can be checked.",
        _grounded,
        label="quotes and numbers that exist",
        title="Quotes and numbers that exist",
        shown={"terminal": 70},
    ),
    _spec(
        "grounded.unchecked",
        "share",
        "none",
        "Share of reasons with a quote or a number that a program cannot check, since it may be "
        "derived, or is said to be missing; among all reasons with a quote or a number.",
        _unchecked,
    ),
)
