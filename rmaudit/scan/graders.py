"""Who works on the verdicts of a scan: the judge, the labeller, or one model that is both."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, NamedTuple

from rmaudit.judging.llm import LlmJudge
from rmaudit.labelling.llm import LlmLabeler
from rmaudit.progress import Progress
from rmaudit.run.directory import RunDir
from rmaudit.run.rows import VerdictRow
from rmaudit.scan.grading import Grade, grade_rows
from rmaudit.scan.handover import Handover
from rmaudit.scan.label_stage import Labelling, answer_both
from rmaudit.scan.match_stage import Matching
from rmaudit.scan.plan import ScanPlan


class Grader(NamedTuple):
    """A judge, a labeller, or both in one model: what it makes of verdicts, and how."""

    grades: tuple[Grade, ...]
    answers: Callable[[Iterator[Any]], Generator[Any, None, None]]
    at_endpoint: bool
    close: Callable[[], None]

    def work(self, run: RunDir, progress: Progress, fresh: Handover[VerdictRow]) -> None:
        """Writes the rows of all verdicts, those on disk and those that come."""
        grade_rows(run, progress, fresh, self.grades, self.answers)


def graders(plan: ScanPlan, progress: Progress) -> list[Grader]:
    """The judge last, since annotators' reasons are scored after it."""
    judge, labeler = plan.judge, plan.labeler
    matching, labelling = Matching(plan, progress), Labelling(plan, progress)
    at_endpoint = judge.traits.at_endpoint
    if (
        isinstance(judge, LlmJudge)
        and isinstance(labeler, LlmLabeler)
        and judge.asker is labeler.asker
    ):
        both = partial(answer_both, judge, labeler)
        return [Grader((matching, labelling), both, at_endpoint, judge.close)]
    return [
        Grader((labelling,), labeler.label, labeler.traits.at_endpoint, labeler.close),
        Grader((matching,), judge.judge, at_endpoint, judge.close),
    ]
