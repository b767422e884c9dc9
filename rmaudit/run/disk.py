"""Writing to disk: whole files or none, and errors that say what to do.

An error of the disk names the file. What to do about it depends on the cause; which command goes
on is known only where the command line is, and added there (`DiskError.then`).
"""

from __future__ import annotations

import errno
import os
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rmaudit.errors import InputError, RmauditError

_ROOM = "make room on the disk"
_REMEDIES = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: "make room in your disk quota, or have it raised",
    errno.EFBIG: "make room: the limit on the size of a file (ulimit -f) is reached",
    errno.EROFS: "make the file system writable; it is mounted read-only",
    errno.EACCES: "get the right to write there",
    errno.EPERM: "get the right to write there",
    errno.ENOTDIR: "name another place; a part of this path is a file",
    errno.EIO: "check the disk; it reports an input/output error",
}


class DiskError(RmauditError):
    """The disk is full, gone or refuses; what was written before is kept.

    Attributes:
        remedy: what to do about the cause.
    """

    def __init__(self, path: Path, error: OSError) -> None:
        self._named = False
        self.remedy = _REMEDIES.get(error.errno or 0, "see to the disk")
        super().__init__(
            f"cannot write {path}: {error.strerror or error}",
            f"{self.remedy}, then give the command again; what is finished is kept",
        )

    def then(self, command: Sequence[str]) -> None:
        """Names the command that goes on; the first one named, which knows most, stays."""
        if not self._named:
            self._named = True
            self.hint = (
                f"{self.remedy}; what is finished is kept. Go on with: {shlex.join(command)}"
            )


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turns an error of the disk into one that names the file and says what to do."""
    try:
        yield
    except OSError as error:
        raise DiskError(path, error) from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns an error on reading a file that is there into one that names it."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror or error}", "get the right to read it"
        ) from error


def write_atomic(path: Path, text: str) -> None:
    """Writes to a temporary file beside `path`, on the disk before it takes the place of the old.

    So that a machine that stops leaves the old file or the new one, never an empty one. Lone
    surrogates that a model can produce are written as `?`: UTF-8 has no form for them.

    Raises:
        DiskError: the disk; a file that was there stays as it was.
    """
    with disk_errors(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{TEMPORARY}{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


TEMPORARY = ".writing-"
"""How the names of files begin that are not whole; a process that was killed leaves some."""


def sweep(folder: Path) -> None:
    """Removes what a killed process left half written in a folder that nobody writes now."""
    for path in folder.glob(f"{TEMPORARY}*"):
        with disk_errors(path):
            path.unlink(missing_ok=True)
