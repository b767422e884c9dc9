"""Runs of every schema still load, gate and report, and say the numbers that they said."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.run_samples import SAMPLES, name_of

from rmaudit.gate.evidence import read_evidence
from rmaudit.run.directory import METRICS, RunDir

Cli = Callable[..., Done]


@pytest.fixture(params=SAMPLES, ids=name_of)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    shutil.copytree(request.param, tmp_path / "run")
    return tmp_path / "run"


def test_it_is_valid_evidence_and_says_the_same_numbers(run: Path) -> None:
    from rmaudit.metrics.audit import compute_metrics

    found = read_evidence(RunDir.open(run))
    assert found.problems == ()
    assert found.table is not None
    written: dict[str, Any] = json.loads((run / METRICS).read_text())["metrics"]
    measured = compute_metrics(found.table, seed=found.seed)
    for name in ("accuracy", "rc", "order_consistency", "coverage.parsed"):
        assert measured[name].value == written[name]["value"], name


def test_it_is_gated_reported_shown_and_compared(cli: Cli, run: Path) -> None:
    done = cli("gate", run, "--policy", "score-only")
    assert done.code in (3, 4), done.err  # so few items cannot pass
    assert json.loads((run / "gate.json").read_text())["verdict"] != "INVALID"
    for form in ("--json", "--html", "--md"):
        done = cli("report", run, form, "--out", f"report{form}")
        assert done.code == 0, done.err
    told = json.loads(Path("report--json").read_text())
    assert told["runs"][0]["manifest"] == json.loads((run / "manifest.json").read_text())
    item = json.loads((run / "results.jsonl").read_text().splitlines()[0])["item"]
    assert cli("show", run, item).code == 0
    other = RunDir(Path(shutil.copytree(run, "other")))
    manifest = other.manifest()
    manifest.target.digest = manifest.identity.target = "of another model"
    manifest.target.name = "other"
    other.write_manifest(manifest)
    done = cli("compare", run, "other")
    assert done.code == 0, done.err
