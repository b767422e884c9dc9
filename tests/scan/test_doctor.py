"""doctor: what a plan can measure is what its scan measures; versions against the tested window."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.answers import ideal_answer, ideal_replay, write_replay
from support.command_line import Done

from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.scan.doctor import capabilities
from rmaudit.scan.plan import make_plan
from rmaudit.versions import TESTED, Installed

Cli = Callable[..., Done]
SPEC = "synth:3:12:slogan"


def mixed_answers() -> Iterator[dict[str, object]]:
    """Good reasons; verdicts right and wrong in turn, sure and less sure in turn."""
    for place, item in enumerate(load_set(SPEC).items):
        for order in ("ab", "ba"):
            text = ideal_answer(item, order)
            if place % 2:
                text = text.replace("A>B", "B>?").replace("B>A", "A>B").replace("B>?", "B>A")
            if place // 2 % 2:
                text = text.replace("A>B", "A>>B").replace("B>A", "B>>A")
            yield {"item": item.id, "order": order, "text": text}


@pytest.mark.parametrize("orders", ["both", "ab"])
def test_says_what_the_scan_then_measures(cli: Cli, tmp_path: Path, orders: str) -> None:
    replay = write_replay(tmp_path / "mixed.jsonl", mixed_answers())
    words = [f"replay:{replay}", "--set", SPEC]
    assert cli("scan", *words, "--orders", orders, "--out", "run").code == 0
    found = json.loads((tmp_path / "run" / "metrics.json").read_text())["metrics"]
    plan = make_plan(ScanConfig(target=words[0], sets=(SPEC,), orders=orders))  # type: ignore[arg-type]
    possible, missing = capabilities(plan)
    assert set(possible) == {name for name, metric in found.items() if metric["value"] is not None}
    assert {one.name for one in missing} == set(found) - set(possible)
    assert all(one.why and one.remedy for one in missing)


def test_output(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    done = cli("doctor", f"replay:{replay}", "--set", SPEC)
    assert done.code == 0, done.err
    assert "24 calls of the target" in done.out
    assert "cannot: accuracy.gold_tie" in done.out
    assert "needs a set with items labelled tie" in done.out
    assert "not measured; --probe" in done.out
    timed = cli("doctor", f"replay:{replay}", "--set", SPEC, "--probe").out
    assert "8 prompts took" in timed
    assert cli("doctor", "nowhere").code == 2


def test_metrics_that_lack_the_same_stand_in_one_line(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    lines = cli("doctor", f"replay:{replay}", "--set", SPEC).out.splitlines()
    cannot = [line for line in lines if line.startswith("cannot: ")]
    assert [
        line
        for line in cannot
        if "rm_bench.easy, rm_bench.normal, rm_bench.hard, rm_bench.total" in line
    ]
    endings = [line.partition(" - ")[2] for line in cannot]
    assert len(set(endings)) == len(endings)


def test_machine_alone(cli: Cli) -> None:
    out = cli("doctor").out
    assert "cores" in out
    assert "pydantic" in out


def test_tested_window() -> None:
    window = ("5.16", "5.24")
    assert Installed("transformers", "5.16.0", window).within
    assert Installed("transformers", "5.24.3", window).within
    assert not Installed("transformers", "5.25.0", window).within
    assert not Installed("transformers", "6.0", window).within
    assert "not tested" in Installed("transformers", "4.57.1", window).says
    assert 'pip install "rmaudit[vllm]"' in Installed("vllm", None, TESTED["vllm"]).says
