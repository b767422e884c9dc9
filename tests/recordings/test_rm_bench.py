"""RM-Bench's result files as a target: the numbers of the style matrix, worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.recorded_files import metrics

Cli = Callable[..., Done]


def row(k: int, domain: str, chosen: list[float], rejected: list[float]) -> dict[str, Any]:
    styles = ("short", "long and plain", "# long\nand **showy**")
    return {
        "id": k, "prompt": f"Ask {k}", "domain": domain,
        "chosen": [f"right {k} {style}" for style in styles],
        "rejected": [f"wrong {k} {style}" for style in styles],
        "score_chosen": chosen, "score_rejected": rejected,
    }  # fmt: skip


def test_a_scan_of_results_is_the_style_matrix(cli: Cli, tmp_path: Path) -> None:
    """Chosen 1 2 3 against rejected 2 2 2.5, and all right twice.

    First prompt: easy 2/3, normal 1/3, hard 0 of 3 cells each (an equal score is wrong). Over the
    three prompts: (2/3 + 2) / 3, (1/3 + 2) / 3, 2/3; over the two domains: 5/6, 2/3, 1/2.
    """
    rows = [
        row(1, "chat", [1, 2, 3], [2, 2, 2.5]),
        row(2, "safety-refuse", [9, 9, 9], [0, 1, -2]),
        row(3, "safety-response", [9, 9, 9], [0, 1, -2]),
    ]
    Path("total.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    done = cli("scan", "replay:total.json", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["rm_bench.easy"]["value"] == pytest.approx((2 / 3 + 2) / 3)
    assert found["rm_bench.normal"]["value"] == pytest.approx((1 / 3 + 2) / 3)
    assert found["rm_bench.hard"]["value"] == pytest.approx(2 / 3)
    assert found["rm_bench.easy"]["n"] == 9
    told = json.loads((tmp_path / "run" / "manifest.json").read_text())["target"]
    assert told["published"][-1] == (
        "scores    mean over 2 domains: easy 83.33 %, normal 66.67 %, hard 50.00 %, mean 66.67 %"
    )


def test_of_a_row_that_comes_twice_the_first_counts(cli: Cli, tmp_path: Path) -> None:
    first, again = row(1, "chat", [9, 9, 9], [1, 1, 1]), row(1, "chat", [0, 0, 0], [1, 1, 1])
    Path("total.json").write_text(json.dumps([first, again]), encoding="utf-8")
    assert cli("scan", "replay:total.json", "--out", "run").code == 2
    done = cli("scan", "replay:total.json", "--skip-bad", "--out", "run")
    assert done.code == 0, done.err
    assert metrics(tmp_path / "run")["rm_bench.hard"]["value"] == 1
    told = json.loads((tmp_path / "run" / "manifest.json").read_text())["target"]
    assert "hard 100.00 %" in told["published"][0]


def test_a_row_without_scores_is_named(cli: Cli, tmp_path: Path) -> None:
    rows = [row(1, "chat", [1, 2, 3], [1, 2, 3]), row(2, "chat", [1, 2, 3], [1, 2, 3])]
    del rows[1]["score_chosen"], rows[1]["score_rejected"]
    Path("total.json").write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "]")
    done = cli("scan", "replay:total.json", "--out", "run")
    assert done.code == 2
    assert "total.json, line 3, field score_chosen: is missing" in done.err
