"""A run killed at any moment goes on to exactly the result of a run that was never killed."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.answers import ideal_replay, write_replay
from support.command_line import Done
from support.report_runs import faithful, run_set
from support.stopped_runs import ROW_FILES, content, stop_when

from rmaudit.checklists.sets import load_set

Cli = Callable[..., Done]
N = 300
SPEC = f"synth:3:{N}:slogan"
SMALL = "synth:3:60:slogan"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "ideal.jsonl"
    return ideal_replay(path, load_set(SPEC).items)


@pytest.fixture(scope="module")
def whole(replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that was never stopped."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(command(replay), cwd=folder, check=True, capture_output=True)
    return folder / "run"


def command(replay: Path, *more: str) -> list[str]:
    words = ["scan", f"replay:{replay}", "--set", SPEC, "--out", "run", *more]
    return [sys.executable, "-m", "rmaudit", *words]


@pytest.mark.parametrize("file", ["generations.jsonl", "matches.jsonl"])
def test_kill_and_resume(tmp_path: Path, replay: Path, whole: Path, file: str) -> None:
    process = subprocess.Popen(
        command(replay), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path
    )
    stop_when(process, tmp_path / "run" / file, 200, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    killed = (tmp_path / "run" / file).read_bytes().count(b"\n")
    assert 200 <= killed < 2 * N
    assert not (tmp_path / "run" / "metrics.json").exists()
    done = subprocess.run(
        command(replay, "--resume"), cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "run") == content(whole)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_ends_cleanly_and_names_the_next_command(
    tmp_path: Path, replay: Path, whole: Path, number: signal.Signals, code: int
) -> None:
    with (tmp_path / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            command(replay), stdout=subprocess.DEVNULL, stderr=stderr, cwd=tmp_path
        )
        stop_when(process, tmp_path / "run" / "generations.jsonl", 100, number)
    assert process.returncode == code
    told = (tmp_path / "stderr").read_text()
    assert f"error: stopped by {number.name}" in told
    assert "--resume" in told
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["status"] == "interrupted"
    subprocess.run(command(replay, "--resume"), cwd=tmp_path, check=True, capture_output=True)
    assert content(tmp_path / "run") == content(whole)


@pytest.mark.parametrize("name", ROW_FILES[:4])
@pytest.mark.parametrize("torn", [b'{"item": "slogan-3-00', b'{"item": 1}'])
def test_torn_last_line_is_redone(cli: Cli, name: str, torn: bytes) -> None:
    run = run_set(faithful, spec=SMALL).path
    whole = content(run)
    lines = (run / name).read_bytes().splitlines(keepends=True)
    (run / name).write_bytes(b"".join(lines[:70]) + torn)
    done = cli(
        "scan", "replay:model.jsonl", "--set", SMALL, "--judge", "builtin", "--out", run, "--resume"
    )
    assert done.code == 0, done.err
    assert len(lines) == 120
    assert (run / name).read_bytes().startswith(b"".join(lines[:70]))
    assert content(run) == whole


def test_changed_configuration_is_refused_by_name(
    cli: Cli, tmp_path: Path, replay: Path, whole: Path
) -> None:
    run = tmp_path / "run"
    subprocess.run(["cp", "-r", str(whole), str(run)], check=True)
    words = ["scan", f"replay:{replay}", "--set", SPEC, "--out", run, "--resume"]
    done = cli(*words, "--seed", "4", "--max-reasons", "3")
    assert done.code == 2
    assert "max_reasons (5 -> 3), prompt" not in done.err
    assert "max_reasons (5 -> 3), seed (0 -> 4)" in done.err
    assert "set (" in cli(*words[:3], f"synth:3:{N - 1}:slogan", *words[4:]).err
    other = tmp_path / "other.jsonl"
    other.write_bytes(replay.read_bytes() + b'{"item": "z", "order": "ab", "text": ""}\n')
    assert "target (" in cli("scan", f"replay:{other}", *words[2:]).err


def test_existing_out_without_resume_is_refused(cli: Cli, tmp_path: Path, replay: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run")
    assert done.code == 2
    assert "is there already" in done.err
    assert "--resume" in done.err
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["notes.txt"]


def test_resume_without_out_goes_on_with_the_newest(tmp_path: Path, replay: Path) -> None:
    words = [word for word in command(replay) if word not in ("--out", "run")]
    process = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path
    )
    latest = tmp_path / "runs" / "latest"
    stop_when(process, latest / "generations.jsonl", 100, signal.SIGKILL)
    done = subprocess.run([*words, "--resume"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "runs").iterdir())) == 2
    assert (latest / "metrics.json").is_file()


def test_full_disk_keeps_what_is_there(tmp_path: Path) -> None:
    """A file size limit stands in for a full disk: both fail in the same write call."""
    items = load_set(SPEC).items
    prose = "Let me look at both responses in turn. " * 200
    replay = ideal_replay(tmp_path / "short.jsonl", items)
    rows = [json.loads(line) for line in replay.read_text().splitlines()]
    write_replay(replay, [{**row, "text": f"{prose}\n\n{row['text']}"} for row in rows])

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))

    done = subprocess.run(
        command(replay), cwd=tmp_path, capture_output=True, check=False, preexec_fn=limit
    )
    told = done.stderr.decode()
    assert done.returncode == 1, told
    assert "error: cannot write run/generations.jsonl" in told
    assert "hint: make room" in told
    assert "Traceback" not in told
    assert (tmp_path / "run" / "verdicts.jsonl").read_bytes().count(b"\n") > 100
    subprocess.run(command(replay, "--resume"), cwd=tmp_path, check=True, capture_output=True)
    assert len(content(tmp_path / "run")["generations.jsonl"]) == 2 * N


def test_manifest_of_a_newer_schema_is_refused(cli: Cli, tmp_path: Path, whole: Path) -> None:
    run = tmp_path / "run"
    subprocess.run(["cp", "-r", str(whole), str(run)], check=True)
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "schema_version": 99}))
    done = cli("show", run, "slogan-3-00000")
    assert done.code == 2
    assert "schema version 99" in done.err
