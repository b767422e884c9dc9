"""Runs are matched by their items, whatever their sets are called; what is left out is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import faithful, run_items, slogans, vague

from rmaudit.checklists.schema import Item

Cli = Callable[..., Done]
"""Sets of `run_items` are named after the run, so that each name is another one."""


def half(item: Item, order: str) -> str:
    return (faithful if ord(item.id[-1]) % 2 else vague)(item, order)


def test_same_items_under_other_names(cli: Cli) -> None:
    items = slogans(8)
    for name, answers in (("one", faithful), ("two", vague), ("three", half)):
        run_items(answers, items, name)
    found = json.loads(cli("compare", "run-one", "run-two", "run-three", "--json").out)
    assert [(one["first"], one["second"]) for one in found["pairs"]] == [
        ("run-one", "run-two"),
        ("run-one", "run-three"),
    ]
    assert [one["items"]["shared"] for one in found["pairs"]] == [8, 8]
    assert found["left_out"] == []


def test_a_run_on_other_items_is_named(cli: Cli) -> None:
    items = slogans(12)
    run_items(faithful, items[:8], "one")
    run_items(vague, items[4:8], "part")
    run_items(half, items[8:], "apart")
    words = ("compare", "run-one", "run-part", "run-apart")
    found = json.loads(cli(*words, "--json").out)
    assert [one["second"] for one in found["pairs"]] == ["run-part"]
    assert found["pairs"][0]["items"] | {"orders": 0} == {
        "shared": 4,
        "only_first": 4,
        "only_second": 0,
        "differing": 0,
        "orders": 0,
    }
    assert found["left_out"] == [
        {"run": "run-apart", "why": "none of its 4 items is in another run"}
    ]
    out = " ".join(cli(*words).out.split())
    assert "run-apart is compared with no other run: none of its 4 items is in another run" in out


def test_a_run_that_only_meets_a_later_one_is_named(cli: Cli) -> None:
    items = slogans(12)
    run_items(faithful, items[:6], "one")
    run_items(vague, items[4:10], "two")
    run_items(half, items[8:], "three")
    found = json.loads(cli("compare", "run-one", "run-two", "run-three", "--json").out)
    assert [one["second"] for one in found["pairs"]] == ["run-two"]
    (left,) = found["left_out"]
    assert left["run"] == "run-three"
    assert "but some of run-two" in left["why"]


def test_checkpoints_on_parts_of_a_set_say_what_is_left_out(cli: Cli) -> None:
    items = slogans(8)
    for step, answers, count in ((1, faithful, 8), (2, half, 6), (3, vague, 8)):
        run_items(answers, items[:count], f"step-{step}")
    words = ("compare", "run-step-1", "run-step-2", "run-step-3")
    found = json.loads(cli(*words, "--json").out)
    assert (found["curve"]["items"], found["curve"]["items_left_out"]) == (6, {"1": 2, "3": 2})
    out = " ".join(cli(*words).out.split())
    assert "not every checkpoint has them: 2 of step 1, 2 of step 3" in out


@pytest.mark.slow
def test_ranks_are_over_the_same_items(cli: Cli) -> None:
    """Three models on two sets; one of them on a part of the second set does not count there."""
    paths = []
    for number, items in ((1, slogans(8)), (2, slogans(16)[8:])):
        for name, answers in (("good", faithful), ("half", half), ("poor", vague)):
            run = run_items(answers, items, name)
            paths.append(run.path.rename(f"{run.path}-{number}"))
            Path(f"set-{name}.jsonl").unlink()
    run = run_items(vague, slogans(16)[8:12], "few")
    found = json.loads(cli("compare", *paths, run.path, "--json").out)
    assert {one["metric"] for one in found["rank_agreement"]} >= {"rc"}
    assert found["unranked"] == [{"run": "run-few", "why": "only 1 of the models has its 4 items"}]
