"""A policy may refuse a run whose model was not seen to be complete."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.gate_runs import decided, policy, rule
from support.run_samples import FOLDER

from rmaudit.gate.policy import load_policy
from rmaudit.gate.precheck import foresee
from rmaudit.run.directory import RunDir

Cli = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir(Path(shutil.copytree(FOLDER / "schema-3" / "unqualified", tmp_path / "run")))


def with_weights(run: RunDir, weights: str) -> RunDir:
    manifest = run.manifest()
    manifest.target = manifest.target.adding({"weights": weights})
    run.write_manifest(manifest)
    return run


def strict() -> Path:
    file = policy(rule("accuracy", 0.1))
    file.write_text("require_complete_weights = true\n" + file.read_text())
    return file


@pytest.mark.parametrize("weights", ["", "completeness not checked: quantised weights (awq)"])
def test_weights_that_nobody_checked_are_no_evidence_where_a_policy_says_so(
    cli: Cli, run: RunDir, weights: str
) -> None:
    if weights:
        with_weights(run, weights)
    assert decided(cli, run, policy(rule("accuracy", 0.1)))["verdict"] == "PASS"
    found = decided(cli, run, strict())
    assert found["verdict"] == "INVALID"
    said = found["rules"][0]["sentence"]
    assert (weights or "not seen by this scan") in said
    assert "the policy requires complete weights" in said
    (warned,) = foresee(load_policy(str(strict())), run.manifest(), has_baseline=True)
    assert "requires complete weights: its verdict will be INVALID" in warned


def test_complete_weights_pass(cli: Cli, run: RunDir) -> None:
    with_weights(run, "complete")
    assert decided(cli, run, strict())["verdict"] == "PASS"
    assert not list(foresee(load_policy(str(strict())), run.manifest(), has_baseline=True))
