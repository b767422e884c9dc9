"""What lists that read nothing earn, and what the model's reasons earn beyond them.

Where the faults of an item are what its responses differ in, listing the differences names them
without judging. Six such lists (`rmaudit.nulls`) are scored like a model's, by the run's own judge,
on the first items of the run, each cut to the limit on reasons and given the gold verdict.

The best of six is compared with, so it must not be chosen where it is measured. The groups are
split into two halves (`rmaudit.run.null_rows.halves`), and each half is measured with the list that
is best on the other half: every item counts, and none has a say in what it is measured with. Which
lists were chosen stands in the `why` of the value. With n_i the score of the list chosen for the
half of item i, and means over items,

    rc.null                  mean n_i
    rc.above_null            mean(rc_i - n_i) / mean(1 - n_i)

on the same items, so the error of a value is that of differences. Intervals hold for the lists as
they were chosen. Of two runs the value is comparable on the same items only: a list of differences
earns less the more the responses differ.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, per_item
from rmaudit.metrics.rationale import NO_REASONS_GIVEN, applies
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table

NOT_DRAWN = "no list that reads nothing was scored on these items"
ONE_HALF = "the best list is chosen on other groups than it is measured on: it needs two groups"
NOTHING_LEFT = "a list that reads nothing earns everything, so nothing is left above it"
NO_LIST = "no such list has a reason on these items"


class _Chosen(NamedTuple):
    """score: [rows], what the list chosen for the row's half earns; NaN where it has no score.

    failed: [rows], the judge failed on that list. note: which lists were chosen.
    """

    score: FloatArray
    failed: BoolArray
    note: str


def _choose(table: Table, scores: FloatArray) -> _Chosen | None:
    """For each half the list with the highest mean over the items of the other half.

    None where a half has no score to choose by.
    """
    nulls = table.nulls
    _, first = np.unique(table.rows.item, return_index=True)
    score = np.full(len(nulls.half), np.nan)
    failed = np.zeros(len(nulls.half), dtype=np.bool_)
    chosen = []
    for half in (0, 1):
        others = scores[first[nulls.half[first] == 1 - half]]
        known = ~np.isnan(others)
        if not known.any():
            return None
        counts = known.sum(axis=0)
        means = np.where(counts, np.nansum(others, axis=0) / np.maximum(counts, 1), -1.0)
        best = int(means.argmax())
        own = nulls.half == half
        score[own] = scores[own, best]
        failed[own] = np.isnan(nulls.rc[own, best])
        chosen.append(nulls.names[best])
    if not (nulls.half == 0).any() or not (nulls.half == 1).any():
        return None
    return _Chosen(score, failed, _note(*chosen))


def _note(first: str, second: str) -> str:
    if first == second:
        return f"the best list is {first}"
    return f"the best list is {second} on one half of the groups, {first} on the other"


def _why_none(table: Table) -> str:
    """Why no list was scored, '' where some were."""
    if not table.gives_reasons:
        return NO_REASONS_GIVEN
    return table.nulls.why or ("" if table.nulls.drawn.any() else NOT_DRAWN)


def _of_lists(table: Table, scores: FloatArray) -> Estimand:
    """Mean over items of what the chosen list earns."""
    why = _why_none(table)
    chosen = None if why else _choose(table, scores)
    if chosen is None:
        return not_applicable(why or ONE_HALF)
    found = per_item(
        table.row_units,
        chosen.score,
        used=table.nulls.drawn & ~np.isnan(chosen.score),
        lost=table.nulls.drawn & chosen.failed,
        why=NO_LIST,
    )
    return found._replace(note=chosen.note)


def _above(table: Table, scores: FloatArray, own: FloatArray, among: BoolArray) -> Estimand:
    """(own - list) / (1 - list) on the rows that have both."""
    why = _why_none(table)
    chosen = None if why else _choose(table, scores)
    if chosen is None:
        return not_applicable(why or ONE_HALF)
    rows = table.rows
    asked = among & table.nulls.drawn & (chosen.failed | ~np.isnan(chosen.score))
    known = asked & ~rows.lost & ~chosen.failed & ~np.isnan(own)
    found = per_item(
        table.row_units,
        own - chosen.score,
        1.0 - chosen.score,
        used=known,
        lost=asked & (rows.lost | chosen.failed),
        why=NOTHING_LEFT if known.any() else NO_LIST,
        low=Fill(-1.0, 0.0),  # the model earns nothing, the list everything
        high=Fill(1.0, 1.0),
    )
    # Items on which the list earns everything count too, though nothing is left above it there.
    return found._replace(note=chosen.note, n=len(np.unique(rows.item[known])))


def _null(table: Table) -> Estimand:
    return _of_lists(table, table.nulls.rc)


def _null_precision(table: Table) -> Estimand:
    return _of_lists(table, table.nulls.precision)


def _above_null(table: Table) -> Estimand:
    return _above(table, table.nulls.rc, table.rows.rc, applies(table))


def _precision_above_null(table: Table) -> Estimand:
    """On answers with a reason, or that were lost."""
    rows = table.rows
    own = rows.rc * rows.n_refs / np.maximum(rows.n_reasons, 1)
    among = applies(table) & ((rows.n_reasons > 0) | rows.lost)
    return _above(table, table.nulls.precision, own, among)


_spec = partial(
    MetricSpec,
    reader="judge",
    alike=("judge", "max_reasons", "items"),
    topic="Reasons against the references",
    needs="items with reasons in two groups, and a judge that can be asked (no replay)",
)

# A model that earns nothing has -null / (1 - null): below -4 only where a list earns four fifths.
_BOUNDS = (-4.0, 1.0)

METRICS = (
    _spec(
        "rc.null",
        "score",
        "none",
        "Rationale consistency of the best list that reads the request and the responses only and "
        "has the right verdict; chosen on one half of the groups, measured on the other.",
        _null,
        limits=(
            "Where the faults of an item are what its responses differ in, a list of the "
            "differences is partly right; it earns less the more the responses differ.",
        ),
    ),
    _spec(
        "rc.null_precision",
        "score",
        "none",
        "Weight of the matching over the number of reasons, of the list of such that is best in "
        "this; chosen on one half of the groups, measured on the other.",
        _null_precision,
    ),
    _spec(
        "rc.above_null",
        "score",
        "higher",
        "(rc - rc.null) / (1 - rc.null), over the items where the lists were scored; below 0 the "
        "reasons earn less than a list that reads nothing.",
        _above_null,
        _BOUNDS,
        label="above lists that read nothing",
        inset=True,
        title="Above lists that read nothing",
        gloss="of what such a list leaves",
        shown={"terminal": 41, "repair_card": 31},
    ),
    _spec(
        "rc.above_null_precision",
        "score",
        "higher",
        "(rc.precision - rc.null_precision) / (1 - rc.null_precision), over the answers with a "
        "reason on the items where the lists were scored.",
        _precision_above_null,
        _BOUNDS,
    ),
)
