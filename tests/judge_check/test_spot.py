"""A person's spot check: the sheet is blind and safe, its scores correct rc, bad ones are named."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import answer
from support.command_line import Done
from support.report_runs import run_set

from rmaudit.checklists.schema import Item
from rmaudit.judge_check.sheet import COLUMNS, safe_cell

Cli = Callable[..., Done]
SPEC = "synth:3:12:slogan"


def reasons_of(item: Item) -> list[str]:
    """The first reference, a hostile reason, and nothing else."""
    return [item.reasons[0].text, '=HYPERLINK("http://x";"Response A")', "Response A is weak."]


def weak(item: Item, order: str) -> str:
    return answer(reasons_of(item), "A>B")


@pytest.fixture
def run() -> Path:
    return run_set(weak, spec=SPEC, orders="ab").path.rename("run").absolute()


def sheet(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def fill(path: Path, score: Callable[[dict[str, Any]], object]) -> None:
    """Scores every pair of the sheet, from what its key says."""
    key = json.loads(path.with_name(f"{path.name}.key.json").read_text())["pairs"]
    rows = [{**row, "score": score(key[row["pair"]])} for row in sheet(path)]
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue())


def metric(run: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((run / "metrics.json").read_text())["metrics"][name])


def test_the_sheet_is_blind_and_no_spreadsheet_runs_it(cli: Cli, run: Path) -> None:
    done = cli("judge", "check", "--export", "s.csv", "--from", run, "--n", "40")
    assert done.code == 0, done.err
    rows = sheet(Path("s.csv"))
    assert tuple(rows[0]) == COLUMNS
    assert 40 <= len(rows) < 40 + 7 * 3
    assert {row["score"] for row in rows} == {""}
    cells = [cell for row in rows for cell in row.values() if cell]
    assert not [cell for cell in cells if cell.lstrip()[0] in "=+-@"]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    key = json.loads(Path("s.csv.key.json").read_text())
    assert {pair["judge"] for pair in key["pairs"].values()} >= {0.0, 1.0}
    # One answer of each item before a second of any, and whole answers only.
    assert cli("judge", "check", "--export", "s.csv", "--from", run).code == 2
    assert cli("judge", "check", "--export", "t.jsonl", "--from", run, "--n", "40").code == 0
    lines = [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]
    assert [line["pair"] for line in lines] == [row["pair"] for row in rows]
    assert {line["score"] for line in lines} == {None}


def test_scores_of_a_person_correct_rc(cli: Cli, run: Path) -> None:
    """The judge gives 1 for the copied reference; the person gives .5 there, and 0 elsewhere.

    Every answer is checked, so that rc.corrected is the person's rc: half of the judge's.
    """
    before = metric(run, "rc")
    assert cli("judge", "check", "--export", "s.csv", "--from", run, "--n", "999").code == 0
    fill(Path("s.csv"), lambda pair: 0.5 if pair["judge"] == 1.0 else "0")
    done = cli("judge", "check", "--import", "s.csv", "--from", run, "--json")
    assert done.code == 0, done.err
    spot = json.loads(done.out)
    assert spot["answers"] == 12
    assert spot["rc"]["bias"] == pytest.approx(before["value"] / 2)
    assert spot["pairs"]["precision"] == spot["pairs"]["recall"] == 1.0
    assert metric(run, "rc") == before
    corrected = metric(run, "rc.corrected")
    assert corrected["value"] == pytest.approx(before["value"] / 2)
    assert corrected["low"] < corrected["value"] < corrected["high"]
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["judge"]["spot_check"]["pairs"]["kappa"] == spot["pairs"]["kappa"]
    matches = (run / "matches.jsonl").read_bytes()
    assert b'"human_matrix"' in matches
    import hashlib

    assert manifest["row_hashes"]["matches.jsonl"] == hashlib.sha256(matches).hexdigest()
    assert "rc.corrected" in cli("judge", "check", "--import", "s.csv", "--from", run).out


def test_answers_without_all_scores_are_left_out_and_counted(cli: Cli, run: Path) -> None:
    assert cli("judge", "check", "--export", "s.csv", "--from", run, "--n", "999").code == 0
    first = json.loads(Path("s.csv.key.json").read_text())["pairs"]["p0001"]["item"]
    fill(Path("s.csv"), lambda pair: "" if pair["item"] == first else "1,0")
    spot = json.loads(cli("judge", "check", "--import", "s.csv", "--from", run, "--json").out)
    assert (spot["answers"], spot["incomplete"]) == (11, 1)
    assert metric(run, "rc.corrected")["value"] > 0.6


@pytest.mark.parametrize(
    ("score", "told"),
    [("0.3", "line 2, field score: '0.3'"), ("good", "'good'"), ("", "no answer with a score")],
)
def test_bad_scores_are_named(cli: Cli, run: Path, score: str, told: str) -> None:
    assert cli("judge", "check", "--export", "s.csv", "--from", run).code == 0
    fill(Path("s.csv"), lambda pair: score)
    done = cli("judge", "check", "--import", "s.csv", "--from", run)
    assert done.code == 2
    assert told in done.err


def test_a_sheet_of_another_run_is_refused(cli: Cli, run: Path) -> None:
    assert cli("judge", "check", "--export", "s.csv", "--from", run).code == 0
    fill(Path("s.csv"), lambda pair: "1")
    scan = ("scan", "replay:model.jsonl", "--set", SPEC, "--orders", "ab", "--out")
    assert cli(*scan, "other", "--seed", "5", "--limit", "6").code == 0
    done = cli("judge", "check", "--import", "s.csv", "--from", "other")
    assert done.code == 2
    assert "made for other judge answers" in done.err
    Path("s.csv.key.json").unlink()
    assert "key file" in cli("judge", "check", "--import", "s.csv", "--from", run).err


@settings(deadline=None)
@given(st.text(max_size=20))
def test_no_cell_is_a_formula(text: str) -> None:
    cell = safe_cell(text)
    assert not cell.strip("\t\r\n \u00a0")[:1] or cell[0] not in "=+-@\t\r\n＝＋－＠"
    assert cell.removeprefix("'").strip("'") == safe_cell(cell.removeprefix("'")).strip("'")
