"""A scan in parts for job arrays, merged: what the whole would have measured, in every metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import Done
from support.report_runs import faithful, record, vague
from support.score_server import ScoreServer

from rmaudit.checklists.load import dump_item, subset
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError
from rmaudit.run.directory import RunDir
from rmaudit.scan.shard import Shard, dealt, read_shard

Cli = Callable[..., Done]
ITEMS = load_set("synth:7:36:slogan,formats,arithmetic").items


def grouped(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Some items share a group."""
    return tuple(
        item.model_copy(update={"group": f"g{number // 3 if number < 9 else number}"})
        for number, item in enumerate(items)
    )


def numbers(run: str) -> Any:
    return RunDir.open(Path(run)).read_json("metrics.json")


def untidy(item: Item, order: str) -> str | None:
    kind = sum(map(ord, item.id)) % 5
    if kind == 0 and order == "ba":
        return None
    return "No." if kind == 1 else (faithful if kind % 2 else vague)(item, order)


def write(items: tuple[Item, ...]) -> Path:
    path = Path("items.jsonl")
    path.write_text("".join(dump_item(item) + "\n" for item in items))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("limit", [None, 20])
def test_parts_of_answers_are_the_whole(cli: Cli, tmp_path: Path, limit: int | None) -> None:
    items = grouped(ITEMS)
    record(untidy, items, "all")
    options = ["scan", "replay:all.jsonl", "--set", write(items), "--judge", "truth"]
    options += ["--limit", str(limit)] if limit else []
    assert cli(*options, "--out", "whole").code == 0
    for number in (3, 1, 2):
        done = cli(*options, "--out", f"part-{number}", "--shard", f"{number}/3")
        assert done.code == 0, done.err
    done = cli("merge-runs", "part-2", "part-3", "part-1", "--out", "merged")
    assert done.code == 0, done.err
    assert numbers("merged") == numbers("whole")
    assert numbers("whole")["metrics"]["rc"]["n"] > 10
    assert "shard" not in RunDir.open(Path("merged")).manifest().identity.as_dict()
    done = cli(*options, "--out", "part-1", "--resume", "--shard", "2/3")
    assert done.code == 2
    assert "shard (1/3 -> 2/3)" in done.err
    assert cli(*options, "--out", "part-1", "--resume", "--shard", "1/3").code == 0
    assert cli("merge-runs", "part-1", "whole", "--out", "twice").code == 2


def test_parts_of_scores_are_the_whole(cli: Cli, tmp_path: Path) -> None:
    with ScoreServer("classify") as server:
        options = ("scan", server.target, "--set", write(grouped(ITEMS)), "--no-probe")
        assert cli(*options, "--out", "whole").code == 0
        for number in (1, 2):
            assert cli(*options, "--out", f"part-{number}", "--shard", f"{number}/2").code == 0
        done = cli(*options, "--out", "none", "--shard", "36/36")
    assert done.code == 2
    assert "30 groups of items are not enough for that many parts" in done.err
    assert cli("merge-runs", "part-1", "part-2", "--out", "merged").code == 0
    assert numbers("merged") == numbers("whole")
    assert numbers("whole")["metrics"]["reason_sensitivity"]["n"] > 5


@given(
    groups=st.lists(st.integers(0, 12), min_size=1, max_size=40),
    parts=st.integers(1, 6),
    seed=st.integers(0, 5),
)
def test_parts_are_disjoint_whole_and_even(groups: list[int], parts: int, seed: int) -> None:
    base = ITEMS[0]
    made = tuple(
        base.model_copy(update={"id": f"i{number}", "group": f"g{group}"})
        for number, group in enumerate(groups)
    )
    items = subset(made, limit=None, seed=seed)
    if len(set(groups)) < parts:
        with pytest.raises(InputError, match="not enough"):
            dealt(items, Shard(parts, parts))
        return
    found = [dealt(items, Shard(number, parts)) for number in range(1, parts + 1)]
    assert Counter(one.id for part in found for one in part) == Counter(one.id for one in items)
    homes = [{one.cluster for one in part} for part in found]
    assert sum(map(len, homes)) == len(set(groups))
    assert max(map(len, homes)) - min(map(len, homes)) <= 1


def test_what_is_no_part() -> None:
    for text in ("", "0/3", "4/3", "1", "1/0", "1/3/5", "a/b", "-1/3", "1 / 3", "01/3"):
        with pytest.raises(InputError, match="--shard"):
            read_shard(text)
    assert str(read_shard("8/8")) == "8/8"
