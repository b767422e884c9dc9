"""Reads a stream that may block, so that its consumer never waits for it unless it wants to."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Feed(Generic[T]):
    """A stream behind a thread that stays `ahead` items in front; a sequence needs no thread."""

    def __init__(self, items: Iterable[T], *, ahead: int = 16) -> None:
        self._known = isinstance(items, Sequence)
        self._ready: deque[T] = deque(items if isinstance(items, Sequence) else ())
        self._ended = self._known
        self._closed = False
        self._error: BaseException | None = None
        self._ahead = ahead
        self._changed = threading.Condition()
        if not self._known:
            threading.Thread(target=self._read, args=(items,), daemon=True).start()

    @property
    def open(self) -> bool:
        """Whether the stream may still bring items that are not here yet."""
        return not self._ended

    def __len__(self) -> int:
        return len(self._ready)

    def take(self, limit: int, *, wait: bool) -> list[T]:
        """Up to `limit` items that are there; with `wait` at least one, or none at the end.

        Raises:
            BaseException: what the stream itself raised, after its last item.
        """
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._ready or self._ended)
            taken = [self._ready.popleft() for _ in range(min(limit, len(self._ready)))]
            self._changed.notify_all()
            if not taken and self._ended and self._error is not None:
                raise self._error
            return taken

    def close(self) -> None:
        """Stops reading; the thread ends with the stream's next item."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _read(self, items: Iterable[T]) -> None:
        try:
            for item in items:
                with self._changed:
                    self._changed.wait_for(lambda: len(self._ready) < self._ahead or self._closed)
                    if self._closed:
                        return
                    self._ready.append(item)
                    self._changed.notify_all()
        except BaseException as error:  # handed to the consumer, whatever it is
            self._error = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()
