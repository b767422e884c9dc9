"""Data parallel: engines in processes of their own, fed from one queue, one reader of the results.

A request is handed over when an engine asks for one, so that a faster engine takes more, and no
engine holds more than its share of what is left. A process that dies, by a kill or out of memory,
costs nothing but time: what it had not finished goes back to the queue. When this process dies, the
others end by themselves and leave no device occupied.
"""

from __future__ import annotations

import atexit
import math
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from rmaudit.engines.base import Engine, Request, Sampling
from rmaudit.engines.feed import Feed
from rmaudit.engines.parallel_worker import ASK, DONE, FAILED, OVER, Batch, WorkerTask, work
from rmaudit.errors import InputError, RmauditError
from rmaudit.records import Generation, Key

POLL = 0.05
"""Seconds between looks at a stream that is slower than the engines."""
PATIENCE = 30.0
"""Seconds that an engine may take to free its device before its process is killed."""


@dataclass(slots=True, eq=False)
class _Worker:
    """One process: what it works on, and whether it waits for more."""

    process: SpawnProcess
    connection: Connection
    assigned: dict[Key, Request] = field(default_factory=dict)
    asks: bool = False
    busy: bool = False


class ParallelEngine:
    """Several engines behind the protocol of one.

    factory: makes an engine; it is pickled and called in each process. devices: one entry a
    process, the environment variables that give it its devices. batch: requests handed over at a
    time to engines that read all before they start; None for engines that take a stream. A single
    process is handed a sequence whole, since nobody else could take a part of it.
    """

    def __init__(
        self,
        factory: Callable[[], Engine],
        *,
        devices: Sequence[Mapping[str, str]],
        batch: int | None,
    ) -> None:
        self._factory = factory
        self._devices = devices
        self._batch = batch
        self._workers: list[_Worker] = []
        self._lost = 0
        self._last_words = ""
        sample = factory()  # making one is cheap, and refuses options that cannot work
        self._name = sample.name
        self._continues = sample.continues
        self._described: dict[str, Any] = {**sample.describe(), "data_parallel": len(devices)}

    @property
    def name(self) -> str:
        """The name of the engine inside."""
        return self._name

    @property
    def continues(self) -> bool:
        """Whether the engines inside go on from a given beginning."""
        return self._continues

    def describe(self) -> dict[str, Any]:
        """What the engines say of themselves, how many there are, and how many were lost."""
        return self._described

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """See the protocol.

        Raises:
            InputError: an engine refuses the model or the sampling.
            RmauditError: every process died.
        """
        if isinstance(requests, Sequence) and not requests:
            return
        size = self._batch
        if isinstance(requests, Sequence) and len(self._devices) == 1:
            size = len(requests)
        feed = Feed(requests, ahead=4 * len(self._devices))
        finished = False
        try:
            self._start()
            for worker in self._workers:
                worker.busy = True
                self._send(worker, WorkerTask(sampling, stream=size is None))
            yield from self._serve(feed, size)
            finished = True
        finally:
            feed.close()
            if not finished:  # engines in the middle of their work cannot be asked again
                self.close()

    def close(self) -> None:
        """Ends the processes and waits until their devices are free."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.connection.close()  # an engine at rest ends by itself
            if worker.busy:
                worker.process.terminate()
        for worker in workers:
            _end(worker.process)
            worker.process.close()
        atexit.unregister(self.close)

    def _start(self) -> None:
        if self._workers:
            return
        context = multiprocessing.get_context("spawn")
        # Registered after multiprocessing's own exit function, so called before it: that one
        # would wait for processes which wait for us.
        atexit.register(self.close)
        for environment in self._devices:
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(self._factory, theirs, dict(environment)))
            process.start()
            theirs.close()  # only the process holds it now, so its death closes the pipe
            self._workers.append(_Worker(process, ours))

    def _serve(self, feed: Feed[Request], size: int | None) -> Iterator[Generation]:
        """Hands out and takes in until all is done and every engine says so."""
        queue: deque[Request] = deque()
        while any(worker.busy for worker in self._workers):
            self._hand_out(feed, queue, size)
            hungry = any(worker.asks for worker in self._workers)
            patience = POLL if hungry and feed.open else None
            ready = wait([worker.connection for worker in self._workers], patience)
            for worker in [w for w in self._workers if w.connection in ready]:
                yield from self._take_in(worker, queue)
            if not self._workers and (queue or len(feed) or feed.open):
                raise RmauditError(
                    f"every engine process stopped; the last one said: {self._last_words}",
                    "finished rows are kept: go on with --resume; -v shows the engines' own logs",
                )

    def _hand_out(self, feed: Feed[Request], queue: deque[Request], size: int | None) -> None:
        asking = [worker for worker in self._workers if worker.asks]
        assigned = sum(len(worker.assigned) for worker in self._workers)
        for worker in asking:
            queue += feed.take(len(feed), wait=False)
            left = len(queue) + assigned
            if not left and not feed.open:
                worker.asks = False
                self._send(worker, None)  # the end: nothing left that a death could give back
                continue
            share = math.ceil(left / len(self._workers))
            room = (size or 1) if feed.open else share - len(worker.assigned)
            batch: Batch = [queue.popleft() for _ in range(min(size or 1, room, len(queue)))]
            if batch:
                worker.asks = False
                worker.assigned |= {request.key: request for request in batch}
                assigned += len(batch)
                self._send(worker, batch)

    def _take_in(self, worker: _Worker, queue: deque[Request]) -> Iterator[Generation]:
        """The next that a worker says; its death gives back what it had not finished."""
        try:
            kind, said = worker.connection.recv()
            if kind == DONE:
                del worker.assigned[said.key]
                yield said
            elif kind == ASK:
                worker.asks = True
            elif kind == OVER:
                worker.busy = False
                self._described |= said
            elif kind == FAILED:
                self._fail(worker, said, queue)
        except (EOFError, OSError):
            code = _end(worker.process)
            self._bury(worker, queue, f"ended with exit code {code}")

    def _fail(self, worker: _Worker, said: tuple[bool, str, str], queue: deque[Request]) -> None:
        """An engine that gave up: what the user can mend is told, else the others go on."""
        mendable, message, hint = said
        if mendable:
            raise InputError(message, hint)
        _end(worker.process)
        self._bury(worker, queue, message)

    def _bury(self, worker: _Worker, queue: deque[Request], last_words: str) -> None:
        self._workers.remove(worker)
        self._lost += 1
        self._last_words = last_words
        self._described["processes_lost"] = self._lost
        queue.extendleft(reversed(worker.assigned.values()))
        worker.connection.close()
        worker.process.close()

    def _send(self, worker: _Worker, message: WorkerTask | Batch | None) -> None:
        """A process that is dead by now is noticed when its end of the pipe is read."""
        with suppress(OSError):
            worker.connection.send(message)


def _end(process: SpawnProcess) -> int | None:
    """Waits for a process that is about to end, and kills one that does not; its exit code."""
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode
