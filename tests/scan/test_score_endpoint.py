"""`rmaudit scan` of a stand-in that scores: through faults, and after a server that died."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.score_server import ScoreServer, conversations, score_of
from support.stopped_runs import stop_when

from rmaudit.checklists.sets import load_set
from rmaudit.run.directory import RunDir
from rmaudit.run.files import SCORES, VERDICTS
from rmaudit.scan.score_requests import score_requests

Cli = Callable[..., Done]
SET = "synth:3:6:slogan"
ITEMS = load_set(SET).items
REQUESTS = score_requests(ITEMS)
OPTIONS = ("--set", SET, "--concurrency", "8")


def rows(run: Path) -> dict[Any, float]:
    found = list(RunDir.open(run).rows(SCORES))
    scores = {row.key: row.score for row in found}
    assert len(scores) == len(found)
    return scores


def outcomes(run: Path) -> dict[str, tuple[str | None, str]]:
    kept = RunDir.open(run).rows(VERDICTS)
    return {row.key.item: (row.judgment.verdict, row.judgment.outcome) for row in kept}


def numbers(run: Path) -> Any:
    return json.loads((run / "metrics.json").read_text())


def test_a_scan_from_the_command_line(cli: Cli, tmp_path: Path) -> None:
    with ScoreServer("classify") as server:
        target = server.target.replace("http://", "http://me:hush@")
        done = cli("scan", target, *OPTIONS, "--out", "run", "--no-probe")
    assert done.code == 0, done.err
    run = tmp_path / "run"
    by_text = {request.key: score_of(shown(request)) for request in REQUESTS}
    assert rows(run) == by_text
    for item in ITEMS:
        a, b = (
            next(by_text[one.key] for one in REQUESTS if named(one, item.id, side)) for side in "ab"
        )
        assert outcomes(run)[item.id] == ("a" if a > b else "b", "ok")
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["rm_type"] == "scalar-seqcls"
    assert manifest["target"]["kind"] == "endpoint"
    assert manifest["engine"]["name"] == "classify"
    assert manifest["engine"]["rendered_by"] == "the server"
    assert manifest["engine"]["sent_as"] == "messages"
    assert numbers(run)["metrics"]["rc"]["value"] is None
    assert "hush" not in done.err + done.out
    assert not any("hush" in path.read_text() for path in run.rglob("*.json*"))


def shown(request: Any) -> str:
    return conversations({"messages": request.messages})[0]


def named(request: Any, item: str, side: str) -> bool:
    key = request.key
    return (key.item, key.slot, key.variant) == (item, side, "base")


def test_rows_that_failed_are_no_verdicts_and_are_asked_again(cli: Cli, tmp_path: Path) -> None:
    with ScoreServer("classify") as server:
        cli("scan", server.target, *OPTIONS, "--out", "whole", "--no-probe")
        bad = shown(REQUESTS[0])
        server.fault = lambda texts, nth: "500" if bad in texts else None
        done = cli(
            "scan", server.target, *OPTIONS, "--out", "run", "--no-probe", "--request-retries", "0"
        )
        assert done.code == 0, done.err
        assert "1 requests failed; --resume asks them again" in done.err
        assert f"1 of {len(REQUESTS)} responses has no score: InternalServerError 500" in done.err
        run, whole = tmp_path / "run", tmp_path / "whole"
        assert outcomes(run)[ITEMS[0].id] == (None, "error")
        assert len(rows(run)) == len(REQUESTS) - 1
        accuracy = numbers(run)["metrics"]["accuracy"]
        assert (accuracy["n"], accuracy["n_excluded"]) == (5, 1)
        server.fault = lambda texts, nth: None
        before = len(server.bodies)
        done = cli("scan", server.target, *OPTIONS, "--out", "run", "--resume", "--no-probe")
        assert done.code == 0, done.err
        assert len(server.bodies) == before + 1
    assert rows(run) == rows(whole)
    assert numbers(run) == numbers(whole)


def test_a_server_that_dies_and_comes_back(cli: Cli, tmp_path: Path) -> None:
    with ScoreServer("classify") as server:
        cli("scan", server.target, *OPTIONS, "--out", "whole")
        target, port = server.target, server.http.server_address[1]

        def dying(texts: list[str], nth: int) -> str | None:
            return "gone" if len(server.bodies) > 60 else None

        server.bodies.clear()
        server.fault = dying
        done = cli("scan", target, *OPTIONS, "--out", "run", "--request-retries", "0")
        assert done.code == 1
        assert "no endpoint answers any more" in done.err
    run, whole = tmp_path / "run", tmp_path / "whole"
    kept = (run / "scores.jsonl").read_bytes()
    assert 0 < kept.count(b"\n") < len(REQUESTS)
    with ScoreServer("classify", port=port) as server:
        done = cli("scan", target, *OPTIONS, "--out", "run", "--resume")
    assert done.code == 0, done.err
    assert (run / "scores.jsonl").read_bytes().startswith(kept)
    assert rows(run) == rows(whole)
    assert numbers(run) == numbers(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signalled", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_killed_and_taken_up_again(
    cli: Cli, tmp_path: Path, signalled: signal.Signals, code: int
) -> None:
    with ScoreServer("classify", seconds=0.02) as server:
        cli("scan", server.target, *OPTIONS, "--out", "whole")
        words = ["scan", server.target, *OPTIONS, "--out", "run"]
        process = subprocess.Popen(
            [sys.executable, "-m", "rmaudit", *words], cwd=tmp_path, stderr=subprocess.DEVNULL
        )
        run, whole = tmp_path / "run", tmp_path / "whole"
        stop_when(process, run / "scores.jsonl", 12, signalled)
        assert process.returncode == code
        kept = (run / "scores.jsonl").read_bytes()
        assert 12 <= kept.count(b"\n") < len(REQUESTS)
        done = cli(*words, "--resume")
    assert done.code == 0, done.err
    assert (run / "scores.jsonl").read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    assert rows(run) == rows(whole)
    assert numbers(run) == numbers(whole)


def test_two_servers_share_the_load_and_another_model_is_refused(cli: Cli, tmp_path: Path) -> None:
    with ScoreServer("classify") as one, ScoreServer("classify") as two:
        target = f"{one.target},{two.url}"
        assert cli("scan", target, *OPTIONS, "--out", "run", "--no-probe").code == 0
        assert min(len(one.bodies), len(two.bodies)) > 20
    assert rows(tmp_path / "run") == {request.key: score_of(shown(request)) for request in REQUESTS}
    with ScoreServer("classify", says="someone-else") as server:
        done = cli("scan", server.target, *OPTIONS, "--out", "other")
        assert done.code == 2
        assert "answers with the model 'someone-else'" in done.err
        done = cli("scan", server.target, *OPTIONS, "--out", "taken", "--allow-other-model")
    assert done.code == 0, done.err
    assert "the target is not only rm: its endpoint answered as someone-else" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--engine", "vllm"), "leave --engine out"),
        (("--profile", "generic"), "--profile is for"),
        (("--rm-type", "scalar-seqcls"), "--rm-type is for"),
        (("--tokenizer", "nowhere"), "no folder nowhere"),
        (("--until-decided", "--policy", "release"), "leave --until-decided out"),
    ],
)
def test_options_of_other_targets(cli: Cli, options: tuple[str, ...], said: str) -> None:
    with ScoreServer("classify") as server:
        done = cli("scan", server.target, *OPTIONS, *options)
    assert done.code == 2
    assert said in done.err
    assert not server.bodies


def test_a_resume_with_another_template_is_refused(cli: Cli, tmp_path: Path) -> None:
    from support.random_model import byte_tokenizer

    byte_tokenizer().save_pretrained(tmp_path / "tokenizer")
    with ScoreServer("classify") as server:
        cli("scan", server.target, *OPTIONS, "--out", "run")
        options = ("--out", "run", "--resume", "--tokenizer", "tokenizer")
        done = cli("scan", server.target, *OPTIONS, *options)
    assert done.code == 2
    assert "another configuration: target" in done.err


def test_tokenizer_is_for_endpoints_that_score(cli: Cli, tmp_path: Path) -> None:
    done = cli("scan", tmp_path, "--tokenizer", tmp_path)
    assert done.code == 2
    assert "leave --tokenizer out" in done.err
