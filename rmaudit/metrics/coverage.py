"""How much of the run is readable: shares of (item, order, sample) rows.

Nothing is left out here, since what failed is what is counted.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import BoolArray
from rmaudit.metrics.estimand import Estimand, not_applicable, pooled
from rmaudit.metrics.flaws import unlabelled
from rmaudit.metrics.rationale import NO_REASONS_GIVEN
from rmaudit.metrics.spec import Followed, MetricSpec
from rmaudit.metrics.table import OUTCOMES, Table
from rmaudit.records import Outcome

NO_ROWS = "no rows"


def _share(table: Table, hit: BoolArray) -> Estimand:
    return pooled(table.row_units, hit, used=np.ones_like(hit), why=NO_ROWS)


def _outcome(table: Table, *, names: tuple[Outcome, ...]) -> Estimand:
    codes = [OUTCOMES.index(name) for name in names]
    return _share(table, np.isin(table.rows.outcome, codes))


def _flag(table: Table, *, name: str) -> Estimand:
    return _share(table, table.flag(name))


def _reason_flag(table: Table, *, name: str) -> Estimand:
    return _flag(table, name=name) if table.gives_reasons else not_applicable(NO_REASONS_GIVEN)


def _no_references(table: Table) -> Estimand:
    return _share(table, table.rows.n_refs == 0)


def _matched(table: Table) -> Estimand:
    rows = table.rows
    asked = rows.answered & (rows.n_refs > 0) & (rows.n_reasons > 0)
    return pooled(
        table.row_units, ~np.isnan(rows.rc), used=asked, why="nothing was put to the judge"
    )


def _labelled(table: Table) -> Estimand:
    why, rows = unlabelled(table), table.rows
    if why:
        return not_applicable(why)
    asked = rows.answered & (rows.n_reasons > 0)
    return pooled(table.row_units, table.labels.known, used=asked, why="no answer has a reason")


_spec = partial(
    MetricSpec, reader=None, alike=("verdicts",), topic="Coverage", followed=Followed("rows")
)

METRICS = (
    _spec(
        "coverage.parsed",
        "share",
        "higher",
        "Share of rows with a readable verdict, ties included.",
        partial(_outcome, names=("ok", "tie")),
        label="readable answers",
        title="Readable answers",
        gloss="one clear verdict stated",
        counted="answers",
        shown={
            "terminal": 130,
            "report": 70,
            "model_card": 70,
            "repair_card": 80,
            "claims": 90,
            "calibrate": 90,
        },
    ),
    _spec(
        "coverage.truncated",
        "share",
        "lower",
        "Share of rows cut at the token limit before a complete answer.",
        partial(_outcome, names=("truncated",)),
        title="Answers cut at the token limit",
        counted="answers",
    ),
    _spec(
        "coverage.refused",
        "share",
        "lower",
        "Share of rows where the model declined to judge.",
        partial(_outcome, names=("refused",)),
        title="Answers that decline to judge",
        counted="answers",
    ),
    _spec(
        "coverage.too_long",
        "share",
        "lower",
        "Share of rows whose prompt did not fit the context.",
        partial(_outcome, names=("too_long",)),
        title="Prompts too long for the model",
        counted="answers",
        shown={"integrity": 20},
    ),
    _spec(
        "coverage.filtered",
        "share",
        "lower",
        "Share of rows that the provider of an endpoint kept back: no answer, and none of the "
        "model's doing.",
        partial(_outcome, names=("filtered",)),
        title="Kept back by the provider",
        since=5,
    ),
    _spec(
        "coverage.error",
        "share",
        "lower",
        "Share of rows where the engine gave no answer.",
        partial(_outcome, names=("error",)),
        title="Requests without an answer",
        counted="answers",
        shown={"integrity": 10},
    ),
    _spec(
        "coverage.conflict",
        "share",
        "lower",
        "Share of rows that state verdicts which disagree.",
        partial(_flag, name="conflict"),
        title="Answers with verdicts that disagree",
        counted="answers",
    ),
    _spec(
        "coverage.matched",
        "share",
        "higher",
        "Share of rows that the judge gave a matrix for, among answered rows with references "
        "and at least one reason.",
        _matched,
        reader="judge",
        alike=("judge", "verdicts"),
        title="Answers that the judge scored",
        counted="answers",
        shown={"integrity": 30},
    ),
    _spec(
        "coverage.labelled",
        "share",
        "higher",
        "Share of rows whose reasons the labeller labelled, among answered rows with at least one "
        "reason.",
        _labelled,
        alike=("labeler", "verdicts"),
        needs="a target that writes reasons",
        title="Answers with labelled reasons",
        counted="answers",
    ),
    _spec(
        "coverage.no_reasons",
        "share",
        "lower",
        "Share of rows without a readable reason.",
        partial(_reason_flag, name="no_reasons"),
        title="Answers without a reason",
        counted="answers",
    ),
    _spec(
        "coverage.no_references",
        "share",
        "none",
        "Share of rows of items without reference reasons; rationale metrics skip them.",
        _no_references,
        title="Answers on items without references",
        counted="answers",
    ),
    _spec(
        "coverage.over_max_reasons",
        "share",
        "lower",
        "Share of rows whose list of reasons was cut.",
        partial(_reason_flag, name="over_max_reasons"),
        alike=("max_reasons", "verdicts"),
        title="Lists of reasons longer than the limit",
        counted="answers",
    ),
    _spec(
        "coverage.ambiguous_side",
        "share",
        "lower",
        "Share of rows with a reason whose side could not be told.",
        partial(_reason_flag, name="ambiguous_side"),
        title="Answers with a reason of no clear side",
        counted="answers",
    ),
    _spec(
        "coverage.copied",
        "share",
        "lower",
        "Share of rows where most reasons repeat a response word for word.",
        partial(_reason_flag, name="copied"),
        title="Answers that copy a response",
        counted="answers",
    ),
)
