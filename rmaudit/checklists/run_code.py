"""Runs Python programs that come from data: each in a process of its own, under limits.

The limits (time, memory, file size, an empty folder, no environment) contain accidents such as an
endless loop. They are no sandbox: do not run code that you would not run by hand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from rmaudit.errors import RmauditError

SECONDS = 10
MEMORY = 1 << 30
FILE_SIZE = 1 << 20
BATCH = 500

# One interpreter forks a child a program. A child has passed when it wrote to its pipe, which it
# does only past the last line: a program that leaves early with sys.exit(0) has not passed.
DRIVER = """
import json, os, signal, sys
seconds, programs = json.load(sys.stdin)
passed = []
for program in programs:
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            exec(program, {"__name__": "__main__"})
            os.write(writable, b"1")
        finally:
            os._exit(0)
    os.close(writable)
    os.waitpid(child, 0)
    passed.append(os.read(readable, 1) == b"1")
    os.close(readable)
json.dump(passed, sys.stdout)
"""


def run_programs(programs: Sequence[str]) -> list[bool]:
    """Whether each program runs past its last line within the limits; a failure is only False.

    Raises:
        RmauditError: the interpreter that runs them failed as a whole.
    """
    return [
        passed
        for start in range(0, len(programs), BATCH)
        for passed in _run_batch(programs[start : start + BATCH])
    ]


def _run_batch(programs: Sequence[str]) -> list[bool]:
    with tempfile.TemporaryDirectory(prefix="rmaudit-check-") as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-c", DRIVER],
                cwd=folder,
                env={"PATH": os.defpath},
                input=json.dumps([SECONDS, list(programs)]),
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=(SECONDS + 1) * len(programs) + SECONDS,
                preexec_fn=_limit_resources,
                check=True,
            )
            passed: list[bool] = json.loads(done.stdout)
        except (subprocess.SubprocessError, ValueError) as error:
            raise RmauditError(
                f"the code of the checks could not be run: {error}", "run fewer items at a time"
            ) from error
    return passed


def _limit_resources() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
