"""Small things that are told: who judges, what an edit is, what is counted, what to do next."""

from __future__ import annotations

import re
from pathlib import Path

from support.answers import ideal_answer, write_replay
from support.gate_runs import Cli

from rmaudit.checklists.controls import traps
from rmaudit.checklists.sets import load_set
from rmaudit.metrics.registry import REGISTRY

SPEC = "synth:3:3:slogan"


def plain(text: str) -> str:
    return " ".join(re.sub("[│╭╰─╮╯]", " ", text).split())


def test_help_of_scan_names_every_kind_of_judge(cli: Cli) -> None:
    told = plain(cli("scan", "--help").out)
    assert "truth, builtin, lexical, vllm:PATH, openai:MODEL[@BASE_URL]" in told


def test_show_prints_kind_and_text_of_an_edit(cli: Cli, tmp_path: Path) -> None:
    item = load_set(SPEC).items[0]
    assert item.controls
    number = traps(item)[0].cue
    edit = item.controls[number]
    text = ideal_answer(item, "ab")
    rows = [{"item": item.id, "order": "ab", "text": text}]
    rows += [rows[0] | {"variant": f"control:{number}"}]
    replay = write_replay(tmp_path / "controls.jsonl", rows)
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--measure", "traps",
               "--orders", "ab", "--out", "run")  # fmt: skip
    assert done.code == 0, done.err
    told = cli("show", "run", item.id).out
    after = told.split(f"control:{number}", 1)[1]
    assert edit.kind in after
    assert plain(edit.text)[:40] in plain(after)


def test_a_corrected_number_names_the_commands_that_give_it() -> None:
    """`doctor` prints what a metric needs."""
    assert "judge check --export" in REGISTRY["rc.corrected"].needs


def test_metrics_that_count_no_items_say_what_they_count() -> None:
    for key in ("rationale_causality.follows", "rationale_causality.changes"):
        assert REGISTRY[key].counted == "answers", key
    assert REGISTRY["trap_rate.length"].counted == "edited answers"
