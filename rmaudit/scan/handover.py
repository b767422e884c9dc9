"""Stages of a run at once: rows go from one to others, and an error of any stops all.

The producer works in the caller's thread, where signals arrive, and never waits for the consumer:
a row that does not fit into the bounded queue is passed over, and the consumer reads it from the
row files once the producer is done.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
WAITING = 4096
PATIENCE_SECONDS = 5.0
"""A run that stops waits so long for the consumer to leave what it has in flight."""


class Stopped(Exception):
    """The producer failed or was interrupted: nothing more will come."""


class Handover(Generic[T]):
    """A bounded queue from one thread to another, with an end, good or bad.

    Attributes:
        error: why the consumer failed, if it did.
        passed_over: the queue was full at some time, so rows are missing from it.
    """

    def __init__(self, size: int = WAITING, *, ended: bool = False) -> None:
        self._size = size
        self._rows: deque[T] = deque()
        self._changed = threading.Condition()
        self._ended, self._stopped = ended, False
        self.error: BaseException | None = None
        self.passed_over = False

    def give(self, row: T) -> None:
        """Hands a row over, or passes it over where the queue is full.

        Raises:
            BaseException: what the consumer failed with.
        """
        with self._changed:
            if self.error is not None:
                raise self.error
            if len(self._rows) < self._size:
                self._rows.append(row)
                self._changed.notify()
            else:
                self.passed_over = True

    def end(self) -> None:
        """No row comes any more."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def stop(self) -> None:
        """The consumer is to leave its work."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def fail(self, error: BaseException) -> None:
        """The consumer failed."""
        with self._changed:
            self.error = error

    def check(self) -> None:
        """For the consumer, between two pieces of work.

        Raises:
            Stopped: it is to leave.
        """
        if self._stopped:
            raise Stopped

    def __iter__(self) -> Iterator[T]:
        """Rows as they come, to the good end.

        Raises:
            Stopped: the consumer is to leave.
        """
        while True:
            with self._changed:
                while not (self._rows or self._ended or self._stopped):
                    self._changed.wait()
                self.check()
                if not self._rows:
                    return
                row = self._rows.popleft()
            yield row


class Consumer(NamedTuple, Generic[T]):
    """A stage that takes rows from a handover of its own."""

    work: Callable[[], None]
    handover: Handover[T]


def run_together(produce: Callable[[], None], *consumers: Consumer[T]) -> None:
    """Runs all at once; returns when all are done.

    Args:
        produce: gives rows to every handover; runs in this thread.
        consumers: each takes them from its handover, in a thread of its own.

    Raises:
        BaseException: the first error of any of them; the others are stopped before.
    """
    ended: SimpleQueue[BaseException | None] = SimpleQueue()

    def work(consumer: Consumer[T]) -> None:
        try:
            consumer.work()
        except BaseException as error:
            consumer.handover.fail(error)
            ended.put(error)
        else:
            ended.put(None)

    # Daemons: a consumer that hangs at an endpoint must not hold a run that was stopped.
    threads = [
        threading.Thread(target=work, args=(consumer,), name="consumer", daemon=True)
        for consumer in consumers
    ]
    for thread in threads:
        thread.start()
    try:
        produce()
        for consumer in consumers:
            consumer.handover.end()
        for _ in consumers:
            error = ended.get()
            if error is not None:
                raise error
    except BaseException:
        for consumer in consumers:
            consumer.handover.stop()
        patience = time.monotonic() + PATIENCE_SECONDS
        for thread in threads:
            thread.join(max(0.0, patience - time.monotonic()))
        raise
