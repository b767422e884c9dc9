"""SIGINT and SIGTERM as an orderly end: rows are flushed, and the command that goes on is told."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from rmaudit.errors import EXIT_SIGINT, EXIT_SIGTERM, Interrupted


@contextmanager
def interruptible(command: Sequence[str]) -> Iterator[None]:
    """Within, both signals raise `Interrupted` with `command` as what to do next."""
    hint = f"go on with: {shlex.join(command)}"

    def stop(number: int, frame: FrameType | None) -> None:
        name = signal.Signals(number).name
        code = EXIT_SIGINT if number == signal.SIGINT else EXIT_SIGTERM
        raise Interrupted(f"stopped by {name}; finished rows are kept", hint, code)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
