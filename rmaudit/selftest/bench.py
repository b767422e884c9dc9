"""The audit of planted models in memory: the same functions as a scan, without files.

    raw text -> parser -> item coordinates -> judge, labeller -> matching -> results -> metrics

A model at 20% of a defect gives most answers word for word as at 0% or 100%, so each text is
parsed, judged and labelled once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.judging.metajudge import BuiltinJudge, JudgeRequest, matching_of
from rmaudit.labelling.protocol import BuiltinLabeler, Labeler, LabelRequest
from rmaudit.labelling.replay import ReplayLabeler
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.findings import Findings, find
from rmaudit.metrics.probes import ProbeFacts, not_asked
from rmaudit.metrics.scores import RowKey
from rmaudit.metrics.table import Table, build_table
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import to_item
from rmaudit.records import Generation, Key, LabelSet, ReasonLabel
from rmaudit.run.files import FLAWS
from rmaudit.run.results import chance_partners, item_results
from rmaudit.run.row_facts import row_facts
from rmaudit.run.rows import LabelRow, MatchRow, VerdictRow
from rmaudit.run.standings import standings
from rmaudit.run.table import row_labels
from rmaudit.selftest.models import MOST_REASONS, ORDERS, PlantedAnswer, PlantedModel, World
from rmaudit.selftest.probes import continued
from rmaudit.taxonomy import TESTED


class _Read(NamedTuple):
    """What became of one text."""

    verdict: VerdictRow
    match: MatchRow
    labels: LabelSet
    facts: dict[RowKey, RowFacts]


Readings = dict[tuple[Key, str], _Read]


class Bench:
    """Items, on which planted models are audited."""

    def __init__(self, items: Sequence[Item], *, seed: int) -> None:
        self._items = {item.id: item for item in items}
        self._world = World.of(items)
        self._seed = seed
        self._partners = chance_partners(items, seed=seed)
        self._judge, self._labeler = BuiltinJudge(), BuiltinLabeler()

    def audit(
        self, models: Sequence[PlantedModel], *, recorded: bool = False, asked: bool = False
    ) -> list[Findings]:
        """The findings of each model; every one judged every item in both orders.

        Args:
            models: best together where they share answers.
            recorded: labels come from a file of recorded answers of a labeller, made of what the
                model knows of its own reasons, in place of the builtin labeller.
            asked: they are given their own reasons back, as `scan --measure causality` does.
        """
        said = [
            [(answer, model.write(answer)) for answer in self.answers(model)] for model in models
        ]
        readings = self._readings(generation for pairs in said for _, generation in pairs)
        given = self._given_back(pair for pairs in said for pair in pairs) if asked else None
        found = []
        for pairs in said:
            generations = [generation for _, generation in pairs]
            labels = self._recorded(pairs, readings) if recorded else None
            probes = (
                None
                if given is None
                else {
                    _row_key(one.key): given[one.key, one.text, answer.deaf]
                    for answer, one in pairs
                }
            )
            table = self._table(
                [readings[one.key, one.text] for one in generations], labels, probes
            )
            found.append(find(table, seed=self._seed))
        return found

    def answers(self, model: PlantedModel) -> list[PlantedAnswer]:
        """What a model says about each item in each order."""
        return [
            model.answer(item, order, self._world)
            for item in self._items.values()
            for order in ORDERS
        ]

    def table(self, generations: Sequence[Generation]) -> Table:
        """The scored rows of these answers, with the builtin labeller."""
        readings = self._readings(generations)
        return self._table([readings[one.key, one.text] for one in generations])

    def _table(
        self,
        rows: Sequence[_Read],
        recorded: Mapping[Key, LabelSet] | None = None,
        probes: Mapping[RowKey, ProbeFacts] | None = None,
    ) -> Table:
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

    def _readings(self, generations: Iterable[Generation]) -> Readings:
        """What becomes of each text; texts about one item are read together, which is cheaper."""
        by_item: dict[str, dict[tuple[Key, str], Generation]] = {}
        for one in generations:
            by_item.setdefault(one.key.item, {})[one.key, one.text] = one
        return {
            at: self._read(self._items[name], one)
            for name, texts in by_item.items()
            for at, one in texts.items()
        }

    def _read(self, item: Item, generation: Generation) -> _Read:
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
        stand = dict(standings([verdict], {item.id: item}))
        facts = row_facts([item], [verdict], (), gives_reasons=True, stand=stand)
        return _Read(verdict, MatchRow(key, matched, partner.id, chance.matrix), labels, facts)

    def _given_back(
        self, pairs: Iterable[tuple[PlantedAnswer, Generation]]
    ) -> dict[tuple[Key, str, bool], ProbeFacts]:
        """What each answer adds to its own beginning."""
        answers = {(one.key, one.text, answer.deaf): (answer, one) for answer, one in pairs}
        return {at: continued(answer, one) for at, (answer, one) in answers.items()}

    def _recorded(
        self, pairs: Sequence[tuple[PlantedAnswer, Generation]], readings: Readings
    ) -> dict[Key, LabelSet]:
        """The labels of a recorded labeller, which knows what each reason was made to be."""
        lines = []
        for answer, generation in pairs:
            flaws = answer.flaws or ((),) * len(answer.reasons)
            labels = tuple(ReasonLabel("EG", one) for one in flaws)
            lines.append(FLAWS.encode(LabelRow(generation.key, LabelSet(labels, TESTED))))
        with TemporaryDirectory() as folder:
            path = Path(folder) / FLAWS.name
            path.write_text("".join(lines), encoding="utf-8")
            requests = [
                _asked(readings[one.key, one.text].verdict, self._items[one.key.item])
                for _, one in pairs
            ]
            return _labels(ReplayLabeler(path), requests)


def _row_key(key: Key) -> RowKey:
    return key.item, key.order, key.sample


def _asked(row: VerdictRow, item: Item) -> LabelRequest:
    return LabelRequest(row.key, item, row.judgment.reasons, row.judgment.verdict)


def _labels(labeler: Labeler, requests: Iterable[LabelRequest]) -> dict[Key, LabelSet]:
    return {answer.key: answer.labels for answer in labeler.label(requests)}
