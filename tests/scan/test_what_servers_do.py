"""What a server does to answers, through `rmaudit scan`: nothing of it counts as the model's fault,
and nothing is asked twice that would come again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.fault_server import FaultServer, answers
from support.judge_server import judge_server

from rmaudit.checklists.sets import load_set

pytestmark = pytest.mark.slow
Cli = Callable[..., Done]
SPEC = "synth:3:20:slogan"
reply = answers(load_set(SPEC).items)


def scan(cli: Cli, server: FaultServer, out: str, *words: str) -> Done:
    return cli("scan", server.target, "--set", SPEC, "--out", out, *words)


def lines(run: str, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(run) / name).read_text().splitlines()]


def metrics(run: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(run) / "metrics.json").read_text())["metrics"]
    return found


def some(name: str, *, of: int = 3) -> Callable[[str, int], str | None]:
    """The same prompts whenever they come."""
    return lambda prompt, nth: name if len(prompt) % of == 0 else None


def test_what_a_provider_keeps_back_is_no_verdict_however_it_says_so(cli: Cli) -> None:
    found = {}
    for fault in ("content_filter", "filtered prompt"):
        with FaultServer(reply, fault=some(fault)) as server:
            out = fault.replace(" ", "-")
            done = scan(cli, server, out)
            assert done.code == 0, done.err
            kept_back = server.faults[fault]
            assert 5 < kept_back < 30
            assert f"not asked for again): {kept_back}" in done.err
            asked = sum(server.tries.values())
            again = scan(cli, server, out, "--resume")
            assert again.code == 0, again.err
            assert sum(server.tries.values()) == asked == 40
        outcomes = Counter(row["outcome"] for row in lines(out, "verdicts.jsonl"))
        assert outcomes["filtered"] == kept_back
        assert outcomes["unparsed"] == outcomes["error"] == 0
        measured = metrics(out)
        assert measured["coverage.filtered"]["value"] == pytest.approx(kept_back / 40)
        assert measured["accuracy"]["n_excluded"] == kept_back
        assert measured["accuracy"]["worst"] < measured["accuracy"]["best"]
        found[fault] = measured
        done = cli("gate", out, "--policy", "pr")
        assert done.code == 5, done.err
        assert "coverage.filtered" in done.out
    one, other = found.values()
    assert one == other


def test_a_scan_of_which_all_is_kept_back(cli: Cli) -> None:
    with FaultServer(reply, fault=some("content_filter", of=1)) as server:
        done = scan(cli, server, "run")
    assert done.code == 1
    assert "error: none of 40 requests was answered: filtered" in done.err
    assert "the provider keeps these answers back" in done.err


def test_another_model_is_refused_before_anything_is_kept(cli: Cli) -> None:
    with FaultServer(reply, says="cheap-model") as server:
        done = scan(cli, server, "run")
        assert done.code == 2
        assert "error: the endpoint answers with the model 'cheap-model', asked was 'judge'" in (
            done.err
        )
        assert lines("run", "generations.jsonl") == []
        done = scan(cli, server, "run", "--allow-other-model", "--resume")
        assert done.code == 0, done.err
        assert "its endpoint answered as cheap-model" in done.err
    assert {row["server"]["model"] for row in lines("run", "generations.jsonl")} == {"cheap-model"}
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert manifest["engine"]["answered_by"] == ["cheap-model"]


def test_a_dripping_server_holds_no_scan(cli: Cli) -> None:
    with FaultServer(reply, fault=some("drips")) as server:
        done = scan(cli, server, "run", "--request-deadline", "3")
        assert done.code == 0, done.err
        dripped = server.faults["drips"]
    errors = Counter(row["error"] for row in lines("run", "generations.jsonl"))
    # A machine that is busy with other things may answer late as well.
    assert errors["no answer within 3 s"] >= dripped > 5
    assert errors.keys() == {None, "no answer within 3 s"}
    assert cli("scan", "openai:m@http://127.0.0.1:1/v1", "--request-deadline", "0").code == 2


def test_a_judge_whose_answers_are_kept_back_is_a_judge_that_failed(cli: Cli) -> None:
    fault = some("content_filter", of=2)
    with FaultServer(reply) as target, judge_server(fault=fault) as judge:
        words = ("--judge", judge.target, "--labeler", "builtin")
        done = scan(cli, target, "run", *words)
        assert done.code == 0, done.err
        assert "the provider kept the answer back" in done.err
        asked = sum(judge.tries.values())
        again = scan(cli, target, "run", *words, "--resume")
        assert again.code == 0, again.err
        assert sum(judge.tries.values()) == asked
    failures = Counter(row["failure"] for row in lines("run", "matches.jsonl"))
    assert set(failures) == {None, "the provider kept the answer back"}
    assert metrics("run")["rc"]["n_excluded"] > 0
