"""Does the model pick the right answer: the accuracies.

A target that answered without a readable verdict is wrong, whatever the cause. A target that did
not answer (`too_long`, `filtered`, `error`) is neither right nor wrong: left out, counted, and
bounded.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.checklists.rulers import RULERS
from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.estimand import Estimand, not_applicable, per_item
from rmaudit.metrics.spec import Beside, Followed, MetricSpec
from rmaudit.metrics.table import NONE, TIE, A, B, Table
from rmaudit.records import Verdict

NO_PREFERENCE = "no item is labelled a or b"
ONE_ORDER = "needs both orders of an item"
JUDGED_ALONE = "each response was judged alone: nothing is shown first"


def is_correct(verdict: Verdict, label: Verdict) -> bool:
    """Whether a verdict is right: equal to the label. No verdict is never right."""
    return label is not None and verdict == label


def right(table: Table) -> BoolArray:
    """`is_correct` of each row."""
    same: BoolArray = (table.rows.verdict == table.rows.label) & (table.rows.label != NONE)
    return same


def has_preference(table: Table) -> BoolArray:
    """Rows whose label is a or b."""
    preferred: BoolArray = np.isin(table.rows.label, (A, B))
    return preferred


def _accuracy(table: Table, value: FloatArray | BoolArray, among: BoolArray, why: str) -> Estimand:
    answered = table.rows.answered
    return per_item(table.row_units, value, used=among & answered, lost=among & ~answered, why=why)


def _strict(table: Table) -> Estimand:
    return _accuracy(table, right(table), has_preference(table), NO_PREFERENCE)


def _half(table: Table) -> Estimand:
    value = np.where(table.rows.verdict == TIE, 0.5, right(table))
    return _accuracy(table, value, has_preference(table), NO_PREFERENCE)


def _drop(table: Table) -> Estimand:
    decisive = (table.rows.verdict >= 0) & (table.rows.verdict != TIE)
    among = has_preference(table) & (decisive | ~table.rows.answered)
    return _accuracy(table, right(table), among, "no decisive verdict on an item labelled a or b")


def _gold_tie(table: Table) -> Estimand:
    return _accuracy(table, right(table), table.rows.label == TIE, "no item is labelled a tie")


def _votes(table: Table) -> FloatArray:
    """Votes of each pair of orders, [pairs, 2]: 1 right, -1 wrong, 0 for a tie or no verdict."""
    decisive = (table.rows.verdict >= 0) & (table.rows.verdict != TIE)
    vote = np.where(decisive, np.where(right(table), 1.0, -1.0), 0.0)
    return vote[np.column_stack(table.pairs)]


def no_orders(table: Table) -> str:
    """Why nothing can be said of both orders."""
    return JUDGED_ALONE if table.alone else ONE_ORDER


def _over_pairs(table: Table, value: BoolArray) -> Estimand:
    """Mean over items of a value of each pair of orders; both rows must have been answered."""
    ab, ba = table.pairs
    if not len(ab):
        return not_applicable(no_orders(table))
    gold = has_preference(table)[ab]
    both = table.rows.answered[ab] & table.rows.answered[ba]
    return per_item(table.pair_units, value, used=gold & both, lost=gold & ~both, why=NO_PREFERENCE)


def _both_orders(table: Table) -> Estimand:
    return _over_pairs(table, (_votes(table) == 1).all(axis=1))


def _net_votes(table: Table) -> Estimand:
    return _over_pairs(table, _votes(table).sum(axis=1) > 0)


_spec = partial(MetricSpec, reader=None, alike=("verdicts",), topic="Verdicts")
_BOTH_ORDERS = "--orders both"

METRICS = (
    _spec(
        "accuracy",
        "share",
        "higher",
        "Share of verdicts equal to the label, over items labelled a or b; a tie verdict or an "
        "answer without a readable verdict is wrong.",
        _strict,
        label="accuracy",
        title="Outcome accuracy",
        gloss="agrees with the reference",
        short="accuracy",
        beside=tuple(
            Beside(f"{words} alone", f"ruler.{name}", terminal="below")
            for name, words in RULERS.items()
        ),
        shown={
            "core": 10,
            "terminal": 10,
            "report": 10,
            "report_curves": 10,
            "model_card": 10,
            "repair_card": 10,
            "claims": 10,
            "training_curve": 10,
            "ranks": 10,
            "calibrate": 10,
        },
        followed=Followed("items"),
    ),
    _spec(
        "accuracy.half",
        "share",
        "higher",
        "Accuracy with half credit for a tie verdict.",
        _half,
        followed=Followed("items"),
    ),
    _spec(
        "accuracy.drop",
        "share",
        "higher",
        "Accuracy over decisive verdicts only; ties and unreadable answers are left out.",
        _drop,
        followed=Followed("items", paired=False),
    ),
    _spec(
        "accuracy.gold_tie",
        "share",
        "higher",
        "Share of tie verdicts on items labelled a tie.",
        _gold_tie,
        needs="a set with items labelled tie",
        followed=Followed("items"),
    ),
    _spec(
        "accuracy_both_orders",
        "share",
        "higher",
        "Share of (item, sample) pairs judged right whichever response is shown first.",
        _both_orders,
        label="accuracy, right in both orders",
        title="Accuracy, right in both orders",
        shown={"terminal": 20},
        needs=_BOTH_ORDERS,
        followed=Followed("items"),
    ),
    _spec(
        "accuracy_net_votes",
        "share",
        "higher",
        "Share of (item, sample) pairs with more right than wrong votes over the two orders "
        "(the rule of JudgeBench): one right verdict and one tie suffice.",
        _net_votes,
        label="accuracy by JudgeBench's rule",
        title="Accuracy by JudgeBench's rule",
        gloss="more right than wrong votes in both orders",
        own_of="JudgeBench",
        needs=_BOTH_ORDERS,
        followed=Followed("items"),
    ),
)
