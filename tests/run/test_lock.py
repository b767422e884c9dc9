"""One writer for a run directory: who holds it is said, and kill -9 leaves nothing to clean up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import faithful, record, run_set

from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError
from rmaudit.run.directory import RunDir
from rmaudit.run.lock import LOCK, sole_writer

Cli = Callable[..., Done]
SPEC = "synth:3:4:slogan"
WORDS = ("scan", "replay:model.jsonl", "--set", SPEC, "--out", "run")
HOLD = """
import sys, time
from pathlib import Path
from rmaudit.run.lock import sole_writer
sys.argv = ["rmaudit", "scan", "openai:m@http://me:secret@host/v1", "--out", "run"]
with sole_writer(Path("run")):
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def held() -> Iterator[subprocess.Popen[bytes]]:
    """Another process that writes into `run`."""
    with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


def test_a_second_writer_is_refused_and_told_who_is_first(cli: Cli) -> None:
    record(faithful, load_set(SPEC).items, "model")
    with held() as process:
        note = json.loads(Path("run", LOCK).read_text())
        assert note["pid"] == process.pid
        for more in ((), ("--resume",)):
            done = cli(*WORDS, *more)
            assert done.code == 2
            assert f"another process writes into run: process {process.pid} on " in done.err
            assert f"since {note['since']}: rmaudit scan" in done.err
            assert "secret" not in done.err
        assert [path.name for path in Path("run").iterdir()] == [LOCK]
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    done = cli(*WORDS)  # nothing has to be removed by hand
    assert done.code == 0, done.err
    assert Path("run", LOCK).read_bytes() == b""


def test_finished_runs_are_read_while_they_are_written_but_not_written_twice(cli: Cli) -> None:
    specs = ("synth:3:4:slogan", "synth:4:4:slogan")
    record(faithful, [item for spec in specs for item in load_set(spec).items], "model")
    runs = [f"run-{number}" for number in range(2)]
    for spec, run in zip(specs, runs, strict=True):
        assert cli(*WORDS[:2], "--set", spec, "--out", run).code == 0
    Path("run").mkdir()
    with held():
        done = cli("merge-runs", *runs, "--out", "run")
        assert done.code == 2
        assert "another process writes into run" in done.err
    assert cli("merge-runs", *runs, "--out", "run").code == 0
    with held():
        assert cli("report", "run", "--md").code == 0


FORKING = """
import os, sys, time
from pathlib import Path
from rmaudit.run.lock import sole_writer
with sole_writer(Path("run")):
    child = os.fork()
    if not child:
        print(os.getpid(), flush=True)
    time.sleep(60)
"""


def test_a_child_that_outlives_a_killed_writer_does_not_hold_its_lock(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FORKING], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            child = int(process.stdout.readline())
        finally:
            process.kill()
    try:
        os.kill(child, 0)  # it is alive
        with sole_writer(tmp_path / "run"), sole_writer(tmp_path / "run"):
            pass
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_folder_of_the_users_own_is_left_alone(cli: Cli) -> None:
    record(faithful, load_set(SPEC).items, "model")
    Path("run/checklist").mkdir(parents=True)
    Path("run/checklist/items.jsonl").write_text("mine")
    for more in ((), ("--resume",)):
        assert cli(*WORDS, *more).code == 2
    assert Path("run/checklist/items.jsonl").read_text() == "mine"
    assert [path.name for path in Path("run").iterdir()] == ["checklist"]


def test_a_run_without_its_manifest_but_with_rows_is_not_begun_anew(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC).path
    (run / "manifest.json").unlink()
    rows = (run / "generations.jsonl").read_bytes()
    for more in ((), ("--resume",)):
        assert cli(*WORDS[:-1], run, *more).code == 2
    assert (run / "generations.jsonl").read_bytes() == rows
    with pytest.raises(InputError, match="is there already"):
        RunDir.create(run)


# ----------------------------------------------------------------------------------- disk


def test_a_full_disk_names_the_file_and_the_command_that_goes_on(tmp_path: Path) -> None:
    """`/dev/full` is a disk that is full: every write to it fails as one does there."""
    record_in(tmp_path)
    command = [sys.executable, "-m", "rmaudit", *WORDS]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "run" / "generations.jsonl").unlink()
    (tmp_path / "run" / "generations.jsonl").symlink_to("/dev/full")
    done = subprocess.run(
        [*command, "--resume"], cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert done.returncode == 1
    assert "error: cannot write run/generations.jsonl: No space left on device" in done.stderr
    assert "hint: make room on the disk; what is finished is kept. Go on with: " in done.stderr
    assert f"rmaudit {' '.join(WORDS)} --resume" in done.stderr
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["status"] == "failed"
    (tmp_path / "run" / "generations.jsonl").unlink()
    subprocess.run([*command, "--resume"], cwd=tmp_path, check=True, capture_output=True)


def record_in(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)
    try:
        record(faithful, load_set(SPEC).items, "model")
    finally:
        os.chdir(here)


def test_a_place_that_takes_no_folder_names_the_command_as_typed(cli: Cli) -> None:
    record(faithful, load_set(SPEC).items, "model")
    done = cli(*WORDS[:-1], "/proc/run")
    assert done.code == 1
    assert "error: cannot write /proc/run/.lock" in done.err
    assert "--resume" not in done.err


def test_other_commands_do_not_speak_of_resuming(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC).path
    for more in (("report", run, "--html", "--out", "/proc/r.html"),):
        done = cli(*more)
        assert done.code == 1
        assert "cannot write /proc/r.html" in done.err
        assert "--resume" not in done.err
        assert "Go on with: rmaudit report" in done.err
