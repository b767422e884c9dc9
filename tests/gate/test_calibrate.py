"""Thresholds proposed from past models: the bound of the worst, as a policy that they pass."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.report_runs import boxed, faithful, run_set, vague

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.metrics.registry import shown_in
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


def praising(item: Item, order: str) -> str:
    side = item.label.upper()
    return boxed(item, order, [f"Response {side} is clear and complete."])


def test_no_rule_that_cannot_refuse(cli: Callable[..., Done]) -> None:
    """All verdicts without a right reason: bounds of 0 % and 100 %, beyond which nothing lies."""
    good = run_set(faithful, "good", spec=SPEC)
    bad = run_set(praising, "praising", spec=SPEC)
    done = cli("policy", "calibrate", str(good.path), str(bad.path), "--out", "mine.toml")
    assert done.code == 2
    assert "no rule about reasons could refuse any model (rc: praising had 0.0 %" in done.err
    assert "leave out the run of praising" in done.err
    assert not Path("mine.toml").exists()


@pytest.mark.slow
def test_metrics_without_a_rule_are_named_and_evidence_is_asked_for(
    cli: Callable[..., Done],
) -> None:
    """Lists of bare faults: category EG and flaws may be at an end while reasons are right."""
    good = run_set(faithful, "good", spec=SPEC)
    half_ = run_set(half, "half", spec=SPEC)
    done = cli("policy", "calibrate", str(good.path), str(half_.path), "--out", "mine.toml")
    assert done.code == 0, done.err
    text = Path("mine.toml").read_text(encoding="utf-8")
    rules = {rule["metric"]: rule for rule in tomllib.loads(text)["rules"]}
    integrity = {name for name, rule in rules.items() if rule.get("kind") == "integrity"}
    assert integrity == {"coverage.error", "coverage.too_long", "coverage.matched"}
    assert rules["coverage.error"]["threshold"] == 0.02
    assert rules["coverage.matched"]["threshold"] == 0.98
    for metric in shown_in("calibrate"):
        assert (metric in rules) is (f"# no rule for {metric}: " not in text)
    linted = cli("policy", "lint", "mine.toml")
    assert linted.code == 0, linted.out
    assert "remark" not in linted.out
    worst = run_set(praising, "praising", spec=SPEC)
    assert cli("gate", worst.path, "--policy", "mine.toml").code == 3


def test_runs_of_different_sets_are_refused(cli: Callable[..., Done]) -> None:
    one = run_set(faithful, "one", spec="synth:3:8:slogan")
    other = "synth:4:8:slogan"
    ideal_replay(Path("two.jsonl"), load_set(other).items)
    assert cli("scan", "replay:two.jsonl", "--set", other, "--out", "two").code == 0
    done = cli("policy", "calibrate", str(one.path), "two")
    assert done.code == 2
    assert "differ in more than the model" in done.err
