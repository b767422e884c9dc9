"""What a scan does with each verdict row: a judge scores its reasons, a labeller labels them.

    verdict rows -> requests -> judge or labeller -> rows of a file, each as it is ready

One stage may serve several files: a model that is judge and labeller gets the requests of one
answer after each other, which share the beginning of their prompts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Any, ClassVar

from rmaudit.checklists.schema import Item
from rmaudit.judging.asker import answered
from rmaudit.progress import Progress
from rmaudit.records import ANSWERED, Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import FLAWS, MATCHES, VERDICTS, RowFile
from rmaudit.run.rows import LabelRow, MatchRow, VerdictRow
from rmaudit.scan.handover import Handover
from rmaudit.scan.plan import ScanPlan


class Grade(ABC):
    """The rows of one file: which verdicts want one, what is asked for it, the row of an answer.

    Attributes:
        stage: its name on the screen.
        file: the row file.
        answer: the type of answer that makes its rows.
    """

    stage: ClassVar[str]
    file: ClassVar[RowFile[Any]]
    answer: ClassVar[type]

    def __init__(self, plan: ScanPlan, progress: Progress) -> None:
        self._items = {item.id: item for item in plan.items}
        self._keys = plan.keys
        self._progress = progress
        self._seen: set[Key] = set()

    def begin(self, done: set[Key]) -> None:
        """Before the first request; `done` are the keys of rows that are there."""
        self._seen = set(done)
        self._total = sum(self.wants(key, self._items[key.item]) for key in self._keys)
        self._progress.begin(self.stage, total=self._total, done=len(done))

    def requests(self, verdict: VerdictRow) -> Iterator[Any]:
        """What is asked for a verdict row; nothing where it has its row or wants none."""
        key, item = verdict.key, self._items[verdict.key.item]
        if key in self._seen:
            return
        self._seen.add(key)
        if not self.wants(key, item):
            return
        if verdict.judgment.outcome not in ANSWERED:
            self._total -= 1
            self._progress.expect(self.stage, total=self._total)
            return
        yield from self.ask(verdict, item)

    @abstractmethod
    def wants(self, key: Key, item: Item) -> bool:
        """Whether an answered row of this item has a row in the file."""

    @abstractmethod
    def ask(self, verdict: VerdictRow, item: Item) -> Iterator[Any]:
        """The requests for a row."""

    @abstractmethod
    def receive(self, answer: Any) -> MatchRow | LabelRow | None:
        """The row that this answer completes, if it does."""


def grade_rows(
    run: RunDir,
    progress: Progress,
    fresh: Handover[VerdictRow],
    grades: Sequence[Grade],
    answers: Callable[[Iterator[Any]], Generator[Any, None, None]],
) -> None:
    """Writes the rows that are missing, for answered verdict rows.

    Args:
        run: its directory; the only writer of the grades' files is here.
        progress: told of each row.
        fresh: verdicts that are still being made.
        grades: what is made of each verdict.
        answers: answers requests, in any order.

    Raises:
        RmauditError: the judge, the labeller or the disk failed; finished rows are kept.
        Stopped: another stage failed; finished rows are kept.
    """
    with ExitStack() as stack:
        files = {
            grade.answer: (grade, stack.enter_context(run.append(grade.file))) for grade in grades
        }
        for grade in grades:
            grade.begin({row.key for row in run.rows(grade.file)})
        requests = (
            request
            for verdict in _verdicts(run, fresh)
            for grade in grades
            for request in grade.requests(verdict)
        )
        for answer in stack.enter_context(closing(answers(requests))):
            grade, writer = files[type(answer)]
            row = grade.receive(answer)
            if row is not None:
                writer.write(row)
                progress.step(grade.stage)
            fresh.check()
    for grade in grades:
        progress.end(grade.stage)


def _verdicts(run: RunDir, fresh: Handover[VerdictRow]) -> Iterator[VerdictRow]:
    """Those on disk, those that come, and those that the full queue passed over; some twice."""
    yield from run.rows(VERDICTS)
    yield from fresh
    if fresh.passed_over:
        yield from run.rows(VERDICTS)


def match_stays(row: MatchRow) -> bool:
    """Whether a resume keeps a matching: the judge answered all that was asked for it."""
    return answered(row.matches.failure) and answered(row.chance_failure)


def drop_unanswered(run: RunDir) -> None:
    """Takes out rows that a model's engine did not answer, so that they are asked again."""
    run.keep_rows(MATCHES, match_stays)
    run.keep_rows(FLAWS, lambda row: answered(row.labels.failure))
