"""Scores completions as they are rolled out: the judge's calls around the pure reward.

A call is made only where it can change the reward, once for equal content, all of a batch at once.
A judge that fails, or does not answer in time, gives no reward for that sample, never 0.
"""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Generic, NamedTuple, TypeVar

from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.data import Prompted
from rmaudit.fix.reward.reward import (
    HIT,
    Arm,
    Matrix,
    ReadAnswer,
    Reward,
    read_answer,
    reward,
    wants_judge,
)
from rmaudit.judging.metajudge import Judge, JudgeRequest
from rmaudit.labelling.protocol import Labeler, LabelRequest
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.records import FinishReason, Key

Request = TypeVar("Request")
Reply = TypeVar("Reply")


class ScoredCompletion(NamedTuple):
    """One sample of the policy."""

    prompted: Prompted
    text: str
    finish_reason: FinishReason


@dataclass(frozen=True, slots=True)
class Monitored:
    """Which samples are judged only to be logged: a seeded share, never rewarded for it."""

    share: float = 0.0

    def takes(self, completion: ScoredCompletion) -> bool:
        """The same samples in every run: by the hash of what was written."""
        if not self.share:
            return False
        digest = hashlib.sha256(f"{completion.prompted.item.id}\n{completion.text}".encode())
        return int.from_bytes(digest.digest()[:4], "big") < self.share * 2**32


TIME_LIMIT = 1200.0
"""Seconds that the judge has for one batch: below the half hour after which other devices give up
waiting for this one."""


class Scorer:
    """Rewards for batches of completions.

    One instance serves a whole training run; `score` may be called from any thread.
    """

    def __init__(
        self,
        judge: Judge,
        arm: Arm,
        *,
        max_reasons: int,
        hit: float = HIT,
        names: Names = DEFAULT_NAMES,
        labeler: Labeler | None = None,
        monitored: Monitored | None = None,
        time_limit: float = TIME_LIMIT,
    ) -> None:
        """A scorer.

        Args:
            judge: who gives the matrices; its engine limits and repeats each call.
            arm: what is rewarded.
            max_reasons: so many reasons of an answer count, as in the scan.
            hit: from this score on a reason is a hit.
            names: how the prompt named the responses.
            labeler: who gives the meta-judgment that the arm `r-align` rewards.
            monitored: which samples are judged beyond those whose reward needs it.
            time_limit: seconds for one batch; what is not judged by then has no reward.
        """
        self.arm, self.names, self.max_reasons, self.hit = arm, names, max_reasons, hit
        self._judge, self._labeler, self._busy = judge, labeler, Lock()
        self._monitored = monitored or Monitored()
        self._time_limit = time_limit

    def score(self, completions: Sequence[ScoredCompletion]) -> list[Reward]:
        """One reward for each completion, in order."""
        answers = [
            read_answer(
                one.text,
                one.prompted.item,
                order=one.prompted.order,
                finish_reason=one.finish_reason,
                max_reasons=self.max_reasons,
                names=self.names,
            )
            for one in completions
        ]
        needed = {n for n, answer in enumerate(answers) if wants_judge(answer, self.arm)}
        seen = {n for n, one in enumerate(completions) if self._monitored.takes(one)}
        by_label = self.arm == "r-align"
        matrices = self._matrices(
            completions, answers, (seen if by_label else needed | seen) - _without_reasons(answers)
        )
        meta = self._meta_judgments(completions, answers, needed) if by_label else {}
        return [
            reward(
                answer,
                self.arm,
                matrices.get(n),
                n_refs=len(one.prompted.item.reasons),
                meta=meta.get(n),
                hit=self.hit,
            )
            for n, (one, answer) in enumerate(zip(completions, answers, strict=True))
        ]

    def _matrices(
        self,
        completions: Sequence[ScoredCompletion],
        answers: Sequence[ReadAnswer],
        asked: set[int],
    ) -> dict[int, Matrix]:
        """The judge's matrices; what it fails on, or does not answer in time, is not there."""
        requests = []
        for n in sorted(asked):
            item = completions[n].prompted.item
            requests.append(JudgeRequest(Key(f"{n}"), item, item, answers[n].reasons))
        found = self._ask(self._judge.judge, requests)
        return {int(one.key.item): one.matrix for one in found if one.failure is None}

    def _meta_judgments(
        self,
        completions: Sequence[ScoredCompletion],
        answers: Sequence[ReadAnswer],
        asked: set[int],
    ) -> dict[int, bool]:
        """Whether the reasons name the decisive points of the gold judgment, as far as known."""
        assert self._labeler is not None, "the arm r-align needs a labeller"
        requests = []
        for n in sorted(asked):
            item = completions[n].prompted.item
            requests.append(LabelRequest(Key(f"{n}"), item, answers[n].reasons, item.label))
        found = self._ask(self._labeler.label, requests)
        return {
            int(one.key.item): one.labels.gold == "correct"
            for one in found
            if one.labels.failure is None and one.labels.gold is not None
        }

    def _ask(
        self,
        ask: Callable[[Iterable[Request]], Generator[Reply, None, None]],
        requests: Sequence[Request],
    ) -> list[Reply]:
        """What is answered in time, all requests at once."""
        found: list[Reply] = []
        if not requests:
            return found
        told: SimpleQueue[_Told[Reply]] = SimpleQueue()
        late = Event()

        def work() -> None:
            try:
                with self._busy, closing(ask(requests)) as said:
                    for reply in said:
                        told.put(_Told((reply,)))
                        if late.is_set():
                            return
                told.put(_Told(()))
            except BaseException as error:
                told.put(_Told((), error))

        # A daemon: a judge that hangs must not hold a run that was stopped.
        Thread(target=work, name="judge", daemon=True).start()
        end = time.monotonic() + self._time_limit
        with suppress(Empty), _without_collection():
            while (one := told.get(timeout=max(0.0, end - time.monotonic()))).reply:
                found += one.reply
            _endure(one.error)
        late.set()
        return found


@contextmanager
def _without_collection() -> Iterator[None]:
    """No look for cyclic garbage: in a trainer's millions of objects it stalls calls in flight."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@dataclass(frozen=True, slots=True)
class _Told(Generic[Reply]):
    """One reply, or none: the end, good or bad."""

    reply: tuple[Reply, ...]
    error: BaseException | None = None


def _without_reasons(answers: Sequence[ReadAnswer]) -> set[int]:
    return {n for n, answer in enumerate(answers) if not answer.reasons}


def _endure(error: BaseException | None) -> None:
    """An endpoint that is gone fails what is open; the watch stops training if that goes on."""
    if error is not None and (isinstance(error, InputError) or not isinstance(error, RmauditError)):
        raise error
