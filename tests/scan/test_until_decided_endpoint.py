"""A scan that stops by its results, with target and judge at endpoints that work at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.fault_server import FaultServer, answers
from support.gate_runs import policy, rule
from support.judge_server import judge_server

from rmaudit.checklists.sets import load_set

Cli = Callable[..., Done]
SET = "synth:3:60:slogan"
ITEMS = load_set(SET).items


@pytest.mark.slow
def test_both_are_asked_for_the_prefix_only(cli: Cli) -> None:
    """A policy that does not allow the builtin judge; the judge dies once, and a resume goes on."""
    rules = policy(rule("rc", 0.1), rule("accuracy", 0.2, min_n=40), builtin=False)
    with FaultServer(answers(ITEMS)) as target, judge_server() as judge:
        judge.die_after = 30
        call = (
            *("scan", target.target, "--judge", judge.target, "--set", SET, "--out", "run"),
            *("--policy", rules, "--until-decided", "--json"),
            *("--request-retries", "0", "--concurrency", "2"),
        )
        assert cli(*call).code == 1
        judge.start()
        done = cli(*call, "--resume")
        assert done.code == 0, done.err
        asked = sum(target.answered.values())
    told = json.loads(done.out)
    assert told["gate"]["verdict"] == "PASS"
    assert told["sequential"]["items_used"] == 40
    assert asked <= 84  # with two calls at a time few were on their way when the judge died
    rows = [json.loads(line) for line in Path("run/matches.jsonl").read_text().splitlines()]
    assert len({(row["item"], row["order"]) for row in rows}) == len(rows) == 80
