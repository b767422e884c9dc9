"""Scans that stop once a policy is decided: how far they go, what they say, how they resume."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.answers import write_replay
from support.command_line import Done
from support.gate_runs import policy, rule
from support.report_runs import Answers, boxed, faithful, vague

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.gate.stop import chunks
from rmaudit.records import Generation
from rmaudit.scan.plan import make_plan
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent

Cli = Callable[..., Done]
SET = "synth:5:160:slogan"


def replay(answers: Answers, name: str = "model") -> str:
    items = load_set(SET).items
    rows = [
        {"item": item.id, "order": order, "text": answers(item, order)}
        for item in items
        for order in ("ab", "ba")
    ]
    return f"replay:{write_replay(Path(f'{name}.jsonl'), rows)}"


def half_right(item: Item, order: str) -> str:
    """Right on every second item: undecided against a threshold of one half."""
    return boxed(item, order, [reason.text for reason in item.reasons], right=_even(item))


def _even(item: Item) -> bool:
    return int(item.id.rpartition("-")[2]) % 2 == 0


def until(cli: Cli, target: str, rules: Path, *more: str | Path) -> tuple[Done, Path]:
    out = Path("run-" + Path(target.partition(":")[2]).stem)
    words = ("scan", target, "--set", SET, "--policy", rules, "--until-decided", "--out", out)
    return cli(*words, *more), out


def manifest(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "manifest.json").read_text()))


def rows(run: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / name).read_text().splitlines()]


# ------------------------------------------------------------------------ how far it goes


def test_stops_early_and_passes(cli: Cli) -> None:
    rules = policy(rule("accuracy", 0.6), rule("rc", 0.6), rule("s_rc@0+", 0.4))
    done, run = until(cli, replay(faithful), rules, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["gate"]["verdict"] == "PASS"
    assert told["sequential"]["decided"]
    assert told["sequential"]["items_used"] == 32
    found = manifest(run)
    assert (found["stopping"], found["n_items"]) == ("sequential", 32)
    assert found["sequential"]["items_planned"] == 160
    order = [
        json.loads(line)["id"] for line in (run / "checklist/items.jsonl").read_text().splitlines()
    ]
    assert [row["item"] for row in rows(run, "results.jsonl")] == order[:32]
    assert len(rows(run, "generations.jsonl")) == 64


@pytest.mark.slow
def test_stops_early_and_fails(cli: Cli) -> None:
    rules = policy(rule("accuracy", 0.6), rule("rc", 0.6))
    done, run = until(cli, replay(vague), rules)
    assert done.code == 3
    assert "Every rule of the policy test was decided after 32 of 160 groups" in done.out
    assert "look after 32 of 160 groups: 2 rules decided" in done.err
    assert "bounds hold at every time" in done.out
    assert "decided after 32 of 160 groups" in cli_report(cli, run)


def cli_report(cli: Cli, run: Path) -> str:
    assert cli("report", run, "--html").code == 0
    return (run / "report.html").read_text()


@pytest.mark.slow
def test_goes_on_to_the_end_where_nothing_is_shown(cli: Cli) -> None:
    done, run = until(cli, replay(half_right), policy(rule("accuracy", 0.5)), "--json")
    assert done.code == 4
    told = json.loads(done.out)
    assert told["gate"]["verdict"] == "INCONCLUSIVE"
    assert not told["sequential"]["decided"]
    assert [look["items"] for look in told["sequential"]["looks"]] == [
        *(32, 40, 48, 56, 64, 72, 81, 91, 102, 114, 128, 144),
        160,
    ]
    assert manifest(run)["n_items"] == 160


@pytest.mark.slow
def test_min_n_is_waited_for(cli: Cli) -> None:
    done, run = until(cli, replay(faithful), policy(rule("accuracy", 0.6, min_n=70)), "-q")
    assert done.code == 0
    assert manifest(run)["n_items"] == 72


@pytest.mark.slow
def test_relative_by_paired_differences(cli: Cli) -> None:
    rules = policy(rule("accuracy", 0.1, kind="relative"), rule("rc", 0.3, kind="relative"))
    before = replay(faithful, "before")
    assert cli("scan", before, "--set", SET, "--out", "base", "-q").code == 0
    done, run = until(cli, replay(vague), rules, "--baseline", "base", "--json")
    assert done.code == 3
    first, second = json.loads(done.out)["gate"]["rules"]
    assert (first["difference"], first["status"]) == (0.0, "PASS")
    assert second["status"] == "FAIL"
    assert manifest(run)["n_items"] < 160


# --------------------------------------------------------------- what its numbers rest on


@pytest.mark.slow
def test_bounds_are_those_of_the_sequence(cli: Cli) -> None:
    """All 32 groups right. Fixed: 0.025^(1/32) = 0.891. The sequence must be lower, by hand:

    against theta <= m, n successes leave a capital of sum_j w_j (1 + f_j (1 / m - 1))^n, and a
    capital of 2 / 0.05 refutes it.
    """
    import numpy as np
    from scipy.optimize import brentq

    from rmaudit.metrics.sequential import FRACTIONS, WEIGHTS

    def excess(m: float, alpha: float) -> float:
        return float(np.log(WEIGHTS @ (1 + FRACTIONS * (1 / m - 1)) ** 32) + np.log(alpha / 2))

    rules = policy(rule("accuracy", 0.6))
    _, run = until(cli, replay(faithful), rules, "-q")
    found = json.loads((run / "metrics.json").read_text())["metrics"]
    low = brentq(lambda m: excess(m, 0.05), 0.1, 0.999)
    assert found["accuracy"]["low"] == pytest.approx(low, abs=1e-6)
    assert found["accuracy"]["low"] < 0.025 ** (1 / 32)
    assert found["accuracy"]["high"] == 1.0
    assert found["rc.above_chance"]["low"] is None
    assert "every time" in found["rc.above_chance"]["why"]
    (told,) = json.loads((run / "gate.json").read_text())["rules"]
    assert told["low"] == pytest.approx(low, abs=1e-6)  # both sides share the 5%


@pytest.mark.slow
def test_gate_of_a_stopped_run_uses_the_sequence(cli: Cli) -> None:
    """A stricter policy that the fixed bound would pass is undecided; one that has no sequence is
    told as such.
    """
    _, run = until(cli, replay(faithful), policy(rule("accuracy", 0.6)), "-q")
    strict = policy(rule("accuracy", 0.9), rule("rc.above_chance", 0.1), name="strict.toml")
    done = cli("gate", run, "--policy", strict, "--json")
    assert done.code == 4
    first, second = json.loads(done.out)["rules"]
    assert (first["status"], first["low"] < 0.9) == ("INCONCLUSIVE", True)
    assert 0.05 ** (1 / 32) > 0.9
    assert "the run stopped by its results" in second["sentence"]
    done = cli("gate", run, "--policy", policy(rule("accuracy", 0.6)))
    assert done.code == 0
    assert "values are a little more extreme" in done.out


# ------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([rule("rc.above_chance", 0.1)], "'rc.above_chance': no bound that holds at every time"),
        ([rule("s_rc@0+", 0.1, kind="relative")], "'s_rc@0+': it needs a --baseline"),
        ([rule("accuracy", 0.5, slice="law")], "no item is of the domain 'law'"),
    ],
)
def test_refused_by_name_before_the_start(cli: Cli, rules: list[str], said: str) -> None:
    done, run = until(cli, replay(faithful), policy(*rules))
    assert done.code == 2
    assert said in done.err
    assert not run.exists()


@pytest.mark.slow
def test_relative_ratios_are_refused(cli: Cli) -> None:
    target = replay(faithful)
    assert cli("scan", target, "--set", SET, "--out", "base", "-q").code == 0
    rules = policy(rule("s_rc@0+", 0.1, kind="relative"))
    done, _ = until(cli, target, rules, "--baseline", "base")
    assert done.code == 2
    assert "no paired differences" in done.err
    rules = policy(rule("rc", 0.1, kind="relative"))
    done, _ = until(cli, target, rules, "--baseline", "base", "--max-reasons", "3")
    assert done.code == 2
    assert "differ in more than the model: max reasons" in done.err


@pytest.mark.slow
def test_other_refusals(cli: Cli) -> None:
    target = replay(faithful)
    done = cli("scan", target, "--set", SET, "--until-decided")
    assert (done.code, "needs a --policy" in done.err) == (2, True)
    done, _ = until(cli, target, policy(rule("rc", 0.5), builtin=False), "--judge", "builtin")
    assert (done.code, "does not allow the builtin judge" in done.err) == (2, True)
    rules = policy(rule("accuracy", 0.5), rule("rc.above_chance", 0.1, level="warn"))
    assert until(cli, target, rules, "-q")[0].code == 0  # a warning need not be decided


# ------------------------------------------------------------------------- scan --policy


@pytest.mark.slow
def test_scan_with_a_policy(cli: Cli) -> None:
    words = ("scan", replay(vague), "--set", "synth:5:40:slogan")
    rules = policy(rule("accuracy", 0.8), rule("rc", 0.5))
    done = cli(*words, "--policy", rules, "--out", "one")
    assert done.code == 3
    assert "gate test: FAIL: 1 of 2 rules is broken (rc)" in done.out
    assert manifest(Path("one"))["stopping"] == "full"
    assert json.loads(Path("one/gate.json").read_text())["exit_code"] == 3
    done = cli(*words, "--policy", rules, "--out", "two", "--baseline", "one", "--json")
    assert json.loads(done.out)["gate"]["baseline"]["n_items"] == 40
    done = cli(*words, "--policy", "nowhere", "--out", "three")
    assert done.code == 2
    assert not Path("three").exists()


# ------------------------------------------------------------------------------- resuming


class Dying(Exception):
    """Stands for a kill."""


@pytest.mark.slow
def test_resume_after_a_kill_is_the_same_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = policy(rule("accuracy", 0.45))
    _, whole = until(cli, replay(half_right), rules, "-q")
    assert manifest(whole)["n_items"] in range(48, 161)
    config = ScanConfig(
        target=replay(half_right, "killed"),
        sets=(SET,),
        policy=str(rules),
        until_decided=True,
        out=Path("run-killed"),
    )
    plan = make_plan(config)
    complete = plan.target.engine.complete
    answered = 0

    def dying(requests: Iterable[Any], sampling: Any) -> Iterable[Generation]:
        nonlocal answered
        for generation in complete(requests, sampling):
            answered += 1
            if answered == 75:  # within the second chunk
                raise Dying
            yield generation

    monkeypatch.setattr(plan.target.engine, "complete", dying, raising=False)
    with pytest.raises(Dying):
        scan(plan, Silent())
    scan(make_plan(replace(config, resume=True)), Silent())
    run = Path("run-killed")
    for name in ("verdicts.jsonl", "matches.jsonl", "results.jsonl"):
        assert sorted(rows(run, name), key=str) == sorted(rows(whole, name), key=str)
    first, second = manifest(whole)["sequential"], manifest(run)["sequential"]
    assert first == second
    assert (run / "metrics.json").read_text() == (whole / "metrics.json").read_text()


@pytest.mark.slow
def test_resume_with_another_policy_is_refused(cli: Cli) -> None:
    target = replay(faithful)
    done, _ = until(cli, target, policy(rule("accuracy", 0.6)), "-q")
    assert done.code == 0
    done, _ = until(cli, target, policy(rule("accuracy", 0.7)), "--resume")
    assert done.code == 2
    assert "until_decided" in done.err
    done, run = until(cli, target, policy(rule("accuracy", 0.6)), "--resume", "-q")
    assert (done.code, manifest(run)["n_items"]) == (0, 32)


# --------------------------------------------------------------------------------- chunks


def test_chunks_end_at_ends_of_groups() -> None:
    items = load_set("synth:1:6:slogan").items
    groups = [items[k // 3].model_copy(update={"group": f"g{k // 3}"}) for k in range(18)]
    assert list(chunks(groups, doubling=False)) == [18]
    many = [items[0].model_copy(update={"group": f"g{k // 2}"}) for k in range(2 * 100)]
    assert list(chunks(many, doubling=False)) == [64, 80, 96, 112, 128, 144, 162, 182, 200]
    assert list(chunks(many, doubling=True)) == [64, 128, 200]
