"""The audit of planted models in memory: the same functions as a scan, without files.

    raw text -> parser -> item coordinates -> judge, labeller -> matching -> results -> metrics

A model at 20% of a defect gives most answers word for word as at 0% or 100%, so each text is
parsed, judged and labelled once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.findings import Findings, find
from rmaudit.judging.labelling import BuiltinLabeler, Labeler, LabelRequest
from rmaudit.judging.metajudge import BuiltinJudge, JudgeRequest, matching_of
from rmaudit.judging.parsing import parse_pairwise
from rmaudit.judging.replay_labels import ReplayLabeler
from rmaudit.judging.sides import to_item
from rmaudit.label_rows import TESTED, LabelRow, label_row
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.probes import ProbeFacts, not_asked
from rmaudit.metrics.scores import RowKey
from rmaudit.metrics.table import Table, build_table
from rmaudit.records import Generation, Key, LabelSet, ReasonLabel
from rmaudit.results import chance_partners, item_results
from rmaudit.row_facts import row_facts
from rmaudit.rows import MatchRow, VerdictRow
from rmaudit.run_table import row_labels
from rmaudit.selftest.asked import continued
from rmaudit.selftest.models import MOST_REASONS, ORDERS, Answer, PlantedModel, World


class _Read(NamedTuple):
    """What became of one text."""

    verdict: VerdictRow
    match: MatchRow
    labels: LabelSet
    facts: dict[RowKey, RowFacts]


class Bench:
    """Items, and what became of the texts that were written about them."""

    def __init__(self, items: Sequence[Item], *, seed: int) -> None:
        self._items = {item.id: item for item in items}
        self._world = World.of(items)
        self._seed = seed
        self._partners = chance_partners(items, seed=seed)
        self._judge, self._labeler = BuiltinJudge(), BuiltinLabeler()
        self._read: dict[tuple[Key, str], _Read] = {}
        self._continued: dict[tuple[Key, str, bool], ProbeFacts] = {}

    def audit(
        self, model: PlantedModel, *, recorded: bool = False, asked: bool = False
    ) -> Findings:
        """The findings of a model that judged every item in both orders.

        Args:
            model: the model.
            recorded: labels come from a file of recorded answers of a labeller, made of what the
                model knows of its own reasons, in place of the builtin labeller.
            asked: it is given its own reasons back, as `scan --measure causality` does.
        """
        answers = self.answers(model)
        generations = [model.write(answer) for answer in answers]
        labels = self._recorded(answers, generations) if recorded else None
        probes = None
        if asked:
            probes = {
                (one.key.item, one.key.order, one.key.sample): self._asked(answer, one)
                for answer, one in zip(answers, generations, strict=True)
            }
        return find(self.table(generations, labels, probes), seed=self._seed)

    def answers(self, model: PlantedModel) -> list[Answer]:
        """What a model says about each item in each order."""
        return [
            model.answer(item, order, self._world)
            for item in self._items.values()
            for order in ORDERS
        ]

    def table(
        self,
        generations: Iterable[Generation],
        recorded: Mapping[Key, LabelSet] | None = None,
        probes: Mapping[RowKey, ProbeFacts] | None = None,
    ) -> Table:
        """The scored rows of these answers; labels are the builtin labeller's unless recorded."""
        rows = [self._row(generation) for generation in generations]
        items, verdicts = list(self._items.values()), [row.verdict for row in rows]
        results, scores = item_results(
            items,
            verdicts,
            [row.match for row in rows],
            chance_drawn=self._partners.keys(),
        )
        labels = [
            LabelRow(row.verdict.key, row.labels if recorded is None else recorded[row.verdict.key])
            for row in rows
        ]
        return build_table(
            results,
            scores,
            max_reasons=MOST_REASONS,
            items=items,
            row_facts={key: facts for row in rows for key, facts in row.facts.items()},
            row_labels=row_labels(items, results, labels, asked=True),
            labeler="builtin" if recorded is None else "replay",
            probes=probes,
            not_measured=not_asked({} if probes is None else {"causality": ""}),
        )

    def _asked(self, answer: Answer, generation: Generation) -> ProbeFacts:
        at = generation.key, generation.text, answer.deaf
        if at not in self._continued:
            self._continued[at] = continued(answer, generation)
        return self._continued[at]

    def _row(self, generation: Generation) -> _Read:
        at = generation.key, generation.text
        if at not in self._read:
            self._read[at] = self._read_one(self._items[generation.key.item], generation)
        return self._read[at]

    def _read_one(self, item: Item, generation: Generation) -> _Read:
        key = generation.key
        shown = (item.response_a, item.response_b)
        judgment = parse_pairwise(
            generation.text,
            finish_reason=generation.finish_reason,
            max_reasons=MOST_REASONS,
            responses=shown if key.order == "ab" else shown[::-1],
        )
        verdict = VerdictRow(key, to_item(judgment, order=key.order))
        reasons, partner = verdict.judgment.reasons, self._partners[item.id]
        requests = [
            JudgeRequest(key, item, item, reasons),
            JudgeRequest(key, item, partner, reasons, "chance"),
        ]
        match, chance = self._judge.judge(requests)
        matched = matching_of(match, n_reasons=len(reasons))
        (labels,) = _labels(self._labeler, [_asked(verdict, item)]).values()
        facts = row_facts([item], [verdict], (), gives_reasons=True)
        return _Read(verdict, MatchRow(key, matched, partner.id, chance.matrix), labels, facts)

    def _recorded(
        self, answers: Sequence[Answer], generations: Sequence[Generation]
    ) -> dict[Key, LabelSet]:
        """The labels of a recorded labeller, which knows what each reason was made to be."""
        lines = []
        for answer, generation in zip(answers, generations, strict=True):
            flaws = answer.flaws or ((),) * len(answer.reasons)
            labels = tuple(ReasonLabel("EG", one) for one in flaws)
            lines.append(json.dumps(label_row(LabelRow(generation.key, LabelSet(labels, TESTED)))))
        with TemporaryDirectory() as folder:
            path = Path(folder) / "flaws.jsonl"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            requests = [
                _asked(self._row(generation).verdict, self._items[generation.key.item])
                for generation in generations
            ]
            return _labels(ReplayLabeler(path), requests)


def _asked(row: VerdictRow, item: Item) -> LabelRequest:
    return LabelRequest(row.key, item, row.judgment.reasons, row.judgment.verdict)


def _labels(labeler: Labeler, requests: Iterable[LabelRequest]) -> dict[Key, LabelSet]:
    return {answer.key: answer.labels for answer in labeler.label(requests)}
