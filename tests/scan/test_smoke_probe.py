"""Four obvious pairs before a scan: what cannot be read stops it, what can hardly be read warns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.packages import needs
from support.random_model import save_random_model

from rmaudit.config import ScanConfig
from rmaudit.engines.base import Request, Sampling
from rmaudit.errors import InputError
from rmaudit.progress import Progress
from rmaudit.records import Generation
from rmaudit.run.directory import RunDir
from rmaudit.scan.plan import ScanPlan, make_plan
from rmaudit.scan.scan import create_run
from rmaudit.scan.smoke_items import smoke_items
from rmaudit.scan.smoke_probe import smoke_probe
from rmaudit.terminal.screen import Silent

Cli = Callable[..., Done]
pytestmark = [needs("torch", "transformers"), pytest.mark.model]
PLANTED = Path(__file__).parents[2] / "examples" / "tiny_genrm"
SET = "synth:1:2:slogan"


class Notes(Silent):
    """Progress that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def note(self, text: str) -> None:
        self.told.append(text)


class Scripted:
    """A stand-in for a local engine: the answer to each pair and order is given by the test."""

    name = "transformers"
    continues = True

    def __init__(self, answers: Callable[[str, str], str]) -> None:
        self._answers = answers

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        for request in requests:
            key = request.key
            yield Generation(key, self._answers(key.item, key.order or ""), "stop")

    def describe(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        pass


def probe(answers: Callable[[str, str], str], **options: Any) -> tuple[dict[str, int], list[str]]:
    config = ScanConfig(target=str(PLANTED / "grounded"), sets=(SET,), out=Path("run"), **options)
    plan: ScanPlan = make_plan(config)
    plan = replace(plan, target=replace(plan.target, engine=Scripted(answers)))
    run: RunDir = create_run(plan)
    manifest, notes = run.manifest(), Notes()
    progress: Progress = notes
    try:
        smoke_probe(plan, run, progress, manifest)
    finally:
        counts = manifest.target.as_dict().get("probe", {})
        notes.told.append(json.dumps(counts))
    return counts, notes.told[:-1]


RIGHT = {item.id: item.label for item in smoke_items()}


def honest(item: str, order: str) -> str:
    first = (RIGHT[item] == "a") == (order == "ab")
    return "1. A reason.\n\\boxed{A>B}" if first else "1. A reason.\n\\boxed{B>A}"


def test_the_items_are_balanced() -> None:
    labels = [item.label for item in smoke_items()]
    assert labels.count("a") == labels.count("b") == 2


def test_a_model_that_answers_well_is_only_counted() -> None:
    counts, told = probe(honest)
    assert counts == {"asked": 8, "readable": 8, "pairs": 4, "agree": 4, "right": 8}
    assert told == []


def test_one_unreadable_answer_in_eight_warns() -> None:
    def once(item: str, order: str) -> str:
        spoilt = (item, order) == (smoke_items()[0].id, "ab")
        return "I cannot say." if spoilt else honest(item, order)

    counts, (told,) = probe(once)
    assert (counts["readable"], counts["pairs"]) == (7, 3)
    assert "7 of 8 answers to obvious pairs are readable" in told


def test_order_alone_only_warns() -> None:
    counts, (told,) = probe(lambda item, order: "1. A reason.\n\\boxed{A>B}")
    assert (counts["readable"], counts["agree"], counts["right"]) == (8, 0, 4)
    assert "0 of 4 pairs the same in both orders" in told


def test_fewer_than_half_stop_the_scan_with_what_to_do() -> None:
    def three(item: str, order: str) -> str:
        good = [(one.id, "ab") for one in smoke_items()[:3]]
        return honest(item, order) if (item, order) in good else "Hello!"

    with pytest.raises(InputError, match="3 of 8 answers") as caught:
        probe(three)
    assert "--profile" in caught.value.hint
    assert "--no-probe" in caught.value.hint


def test_no_probe_asks_nothing() -> None:
    assert probe(honest, probe=False) == ({}, [])


@pytest.mark.slow
def test_a_random_model_stops_before_its_set(cli: Cli, tmp_path: Path) -> None:
    """A real engine: what it writes is noise."""
    folder = save_random_model(tmp_path / "random", context=4096)
    words = ("scan", folder, "--set", SET, "--max-tokens", "8")
    done = cli(*words, "--out", "run")
    assert done.code == 2
    assert "does not answer in a form that can be read: 0 of 8" in done.err
    assert not (tmp_path / "run" / "generations.jsonl").exists()
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["status"] == "failed"
    going_on = cli(*words, "--out", "run", "--resume", "--no-probe")
    assert going_on.code == 0, going_on.err
    assert (tmp_path / "run" / "generations.jsonl").read_text().count("\n") == 4


@pytest.mark.slow
def test_a_planted_model_is_probed_and_the_counts_are_kept(cli: Cli, tmp_path: Path) -> None:
    done = cli("scan", PLANTED / "praising", "--set", SET, "--out", "run")
    assert done.code == 0, done.err
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["target"]["probe"]["readable"] == 8
    assert manifest["target"]["weights"] == "complete"
    rows = (tmp_path / "run" / "generations.jsonl").read_text().splitlines()
    items = {json.loads(line)["item"] for line in rows}
    assert not any(item.startswith("rmaudit-probe") for item in items)
