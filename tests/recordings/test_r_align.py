"""R-Align's files of judgments as a target, worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.recorded_files import metrics, rows

Cli = Callable[..., Done]


def judged(k: int, label: str, answer: str | None, pred: str | None, said: str) -> dict[str, Any]:
    return {
        "id": f"g{k}", "source": {"subset": "own"},
        "conversations": [{"role": "user", "content": f"Name a prime above {k}."}],
        "response_A": f"{k + 4} is one.", "response_B": f"{k + 7} is one.",
        "gt_label": label, "gt_judgment": f"Assistant B gives {k + 7}. \\boxed{{{label}}}",
        "meta": {"model_name": "lab/tiny"}, "model_judgment": answer, "model_pred": pred,
        "metarm_verdict": said,
    }  # fmt: skip


def test_judgments_are_read_and_the_file_s_own_scores_kept(cli: Cli, tmp_path: Path) -> None:
    """Labels B A B A; answers B, A, A and none: 2 of 3 answered are right, 2 of 4 rows.

    The file: C 1, I 1, no failure: L-Acc 2/4, S-Corr 1/2, F-Score 1/4.
    """
    lines = [
        judged(0, "B", "- Assistant A gives 4, which is even.\n\\boxed{B}", "B", "Correct"),
        judged(1, "A", "- Assistant B gives 8, which is even.\n\\boxed{A}", "A", "Incorrect"),
        judged(2, "B", "- Assistant B is longer.\n\\boxed{A}", "A", "SkippedLabelMismatch"),
        judged(3, "A", None, None, "SkippedLabelMismatch"),
    ]
    Path("out.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = cli("scan", "replay:out.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(2 / 3)
    assert found["accuracy"]["n_excluded"] == 1
    verdicts = {row["item"]: row for row in rows(tmp_path / "run" / "verdicts.jsonl")}
    reason = verdicts["own/g0"]["reasons"][0]
    assert reason["about"] == "a"
    told = json.loads((tmp_path / "run" / "manifest.json").read_text())["target"]
    scores = {name: found[f"compat.r_align.{name}"]["value"] for name in ("l_acc", "s_corr")}
    assert scores == {"l_acc": 0.5, "s_corr": 0.5}
    assert found["compat.r_align.f_score"]["value"] == 0.25
    # Ours leave the row without an answer out: 2 of 3 right, 1 of 3 for the gold reasons.
    assert found["l_acc"]["value"] == pytest.approx(2 / 3)
    assert found["f_score"]["value"] == pytest.approx(1 / 3)
    assert found["s_corr"]["value"] == 0.5
    assert told["not_recorded"] == 1
    assert told["name"] == "lab-tiny"


def test_a_prediction_that_is_none_is_named(cli: Cli, tmp_path: Path) -> None:
    line = judged(0, "B", "x", "Response B", "Correct")
    Path("out.jsonl").write_text(json.dumps(line) + "\n")
    done = cli("scan", "replay:out.jsonl", "--out", "run")
    assert done.code == 2
    assert "out.jsonl, line 1, field model_pred: must be A, B or null" in done.err
