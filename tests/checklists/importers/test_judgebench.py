"""JudgeBench rows as items, and `rmaudit checklist import judgebench`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.recorded_files import PAIRS, answered, pair, write_pairs

from rmaudit.checklists.importers import KINDS, kind_named
from rmaudit.checklists.importers.judgebench import domain_of, item_of
from rmaudit.checklists.importers.write import import_to
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError

Cli = Callable[..., Done]


def test_a_row_as_an_item() -> None:
    item = item_of(answered("p1", "A>B", original=7))
    assert item.id == "p1"
    assert item.group == "mmlu-pro-law/7"
    assert item.domain == "knowledge"
    assert [(turn.role, turn.content) for turn in item.prompt] == [
        ("user", "Which law holds in case p1?")
    ]
    assert item.response_a == "The law of p1 holds."
    assert item.response_b == "No law holds in p1."
    assert item.label == "a"
    assert item.reasons == []
    assert item.reference_origin == "program"
    assert item.source == "judgebench/mmlu-pro-law"
    assert item.licence is None
    assert item.meta == {"original_id": 7, "response_model": "tiny-writer"}


def test_labels_and_groups() -> None:
    assert item_of(answered("p", "A>B", label="B>A")).label == "b"
    assert item_of(answered("p", "A>B", label="A=B")).label == "tie"
    assert item_of(answered("p", "A>B", original="q9")).group == "mmlu-pro-law/q9"
    assert item_of(answered("p", "A>B", original=0)).group == "mmlu-pro-law/0"
    nameless, other = item_of(answered("p", "A>B")), item_of(answered("q", "A>B"))
    assert nameless.group.startswith("mmlu-pro-law/")
    assert nameless.group != other.group


@pytest.mark.parametrize(
    ("source", "domain"),
    [
        ("mmlu-pro-computer science", "knowledge"),
        ("livebench-reasoning", "reasoning"),
        ("livebench-math", "math"),
        ("livecodebench", "code"),
        ("house-rules", "house-rules"),
    ],
)
def test_domains(source: str, domain: str) -> None:
    assert domain_of(source) == domain


def test_rows_with_one_question_share_a_group(tmp_path: Path) -> None:
    first, second = pair("p1", original=1, entries=[]), pair("p2", original=2, entries=[])
    second["question"] = first["question"]
    write_pairs("pairs.jsonl", [first, second, pair("p3", entries=[])])
    import_to(Path("mine"), "pairs.jsonl", KINDS)
    groups = [item.group for item in load_set("mine").items]
    assert groups[:2] == ["mmlu-pro-law/1"] * 2
    assert groups[2] not in groups[:2]


def test_import_command(cli: Cli, tmp_path: Path) -> None:
    write_pairs("judge.jsonl", PAIRS)
    words = ["checklist", "import", "judgebench", "judge.jsonl"]
    done = cli(*words, "--out", "mine", "--name", "five")
    assert done.code == 0, done.err
    assert "five: 5 items, 0 reasons" in done.out
    assert cli("checklist", "validate", "mine").code == 0
    made = load_set("mine")
    assert made.card.name == "five"
    assert made.card.licence == "unknown"
    assert not made.stale_card
    assert [item.domain for item in made.items] == [
        "knowledge", "math", "knowledge", "knowledge", "house-rules",
    ]  # fmt: skip
    again = cli(*words, "--out", "mine")
    assert again.code == 2
    assert "mine holds a set already" in again.err


def test_bad_rows_are_named_or_left_out(cli: Cli, tmp_path: Path) -> None:
    flipped = {**PAIRS[0], "pair_id": "again", "label": "B>A"}
    write_pairs("judge.jsonl", [*PAIRS, {**PAIRS[0], "pair_id": "x", "label": "?"}, flipped])
    words = ["checklist", "import", "judgebench", "judge.jsonl", "--out", "mine"]
    done = cli(*words)
    assert done.code == 2
    assert "judge.jsonl, line 6, field label: must be one of A>B, B>A, A=B" in done.err
    assert "line 7, field label: item 'again' is the pair of 'p1'" in done.err
    assert not Path("mine").exists()
    skipped = cli(*words, "--skip-bad")
    assert skipped.code == 0
    assert "3 bad rows or items left out" in skipped.err
    assert len(load_set("mine").items) == 4


def test_no_such_format_or_file(cli: Cli) -> None:
    assert kind_named("R-Align-RL-Data").name == "r-align-rl-data"
    assert kind_named("reward-bench 2").name == "rewardbench2"
    with pytest.raises(InputError, match="no import format 'nonsense'"):
        kind_named("nonsense")
    done = cli("checklist", "import", "judgebench", "nowhere", "--out", "mine")
    assert done.code == 2
    assert "cannot read nowhere" in done.err
