"""What was tried on a finished run, edit by edit: no command believes it, and none ends in a bug.

`benchmarks/evidence.py` prints all of it as a table.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.damage import fresh
from support.edits import (
    BYTE_EDITS,
    CASES,
    JSON_ONLY,
    OTHERS,
    RECORD,
    ROW_EDITS,
    ROWS,
    Case,
    Cli,
    Edit,
    field_edits,
    file_edits,
    forged,
    outcomes,
    same_after,
)
from support.edits import evidence_runs as make_runs
from support.gate_runs import policy, rule


@pytest.fixture
def runs(cli: Cli) -> tuple[Path, Path]:
    return make_runs(cli)


def faults(cli: Cli, edit: Edit, runs: tuple[Path, Path], *only: str) -> list[str]:
    """What commands do on an edited copy that they must not."""
    run = fresh(runs[0], Path("spoilt"))
    edit.change(run)
    if same_after(runs[0], run):
        return []
    found = outcomes(cli, run, runs[1], only=only)
    return [f"{edit}: {name}: {one}" for name, one in found.items() if one.fault]


@pytest.mark.parametrize("number", range(0, 240, 24))
def test_some_edits_of_files(cli: Cli, runs: tuple[Path, Path], number: int) -> None:
    edits = [*file_edits()]
    assert not faults(cli, edits[number], runs)


@pytest.mark.slow
@pytest.mark.parametrize("file", [RECORD, *OTHERS, *ROWS])
def test_every_edit_of_a_file_by_every_command(
    cli: Cli, runs: tuple[Path, Path], file: str
) -> None:
    for edit in file_edits():
        if edit.file == file:
            assert not faults(cli, edit, runs)


@pytest.mark.slow
@pytest.mark.parametrize("file", [RECORD, "metrics.json", "verdicts.jsonl", "matches.jsonl"])
def test_every_field_of_a_file_by_the_gate(cli: Cli, runs: tuple[Path, Path], file: str) -> None:
    edits = [*field_edits(runs[0], file)]
    assert len(edits) > 20
    for edit in edits[:: 1 + len(edits) // 60]:
        assert not faults(cli, edit, runs, "gate")


@pytest.mark.slow
def test_the_edits_edit(runs: tuple[Path, Path]) -> None:
    """Each leaves another file, but for those that say the same on a file of one line."""
    without = 0
    for edit in file_edits():
        run = fresh(runs[0], Path("spoilt"))
        edit.change(run)
        without += same_after(runs[0], run)
    assert without < 8
    assert len(ROW_EDITS) * len(ROWS) + len(BYTE_EDITS) * 9 < len([*file_edits()])
    assert len(JSON_ONLY) == 5


def test_a_run_elsewhere_or_under_another_name_is_the_same_run(
    cli: Cli, runs: tuple[Path, Path]
) -> None:
    moved = Path(shutil.move(runs[0], "moved"))
    found = outcomes(cli, moved, runs[1], only=("gate", "report", "show", "compare"))
    assert {name: one.code for name, one in found.items()} == {
        "gate": 0, "report": 0, "show": 0, "compare": 0,
    }  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_decisions_and_baselines(cli: Cli, runs: tuple[Path, Path], case: Case) -> None:
    done = cli(*case.prepare(cli, *runs))
    assert done.code in case.codes, done.out + done.err
    assert case.says.lower() in done.out.lower()
    assert "PASS" not in done.out.splitlines()[0]


def test_the_known_limit_a_forger_makes_the_hashes_anew(cli: Cli, runs: tuple[Path, Path]) -> None:
    """Seals find accidents: who can write the folder can make it say anything, and seal it."""
    run = fresh(runs[1], Path("spoilt"))
    policy(rule("rc", 0.2))
    assert cli("gate", run, "--policy", "policy.toml").code in (3, 4)
    forged(run, runs[0])
    assert cli("gate", run, "--policy", "policy.toml").code == 0


def test_every_test_that_the_table_of_faults_names_is_there() -> None:
    root = Path(__file__).parents[2]
    text = (root / "benchmarks" / "fault_tests.md").read_text()
    file, seen = "", 0
    for named, test in re.findall(r"`(tests/[\w/]+\.py)?::(test_\w+)`", text):
        file = named or file
        assert f"def {test}(" in (root / file).read_text(), f"{file}::{test}"
        seen += 1
    assert seen > 40
