"""A look at the development items while training runs, with the parsing and metrics of the scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from rmaudit.checklists.schema import Item
from rmaudit.embedded import Context, label_reasons
from rmaudit.engines.base import Engine, Sampling
from rmaudit.errors import RmauditError
from rmaudit.fix.data import Prompted
from rmaudit.fix.training.prompt_tokens import request
from rmaudit.fix.training.watch import DevAudit
from rmaudit.judging.metajudge import Judge, JudgeRequest, matching_of
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.table import build_table
from rmaudit.models.profiles import Profile, generic_grammar
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import to_item
from rmaudit.prompts import flatten
from rmaudit.recordings.recording import ORDERS
from rmaudit.records import Generation, Judgment
from rmaudit.run.results import item_results
from rmaudit.run.rows import MatchRow, VerdictRow


@dataclass(frozen=True, slots=True)
class Auditor:
    """What a look takes: the items, in both orders and greedily, how they are asked, the judges.

    judge: of training. eval_judge: of the result; None where that is the same.
    """

    items: tuple[Item, ...]
    judge: Judge
    eval_judge: Judge | None
    profile: Profile
    max_reasons: int
    max_tokens: int

    def look(self, engine: Engine, step: int) -> DevAudit:
        """Accuracy, rationale consistency by both judges, and what the reasons are like."""
        rows = list(self._verdicts(engine))
        accuracy, rc = self._measured(rows, self.judge)
        rc_eval = self._measured(rows, self.eval_judge)[1] if self.eval_judge is not None else None
        grounded, praise = self._labels(rows)
        return DevAudit(step, accuracy, rc, rc_eval, grounded, praise)

    def _verdicts(self, engine: Engine) -> Iterator[VerdictRow]:
        items = {item.id: item for item in self.items}
        asked = [
            request(Prompted(item, order), profile=self.profile, max_reasons=self.max_reasons)
            for item in self.items
            for order in ORDERS
        ]
        for generation in engine.complete(asked, Sampling(max_tokens=self.max_tokens)):
            item = items[generation.key.item]
            yield verdict_of(generation, item, max_reasons=self.max_reasons)

    def _measured(
        self, rows: Sequence[VerdictRow], judge: Judge
    ) -> tuple[float | None, float | None]:
        """Accuracy and rationale consistency; the latter is None where the judge failed on all."""
        results, scores = item_results(
            self.items, rows, self._matches(rows, judge), chance_drawn=frozenset()
        )
        table = build_table(results, scores, max_reasons=self.max_reasons)
        found = compute_metrics(table, names=["accuracy", "rc"], resamples=1)
        return found["accuracy"].value, found["rc"].value

    def _matches(self, rows: Sequence[VerdictRow], judge: Judge) -> list[MatchRow]:
        items = {item.id: item for item in self.items}
        judgments = {row.key: row.judgment for row in rows}
        asked = [
            JudgeRequest(key, items[key.item], items[key.item], judgment.reasons)
            for key, judgment in judgments.items()
            if items[key.item].reasons
        ]
        found: list[MatchRow] = []
        try:
            with closing(judge.judge(asked)) as answers:
                for answer in answers:
                    reasons = judgments[answer.key].reasons
                    matches = matching_of(answer, n_reasons=len(reasons))
                    found.append(MatchRow(answer.key, matches, None, None))
        except RmauditError:
            pass  # rows without a matching are failures of the judge: left out, not 0
        return found

    def _labels(self, rows: Sequence[VerdictRow]) -> tuple[float | None, float | None]:
        """Shares of reasons by the embedded labeller: evidence-grounded, single-sided praise."""
        items = {item.id: item for item in self.items}
        labels = [
            label
            for row in rows
            for label in label_reasons(
                row.judgment.reasons, _context(items[row.key.item]), verdict=row.judgment.verdict
            ).labels
        ]
        if not labels:
            return None, None
        grounded = sum(label.category == "EG" for label in labels)
        praise = sum("F4" in label.flaws for label in labels)
        return grounded / len(labels), praise / len(labels)


def verdict_of(generation: Generation, item: Item, *, max_reasons: int) -> VerdictRow:
    """The judgment of a completion, in item coordinates."""
    key = generation.key
    if generation.finish_reason == "error":
        return VerdictRow(key, Judgment(None, "error"))
    shown = (item.response_a, item.response_b)
    judgment = parse_pairwise(
        generation.text,
        finish_reason=generation.finish_reason,
        max_reasons=max_reasons,
        responses=shown if key.order == "ab" else shown[::-1],
        grammar=generic_grammar(),
    )
    return VerdictRow(key, to_item(judgment, order=key.order))


def _context(item: Item) -> Context:
    return Context.of(flatten(item.prompt), item.response_a, item.response_b)
