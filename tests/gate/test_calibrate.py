"""Thresholds proposed from past models: the bound of the worst, as a policy that they pass."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.report_runs import faithful, run_set, vague

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.run.directory import METRICS


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


SPEC = "synth:3:40:slogan"


def half(item: Item, order: str) -> str | None:
    return faithful(item, order) if item.id[-1] in "02468" else vague(item, order)


@pytest.mark.slow
def test_thresholds_are_bounds_of_the_worst_run(cli: Callable[..., Done]) -> None:
    good, worse = run_set(faithful, "good", spec=SPEC), run_set(half, "worse", spec=SPEC)
    done = cli("policy", "calibrate", str(good.path), str(worse.path), "--out", "mine.toml")
    assert done.code == 0, done.err
    policy = tomllib.loads(Path("mine.toml").read_text(encoding="utf-8"))
    assert policy["allow_builtin_judge"] is True
    assert "Too few runs" in policy["purpose"]
    rules = {rule["metric"]: rule for rule in policy["rules"]}
    rc = worse.read_json(METRICS)["metrics"]["rc"]
    assert rules["rc"]["direction"] == "min"
    assert "worse" in rules["rc"]["why"]
    # One-sided at 95 %, so above the low end of the two-sided interval and below the value.
    assert rc["low"] - 0.01 <= rules["rc"]["threshold"] < rc["value"]
    assert cli("policy", "lint", "mine.toml").code == 0
    gated = cli("gate", str(good.path), "--policy", "mine.toml")
    assert gated.code in (0, 4), gated.out


def test_runs_of_different_sets_are_refused(cli: Callable[..., Done]) -> None:
    one = run_set(faithful, "one", spec="synth:3:8:slogan")
    other = "synth:4:8:slogan"
    ideal_replay(Path("two.jsonl"), load_set(other).items)
    assert cli("scan", "replay:two.jsonl", "--set", other, "--out", "two").code == 0
    done = cli("policy", "calibrate", str(one.path), "two")
    assert done.code == 2
    assert "differ in more than the model" in done.err
