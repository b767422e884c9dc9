"""References as a whole: turned sets are reported, untouched ones are not; the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.turned_items import about_turned, responses_turned, small

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.references.finding import KINDS
from rmaudit.checklists.references.read import read_references
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.checklists.synth.families import FAMILIES

Cli = Callable[..., Done]


def write(path: Path, items: list[Item]) -> Path:
    path.write_text("".join(dump_item(item) + "\n" for item in items), encoding="utf-8")
    return path


def test_untouched_starter_has_no_finding() -> None:
    read = read_references(load_set("starter").items)
    assert read.findings == ()
    assert read.gold_read == read.gold == read.items


def test_turned_starter_items_are_reported() -> None:
    """Responses and label exchanged and the reasons left; or `about` alone exchanged."""
    items = load_set("starter").items[:40]
    turned = read_references([responses_turned(item) for item in items])
    assert turned.counts["gold"] == 40
    without_gold = [item.model_copy(update={"gold_judgment": None}) for item in items]
    bare = read_references([responses_turned(item) for item in without_gold])
    assert bare.items_found >= 28
    about = read_references([about_turned(item) for item in without_gold])
    assert about.items_found == 40
    assert about.counts["side"] >= 0.9 * about.reasons


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_no_family_has_a_finding(family: str) -> None:
    items = load_set(f"synth:977:1000:{family}").items
    read = read_references(items)
    assert [str(finding) for finding in read.findings] == []
    assert read.pairs_left_out == 0
    turned = read_references([responses_turned(item) for item in items])
    assert turned.counts["gold"] == read.gold_read
    about = read_references([about_turned(item) for item in items])
    assert about.items_found >= 0.9 * len(items)


def test_findings_name_file_line_and_field(tmp_path: Path, cli: Cli) -> None:
    items = [small("i0"), small("i1", label="a"), about_turned(small("i2"))]
    items[1] = items[1].model_copy(update={"response_a": "Otto, a quiet kettle made in Seoul."})
    path = write(tmp_path / "mine.jsonl", items)
    done = cli("checklist", "validate", path)
    assert done.code == 0
    assert "3 reasons read: 3 findings on 2 of 3 items" in done.out
    assert f"{path}, line 3, item 'i2', field reasons.0.about: is b" in done.out
    assert f"{path}, line 2, item 'i1', field reasons: the only one is about" in done.out
    assert all(KINDS[kind] in done.out for kind in ("side", "preferred"))
    found = json.loads(cli("checklist", "validate", path, "--json").out)
    assert found["refused"] == []
    assert found["references"]["counts"] == {"side": 1, "preferred": 2}
    lines = [(one["file"], one["line"]) for one in found["references"]["findings"]]
    assert lines == [(str(path), 3), (str(path), 2), (str(path), 3)]
    strict = cli("checklist", "validate", path, "--strict")
    assert strict.code == 2
    assert "error: " in strict.err
    assert "3 findings" in strict.err
    assert "field reasons.0.about" in strict.out
    json_too = cli("checklist", "validate", path, "--strict", "--json")
    assert json_too.code == 2
    assert json.loads(json_too.out) == found | {"refused": ["its references have 3 findings"]}


def test_a_sound_set_passes_strict(tmp_path: Path, cli: Cli) -> None:
    done = cli("checklist", "validate", write(tmp_path / "mine.jsonl", [small()]), "--strict")
    assert done.code == 0
    assert "1 reasons read: no contradiction found" in done.out


def test_many_findings_are_counted_and_an_id_cannot_break_a_line(tmp_path: Path, cli: Cli) -> None:
    items = [about_turned(small(f"i{k}\n::error::x")) for k in range(8)]
    done = cli("checklist", "validate", write(tmp_path / "mine.jsonl", items))
    assert "and 5 more" in done.out
    assert not any(line.startswith("::") for line in done.out.splitlines())
