"""From the row files to what each row says beside its verdict and its matching."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.scores import RowKey
from rmaudit.parsing.decisions import by_score
from rmaudit.records import Side, Verdict
from rmaudit.run.annotators import NO_CEILINGS, Ceilings
from rmaudit.run.rows import ScoreRow, VerdictRow
from rmaudit.run.sensitivity import SIDES, Sensitivity, sensitivities, verdict_sensitivities
from rmaudit.run.standings import Standings

Scores = Mapping[Side, ScoreRow]
_NO_EDITS = Sensitivity()


def row_facts(
    items: Iterable[Item],
    verdicts: Iterable[VerdictRow],
    scores: Iterable[ScoreRow],
    *,
    gives_reasons: bool,
    ceilings: Ceilings = NO_CEILINGS,
    lower_is_better: bool = False,
    stand: Mapping[RowKey, Standings] | None = None,
) -> dict[RowKey, RowFacts]:
    """The facts of each base row.

    Args:
        items: those of the run.
        verdicts: all rows of the run, of these items.
        scores: of single responses, where the model gave any.
        gives_reasons: False for a score-only model: its verdicts are its scores once more.
        ceilings: what annotators and the model reach on left-out references.
        lower_is_better: of two scores.
        stand: what the reasons of each row rest on; what it lacks was not read.
    """
    items, verdicts, scores = list(items), list(verdicts), list(scores)
    moved = (
        verdict_sensitivities(items, verdicts)
        if gives_reasons
        else sensitivities(items, scores, lower_is_better=lower_is_better)
    )
    of_item: dict[str, dict[Side, ScoreRow]] = {}
    for score in scores:
        if score.key.variant == "base" and score.key.slot != "pair":
            of_item.setdefault(score.key.item, {})[score.key.slot] = score
    found: dict[RowKey, RowFacts] = {}
    alike: dict[RowFacts, RowFacts] = {}
    for row in verdicts:
        name, key = row.key.item, (row.key.item, row.key.order, row.key.sample)
        if row.key.variant == "base" and row.key.slot == "pair":
            facts = _facts(
                row, of_item.get(name, {}), scored=not gives_reasons, lower=lower_is_better
            )
            edits = moved.get(name, _NO_EDITS)
            rests = (stand or {}).get(key)
            facts = replace(
                facts,
                grounded=rests.grounded if rests else None,
                ungrounded=rests.ungrounded if rests else None,
                unchecked=rests.unchecked if rests else None,
                sensitivity=edits.value,
                by_kind=edits.by_kind,
                sensitivity_lost=edits.lost,
                few_edits=edits.few_edits,
                saturated=edits.saturated,
                monotone=edits.monotone,
                monotone_lost=edits.monotone_lost,
                panel=name in ceilings.human,
                ceiling=ceilings.model.get(key),
                human=ceilings.human.get(name),
            )
            found[key] = alike.setdefault(facts, facts)
    return found


class _Compared(NamedTuple):
    margin: float
    verdict: Verdict


def _facts(row: VerdictRow, scores: Scores, *, scored: bool, lower: bool) -> RowFacts:
    """scored: of a model that gives scores, which made the verdict; lower: the lower one wins."""
    compared = _compare(scores, row.key.order or "")
    if scored:
        sense, order = (-1.0 if lower else 1.0), row.key.order or ""
        a, b = (
            sense * scores[side].by_order.get(order, scores[side].score) if side in scores else None
            for side in SIDES
        )
        return RowFacts(margin=compared.margin if compared else None, scores=(a, b))
    return RowFacts(strength=row.judgment.strength, by_slot=compared.verdict if compared else None)


def _compare(scores: Scores, order: str) -> _Compared | None:
    """The two scores against each other, of the order where they depend on it."""
    if len(scores) < 2:
        return None
    a, b = (scores[side].by_order.get(order, scores[side].score) for side in ("a", "b"))
    return _Compared(abs(a - b), by_score(a, b).verdict)
