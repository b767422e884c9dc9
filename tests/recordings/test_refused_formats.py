"""Files of recorded outputs that cannot be read: file, line, field and remedy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recordings.test_documented import EXAMPLES, written
from support.command_line import Done

Cli = Callable[..., Done]


def edited(name: str, line: int, **fields: Any) -> str:
    lines = EXAMPLES[name].splitlines()
    lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **fields})
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "line", "fields", "said"),
    [
        ("batch.jsonl", 2, {"custom_id": None}, "line 2, field custom_id: must be text"),
        ("batch.jsonl", 1, {"response": {"body": {"x": 1}}}, "line 1, field response.body: holds"),
        ("batch.jsonl", 1, {"response": 7}, "line 1, field response: must be an object"),
        ("records.jsonl", 1, {"target_id": [1]}, "line 1, field target_id: must be text"),
        ("compare.jsonl", 1, {"response_objs": 3}, "line 1, field response_objs: must be a list"),
        (
            "compare.jsonl",
            1,
            {"comparison_results": [{"response_i": 0, "response_j": 9}]},
            "line 1, field comparison_results[0].response_j: is 9, but there are 2 responses",
        ),
        ("r_align.jsonl", 2, {"gt_label": "C"}, "line 2, field gt_label: must be A or B"),
        ("rationalerm.jsonl", 1, {"tiny-checklist": "x"}, "field tiny-checklist: must be a list"),
        ("matchings.jsonl", 1, {"samples": {}}, "line 1, field samples: must be a list"),
        ("rm_bench.jsonl", 1, {"score_chosen": [1]}, "field score_chosen: must be three finite"),
    ],
)
def test_a_bad_line_is_named(
    cli: Cli, tmp_path: Path, name: str, line: int, fields: dict[str, Any], said: str
) -> None:
    written(tmp_path)
    (tmp_path / name).write_text(edited(name, line, **fields))
    sets = ["--set", "set.jsonl"] if name[0] in "bc" or name == "records.jsonl" else []
    done = cli("scan", f"replay:{name}", *sets, "--out", "run")
    assert done.code == 2, done.err
    assert f"error: {name}, {said}" in done.err or said in done.err
    assert "hint:" in done.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("rewardbench.json", {"results": [1]}, "has 2 values, but results has 1"),
        ("rewardbench.json", {"text_chosen": [[], []]}, "line 1, field text_chosen"),
        ("rewardbench2.json", {"num_correct": [4]}, "field num_correct: is 4, but there are 4"),
        ("rewardbench2.json", {"scores": [None]}, "says nothing of its pairs"),
        ("log.json", {"samples": [{"epoch": 1}]}, "line 1, field id: is missing"),
    ],
)
def test_a_bad_document_is_named(
    cli: Cli, tmp_path: Path, name: str, fields: dict[str, Any], said: str
) -> None:
    written(tmp_path)
    (tmp_path / name).write_text(json.dumps({**json.loads(EXAMPLES[name]), **fields}))
    sets = ["--set", "set.jsonl"] if name == "log.json" else []
    done = cli("scan", f"replay:{name}", *sets, "--out", "run")
    assert done.code == 2, done.err
    assert name in done.err
    assert said in done.err


def test_what_a_user_has_to_name(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path)
    no_set = cli("scan", "replay:batch.jsonl")
    assert no_set.code == 2
    assert "give the set that was judged: --set" in no_set.err
    strangers = cli("scan", "replay:batch.jsonl", "--set", "synth:1:2:slogan")
    assert strangers.code == 2
    assert "no row of replay:batch.jsonl is about an item of" in strangers.err
    unknown = cli("scan", "replay:batch.jsonl", "--set", "set.jsonl", "--format", "xml")
    assert unknown.code == 2
    assert "formats: lines, judgebench" in unknown.err
    model = cli("scan", "replay:rationalerm.jsonl", "--format", "rationalerm:large")
    assert model.code == 2
    assert "it holds those of: tiny" in model.err
    both = json.loads(EXAMPLES["rationalerm.jsonl"]) | {"large-checklist": []}
    (tmp_path / "two.jsonl").write_text(json.dumps(both) + "\n")
    several = cli("scan", "replay:two.jsonl")
    assert several.code == 2
    assert "name one: --format rationalerm:large" in several.err
    checkpoint = cli("scan", "openai:x@http://127.0.0.1:9/v1", "--format", "lines")
    assert checkpoint.code == 2
    assert "--format is for replay:FILE" in checkpoint.err
