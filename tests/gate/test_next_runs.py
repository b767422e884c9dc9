"""Each command that a decision prints runs as printed, whatever options its run was made with."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from support.answers import write_replay
from support.fault_server import FaultServer
from support.gate_runs import Cli, decided, policy, rule
from support.report_runs import vague

from rmaudit.checklists.sets import load_set
from rmaudit.run.directory import RunDir

SET = "synth:5:40:slogan"


def score(prompt: str) -> str:
    """The longer response gets more; the same text always gets the same."""
    return f"1. Response A is {len(prompt)} letters long.\n\\boxed{{{len(prompt) % 7 + 1}}}"


def run_all(cli: Cli, found: dict[str, object], model: str = "") -> list[str]:
    """Runs the printed commands in their order, with the model in use filled in."""
    told = found["next"]
    assert isinstance(told, list)
    commands = [one["command"] for one in told if one["command"]]
    assert commands
    for command in commands:
        words = [model if word == "MODEL_IN_USE" else word for word in shlex.split(command)]
        done = cli(*words[1:])
        assert done.code in (0, 3, 4), (command, done.err)
    return commands


def test_a_model_that_is_asked_by_a_named_profile(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More items of the run, under the keys that its target and its judge need."""
    monkeypatch.setenv("OWN_KEY", "k")
    with FaultServer(score) as server:
        done = cli("scan", server.target, "--set", SET, "--profile", "generic-pointwise",
                   "--limit", "10", "--target-key-env", "OWN_KEY", "--out", "run",
                   "--judge", "builtin")  # fmt: skip
        assert done.code == 0, done.err
        found = decided(cli, RunDir(Path("run")), policy(rule("accuracy", 0.01, min_n=15)))
        commands = run_all(cli, found)
    asked = "--profile generic-pointwise --target-key-env OWN_KEY"
    assert commands[0].startswith(f"rmaudit scan {server.target} {asked} --set {SET}")
    assert json.loads(Path("more/manifest.json").read_text())["profile"] == "generic-pointwise"
    assert json.loads(Path("more/gate.json").read_text())["rules"][0]["n"] == 15


def test_recorded_halves_and_their_baseline(cli: Cli) -> None:
    """Answers about single responses are read by their profile alone, the baseline's as well."""
    with FaultServer(score) as server:
        common = ("--set", SET, "--profile", "generic-pointwise", "--judge", "builtin")
        assert cli("scan", server.target, *common, "--out", "first").code == 0
    for name in ("one", "two"):
        Path(f"{name}.jsonl").write_bytes(Path("first/generations.jsonl").read_bytes())
    done = cli("scan", "replay:one.jsonl", *common, "--out", "run")
    assert done.code == 0, done.err
    found = decided(cli, RunDir(Path("run")), policy(rule("accuracy", 0.03, kind="relative")))
    commands = run_all(cli, found, "replay:two.jsonl")
    assert any("scan MODEL_IN_USE --profile generic-pointwise" in one for one in commands)


def test_samples_of_a_model_in_use_are_drawn(cli: Cli) -> None:
    """Two recorded samples need no temperature, those of a model that is asked do."""
    items = load_set(SET).items
    rows = [
        {"item": item.id, "order": order, "sample": sample, "text": vague(item, order)}
        for item in items
        for order in ("ab", "ba")
        for sample in (0, 1)
    ]
    write_replay(Path("two.jsonl"), rows)
    done = cli("scan", "replay:two.jsonl", "--set", SET, "--judge", "builtin",
               "--samples", "2", "--out", "run")  # fmt: skip
    assert done.code == 0, done.err
    found = decided(cli, RunDir(Path("run")), policy(rule("rc", 0.03, kind="relative")))
    with FaultServer(lambda prompt: "1. Response A is clearer.\n\\boxed{A>B}") as server:
        commands = run_all(cli, found, server.target)
    assert "--samples 2 --judge builtin --temperature 0.7" in commands[0]
