"""Small engines that processes of their own can make: they answer with what they were asked."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rmaudit.engines.base import Request, Sampling
from rmaudit.errors import InputError, RmauditError
from rmaudit.records import Generation


class EchoEngine:
    """Takes a stream, one request after the other; says who answered.

    held: a file; while it names this process, it answers nothing.
    meet: a folder; nothing is answered before each of the two processes has been given a request.
    """

    name = "echo"
    continues = False

    def __init__(
        self,
        *,
        pace: float = 0.0,
        batched: bool = False,
        held: Path | None = None,
        meet: Path | None = None,
    ) -> None:
        self.pace, self.batched, self.held, self.meet = pace, batched, held, meet
        self.answered = 0

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        for request in list(requests) if self.batched else requests:
            content = request.messages[-1]["content"]
            if content == "refuse":
                raise InputError("no such model", "name another")
            if content == "break":
                raise RmauditError("the device is gone")
            if content == "bug":
                raise ZeroDivisionError("by zero")
            if content == "print":
                print("on stdout\n", end="")  # in one write: another process prints too
            time.sleep(self.pace)
            if self.meet is not None:
                (self.meet / os.environ["PLACE"]).touch()
                while len(list(self.meet.iterdir())) < 2:
                    time.sleep(0.01)
            while self.held is not None and self.held.read_text() == os.environ["PLACE"]:
                time.sleep(0.01)
            self.answered += 1
            text = f"{content} by {os.getpid()} at {os.environ.get('PLACE', '-')}"
            yield Generation(request.key, text, tokens_out=sampling.max_tokens)

    def describe(self) -> dict[str, Any]:
        return {"answered": self.answered}

    def close(self) -> None:
        closed = os.environ.get("CLOSED_FOLDER")
        if closed:
            (Path(closed) / str(os.getpid())).write_text("closed")
