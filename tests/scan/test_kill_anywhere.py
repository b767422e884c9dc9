"""kill -9 before any operation on a file of a run: it is resumed or begun anew, to the same end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import faithful, record
from support.stopped_runs import content

from rmaudit.__main__ import run as rmaudit
from rmaudit.checklists.sets import load_set
from rmaudit.run.directory import RunDir
from rmaudit.run.disk import TEMPORARY
from rmaudit.run.integrity import check

Cli = Callable[..., Done]
SPEC = "synth:3:4:slogan"
WORDS = ("scan", "replay:model.jsonl", "--set", SPEC, "--judge", "builtin", "--out")
ON_FILES = frozenset({"open", "os.mkdir", "os.rename", "os.remove", "os.truncate"})


def killed_before(operation: int, *more: str) -> bool:
    """Scans in a child that kills itself before so many operations on files of the run.

    Returns:
        Whether it came so far; False where it ended by itself.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL
            return True
        assert os.WEXITSTATUS(status) == 0
        return False
    seen = 0

    def count(event: str, args: tuple[object, ...]) -> None:
        nonlocal seen
        if event in ON_FILES and any(Path(str(one)).parts[:1] == ("run",) for one in args[:2]):
            seen += 1
            if seen == operation:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    os._exit(rmaudit([*WORDS, "run", "-q", *more]))


@pytest.mark.slow
def test_every_stage(cli: Cli) -> None:
    record(faithful, load_set(SPEC).items, "model")
    assert cli(*WORDS, "whole").code == 0
    whole, stages = content(Path("whole")), set()
    operation = 1
    while killed_before(operation):
        if Path("run").exists():
            stages.add(frozenset(path.name for path in Path("run").iterdir()))
            # A second kill while it goes on, then to the end.
            killed_before(7, "--resume")
            done = cli(*WORDS, "run", "--resume")
        else:
            done = cli(*WORDS, "run")
        assert done.code == 0, (operation, done.err)
        assert content(Path("run")) == whole, operation
        assert check(RunDir(Path("run"))).word == ""
        assert not list(Path("run").rglob(f"{TEMPORARY}*"))
        for path in sorted(Path("run").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        Path("run").rmdir()
        operation += 1
    assert operation > 20
    assert len(stages) > 5
