"""`rmaudit scan openai:...` through every fault that a server can have, against a run without one:
nothing lost, nothing twice, and an equal result.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.fault_server import FaultServer, answers, sometimes
from support.stopped_runs import content

from rmaudit.checklists.sets import load_set

pytestmark = pytest.mark.slow
Cli = Callable[..., Done]
SPEC = "synth:3:20:slogan"
CALLS = 40
KEY = "sk-very-secret-0123456789"
OPTIONS = ("--set", SPEC, "--out", "run", "--concurrency", "16")
TRANSIENT = (
    "429 Retry-After", "429", "500", "503 html", "garbage", "not http", "empty",
    "half, then closed", "half as a whole", "closed", "silent for 60 s", "abort", "no choices",
)  # fmt: skip
reply = answers(load_set(SPEC).items)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run without faults."""
    folder = tmp_path_factory.mktemp("whole")
    with FaultServer(reply) as server:
        command = [sys.executable, "-m", "rmaudit", "scan", server.target, *OPTIONS]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    assert len(set(server.answered)) == CALLS
    assert set(server.answered.values()) == {1}
    return folder / "run"


def check(run: Path, whole: Path) -> None:
    """Every key once, in every file, and the same result."""
    rows = [json.loads(line) for line in (run / "generations.jsonl").read_text().splitlines()]
    keys = [(row["item"], row["order"], row["sample"]) for row in rows]
    assert len(keys) == len(set(keys)) == CALLS
    assert content(run) == content(whole)


@pytest.mark.slow
def test_answers_of_mixed_quality_are_measured(whole: Path) -> None:
    """Of the 20 items 5 have the wrong verdict, 5 a tie with vague praise: 10 are right."""
    found = json.loads((whole / "metrics.json").read_text())["metrics"]
    assert found["accuracy"]["value"] == 0.5
    assert found["rc"]["value"] == 0.75
    manifest = json.loads((whole / "manifest.json").read_text())
    assert manifest["engine"]["name"] == "openai"
    assert manifest["engine"]["served"][0]["id"] == "judge"
    assert manifest["engine"]["budget_option"] == "max_tokens"
    assert manifest["target"]["name"] == "judge"


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSIENT)
def test_one_fault_on_every_third_prompt(cli: Cli, tmp_path: Path, whole: Path, name: str) -> None:
    with FaultServer(reply, fault=sometimes(name)) as server:
        slow = ["--request-timeout", "1"] if name.startswith("silent") else []
        done = cli("scan", server.target, *OPTIONS, *slow)
    assert done.code == 0, done.err
    assert server.faults[name] > 5
    assert len(server.answered) == CALLS
    check(tmp_path / "run", whole)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["engine"]["retries"] >= server.faults[name]


@pytest.mark.slow
def test_failed_requests_are_counted_and_asked_again(cli: Cli, tmp_path: Path, whole: Path) -> None:
    with FaultServer(reply, fault=sometimes("500", times=99)) as server:
        done = cli("scan", server.target, *OPTIONS, "--request-retries", "0")
        assert done.code == 0, done.err
        failed = server.faults["500"]
        assert f"{failed} requests failed; --resume asks them again" in done.err
        rows = [
            json.loads(line)
            for line in (tmp_path / "run" / "generations.jsonl").read_text().splitlines()
        ]
        assert [row["error"] for row in rows if row["finish_reason"] == "error"] == [
            "InternalServerError 500"
        ] * failed
        found = json.loads((tmp_path / "run" / "metrics.json").read_text())["metrics"]
        assert found["coverage.error"]["value"] == pytest.approx(failed / CALLS)
        server.fault = lambda prompt, nth: None
        before = sum(server.tries.values())
        target = server.target
        done = cli("scan", target, *OPTIONS, "--request-retries", "0", "--resume")
        assert done.code == 0, done.err
        assert sum(server.tries.values()) - before == failed
    manifest = (tmp_path / "run" / "manifest.json").read_text()
    assert '"status": "finished"' in manifest
    assert content(tmp_path / "run") == content(whole)


@pytest.mark.slow
def test_server_dies_and_comes_back(cli: Cli, tmp_path: Path, whole: Path) -> None:
    with FaultServer(reply, seconds=0.02, die_after=15) as server:
        words = ["scan", server.target, *OPTIONS, "--request-retries", "1"]
        done = cli(*words)
        assert done.code == 1
        assert "error: no endpoint answers any more (APIConnectionError ConnectError)" in done.err
        assert "--resume" in done.err
        kept = (tmp_path / "run" / "generations.jsonl").read_bytes()
        assert 10 <= kept.count(b"\n") < CALLS
        assert b'"error": "' not in kept
        down = cli(*words, "--resume")
        assert down.code == 2
        assert f"error: no endpoint answers: {server.url} (ConnectError)" in down.err
        server.start()
        done = cli(*words, "--resume")
        assert done.code == 0, done.err
    assert (tmp_path / "run" / "generations.jsonl").read_bytes().startswith(kept)
    check(tmp_path / "run", whole)


@pytest.mark.slow
def test_server_comes_back_within_the_retries(cli: Cli, tmp_path: Path, whole: Path) -> None:
    with FaultServer(reply, seconds=0.02, die_after=15) as server:
        kill = server.kill

        def die_and_return() -> None:
            kill()
            time.sleep(0.2)
            server.start()

        server.kill = die_and_return  # type: ignore[method-assign]
        done = cli("scan", server.target, *OPTIONS)
        server.kill = kill  # type: ignore[method-assign]
    assert done.code == 0, done.err
    check(tmp_path / "run", whole)


@pytest.mark.slow
def test_two_servers_one_dies(cli: Cli, tmp_path: Path, whole: Path) -> None:
    with (
        FaultServer(reply, seconds=0.02, die_after=5) as first,
        FaultServer(reply, seconds=0.02) as second,
    ):
        done = cli("scan", f"{first.target},{second.url}", *OPTIONS)
        assert done.code == 0, done.err
    assert not first.alive
    assert sum(first.answered.values()) >= 5
    assert sum(second.answered.values()) >= CALLS - 16 - 5
    check(tmp_path / "run", whole)


@pytest.mark.slow
def test_two_servers_share_and_one_may_come_late(cli: Cli, tmp_path: Path, whole: Path) -> None:
    with FaultServer(reply, seconds=0.02) as first, FaultServer(reply, seconds=0.02) as second:
        assert cli("scan", f"{first.target},{second.url}", *OPTIONS).code == 0
        shares = [sum(server.answered.values()) for server in (first, second)]
        assert sum(shares) == CALLS
        assert min(shares) >= 10
        second.kill()
        done = cli("scan", f"{first.target},{second.url}", *OPTIONS[:3], "late", *OPTIONS[4:])
    assert done.code == 0, done.err
    manifest = json.loads((tmp_path / "late" / "manifest.json").read_text())
    assert [one.get("down_at_start") for one in manifest["engine"]["served"]] == [
        None,
        "ConnectError",
    ]
    check(tmp_path / "run", whole)
    check(tmp_path / "late", whole)


@pytest.mark.slow
def test_sigterm_in_the_middle(tmp_path: Path, whole: Path) -> None:
    """It comes while the requests in flight would hang for a minute more."""

    def hang(prompt: str, nth: int) -> str | None:
        return "silent for 60 s" if server.answered.total() >= 12 else None

    with FaultServer(reply, fault=hang) as server:
        words = [*OPTIONS[:4], "--concurrency", "4", "--target-key-env", "MY_KEY"]
        target = server.target.replace("http://", "http://user:pass-word@")
        command = [sys.executable, "-m", "rmaudit", "scan", target, *words]
        environment = {**os.environ, "MY_KEY": KEY}
        with (tmp_path / "stderr").open("wb") as stderr:
            process = subprocess.Popen(
                command, cwd=tmp_path, env=environment, stderr=stderr, stdout=subprocess.DEVNULL
            )
            deadline = time.monotonic() + 60
            while server.faults.total() < 4 and time.monotonic() < deadline:
                time.sleep(0.01)
            asked = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(120) == 143
            assert time.monotonic() - asked < 50
        server.fault = lambda prompt, nth: None
        told = (tmp_path / "stderr").read_text()
        assert "error: stopped by SIGTERM; finished rows are kept" in told
        assert "hint: go on with: rmaudit scan" in told
        kept = (tmp_path / "run" / "generations.jsonl").read_bytes()
        assert 8 <= kept.count(b"\n") < CALLS
        assert kept.endswith(b"\n")
        done = subprocess.run(
            [*command, "--resume"], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "generations.jsonl").read_bytes().startswith(kept)
    check(tmp_path / "run", whole)
    no_secret(tmp_path / "run", told + done.stderr.decode() + done.stdout.decode())


def no_secret(run: Path, told: str) -> None:
    written = b"".join(path.read_bytes() for path in run.rglob("*") if path.is_file())
    for secret in (KEY, "pass-word", "Basic "):
        assert secret not in told
        assert secret.encode() not in written


def test_keys_reach_the_server_and_nothing_else(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    words = ["--target-key-env", "MY_KEY", "--request-retries", "0", "-v"]
    with FaultServer(reply, key=KEY, fault=sometimes("500", times=9)) as server:
        done = cli("scan", server.target, *OPTIONS, *words)
        assert done.code == 0, done.err
        assert server.authorizations == {f"Bearer {KEY}"}
    no_secret(tmp_path / "run", done.out + done.err)


def test_wrong_key_names_the_variable(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FaultServer(reply, key="another") as server:
        done = cli("scan", server.target, *OPTIONS)
        assert done.code == 2
        assert f"error: {server.url} refuses the key in OPENAI_API_KEY (status 401)" in done.err
        assert KEY not in done.err
        # A password in the URL takes the place of the key.
        target = server.target.replace("http://", "http://user:pass-word@")
        done = cli("scan", target, *OPTIONS)
        assert f"error: {server.url} refuses the user and password of its URL" in done.err
        assert "pass-word" not in done.err
        assert server.authorizations == {f"Bearer {KEY}", "Basic dXNlcjpwYXNzLXdvcmQ="}
    assert not Path("run").exists()


@pytest.mark.slow
def test_key_that_stops_to_work(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server repeats the key in its error, as some do; nobody hears of it."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FaultServer(reply, key=KEY, fault=lambda prompt, nth: revoke(server)) as server:
        done = cli("scan", server.target, *OPTIONS, "--concurrency", "1")
    assert done.code == 1
    assert "refuses the key in OPENAI_API_KEY (status 401)" in done.err
    no_secret(tmp_path / "run", done.out + done.err)


def revoke(server: FaultServer) -> None:
    if sum(server.answered.values()) == 5:
        server.key = "another"


def test_too_long_prompts(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(reply, context=100) as server:
        done = cli("scan", server.target, *OPTIONS)
        assert done.code == 2
        assert "error: no prompt fits: up to " in done.err
        assert "50 for the answer, but the model's context is 100" in done.err
        asked = sum(server.tries.values())
        again = cli("scan", server.target, *OPTIONS, "--resume")
        assert again.code == 2
        assert sum(server.tries.values()) == asked == CALLS
    assert '"outcome": "too_long"' in (tmp_path / "run" / "verdicts.jsonl").read_text()


@pytest.mark.slow
def test_a_broken_service_ends_the_work(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(reply, fault=lambda prompt, nth: "500") as server:
        done = cli("scan", server.target, *OPTIONS, "--request-retries", "0")
    assert done.code == 1
    assert "error: none of 40 requests was answered: InternalServerError 500" in done.err
    with FaultServer(reply, fault=lambda prompt, nth: "500") as server:
        words = [server.target, "--set", "synth:3:60:slogan", "--out", "more"]
        done = cli("scan", *words, "--request-retries", "0")
    assert done.code == 1
    assert "the last 50 requests all failed (InternalServerError 500: oops)" in done.err


def test_max_calls_tells_the_estimate(cli: Cli) -> None:
    with FaultServer(reply) as server:
        done = cli("scan", server.target, *OPTIONS, "--max-calls", "39")
        assert server.tries.total() == 0
    assert done.code == 2
    assert "this scan makes 40 model calls; --max-calls is 39" in done.err
    assert "40 calls of the target; the target reads about" in done.err
    assert "tokens and writes 40,960 at most" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "code"), [("\n", 2), ("y\n", 1)])
def test_a_costly_scan_asks_on_a_terminal(tmp_path: Path, typed: str, code: int) -> None:
    """A yes is seen by the requests that follow: the server refuses them all."""
    ours, theirs = os.openpty()
    with FaultServer(reply, fault=lambda prompt, nth: "500") as server:
        words = ["scan", server.target, "--set", "synth:3:501:slogan", "--request-retries", "0"]
        process = subprocess.Popen(
            [sys.executable, "-m", "rmaudit", *words, "-q"],
            cwd=tmp_path, stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, typed.encode())
        told = b""
        with contextlib.suppress(OSError):  # the end of a terminal reads as an error
            while block := os.read(ours, 4096):
                told += block
        os.close(ours)
        assert process.wait(60) == code
    assert b"1,002 calls of the target; the target reads about" in told
    assert bool(server.tries) == (code == 1)
    assert (b"error: not started" in told) == (code == 2)


@pytest.mark.slow
def test_yes_and_a_pipe_are_not_asked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rmaudit.terminal.ask.ASK_ABOVE", 0)
    with FaultServer(reply) as server:
        assert cli("scan", server.target, *OPTIONS).code == 0
        monkeypatch.setattr("rmaudit.terminal.ask.agree", None)
        done = cli("scan", server.target, *OPTIONS[:2], "--limit", "3", "--yes")
    assert done.code == 0, done.err


def test_requests_overlap(cli: Cli) -> None:
    """The first 15 requests are answered only once the sixteenth is there."""

    def together(prompt: str) -> str:
        deadline = time.monotonic() + 30
        while server.most_at_once < 16 and time.monotonic() < deadline:
            time.sleep(0.01)
        return reply(prompt)

    with FaultServer(together) as server:
        assert cli("scan", server.target, *OPTIONS).code == 0
    assert server.most_at_once == 16
