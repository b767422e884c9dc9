"""Keeps what an engine prints off stdout, and out of sight unless it is asked for.

Engines write from Python, from C++ and from processes of their own, so the file descriptors
themselves are turned for as long as an engine starts or ends: stdout goes where stderr goes, and
without `verbose` both go to a temporary file, from which the cause of a failed start is read.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

_CAUSE = re.compile(r"(?:^|\s)(?:\w+\.)*\w*(?:Error|Exception): *(?P<said>\S.*)$", re.MULTILINE)
_POINTER = re.compile(r"see (?:stack trace|root cause)", re.IGNORECASE)
"""Errors that only point at another one."""
_KEPT = 1 << 20


class EngineLog:
    """What the engines of this process print, hidden in a file or, if verbose, on stderr.

    Also a stream for `logging`: vLLM is told its name, `ext://rmaudit.engines.quiet.LOG`.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    @property
    def file(self) -> IO[bytes]:
        """The hidden file; it vanishes with the last process that holds it."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        return self._file

    def write(self, text: str) -> int:
        """Appends a line of the log."""
        if self._file is None:
            return sys.stderr.write(text)
        return self._file.write(text.encode(errors="backslashreplace"))

    def flush(self) -> None:
        """Nothing is held back."""

    def size(self) -> int:
        """Bytes so far; a mark for `cause`."""
        return os.fstat(self._file.fileno()).st_size if self._file else 0

    def cause(self, *, since: int = 0) -> str:
        """What the last error said that does not point at another one; empty if none did."""
        if self._file is None:
            return ""
        size = self.size()
        start = max(since, size - _KEPT)
        text = os.pread(self._file.fileno(), size - start, start).decode(errors="replace")
        said = [found["said"].strip() for found in _CAUSE.finditer(text)]
        return next((line for line in reversed(said) if not _POINTER.search(line)), "")


LOG = EngineLog()


@contextmanager
def quiet(*, verbose: bool) -> Iterator[EngineLog]:
    """Within, what is printed goes to the log, or with `verbose` to stderr; never to stdout.

    The whole process is meant, every thread of it, and each process that starts meanwhile.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    own_out, own_err = os.dup(1), os.dup(2)
    try:
        if not verbose:
            os.dup2(LOG.file.fileno(), 2)
        os.dup2(2, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("default" if verbose else "ignore")
            yield LOG
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(own_out, 1)
        os.dup2(own_err, 2)
        os.close(own_out)
        os.close(own_err)


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Environment variables for as long as an engine and its processes start."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
