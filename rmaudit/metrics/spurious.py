"""Right label for the right reasons, by gold judgments: L-Acc, F-Score, S-Corr (arXiv 2602.06763).

Over items with a gold judgment, N of them: C have the right label and reasons that name the
decisive points of the gold judgment, I the right label and other reasons, f the right label and no
gold verdict, because the labeller failed. Each metric is a mean over items of the mean over their
rows; an item that the target did not answer is left out. R-Align's own script has f in no
denominator; here N holds it, and the bounds take it either way.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray
from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, per_item
from rmaudit.metrics.flaws import unlabelled
from rmaudit.metrics.labels import CANNOT_TEST
from rmaudit.metrics.outcome import has_preference, right
from rmaudit.metrics.spec import Followed, MetricSpec
from rmaudit.metrics.table import Table

NO_GOLD = "no item labelled a or b has a gold judgment"


class _Cells(NamedTuple):
    """Rows of items with gold judgments; `why` says why there is no gold verdict on any."""

    among: BoolArray
    answered: BoolArray
    right: BoolArray
    correct: BoolArray
    incorrect: BoolArray
    failed: BoolArray
    why: str


def _cells(table: Table) -> _Cells:
    among = table.labels.has_gold & has_preference(table)
    answered = among & table.rows.answered
    is_right, gold = answered & right(table), table.labels.gold
    untested = table.labels.known & among & np.isnan(gold)
    why = "" if among.any() else NO_GOLD
    if not why:
        why = unlabelled(table)
    if not why and untested.any() and np.isnan(gold[among]).all():
        why = CANNOT_TEST.format(table.labeler)
    return _Cells(
        among=among,
        answered=answered,
        right=is_right,
        correct=is_right & (gold == 1.0),
        incorrect=is_right & (gold == 0.0),
        failed=is_right & np.isnan(gold),
        why=why,
    )


def _l_acc(table: Table) -> Estimand:
    c = _cells(table)
    return per_item(
        table.row_units, c.right, used=c.answered, lost=c.among & ~c.answered, why=NO_GOLD
    )


def _of_all(table: Table, hit: BoolArray, c: _Cells) -> Estimand:
    """A share of all answered rows: f is in its denominator, and its bounds take f either way."""
    if c.why:
        return not_applicable(c.why)
    unanswered = c.among & ~c.answered
    value = per_item(table.row_units, hit, used=c.answered, lost=unanswered, why=NO_GOLD)
    bounds = per_item(
        table.row_units,
        hit,
        used=c.answered & ~c.failed,
        lost=unanswered | c.failed,
        why=NO_GOLD,
    )
    return value._replace(low=bounds.low, high=bounds.high, n_excluded=bounds.n_excluded)


def _f_score(table: Table) -> Estimand:
    c = _cells(table)
    return _of_all(table, c.correct, c)


def _spurious_mass(table: Table) -> Estimand:
    c = _cells(table)
    return _of_all(table, c.incorrect, c)


def _s_corr(table: Table) -> Estimand:
    c = _cells(table)
    if c.why:
        return not_applicable(c.why)
    return per_item(
        table.row_units,
        c.incorrect,
        c.right,
        used=c.answered & ~c.failed,
        lost=(c.among & ~c.answered) | c.failed,
        why="no right verdict among them",
        low=Fill(0.0, 1.0),
        high=Fill(1.0, 1.0),
    )


_spec = partial(
    MetricSpec,
    reader="labeler",
    alike=("labeler", "max_reasons", "verdicts"),
    topic="Right for the right reasons",
    idea="right by gold judgments",
    needs="items with a gold_judgment, and --labeler vllm:PATH or openai:MODEL",
)

METRICS = (
    _spec(
        "l_acc",
        "share",
        "higher",
        "Label accuracy over items with a gold judgment.",
        _l_acc,
        label="L-Acc",
        own_of="R-Align",
        reader=None,
        topic="Verdicts",
        idea="",
        needs="items with a gold_judgment",
        followed=Followed("items"),
    ),
    _spec(
        "f_score",
        "share",
        "higher",
        "Share of items with the right label and reasons that name the decisive points of the "
        "gold judgment.",
        _f_score,
        label="F-Score",
        own_of="R-Align",
        title="Right for the right reasons",
        gloss="right, and for the gold reasons",
        shown={"report": 30, "model_card": 40},
        instead_of="s_rc@0+",
        followed=Followed("items"),
    ),
    _spec(
        "s_corr",
        "share",
        "lower",
        "Among right labels, the share whose reasons are not those of the gold judgment.",
        _s_corr,
        label="S-Corr",
        own_of="R-Align",
        followed=Followed("items", paired=False),
    ),
    _spec(
        "spurious_mass",
        "share",
        "lower",
        "Share of items with the right label and reasons that are not those of the gold judgment.",
        _spurious_mass,
        followed=Followed("items"),
    ),
)
