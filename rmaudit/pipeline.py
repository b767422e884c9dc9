"""Two stages of a run at once: rows go from one to the other, and an error of either stops both.

The producer works in the caller's thread, where signals arrive, and never waits for the consumer:
a row that does not fit into the bounded queue is passed over, and the consumer reads it from the
row files once the producer is done.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

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


def run_together(
    produce: Callable[[], None], consume: Callable[[], None], handover: Handover[T]
) -> None:
    """Runs both at once; returns when both are done.

    Args:
        produce: gives rows to `handover`; runs in this thread.
        consume: takes them from it, in a thread of its own.
        handover: new, between the two.

    Raises:
        BaseException: what either of them raised; the other is stopped first.
    """

    def work() -> None:
        try:
            consume()
        except BaseException as error:
            handover.fail(error)

    # A daemon: a consumer that hangs at an endpoint must not hold a run that was stopped.
    consumer = threading.Thread(target=work, name="consumer", daemon=True)
    consumer.start()
    try:
        produce()
        handover.end()
        consumer.join()
    except BaseException:
        handover.stop()
        consumer.join(PATIENCE_SECONDS)
        raise
    if handover.error is not None:
        raise handover.error
