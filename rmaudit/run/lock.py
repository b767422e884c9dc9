"""One writer for a run directory: a lock of the operating system on the file `.lock`.

The lock belongs to the process: it is gone when the process is, however that ends, so that no file
has to be removed by hand after kill -9. The file says who holds it. It stays when the lock is
given back, since removing it would let two processes lock two files of one name.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rmaudit.engines.endpoints import without_credentials
from rmaudit.errors import InputError
from rmaudit.run.disk import DiskError

LOCK = ".lock"
_HELD: dict[Path, int] = {}
"""Descriptors of the locks of this process, by folder."""
_WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Within, no other process writes into the folder, which is made where it is not there.

    A second use inside the first, by the same process, is part of it.

    Raises:
        InputError: another process writes there (its id, host, start and command are named), or
            the file system has no locks.
        DiskError: the folder or its lock file cannot be made.
    """
    place = folder.resolve()
    if place in _HELD:
        yield
        return
    descriptor = _locked(folder)
    _HELD[place] = descriptor
    try:
        yield
    finally:
        del _HELD[place]
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
        # In words, since a child that was forked just now may still have its copy open.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _locked(folder: Path) -> int:
    path = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise DiskError(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _holder(descriptor)
        os.close(descriptor)
        raise InputError(
            f"another process writes into {folder}: {holder}",
            "wait for its end, or stop it; a scan beside it needs another --out",
        ) from None
    except OSError as error:
        os.close(descriptor)
        if error.errno in _WITHOUT_LOCKS:
            raise InputError(
                f"the file system of {folder} has no locks, so two scans could mix their rows",
                "name a folder on another disk with --out",
            ) from error
        raise DiskError(path, error) from error
    with contextlib.suppress(OSError):  # a full disk: the lock holds, only its note is missing
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, _note().encode(errors="replace"), 0)
    return descriptor


def _note() -> str:
    command = shlex.join(["rmaudit", *map(without_credentials, sys.argv[1:])])
    since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    who = {"pid": os.getpid(), "host": socket.gethostname(), "since": since, "command": command}
    return json.dumps(who) + "\n"


def _holder(descriptor: int) -> str:
    """Who holds the lock, from its file."""
    try:
        who = json.loads(os.pread(descriptor, 1 << 16, 0))
        return f"process {who['pid']} on {who['host']}, since {who['since']}: {who['command']}"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"it left no note in {LOCK}"


def _let_go() -> None:
    """A forked child gives its copies up: else the lock would outlive the process that took it."""
    for descriptor in _HELD.values():
        os.close(descriptor)
    _HELD.clear()


os.register_at_fork(after_in_child=_let_go)
