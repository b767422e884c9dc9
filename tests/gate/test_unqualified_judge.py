"""A run whose judge is not qualified by the card that it cites: no evidence for strict policies."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
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
from rmaudit.run.graders import JudgeFacts
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
    unmeasured = fields["qualified"] is None
    assert ("the judge is not measured" in found["notes"]) is unmeasured
    assert found["run"]["judge_standing"] == ("not measured" if unmeasured else "")


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


@pytest.mark.parametrize(
    ("fields", "says", "limit"),
    [
        ({}, SAYS, "A judge that is not qualified scored too many pairs wrongly"),
        ({"qualified": None, "written": None}, "not measured", "was never put to ordinary items"),
        (None, "not measured", "was never put to ordinary items"),
    ],
)
def test_every_output_of_the_run_says_so(
    cli: Cli, run: RunDir, fields: dict[str, Any] | None, says: str, limit: str
) -> None:
    if fields is None:  # no card at all
        manifest = run.manifest()
        manifest.judge.card = None
        run.write_manifest(manifest)
    else:
        with_card(run, **fields)
    for form in ("--md", "--html"):
        done = cli("report", run.path, form, "--out", "report")
        assert done.code == 0, done.err
        text = Path("report").read_text()
        assert says.partition(" (")[0] in text
        assert (limit in text) is (form == "--html")
    assert says in cli("report", run.path, "--model-card").out
    document = json.loads(cli("report", run.path, "--json").out)
    assert document["runs"][0]["judge_standing"] == says
    other = RunDir(Path(shutil.copytree(run.path, "other")))
    manifest = other.manifest()
    manifest.target.digest = manifest.identity.target = "of another model"
    other.write_manifest(manifest)
    assert f"the judge is {says}" in " ".join(cli("compare", run.path, "other").out.split())


@pytest.mark.parametrize("name", ["release", "pr"])
def test_every_rendering_of_the_gate_says_so(cli: Cli, run: RunDir, name: str) -> None:
    """Of a policy that allows it as well: the sentence of the verdict carries it everywhere."""
    files = ("--junit", "gate.xml", "--sarif", "gate.sarif")
    done = cli("gate", run.path, "--policy", name, *files)
    assert done.code == (5 if name == "release" else 4)
    assert SAYS in " ".join(done.out.split())
    assert SAYS in cli("gate", run.path, "--policy", name, "-q").out
    found = json.loads(cli("gate", run.path, "--policy", name, "--json").out)
    assert found["run"]["judge_standing"] == SAYS
    assert found["sentence"].endswith(f"; the judge is {SAYS}")
    properties = {
        one.get("name"): one.get("value") for one in ET.parse("gate.xml").iter("property")
    }
    assert properties["judge_standing"] == SAYS
    (sarif,) = json.loads(Path("gate.sarif").read_text())["runs"]
    assert sarif["properties"]["judgeStanding"] == SAYS
    manifest = run.manifest()
    manifest.judge.card = None
    run.write_manifest(manifest)
    cli("gate", run.path, "--policy", name, *files)
    notes = ET.parse("gate.xml").find("testsuite/system-out")
    assert notes is not None
    assert "the judge is not measured" in (notes.text or "").splitlines()
    (sarif,) = json.loads(Path("gate.sarif").read_text())["runs"]
    said = sarif["invocations"][0]["toolExecutionNotifications"]
    assert {"level": "note", "message": {"text": "the judge is not measured"}} in said


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"spec": "truth"}, "truth"),
        ({"spec": "builtin", "approximate": True}, "builtin, approximate"),
        ({"spec": "openai:m"}, "openai:m, not measured"),
        ({"spec": "replay:matches.jsonl"}, "replay:matches.jsonl, not measured"),
    ],
)
def test_a_judge_is_called_by_what_is_known_of_it(facts: dict[str, Any], named: str) -> None:
    assert JudgeFacts(**facts).named == named
