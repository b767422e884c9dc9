"""What a change of the prompt does to the verdict: cues must not win, given reasons should help.

Both compare a row with the row of the same item and order without the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from rmaudit.checklists.controls import CUES
from rmaudit.metrics.estimand import Estimand, Fill, per_item, pooled
from rmaudit.metrics.outcome import NO_PREFERENCE, has_preference, right
from rmaudit.metrics.probes import ABSENT, UNREADABLE
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table, Units


def _specification_gap(table: Table) -> Estimand:
    given = table.probes.specified[:, 0]
    asked = (given != ABSENT) & has_preference(table)
    used = asked & (given >= UNREADABLE) & table.rows.answered
    with_reasons = (given == table.rows.label).astype(np.float64)
    return per_item(
        table.row_units,
        with_reasons - right(table),
        used=used,
        lost=asked & ~used,
        why=table.not_measured["specification"] or NO_PREFERENCE,
        low=Fill(-1.0),
    )


def _trap_rate(table: Table, kinds: Sequence[int]) -> Estimand:
    cue, neutral = table.probes.cue[:, kinds], table.probes.neutral[:, kinds]
    label = table.rows.label[:, np.newaxis]
    asked = (cue != ABSENT) & (neutral != ABSENT)
    used = asked & (cue >= UNREADABLE) & (neutral >= UNREADABLE)
    caught = (cue != label).astype(np.float64) - (neutral != label)
    repeated = Units._make(np.repeat(column, len(kinds)) for column in table.row_units)
    return pooled(
        repeated,
        caught.ravel(),
        used=used.ravel(),
        lost=(asked & ~used).ravel(),
        why=table.not_measured["traps"] or "no right verdict on an item with such a trap",
        low=Fill(-1.0),
    )


_trap_spec = partial(
    MetricSpec,
    reader=None,
    alike=("verdicts",),
    topic="Order, length and style",
    format="points",
    needs="--measure traps, and items with such cues among their controls",
)

METRICS = (
    MetricSpec(
        "specification_gap",
        "share",
        "none",
        "Accuracy with the references in the prompt minus accuracy without, on the same items: "
        "what the model would gain if it were told what to look at. Below 0, being told harms.",
        _specification_gap,
        (-1.0, 1.0),
        reader=None,
        alike=("verdicts",),
        topic="Do the reasons decide",
        label="gain if told the references",
        title="Gain from the references",
        format="points",
        shown={"terminal": 160},
        needs="--measure specification, and items with reasons",
    ),
    _trap_spec(
        "trap_rate",
        "share",
        "lower",
        "Over right verdicts and all kinds of cue: share that turns wrong with the cue on the "
        "losing response, minus the share that turns wrong with a neutral edit of like length.",
        partial(_trap_rate, kinds=range(len(CUES))),
        (-1.0, 1.0),
        label="caught by surface cues",
        title="Surface cues",
        counted="edited answers",
        shown={"terminal": 170},
    ),
    *(
        _trap_spec(
            f"trap_rate.{kind}",
            "share",
            "lower",
            f"The trap rate of cues of the kind {kind}.",
            partial(_trap_rate, kinds=[number]),
            (-1.0, 1.0),
            label=f"most by {kind}",
            inset=True,
            title=f"Surface cue: {kind}",
            counted="edited answers",
            shown={"report": 45, "terminal": 171},
            family="trap_rate",
        )
        for number, kind in enumerate(CUES)
    ),
)
