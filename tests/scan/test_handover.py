"""Two stages at once: the hand-over, errors of either side, and the judge beside the target."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from support.answers import ideal_answer, ideal_replay
from support.command_line import Done
from support.fault_server import FaultServer, answers
from support.judge_server import asked, judge_server
from support.random_model import save_random_model
from support.stopped_runs import stop_when

from rmaudit.checklists.sets import load_set
from rmaudit.engines.base import Sampling
from rmaudit.nulls.lists import NULLS
from rmaudit.scan.handover import Consumer, Handover, Stopped, run_together
from rmaudit.terminal.screen import ProgressBars, Screen

Cli = Callable[..., Done]
SPEC = "synth:3:20:slogan"
ITEMS = load_set(SPEC).items


def test_rows_arrive_in_order_and_the_end_too() -> None:
    handover: Handover[int] = Handover()
    taken: list[int] = []
    run_together(
        lambda: [handover.give(row) for row in range(1000)] and None,
        Consumer(lambda: taken.extend(handover), handover),
    )
    assert taken == list(range(1000))
    assert not handover.passed_over


def test_a_full_queue_passes_rows_over_and_never_blocks() -> None:
    handover: Handover[int] = Handover(size=3)
    for row in range(5):
        handover.give(row)
    handover.end()
    assert handover.passed_over
    assert list(handover) == [0, 1, 2]


def test_an_error_of_the_consumer_stops_the_producer() -> None:
    handover: Handover[int] = Handover()
    failed = threading.Event()

    def consume() -> None:
        for _ in handover:
            failed.set()
            raise OSError("disk")

    given = []

    def produce() -> None:
        handover.give(1)
        failed.wait(10)
        while len(given) < 1000:
            handover.give(1)
            given.append(1)
            time.sleep(0.001)

    with pytest.raises(OSError, match="disk"):
        run_together(produce, Consumer(consume, handover))
    assert len(given) < 1000


def test_an_error_of_the_consumer_after_the_last_row_is_raised() -> None:
    handover: Handover[int] = Handover()

    def consume() -> None:
        list(handover)
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        run_together(lambda: handover.give(1), Consumer(consume, handover))


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_of_the_producer_stops_the_consumer(error: type[BaseException]) -> None:
    handover: Handover[int] = Handover()
    ended: list[str] = []

    def consume() -> None:
        try:
            for _ in handover:
                handover.check()
        except Stopped:
            ended.append("stopped")
            raise
        ended.append("at the end")

    def produce() -> None:
        handover.give(1)
        raise error

    with pytest.raises(error):
        run_together(produce, Consumer(consume, handover))
    assert ended == ["stopped"]


def words(target: str, judge: str, *more: str) -> list[str]:
    return ["scan", target, "--set", SPEC, "--out", "run", "--judge", judge, *more]


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def metrics(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "metrics.json").read_text())["metrics"])


@pytest.mark.slow
def test_a_judge_at_an_endpoint_works_while_the_target_does(cli: Cli, tmp_path: Path) -> None:
    """40 target calls of 0.1 s, two at a time, take 2 s; the judge is asked long before."""
    with (
        FaultServer(answers(ITEMS), seconds=0.1) as target,
        judge_server(seconds=0.05) as judge,
    ):
        done = cli(*words(target.target, judge.target, "--concurrency", "2"))
    assert done.code == 0, done.err
    last = max(time for times in target.times.values() for time in times)
    before = [
        prompt for prompt in asked(judge) if "[begin" in prompt and judge.times[prompt][0] < last
    ]
    lists = len(NULLS) * len(ITEMS)  # they follow, when the target is done
    assert len(before) > (len(asked(judge)) - lists) / 2
    assert len(lines(tmp_path / "run" / "matches.jsonl")) == 40
    # The overlapped run finds what a judge that starts at the end finds.
    with judge_server() as after:
        again = words(target_file(tmp_path), after.target)
        again[5] = "later"
        assert cli(*again).code == 0
    assert metrics(tmp_path / "later") == metrics(tmp_path / "run")


def target_file(folder: Path) -> str:
    """The first run's answers as a recorded target."""
    return f"replay:{folder / 'run' / 'generations.jsonl'}"


@pytest.mark.slow
def test_rows_that_the_queue_passed_over_are_judged_all_the_same(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    monkeypatch.setattr("rmaudit.scan.scan.Handover", lambda: Handover(size=1))
    with judge_server(seconds=0.02) as judge:
        assert cli(*words(f"replay:{replay}", judge.target, "--concurrency", "2")).code == 0
    rows = lines(tmp_path / "run" / "matches.jsonl")
    assert len({(row["item"], row["order"]) for row in rows}) == len(rows) == 40


@pytest.mark.slow
def test_a_judge_that_is_gone_stops_the_target_and_a_resume_goes_on(
    cli: Cli, tmp_path: Path
) -> None:
    with (
        FaultServer(answers(ITEMS), seconds=0.05) as target,
        judge_server() as judge,
    ):
        judge.die_after = 15
        call = words(target.target, judge.target, "--concurrency", "2", "--request-retries", "0")
        done = cli(*call)
        assert done.code == 1
        assert "no endpoint answers any more" in done.err
        assert len(target.answered) < 40
        assert 0 < len(lines(tmp_path / "run" / "matches.jsonl")) < 40
        manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
        assert manifest["status"] == "failed"
        judge.start()
        assert cli(*call, "--resume").code == 0
        # With two calls at a time at most four answers are on their way to the file.
        assert sum(target.answered.values()) <= 44
    rows = lines(tmp_path / "run" / "matches.jsonl")
    assert len({(row["item"], row["order"]) for row in rows}) == len(rows) == 40
    assert metrics(tmp_path / "run")["rc"]["n_excluded"] == 0


@pytest.mark.slow
def test_a_target_that_is_gone_stops_the_judge(cli: Cli, tmp_path: Path) -> None:
    with (
        FaultServer(answers(ITEMS), die_after=20) as target,
        judge_server(seconds=0.2) as judge,
    ):
        call = words(target.target, judge.target, "--concurrency", "2", "--request-retries", "0")
        started = time.monotonic()
        done = cli(*call)
        assert done.code == 1
        assert time.monotonic() - started < 30
        assert not any(thread.name == "consumer" for thread in threading.enumerate())
        target.start()
        assert cli(*call, "--resume").code == 0
    assert len(lines(tmp_path / "run" / "matches.jsonl")) == 40


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_stopped_while_both_work_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    with (
        FaultServer(answers(ITEMS), seconds=0.1) as target,
        judge_server(seconds=0.1) as judge,
    ):
        call = words(target.target, judge.target, "--concurrency", "2")
        command = [sys.executable, "-m", "rmaudit", *call]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        stop_when(process, tmp_path / "run" / "matches.jsonl", 5, number)
        assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
        assert not (tmp_path / "run" / "metrics.json").exists()
        kept = (tmp_path / "run" / "matches.jsonl").read_bytes().splitlines()[:5]
        subprocess.run([*command, "--resume"], cwd=tmp_path, check=True, capture_output=True)
        # With two calls at a time at most four answers are on their way to the file.
        assert sum(target.tries.values()) <= 44
    rows = (tmp_path / "run" / "matches.jsonl").read_bytes().splitlines()
    assert rows[:5] == kept
    keys = {(row["item"], row["order"]) for row in map(json.loads, rows)}
    assert len(keys) == len(rows) == 40


@pytest.fixture(scope="module")
def local_judge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model with room for the judge's prompt; it answers noise."""
    return save_random_model(tmp_path_factory.mktemp("judge"), context=8192)


NOISE = (
    "--judge-max-tokens",
    "8",
    "--orders",
    "ab",
    "--limit",
    "4",
    "--max-tokens",
    "8",
    "--no-probe",
)


@pytest.mark.model
def test_a_local_judge_starts_when_the_local_target_has_left(
    cli: Cli, tmp_path: Path, local_judge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rmaudit.engines.transformers import TransformersEngine

    events: list[str] = []
    names: dict[int, str] = {}
    complete, close = TransformersEngine.complete, TransformersEngine.close

    def complete_and_tell(self: TransformersEngine, requests: Any, sampling: Sampling) -> Any:
        name = names.setdefault(id(self), "judge" if names else "target")
        events.append(f"{name} starts")
        for generation in complete(self, list(requests), sampling):
            # Noise has no reasons to judge, so the target says what a good one would say.
            item = next((i for i in ITEMS if i.id == generation.key.item), None)
            text = generation.text if item is None else ideal_answer(item, "ab")
            yield replace(generation, text=text, finish_reason="stop")
        events.append(f"{name} is done")

    def close_and_tell(self: TransformersEngine) -> None:
        if self._loaded is not None:
            events.append(f"{names[id(self)]} leaves")
        close(self)

    monkeypatch.setattr(TransformersEngine, "complete", complete_and_tell)
    monkeypatch.setattr(TransformersEngine, "close", close_and_tell)
    done = cli(*words(str(local_judge), f"transformers:{local_judge}", *NOISE))
    assert done.code == 0, done.err
    assert events[:4] == ["target starts", "target is done", "target leaves", "judge starts"]
    assert events[-1] == "judge leaves"


@pytest.mark.model
def test_kill_in_the_middle_of_a_local_judge_that_answers_noise(
    tmp_path: Path, local_judge: Path
) -> None:
    """Nothing it says can be read: every row fails, none is 0, and rc says so.

    4 items in one order, each row lost: n 0, worst 0, best 1.
    """
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    call = words(f"replay:{replay}", f"transformers:{local_judge}", *NOISE, "--batch-size", "1")
    command = [sys.executable, "-m", "rmaudit", *call]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    stop_when(process, tmp_path / "run" / "matches.jsonl", 1, signal.SIGKILL, seconds=180)
    killed = lines(tmp_path / "run" / "matches.jsonl")
    assert 1 <= len(killed) < 4
    subprocess.run([*command, "--resume"], cwd=tmp_path, check=True, capture_output=True)
    rows = lines(tmp_path / "run" / "matches.jsonl")
    assert rows[: len(killed)] == killed
    assert len({row["item"] for row in rows}) == len(rows) == 4
    assert all(row["failure"].startswith("unreadable answer: ") for row in rows)
    assert all(row["raw"] is not None and row["matrix"] == [] for row in rows)
    found = metrics(tmp_path / "run")
    assert found["rc"]["value"] is None
    assert found["rc"]["why"]
    assert (found["rc"]["n"], found["rc"]["n_excluded"]) == (0, 4)
    assert (found["rc"]["worst"], found["rc"]["best"]) == (0.0, 1.0)
    assert found["accuracy"]["value"] == 1.0
    judge = json.loads((tmp_path / "run" / "manifest.json").read_text())["judge"]
    # Each of 4 answers against its references and another item's, and 6 null lists of each item.
    assert judge["counts"]["failures"] == 8 + 6 * 4
    assert judge["structured_output"] == "prompt"
    assert judge["engine"]["name"] == "transformers"


def test_progress_of_two_stages_at_once_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Tenths of each stage; `match` turns out to have 2 steps instead of 3."""
    lines = Screen().progress()
    lines.begin("generate", total=2, done=0)
    lines.begin("match", total=3, done=0)
    lines.step("generate", unreadable=True)
    lines.step("match")
    lines.expect("match", total=2)
    lines.step("match")
    lines.step("generate")
    lines.end("generate")
    lines.end("match")
    told = [line.split()[:2] for line in capsys.readouterr().err.splitlines()]
    assert told == [
        ["generate", "1/2"],
        ["match", "1/3"],
        ["match", "2/2"],
        ["generate", "2/2"],
    ]


def test_bars_of_two_stages_at_once() -> None:
    terminal = Console(force_terminal=True, width=100, file=io.StringIO())
    bars = ProgressBars(terminal)
    for stage in ("generate", "match"):
        bars.begin(stage, total=1, done=0)
    for stage in ("generate", "match"):
        bars.step(stage)
        bars.end(stage)
    assert isinstance(terminal.file, io.StringIO)
    shown = terminal.file.getvalue()
    assert shown.index("generate 1/1") < shown.index("match    1/1")
