"""The report as Markdown, JSON and model card: the same numbers, and no text marks anything up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.decisions import HOSTILE
from support.report_runs import faithful, run_items, run_set, slogans, vague

from rmaudit.report.text import as_json, markdown, model_card
from rmaudit.report.view import report_view
from rmaudit.run.directory import METRICS, RunDir

pytestmark = pytest.mark.usefixtures("in_tmp_path")


@pytest.fixture
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_markdown_holds_the_deciding_rows() -> None:
    run = run_set(vague)
    text = markdown(report_view([run], baseline=run_set(faithful, "before"), with_text=False))
    assert text.startswith("## ○ Not gated: model `")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert "Rationale consistency | 0.0 %" in text
    assert len({row.replace("\\|", "").count("|") for row in rows}) == 1
    assert "vs before" in rows[0]


def test_no_text_of_the_data_marks_up_markdown() -> None:
    items = [item.model_copy(update={"domain": HOSTILE}) for item in slogans(6)]
    text = markdown(report_view([run_items(vague, items, "model `x` <b>")], with_text=False))
    assert "<b>" not in text
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(", text)


def test_json_is_what_the_run_holds() -> None:
    run = run_set(faithful)
    told = json.loads(as_json(report_view([run], with_text=False), [run]))
    (one,) = told["runs"]
    assert one["metrics"] == run.read_json(METRICS)["metrics"]
    assert one["gate"] is None
    assert one["manifest"]["status"] == "finished"


def test_model_card_is_metadata_that_no_name_breaks(tmp_path: Path) -> None:
    run = run_items(faithful, slogans(6), "a name: [x]")
    text = model_card(RunDir.open(run.path))
    head, body, end = text.split("---\n")
    assert (head, end) == ("", "")
    (entry,) = json.loads(body.removeprefix("model-index: "))
    assert entry["name"] == "a name: [x]"
    values = {one["type"]: one["value"] for one in entry["results"][0]["metrics"]}
    assert values["rc"] == 1.0
    assert values["accuracy"] == 1.0
