"""The audit of planted models in memory: the same functions as a scan, without files.

    raw text -> parser -> item coordinates -> judge, labeller -> item results -> metrics

A model at 20% of a defect gives most answers word for word as at 0% or 100%, so each text is
parsed and judged once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.findings import Findings, find
from rmaudit.judging import builtin
from rmaudit.judging.labelling import BuiltinLabeler, LabelRequest
from rmaudit.judging.metajudge import BuiltinJudge, JudgeRequest, matching_of
from rmaudit.judging.parsing import parse_pairwise
from rmaudit.judging.sides import to_item
from rmaudit.label_rows import LabelRow
from rmaudit.metrics.table import Table, build_table
from rmaudit.records import Generation, Key
from rmaudit.results import chance_partners, item_results
from rmaudit.row_facts import row_facts
from rmaudit.rows import MatchRow, VerdictRow
from rmaudit.run_table import row_labels
from rmaudit.selftest.models import MOST_REASONS, ORDERS, PlantedModel, World


class Graded(NamedTuple):
    """What a text says, and what judge and labeller make of it."""

    verdict: VerdictRow
    match: MatchRow
    labels: LabelRow


class Bench:
    """Items, and what became of the texts that were written about them."""

    def __init__(self, items: Sequence[Item], *, seed: int) -> None:
        self._items = {item.id: item for item in items}
        self._world = World.of(items)
        self._seed = seed
        self._partners = chance_partners(items, seed=seed)
        self._judge, self._labeler = BuiltinJudge(), BuiltinLabeler()
        self._read: dict[tuple[Key, str], Graded] = {}

    def audit(self, model: PlantedModel) -> Findings:
        """The findings of a model that judged every item in both orders."""
        return find(self.table(self.write(model)), seed=self._seed)

    def write(self, model: PlantedModel) -> list[Generation]:
        """The raw answers of a model."""
        return [
            model.write(model.answer(item, order, self._world))
            for item in self._items.values()
            for order in ORDERS
        ]

    def table(self, generations: Sequence[Generation]) -> Table:
        """The scored rows of these answers."""
        rows = [self._row(generation) for generation in generations]
        items, verdicts = list(self._items.values()), [row.verdict for row in rows]
        results, scores = item_results(
            items,
            verdicts,
            [row.match for row in rows],
            chance_drawn=self._partners.keys(),
        )
        facts = row_facts(items, verdicts, (), gives_reasons=True)
        labels = row_labels(items, results, [row.labels for row in rows], asked=True)
        return build_table(
            results,
            scores,
            max_reasons=MOST_REASONS,
            items=items,
            row_facts=facts,
            row_labels=labels,
            labeler=builtin.NAME,
        )

    def _row(self, generation: Generation) -> Graded:
        at = generation.key, generation.text
        if at not in self._read:
            self._read[at] = self._judge_one(self._items[generation.key.item], generation)
        return self._read[at]

    def _judge_one(self, item: Item, generation: Generation) -> Graded:
        key = generation.key
        shown = (item.response_a, item.response_b)
        judgment = parse_pairwise(
            generation.text,
            finish_reason=generation.finish_reason,
            max_reasons=MOST_REASONS,
            responses=shown if key.order == "ab" else shown[::-1],
        )
        judgment = to_item(judgment, order=key.order)
        partner = self._partners[item.id]
        requests = [
            JudgeRequest(key, item, item, judgment.reasons),
            JudgeRequest(key, item, partner, judgment.reasons, "chance"),
        ]
        match, chance = self._judge.judge(requests)
        matched = matching_of(match, n_reasons=len(judgment.reasons))
        asked = LabelRequest(key, item, judgment.reasons, judgment.verdict)
        (labels,) = self._labeler.label([asked])
        return Graded(
            VerdictRow(key, judgment),
            MatchRow(key, matched, partner.id, chance.matrix),
            LabelRow(key, labels.labels),
        )
