"""The process of one engine: asks for requests, says what is done, ends when its parent does.

Says pairs (kind, value): ASK for more requests, DONE with a generation, OVER with the engine's
description after a task, FAILED with (whether the user can mend it, message, hint).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, NamedTuple

from rmaudit.engines.base import Engine, Request, Sampling
from rmaudit.errors import InputError, RmauditError

ASK, DONE, OVER, FAILED = "ask", "done", "over", "failed"
Batch = list[Request]


class WorkerTask(NamedTuple):
    """One call of `complete`; `stream`: the engine reads requests while it works on others."""

    sampling: Sampling
    stream: bool


def work(
    factory: Callable[[], Engine], connection: Connection, environment: dict[str, str]
) -> None:
    """Body of the process."""
    os.environ.update(environment)
    os.setpgrp()  # Ctrl-C is for the parent, which ends us in an orderly way
    os.dup2(2, 1)  # stdout belongs to the parent's result
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_parent, daemon=True).start()
    link = _Link(connection)
    try:
        with closing(factory()) as engine:
            while True:
                task = link.receive()
                for generation in _completions(engine, task, link):
                    link.send(DONE, generation)
                link.send(OVER, engine.describe())
    except RmauditError as error:
        link.send(FAILED, (isinstance(error, InputError), error.message, error.hint))
    except (EOFError, ConnectionError):
        pass  # the parent wants no more; it may have left words of ours unread
    except Exception as error:  # said to the parent, which tells it once and goes on without us
        link.send(FAILED, (False, f"{type(error).__name__}: {error}", ""))
    finally:
        # We are ending: a request to end that comes now would only spoil it with a traceback.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _completions(engine: Engine, task: WorkerTask, link: _Link) -> Iterator[Any]:
    if task.stream:
        yield from engine.complete(chain.from_iterable(link.batches()), task.sampling)
        return
    for batch in link.batches():
        yield from engine.complete(batch, task.sampling)


class _Link:
    """Our end of the pipe; an engine may ask from one thread and answer from another."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()

    def send(self, kind: str, value: Any) -> None:
        with self._sending:
            self._connection.send((kind, value))

    def receive(self) -> Any:
        return self._connection.recv()

    def batches(self) -> Iterator[Batch]:
        """Requests as long as there are any; each is asked for."""
        while True:
            self.send(ASK, None)
            batch = self.receive()
            if batch is None:
                return
            yield batch


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _follow_parent() -> None:
    """Ends this process with its parent, at once: the device is wanted by whoever comes next."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
