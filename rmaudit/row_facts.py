"""From the row files to what each row says beside its verdict and its matching."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rmaudit.judging.decisions import by_score
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.scores import RowKey
from rmaudit.records import Side, Verdict
from rmaudit.rows import ScoreRow, VerdictRow

Scores = Mapping[Side, ScoreRow]


def row_facts(
    verdicts: Iterable[VerdictRow], scores: Iterable[ScoreRow], *, gives_reasons: bool
) -> dict[RowKey, RowFacts]:
    """The facts of each base row.

    Args:
        verdicts: all rows of the run.
        scores: of single responses, where the model gave any.
        gives_reasons: False for a score-only model: its verdicts are its scores once more.
    """
    of_item: dict[str, dict[Side, ScoreRow]] = {}
    for score in scores:
        if score.key.variant == "base" and score.key.slot != "pair":
            of_item.setdefault(score.key.item, {})[score.key.slot] = score
    return {
        (row.key.item, row.key.order, row.key.sample): _facts(
            row, of_item.get(row.key.item, {}), gives_reasons=gives_reasons
        )
        for row in verdicts
        if row.key.variant == "base" and row.key.slot == "pair"
    }


class _Compared(NamedTuple):
    margin: float
    verdict: Verdict


def _facts(row: VerdictRow, scores: Scores, *, gives_reasons: bool) -> RowFacts:
    compared = _compare(scores, row.key.order or "")
    return RowFacts(
        strength=row.judgment.strength,
        margin=compared.margin if compared and not gives_reasons else None,
        by_slot=compared.verdict if compared and gives_reasons else None,
    )


def _compare(scores: Scores, order: str) -> _Compared | None:
    """The two scores against each other, of the order where they depend on it."""
    if len(scores) < 2:
        return None
    a, b = (scores[side].by_order.get(order, scores[side].score) for side in ("a", "b"))
    return _Compared(abs(a - b), by_score(a, b).verdict)
