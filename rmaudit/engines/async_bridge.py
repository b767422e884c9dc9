"""A plain generator over an asyncio loop: many requests in flight, one thread that knows of none.

    requests -> [feeder thread] -> [loop thread: `concurrency` at a time] -> the consumer's `next`

Reading `requests` may block, so it has a thread of its own. At most twice `concurrency` requests
are between the stream and the consumer: a slow consumer slows the reading, not only the sending.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

Q = TypeVar("Q")
R = TypeVar("R")
T = TypeVar("T")
Work = Callable[[Q], Awaitable[R]]
_JOIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Item(Generic[R]):
    value: R


@dataclass(frozen=True, slots=True)
class _End:
    """Nothing more comes; `error` is why, None after the last result."""

    error: BaseException | None = None


def stream(
    requests: Iterable[Q],
    session: Callable[[], AbstractAsyncContextManager[Work[Q, R]]],
    *,
    concurrency: int,
) -> Generator[R, None, None]:
    """Yields the result of each request as it finishes.

    `session` is entered in the loop and gives the coroutine function that does one request; its
    exceptions, and those of reading `requests`, come out of this generator. Closing the generator,
    or an exception thrown into a waiting `next` (a signal's), cancels what is in flight.
    """
    room = threading.Semaphore(2 * concurrency)
    closed = threading.Event()
    outbox: SimpleQueue[_Item[R] | _End] = SimpleQueue()
    ready: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def feed(send: Callable[[_Item[Q] | _End], None]) -> None:
        last = _End()
        try:
            source = iter(requests)
            while True:
                room.acquire()
                if closed.is_set():
                    return
                try:
                    send(_Item(next(source)))
                except StopIteration:
                    break
        except BaseException as error:
            last = _End(error)
        send(last)

    async def serve() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        ready.put(lambda: _call(loop, task.cancel))
        inbox: asyncio.Queue[_Item[Q] | _End] = asyncio.Queue()
        limit = asyncio.Semaphore(concurrency)
        async with session() as work, asyncio.TaskGroup() as group:

            async def one(request: Q) -> None:
                async with limit:
                    result = await work(request)
                outbox.put(_Item(result))

            def send(message: _Item[Q] | _End) -> None:
                _call(loop, inbox.put_nowait, message)

            threading.Thread(target=feed, args=(send,), name="requests", daemon=True).start()
            while isinstance(message := await inbox.get(), _Item):
                group.create_task(one(message.value))
            if message.error is not None:
                raise message.error

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            outbox.put(_End(_first(error)))
        else:
            outbox.put(_End())

    thread = threading.Thread(target=run, name="endpoint", daemon=True)
    thread.start()
    cancel = ready.get()
    try:
        while isinstance(message := _wait(outbox), _Item):
            room.release()
            yield message.value
        if message.error is not None:
            raise message.error
    finally:
        closed.set()
        room.release()
        cancel()
        # A name look-up that hangs cannot be cancelled; the process need not wait for it.
        thread.join(_JOIN_SECONDS)


def _wait(outbox: SimpleQueue[T]) -> T:
    """The next message. A signal that another thread took is seen only between two short waits."""
    while True:
        with contextlib.suppress(Empty):
            return outbox.get(timeout=1.0)


def _call(
    loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object
) -> None:
    """Calls in the loop's thread; a loop that is over needs nothing more."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)


def _first(error: BaseException) -> BaseException:
    """The first exception inside the groups that a task group raises."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
