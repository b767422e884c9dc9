"""Rows of flaws.jsonl: what a labeller is asked for a verdict row, and the row of its answer."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import Any, cast

from rmaudit.checklists.schema import Item
from rmaudit.judging.asker import Question, Reply
from rmaudit.judging.llm import LlmJudge
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest
from rmaudit.labelling.llm import LlmLabeler
from rmaudit.labelling.protocol import LabelAnswer, LabelRequest
from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import FLAWS
from rmaudit.run.graders import GraderCounts
from rmaudit.run.rows import JudgeUse, LabelRow, VerdictRow
from rmaudit.scan.grading import Grade


class Labelling(Grade):
    """For every answer to a pair as it is, with references or not, right or wrong."""

    stage = "label"
    file = FLAWS
    answer = LabelAnswer

    def wants(self, key: Key, item: Item) -> bool:
        """See `Grade`."""
        return key.variant == "base" and key.slot == "pair"

    def ask(self, verdict: VerdictRow, item: Item) -> Iterator[LabelRequest]:
        """See `Grade`."""
        judgment = verdict.judgment
        yield LabelRequest(verdict.key, item, judgment.reasons, judgment.verdict)

    def receive(self, answer: LabelAnswer) -> LabelRow:
        """See `Grade`."""
        return LabelRow(answer.key, answer.labels, answer.use)


def answer_both(
    judge: LlmJudge, labeler: LlmLabeler, requests: Iterable[JudgeRequest | LabelRequest]
) -> Generator[JudgeAnswer | LabelAnswer, None, None]:
    """Answers of one model that is judge and labeller, which are asked in one stream."""

    def question(request: JudgeRequest | LabelRequest) -> Question[Any, Any] | Reply[Any, Any]:
        if isinstance(request, LabelRequest):
            return labeler.question(request)
        return judge.question(request)

    with closing(judge.asker.ask(map(question, requests))) as replies:
        for reply in replies:
            if isinstance(reply.request, LabelRequest):
                yield labeler.answer(reply)
            else:
                yield judge.answer(cast(Reply[JudgeRequest, Any], reply))


def label_counts(run: RunDir) -> GraderCounts:
    """What the labeller did over all starts of the run, for the manifest."""
    total, rows, failures, cached = JudgeUse(), 0, 0, 0
    for row in run.rows(FLAWS):
        total = total.plus(row.use)
        rows += 1
        failures += row.labels.failure is not None
        cached += row.use.cached
    return GraderCounts(rows=rows, failures=failures, **total._asdict() | {"cached": cached})
