"""One check of a run for all commands: what was changed, contradicts itself, is not sealed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.gate_runs import decided, edit, policy, rule
from support.report_runs import faithful, run_set, vague
from support.run_samples import FOLDER

from rmaudit.errors import RmauditError
from rmaudit.gate.record import recorded_decision
from rmaudit.run.directory import RunDir
from rmaudit.run.files import MATCHES, VERDICTS
from rmaudit.run.integrity import check, check_before_seal
from rmaudit.run.seal import sealed

Cli = Callable[..., Done]
Spoil = Callable[[Path], object]
SPEC = "synth:3:6:slogan"
ITEM = "slogan-3-00000"
OLD = FOLDER / "schema-2" / "lists"
"""A run of a schema that left no seal."""


def manifest_with(**values: Any) -> Spoil:
    """Fields of manifest.json replaced, as an editor would; None takes one out."""

    def spoil(run: Path) -> None:
        data = json.loads((run / "manifest.json").read_text())
        for name, value in values.items():
            inner, last = data, name.split("__")
            for key in last[:-1]:
                inner = inner[key]
            if value is None:
                del inner[last[-1]]
            else:
                inner[last[-1]] = value
        (run / "manifest.json").write_text(json.dumps(data))

    return spoil


def rows_twice(name: str) -> Spoil:
    def spoil(run: Path) -> None:
        lines = (run / name).read_text().splitlines(keepends=True)
        (run / name).write_text("".join([*lines, lines[0]]))

    return spoil


EDITS: dict[str, Spoil] = {
    "rows": lambda run: edit(run / "verdicts.jsonl", '"verdict": "a"', '"verdict": "b"'),
    "accuracy": lambda run: edit(run / "metrics.json", '"value": 1.0', '"value": 0.1'),
    "interval": lambda run: edit(run / "metrics.json", '"low": ', '"low": 0.0, "was": '),
    "n": lambda run: edit(run / "metrics.json", '"n": 6', '"n": 600'),
    "card": lambda run: edit(run / "checklist/card.toml", 'name = "', 'name = "x'),
    "prompt": lambda run: next((run / "prompts").iterdir()).write_text("Say A."),
    "prompt added": lambda run: (run / "prompts" / "x.j2").write_text("Say A."),
    "reference_visible": manifest_with(reference_visible="no"),
    "no items_sha256": manifest_with(items_sha256=None),
    "exact judge": manifest_with(judge__approximate=False),
    "no approximate": manifest_with(judge__approximate=None),
    "target": manifest_with(target__name="another"),
    "no seal": manifest_with(seal=None),
    "no row hashes": manifest_with(row_hashes=None),
}
"""Edits of a sealed run: each is found by a hash."""


@pytest.mark.parametrize("name", EDITS)
def test_a_changed_run_is_called_so_first_by_all_and_never_passes(cli: Cli, name: str) -> None:
    run = run_set(faithful, spec=SPEC).path
    other = run_set(vague, "other", spec=SPEC).path
    assert check(RunDir(run)).word == ""
    EDITS[name](run)
    found = check(RunDir(run))
    assert found.word in ("changed", "contradictory")
    assert any("since the run ended" in what for what in found.problems)
    told = f"{found.word.upper()} RUN {run}: "
    done = cli("gate", run, "--policy", policy(rule("accuracy", 0.1)))
    assert done.code == 5, done.out
    assert done.out.splitlines()[0].startswith(told)
    assert cli("show", run, ITEM).out.splitlines()[0].startswith(told)
    assert cli("compare", other, run).out.splitlines()[0].startswith(told)
    assert cli("report", run, "--html").out.splitlines()[0].startswith(told)
    page = (run / "report.html").read_text()
    assert f"{found.word.capitalize()} run" in page
    word = f"## ✕ {found.word.capitalize()} run: "
    assert cli("report", run, "--md").out.splitlines()[0].startswith(word)
    report = json.loads(cli("report", run, "--json").out)
    assert report["runs"][0]["integrity"]["state"] == found.word
    for command in (
        ("merge-runs", run, other, "--out", "merged"),
        ("report", run, "--model-card"),
        ("fix", run, "--train", "synth:4:4"),
    ):
        done = cli(*command)
        assert done.code == 2
        assert done.err.splitlines()[0].startswith(f"error: {told}")
    assert not Path("merged").exists()


CONTRADICTIONS: dict[str, tuple[Spoil, str]] = {
    "visible": (manifest_with(reference_visible=True), "the model saw the references"),
    "orders": (manifest_with(orders=["ab"]), "a row that was not asked for"),
    "orders asked": (manifest_with(identity__orders="ab"), "but ab was asked for"),
    "max_reasons": (manifest_with(max_reasons=9), "max_reasons is 9, but 5 was asked for"),
    "rm_type": (manifest_with(rm_type="score"), "rm_type is score, and generations.jsonl is there"),
    "identity": (manifest_with(identity={}), "identity has no target"),
    "judge": (manifest_with(judge__spec="openai:m@http://x"), "but truth was asked for"),
    "samples": (manifest_with(samples=2), "samples is 2, but 1 was asked for"),
    "seed": (manifest_with(seeds__run=7), "the seed is 7, but 0 was asked for"),
    "n_items": (manifest_with(n_items=2), "results.jsonl is of other items than the run"),
    "engine": (manifest_with(engine__name="vllm"), "the engine is vllm, but replay"),
    "stopping": (manifest_with(stopping="sequential"), "an early stop say otherwise"),
    "verdicts": (manifest_with(verdicts="recorded"), "verdicts is recorded, but parsed"),
}
"""Edits of a run without a seal: no hash covers its manifest."""


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_run_that_contradicts_itself(cli: Cli, name: str) -> None:
    spoil, said = CONTRADICTIONS[name]
    run = Path(shutil.copytree(OLD, "run"))
    assert check(RunDir(run)).word == "not sealed"
    spoil(run)
    found = check(RunDir(run))
    assert found.word == "contradictory"
    assert said in "; ".join(found.problems)
    done = cli("gate", run, "--policy", policy(rule("accuracy", 0.1)))
    assert done.code == 5
    assert done.out.startswith(f"CONTRADICTORY RUN {run}: ")


@pytest.mark.parametrize(
    "name", ["generations.jsonl", "verdicts.jsonl", "matches.jsonl", "flaws.jsonl", "results.jsonl"]
)
def test_duplicate_keys_whatever_the_hashes_say(cli: Cli, name: str) -> None:
    run = RunDir(run_set(faithful, spec=SPEC).path)
    rows_twice(name)(run.path)
    run.seal(run.manifest())  # as two writers of one folder did, without a word
    data = run.read_json("manifest.json")
    assert check(run).word == ""  # what a seal covers was checked before it was set
    data["schema_version"] = 3
    run.write_json("manifest.json", {k: v for k, v in data.items() if k != "seal"})
    found = check(run)
    assert found.word == "contradictory"
    assert any(f"{name} has 1 rows more than once" in what for what in found.problems)


def resumed(cli: Cli, run: Path) -> Done:
    """A scan of recorded answers goes on, or looks again at a run that has ended."""
    how = "--set", SPEC, "--judge", "builtin"
    return cli("scan", "replay:model.jsonl", *how, "--out", run, "--resume")


def test_rows_that_contradict_each_other_are_not_resumed_and_get_no_seal(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC).path
    rows = (run / "generations.jsonl").read_bytes()
    doubled = rows + rows.splitlines(keepends=True)[0]
    (run / "generations.jsonl").write_bytes(doubled)
    record = (run / "manifest.json").read_bytes()
    done = resumed(cli, run)
    assert done.code == 2
    assert "cannot be resumed: generations.jsonl has 1 rows more than once" in done.err
    assert (run / "generations.jsonl").read_bytes() == doubled
    assert (run / "manifest.json").read_bytes() == record
    with pytest.raises(RmauditError, match=r"contradicts itself: generations\.jsonl has 1 rows"):
        check_before_seal(RunDir(run), RunDir(run).manifest())


def test_matrices_have_the_shape_of_their_answers() -> None:
    run = RunDir(Path(shutil.copytree(OLD, "run")))
    first, *others = run.rows(MATCHES)
    shorter = first.matches.matrix[:-1]
    run.write_rows(MATCHES, [first._replace(matches=_with(first.matches, shorter)), *others])
    manifest = run.manifest()
    manifest.row_hashes = run.hashes()
    run.write_manifest(manifest)
    assert any("a matrix that is not" in what for what in check(run).problems)


def _with(found: Any, matrix: Any) -> Any:
    import dataclasses

    return dataclasses.replace(found, matrix=matrix, edges=())


def test_resuming_a_changed_run_does_not_make_it_whole(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC).path
    edit(run / "verdicts.jsonl", '"verdict": "a"', '"verdict": "b"')
    done = cli(
        "scan", "replay:model.jsonl", "--set", SPEC, "--judge", "builtin", "--out", run, "--resume"
    )
    assert done.code == 0, done.err
    found = check(RunDir(run))
    assert found.word == "changed"
    assert "when it was resumed, verdicts.jsonl was changed since the run ended" in found.problems
    assert cli("gate", run, "--policy", policy(rule("accuracy", 0.1))).code == 5
    again = cli(
        "scan", "replay:model.jsonl", "--set", SPEC, "--judge", "builtin", "--out", run, "--resume"
    )
    assert again.code == 0
    assert check(RunDir(run)).word == "changed"


def test_an_untouched_run_stays_sound_over_a_resume_and_its_verdicts_are_read(cli: Cli) -> None:
    run = RunDir(run_set(faithful, spec=SPEC).path)
    before = list(run.rows(VERDICTS))
    assert (
        cli(
            "scan",
            "replay:model.jsonl",
            "--set",
            SPEC,
            "--judge",
            "builtin",
            "--out",
            run.path,
            "--resume",
        ).code
        == 0
    )
    assert check(run).word == ""
    assert list(run.rows(VERDICTS)) == before


def test_an_older_run_is_read_and_called_not_sealed(cli: Cli) -> None:
    run = Path(shutil.copytree(OLD, "run"))
    first = cli("show", run, json.loads((run / "results.jsonl").read_text().split("\n")[0])["item"])
    assert first.code == 0
    assert first.out.startswith(f"{run} is not sealed: it was made by an older rmaudit (schema 2)")
    found = decided(cli, RunDir(run), policy(rule("accuracy", 0.1)))
    assert found["exit_code"] == 0
    assert any("older rmaudit" in note for note in found["notes"])
    assert found["run"]["integrity"] == "not sealed"


def test_a_gate_states_whether_the_references_were_visible(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC)
    assert run.manifest().saw_references == "unknown"
    found = decided(cli, run, policy(rule("accuracy", 0.1)))
    assert found["run"]["reference_visible"] == "unknown"
    assert any("whether the model saw the references is not known" in n for n in found["notes"])
    made_here = RunDir(FOLDER / "schema-1" / "answers").manifest()  # by a model, and `false`
    assert made_here.saw_references == "no"
    assert RunDir(OLD).manifest().saw_references == "unknown"  # recorded, and `false`


# ------------------------------------------------------------------------------ decisions


def test_decisions_stand_beside_each_other(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC)
    first = decided(cli, run, policy(rule("accuracy", 0.1)))
    second = decided(cli, run, policy(rule("accuracy", 0.99), name="strict.toml"))
    kept = [json.loads(one.read_text()) for one in sorted((run.path / "decisions").iterdir())]
    assert len(kept) == 2
    assert first in kept
    assert second in kept
    assert json.loads((run.path / "gate.json").read_text()) == second
    name = f"{first['decided_at']}-test"
    assert (run.path / "decisions" / f"{name}.json").is_file()
    assert first["decided_at"][:8] == first["decided"].replace("-", "")
    assert [one["what"] for one in first["read"]] == ["run", "policy"]
    assert check(run).word == ""  # a decision changes nothing that it read


VOID: dict[str, tuple[Spoil, str]] = {
    "verdict": (
        lambda run: edit(run / "gate.json", '"verdict": "FAIL"', '"verdict": "PASS"'),
        "gate.json was edited",
    ),
    "policy": (
        lambda run: edit(Path("policy.toml"), "0.99", "0.9"),
        "the policy was changed since the decision",
    ),
    "baseline": (
        lambda run: edit(Path("run-base/verdicts.jsonl"), '"a"', '"b"'),
        "the baseline was changed since the decision",
    ),
    "run": (
        lambda run: edit(run / "verdicts.jsonl", '"a"', '"b"'),
        "the run is changed",
    ),
    "resealed": (
        lambda run: (
            (run / "metrics.json").write_text((run / "metrics.json").read_text() + "\n")
            and RunDir(run).seal(RunDir(run).manifest())
        ),
        "the run was changed since the decision",
    ),
    "damaged": (lambda run: (run / "gate.json").write_text("{"), "gate.json is damaged"),
    "wrong types": (
        lambda run: (run / "gate.json").write_text('{"rules": 1}'),
        "gate.json is damaged, field",
    ),
}


@pytest.mark.parametrize("name", VOID)
def test_a_decision_is_void_when_what_it_read_has_changed(cli: Cli, name: str) -> None:
    run = run_set(vague, spec=SPEC)
    base = run_set(faithful, "base", spec=SPEC)
    rules = policy(rule("accuracy", 0.99), rule("rc", -0.1, kind="relative"))
    found = decided(cli, run, rules, "--baseline", base.path)
    assert [one["what"] for one in found["read"]] == ["run", "baseline", "policy"]
    assert recorded_decision(run).decision is not None
    spoil, said = VOID[name]
    spoil(run.path)
    recorded = recorded_decision(run)
    assert recorded.decision is None
    assert said in recorded.void
    told = json.loads(cli("report", run.path, "--json").out)["runs"][0]
    assert told["gate"] is None
    assert said in told["gate_void"]
    assert cli("report", run.path, "--html").code == 0
    page = (run.path / "report.html").read_text()
    assert "Decision void" in page or "Changed run" in page


def test_a_policy_that_is_gone_is_said_and_voids_nothing(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC)
    decided(cli, run, policy(rule("accuracy", 0.1)))
    Path("policy.toml").unlink()
    recorded = recorded_decision(run)
    assert recorded.decision is not None
    assert "the policy of the decision is not at" in recorded.notes[0]


def test_a_decision_without_its_seal_holds_nothing(cli: Cli) -> None:
    run = run_set(faithful, spec=SPEC)
    found = decided(cli, run, policy(rule("accuracy", 0.1)))
    forged = sealed({**found, "verdict": "FAIL"})
    run.write_json("gate.json", {k: v for k, v in forged.items() if k != "seal"})
    assert recorded_decision(run).void.startswith("gate.json was edited")
