"""One judge for many callers: trainers ask for one answer at a time, from many threads.

A call to a judge for each answer would leave its endpoint idle between two, so all callers share
one stream of requests, and each waits for its own answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from itertools import count
from queue import SimpleQueue
from threading import Lock, Thread

from rmaudit.checklists.schema import Item
from rmaudit.errors import RmauditError
from rmaudit.fix.reward.reward import Matrix
from rmaudit.judging.metajudge import Judge, JudgeRequest
from rmaudit.records import Key, ModelReason

Requests = SimpleQueue[JudgeRequest | None]


class JudgeStream:
    """A judge that may be asked from any thread."""

    def __init__(self, judge: Judge, *, time_limit: float) -> None:
        """A stream; `time_limit` is in seconds and for one answer."""
        self._judge, self._time_limit = judge, time_limit
        self._lock, self._numbers = Lock(), count()
        self._requests: Requests | None = None
        self._open: dict[str, Future[Matrix]] = {}

    def ask(self, item: Item, reasons: Sequence[ModelReason]) -> Matrix:
        """The matrix of an answer's reasons against the item's own references.

        Raises:
            RmauditError: the judge failed on it, or did not answer in time.
            InputError: the judge cannot work as it is set up.
        """
        future: Future[Matrix] = Future()
        with self._lock:
            number = str(next(self._numbers))
            self._open[number] = future
            if self._requests is None:
                self._requests = SimpleQueue()
                # A daemon: a judge that hangs must not hold a trainer that ends.
                Thread(target=self._run, args=(self._requests,), name="judge", daemon=True).start()
            self._requests.put(JudgeRequest(Key(number), item, item, tuple(reasons)))
        try:
            return future.result(self._time_limit)
        except TimeoutError:
            with self._lock:
                self._open.pop(number, None)
            raise RmauditError(
                f"the judge did not answer in {self._time_limit:g} s",
                "look at its endpoint, or raise time_limit in reward.json",
            ) from None

    def _run(self, requests: Requests) -> None:
        error: BaseException = RmauditError("the judge stopped without an answer")
        try:
            with closing(self._judge.judge(_until_none(requests))) as said:
                for answer in said:
                    with self._lock:
                        future = self._open.pop(answer.key.item, None)
                    if future is None:
                        continue
                    if answer.failure is None:
                        future.set_result(answer.matrix)
                    else:
                        future.set_exception(RmauditError(f"the judge failed: {answer.failure}"))
        except BaseException as caught:
            error = caught
        # The next question begins anew, with whatever thread still reads the old ones let go.
        with self._lock:
            self._requests, failed, self._open = None, self._open, {}
            requests.put(None)
        for future in failed.values():
            future.set_exception(error)


def _until_none(requests: Requests) -> Iterator[JudgeRequest]:
    while (request := requests.get()) is not None:
        yield request
