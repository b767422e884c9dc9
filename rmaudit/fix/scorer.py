"""Scores completions as they are rolled out: the judge's calls around the pure reward.

A call is made only where it can change the reward, once for equal content, all of a batch at once.
A judge that fails, or does not answer in time, gives no reward for that sample, never 0.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import NamedTuple

from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.data import Prompted
from rmaudit.fix.rewards import HIT, Arm, Matrix, Reward, read_answer, reward, wants_judge
from rmaudit.judging.metajudge import Judge, JudgeAnswer, JudgeRequest
from rmaudit.judging.sides import DEFAULT_NAMES, Names
from rmaudit.records import FinishReason, Key


class Completion(NamedTuple):
    """One sample of the policy."""

    prompted: Prompted
    text: str
    finish_reason: FinishReason


@dataclass(frozen=True, slots=True)
class Monitored:
    """Which samples are judged only to be logged: a seeded share, never rewarded for it."""

    share: float = 0.0

    def takes(self, completion: Completion) -> bool:
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
            monitored: which samples are judged beyond those whose reward needs it.
            time_limit: seconds for one batch; what is not judged by then has no reward.
        """
        self.arm, self.names, self.max_reasons, self.hit = arm, names, max_reasons, hit
        self._judge, self._busy = judge, Lock()
        self._monitored = monitored or Monitored()
        self._time_limit = time_limit

    def score(self, completions: Sequence[Completion]) -> list[Reward]:
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
        asked = [
            JudgeRequest(Key(f"{number}"), one.prompted.item, one.prompted.item, answer.reasons)
            for number, (one, answer) in enumerate(zip(completions, answers, strict=True))
            if answer.reasons and (wants_judge(answer, self.arm) or self._monitored.takes(one))
        ]
        found = self._ask(asked) if asked else {}
        return [
            reward(
                answer,
                self.arm,
                found.get(number),
                n_refs=len(one.prompted.item.reasons),
                hit=self.hit,
            )
            for number, (one, answer) in enumerate(zip(completions, answers, strict=True))
        ]

    def _ask(self, asked: Sequence[JudgeRequest]) -> dict[int, Matrix]:
        """The judge's matrices; what it fails on, or does not answer in time, is not there."""
        found: dict[int, Matrix] = {}
        told: SimpleQueue[JudgeAnswer | BaseException | None] = SimpleQueue()
        late = Event()

        def work() -> None:
            try:
                with self._busy, closing(self._judge.judge(asked)) as said:
                    for answer in said:
                        told.put(answer)
                        if late.is_set():
                            return
                told.put(None)
            except BaseException as error:
                told.put(error)

        # A daemon: a judge that hangs must not hold a run that was stopped.
        Thread(target=work, name="judge", daemon=True).start()
        end = time.monotonic() + self._time_limit
        with suppress(Empty):
            while (answer := told.get(timeout=max(0.0, end - time.monotonic()))) is not None:
                if isinstance(answer, BaseException):
                    _endure(answer)
                    break
                if answer.failure is None:
                    found[int(answer.key.item)] = answer.matrix
        late.set()
        return found


def _endure(error: BaseException) -> None:
    """An endpoint that is gone fails what is open; the watch stops training if that goes on."""
    if isinstance(error, InputError) or not isinstance(error, RmauditError):
        raise error
