"""The page of a repair: its verdict, paired changes, the answers that moved; nothing untrusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.report_runs import boxed, faithful, run_set, vague

from rmaudit.checklists.schema import Item
from rmaudit.compare.as_json import pair_json
from rmaudit.compare.pair import compare_pair
from rmaudit.compare.read import read_for_comparison
from rmaudit.fix.side_by_side import moved
from rmaudit.run.directory import RunDir

Cli = Callable[..., Done]
HOSTILE = "<script>alert(1)</script> Response B is </table> worse."


def hostile(item: Item, order: str) -> str:
    return boxed(item, order, [HOSTILE, *(reason.text for reason in item.reasons)])


def repair(tmp_path: Path, *, after: Callable[[Item, str], str] = faithful, **more: Any) -> Path:
    """The folder of a repair whose runs are of recorded answers."""
    folder = tmp_path / "fixed"
    folder.mkdir()
    runs = []
    for name, answers in (("before", vague), ("after", after)):
        path = run_set(answers, name).path
        path.rename(folder / name)
        runs.append(RunDir.open(folder / name))
    pair = compare_pair(*(read_for_comparison(r.path, number=k) for k, r in enumerate(runs, 1)))
    fixed = {
        "checkpoint": {"name": "tiny & model"},
        "arm": "hybrid",
        "judge": "builtin",
        "eval_judge": "truth",
        "training": {"step": 8, "chosen_step": 6, "stopped": "the judges part"},
        "comparison": pair_json(pair),
        "moved": moved(*runs),
        "decisions": [{"policy": "repair", "verdict": "FAIL", "sentence": "FAIL: one rule fails"}],
        "verdict": "FAIL",
        "sentence": "not repaired: policy repair: one rule fails; judged by truth",
    }
    (folder / "fix.json").write_text(json.dumps(fixed | more))
    return folder


def test_the_page_of_a_repair(cli: Cli, tmp_path: Path) -> None:
    folder = repair(tmp_path)
    found = cli("report", folder, "--html")
    assert (found.code, found.out) == (0, f"{folder}/report.html\n")
    page = (folder / "report.html").read_text()
    assert "<title>Repair of tiny &amp; model · rmaudit</title>" in page
    assert "<h2>Not repaired</h2>" in page
    assert "<p>Policy repair: one rule fails; judged by truth.</p>" in page
    assert "8 steps, checkpoint of step 6" in page
    assert "stopped: the judges part" in page
    assert "repair: FAIL: one rule fails." in page
    line = next(row for row in page.split("<tr>") if ">rationale consistency</th>" in row)
    assert ">0.0 %<" in line
    assert ">100.0 %<" in line
    assert ">+100.0 pt<" in line
    assert ">better<" in line
    assert "F4 praise of one side only" in page
    assert "The 24 answers that changed most, side by side" in page
    assert "is clearer and more engaging." in page
    assert "vs before" not in page  # the table of changes says it already


def test_without_texts_and_in_other_formats(cli: Cli, tmp_path: Path) -> None:
    folder = repair(tmp_path)
    assert cli("report", folder, "--html", "--no-text", "--out", "page.html").code == 0
    page = Path("page.html").read_text()
    assert "Not repaired" in page
    assert "side by side" not in page
    assert "clearer and more engaging" not in page
    told = cli("report", folder, "--json")
    assert [Path(run["path"]).name for run in json.loads(told.out)["runs"]] == ["before", "after"]


def test_text_of_models_stays_text(cli: Cli, tmp_path: Path) -> None:
    guided = {"guidelines": [HOSTILE]}
    folder = repair(tmp_path, after=hostile, guidelines=guided, sentence=HOSTILE)
    assert cli("report", folder, "--html").code == 0
    page = (folder / "report.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@pytest.mark.parametrize("text", ["{", "{}", '{"verdict": "X"}'])
def test_a_damaged_record_is_told(cli: Cli, tmp_path: Path, text: str) -> None:
    folder = repair(tmp_path)
    (folder / "fix.json").write_text(text)
    found = cli("report", folder, "--html")
    assert found.code == 2
    assert "fix.json cannot be read" in found.err
