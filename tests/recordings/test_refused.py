"""Recorded outputs that cannot be used: what is refused, and in which words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.recorded_files import answered, entry, metrics, pair, scored, write_pairs

Cli = Callable[..., Done]


def test_recorded_verdicts_need_decisions(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"item": "x", "order": "ab", "text": "y"}\n')
    bare = answered("p1", "A>B", "B>A")
    for one in bare["judgments"]:
        del one["decision"]
    write_pairs("bare.jsonl", [bare])
    for target in ("replay:own.jsonl", "replay:bare.jsonl"):
        done = cli("scan", target, "--set", "synth:1:2:slogan", "--verdicts", "recorded")
        assert done.code == 2
        assert f"error: {target} holds no recorded decisions" in done.err
        assert "hint: leave --verdicts out" in done.err
    read = cli("scan", "replay:bare.jsonl", "--out", "run")
    assert read.code == 0, read.err
    assert "recorded decisions" not in read.out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{broken", "is not a JSON object"),
        ("[1]", "is not a JSON object"),
        ({"label": "A"}, "field label: must be one of A>B, B>A, A=B"),
        ({"response_B": " "}, "field response_B: is empty"),
        ({"question": 4}, "field question: must be text"),
        ({"original_id": 1.5}, "field original_id: must be text, a whole number or null"),
        ({"pair_id": "p1"}, "field id: the id 'p1' is already on line 1"),
        ({"judgments": {}}, "field judgments: must be a list of one or two"),
        ({"judgments": ["A>B"]}, "field judgments[0]: must be an object or null"),
        ({"judgments": [None, entry("", "A")]}, "field judgments[1].decision: must be one of"),
        ({"judgments": [entry(7, "A>B")]}, "field judgments[0].judgment.response: must be text"),
        ({"judgments": [{"judgment": 3, "decision": "A>B"}]}, "field judgments[0].judgment: must"),
    ],
)
def test_bad_lines(cli: Cli, tmp_path: Path, line: Any, told: str) -> None:
    good, bad = answered("p1", "A>B", "B>A"), answered("p2", "A>B", "B>A")
    text = json.dumps({**bad, **line}) if isinstance(line, dict) else line
    (tmp_path / "judge.jsonl").write_text(f"{json.dumps(good)}\n\n{text}\n")
    done = cli("scan", "replay:judge.jsonl", "--out", "run")
    assert done.code == 2
    comma = "," if told.startswith("field") else ":"
    assert f"error: judge.jsonl, line 3{comma} {told}" in done.err
    assert "hint: mend these lines, or leave them out with --skip-bad" in done.err
    assert not (tmp_path / "run").exists()
    skipped = cli("scan", "replay:judge.jsonl", "--out", "run", "--skip-bad")
    assert skipped.code == 0, skipped.err
    assert metrics(tmp_path / "run")["accuracy"]["n"] == 1


@pytest.mark.parametrize("scores", ["none", [1], [1, "2"], [True, 1], [1, 10**400]])
def test_bad_scores(cli: Cli, scores: Any) -> None:
    write_pairs("scores.jsonl", [*scored(), pair("x", entries=[entry("", "A>B", scores=scores)])])
    done = cli("scan", "replay:scores.jsonl", "--out", "run")
    assert done.code == 2
    assert "line 4, field judgments[0].judgment.scores: must be two finite numbers" in done.err


def test_files_that_are_no_recorded_outputs(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"prompt": "q", "chosen": "x", "rejected": "y"}\n')
    unknown = cli("scan", "replay:other.jsonl")
    assert unknown.code == 2
    assert "line 1: not a known format" in unknown.err
    assert "its keys are prompt, chosen, rejected" in unknown.err
    bare = pair("p1", entries=[])
    del bare["judgments"]
    write_pairs("pairs.jsonl", [bare])
    pairs = cli("scan", "replay:pairs.jsonl")
    assert pairs.code == 2
    assert "pairs without answers" in pairs.err
    assert "rmaudit checklist import judgebench pairs.jsonl --out DIR" in pairs.err
    assert cli("checklist", "import", "judgebench", "pairs.jsonl", "--out", "mine").code == 0
    assert cli("checklist", "validate", "mine").code == 0
    assert cli("scan", "replay:nowhere.jsonl").code == 2
