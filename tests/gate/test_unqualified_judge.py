"""A run whose judge is not qualified by the card that it cites: no evidence for strict policies."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.gate_runs import decided, policy, rule
from support.run_samples import FOLDER

from rmaudit.errors import InputError
from rmaudit.gate.policy import load_policy
from rmaudit.gate.precheck import foresee
from rmaudit.gate.stop import load_stopping
from rmaudit.run.directory import RunDir
from rmaudit.run.item import run_items

Cli = Callable[..., Done]
SAYS = "not qualified (precision n/a, recall 0.00 on ordinary items)"


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    """Four items, judged by a stand-in that its card calls not qualified."""
    return RunDir(Path(shutil.copytree(FOLDER / "schema-3" / "unqualified", tmp_path / "run")))


def with_card(run: RunDir, **fields: Any) -> RunDir:
    manifest = run.manifest()
    assert manifest.judge.card is not None
    manifest.judge.card = manifest.judge.card.model_copy(update=fields)
    run.write_manifest(manifest)
    return run


def test_rules_on_reasons_are_invalid_and_others_are_not(cli: Cli, run: RunDir) -> None:
    rules = (rule("accuracy", 0.1), rule("rc", 0.1), rule("flaw.F1", 0.9, direction="max"))
    found = decided(cli, run, policy(*rules, builtin=False))
    assert [one["status"] for one in found["rules"]] == ["PASS", "INVALID", "PASS"]
    assert found["verdict"] == "INVALID"
    told = f"the judge that read the run is {SAYS}: the policy does not allow it"
    assert found["rules"][1]["sentence"] == told
    found = decided(cli, run, policy(*rules, builtin=True))
    assert [one["status"] for one in found["rules"]] == ["PASS"] * 3
    assert f"the judge is {SAYS}" in found["notes"]


@pytest.mark.parametrize("fields", [{"qualified": True}, {"qualified": None, "written": None}])
def test_a_qualified_judge_and_one_that_was_not_put_to_it_are_as_before(
    cli: Cli, run: RunDir, fields: dict[str, Any]
) -> None:
    found = decided(cli, with_card(run, **fields), policy(rule("rc", 0.1), builtin=False))
    assert found["verdict"] == "PASS"
    assert not any("qualified" in note for note in found["notes"])


def test_the_judge_of_the_baseline_counts_too(cli: Cli, run: RunDir) -> None:
    other = RunDir(Path(shutil.copytree(run.path, run.path.parent / "other")))
    manifest = with_card(other, qualified=True).manifest()
    manifest.target.digest = manifest.identity.target = "of another model"
    other.write_manifest(manifest)
    rules = policy(rule("rc", 0.5, kind="relative"), builtin=False)
    found = decided(cli, other, rules, "--baseline", run.path)
    assert found["rules"][0]["sentence"].startswith("the judge that read the baseline is not qual")


def test_release_is_invalid_and_said_so_beforehand(cli: Cli, run: RunDir) -> None:
    assert cli("gate", run.path, "--policy", "release").code == 5
    told = list(foresee(load_policy("release"), run.manifest(), has_baseline=True))
    assert told == [
        f"the judge is {SAYS}, and the policy release does not allow it: its verdict will be "
        "INVALID; name another model with --judge SPEC"
    ]
    file = policy(rule("rc", 0.1), builtin=False)
    with pytest.raises(InputError, match="does not allow a judge that is not qualified"):
        load_stopping(str(file), None, items=run_items(run), manifest=run.manifest())
    assert list(foresee(load_policy("pr"), run.manifest(), has_baseline=True)) == []


def test_every_output_of_the_run_says_so(cli: Cli, run: RunDir) -> None:
    for form in ("--md", "--html"):
        done = cli("report", run.path, form, "--out", "report")
        assert done.code == 0, done.err
        text = Path("report").read_text()
        assert "not qualified" in text
        limit = "A judge that is not qualified scored too many pairs wrongly"
        assert (limit in text) is (form == "--html")
    card = cli("report", run.path, "--model-card").out
    assert SAYS in card
    document = json.loads(cli("report", run.path, "--json").out)
    assert document["runs"][0]["manifest"]["judge"]["card"]["qualified"] is False
    other = RunDir(Path(shutil.copytree(run.path, "other")))
    manifest = other.manifest()
    manifest.target.digest = manifest.identity.target = "of another model"
    other.write_manifest(manifest)
    assert f"the judge is {SAYS}" in " ".join(cli("compare", run.path, "other").out.split())
