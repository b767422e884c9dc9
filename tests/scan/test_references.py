"""A scan reads the references of a set that no program made, before any model is loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.answers import ideal_replay
from support.command_line import Done
from support.turned_items import about_turned, responses_turned

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set

Cli = Callable[..., Done]


def by_people(turn: Callable[[Item], Item] | None) -> list[Item]:
    """Twelve slogans as if people had written the references, four of them turned."""
    items = load_set("synth:3:12:slogan").items
    turned = [turn(item) if turn and k < 4 else item for k, item in enumerate(items)]
    return [item.model_copy(update={"reference_origin": "human"}) for item in turned]


def written(items: list[Item]) -> Path:
    path = Path("mine.jsonl")
    path.write_text("".join(dump_item(item) + "\n" for item in items), encoding="utf-8")
    return path


def manifest() -> Any:
    return json.loads(Path("run/manifest.json").read_text())


def scanned(cli: Cli, items: list[Item], *more: str) -> Done:
    replay = ideal_replay(Path("ideal.jsonl"), items)
    return cli("scan", f"replay:{replay}", "--set", written(items), "--out", "run", *more)


def test_findings_are_told_counted_and_shown_by_report_and_gate(cli: Cli) -> None:
    done = scanned(cli, by_people(responses_turned))
    assert done.code == 0, done.err
    assert "references: the gold judgment decides against the label: 4" in done.err
    assert "the first in mine.jsonl, line 1, item 'slogan-3-00000'" in done.err
    assert "4 of 12 items" in done.err
    found = manifest()["references"]
    assert found["counts"]["gold"] == 4
    assert (found["items"], found["items_with_findings"]) == (12, 4)
    assert (found["gold_judgments"], found["gold_judgments_read"]) == (12, 12)
    said = "references contradict themselves in 4 of 12 items"
    assert said.capitalize() in cli("report", "run", "--md").out
    gated = json.loads(cli("gate", "run", "--policy", "pr", "--json").out)
    assert any(note.startswith(said) for note in gated["notes"])


def test_a_dry_run_tells_too_and_names_the_side(cli: Cli) -> None:
    done = scanned(cli, by_people(about_turned), "--dry-run")
    assert done.code == 0
    assert "the text of a reason names one response" in done.err
    assert "field reasons.0.about" in done.err
    assert not Path("run").exists()


def test_sound_references_are_counted_without_a_word(cli: Cli) -> None:
    done = scanned(cli, by_people(None))
    assert "references:" not in done.err
    assert manifest()["references"]["counts"] == {}
    assert manifest()["references"]["reasons"] > 12
    assert "contradict" not in cli("report", "run", "--md").out


def test_what_a_program_made_is_not_read(cli: Cli) -> None:
    items = [item.model_copy(update={"reference_origin": "program"}) for item in by_people(None)]
    scanned(cli, items)
    assert manifest()["references"] is None


def test_a_merged_run_reads_all_items_again(cli: Cli) -> None:
    """The same pair with two labels, one in each part: neither part alone could see it."""
    first = by_people(None)[:6]
    again = first[0].model_copy(
        update={
            "id": "again",
            "group": "again",
            "response_a": first[0].response_a + " ",
            "label": "a" if first[0].label == "b" else "b",
            "reasons": [],
            "gold_judgment": None,
            "repairs": None,
        }
    )
    second = [*by_people(None)[6:], again]
    replay = ideal_replay(Path("ideal.jsonl"), [*first, *second])
    for name, items in (("one", first), ("two", second)):
        path = Path(f"{name}.jsonl")
        path.write_text("".join(dump_item(item) + "\n" for item in items), encoding="utf-8")
        done = cli("scan", f"replay:{replay}", "--set", path, "--out", name)
        assert done.code == 0, done.err
        assert json.loads(Path(name, "manifest.json").read_text())["references"]["counts"] == {}
    done = cli("merge-runs", "one", "two", "--out", "run")
    assert done.code == 0, done.err
    assert manifest()["references"]["counts"] == {"near_pair": 2}
