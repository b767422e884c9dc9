"""The self-test of policies: every shipped rule can block and pass, and a wall is found out."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from support.command_line import Done
from support.policies import HEAD, parsed, second

from rmaudit.gate.policy import load_policy, shipped_policies
from rmaudit.selftest.gate_selftest import self_test

Cli = Callable[..., Done]


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_policies())
def test_every_shipped_rule_blocks_and_passes_real_tables(name: str) -> None:
    for shown in self_test(load_policy(name)):
        assert shown.ok, shown
        assert "made-up" not in f"{shown.blocked} {shown.passed}", shown


@pytest.mark.slow
def test_what_blocks_is_what_it_should_be() -> None:
    policy = parsed(second() + second(id="order", metric="order_consistency", threshold=0.9))
    first, reasons, order = self_test(policy)
    assert (first.blocked, first.passed) == ("always wrong", "ideal")
    assert (reasons.passed, order.blocked) == ("ideal", "picks the first")


@pytest.mark.slow
def test_walls_and_decoration_are_found() -> None:
    policy = parsed(second(threshold=1.0) + second(id="third", threshold=0.0))
    _, wall, decoration = self_test(policy)
    assert (wall.blocked != "", wall.passed) == (True, "")  # no bound ever reaches 1
    assert (decoration.blocked, decoration.passed) == ("", "ideal")


@pytest.mark.slow
def test_command(cli: Cli, tmp_path: object) -> None:
    done = cli("gate", "--self-test", "--policy", "score-only")
    assert done.code == 0
    assert "6 of 6 rules block a bad run and pass a good one" in done.out
    with open("wall.toml", "w") as file:
        file.write(HEAD + second(threshold=1.0))
    done = cli("gate", "--self-test", "--policy", "wall.toml", "--json")
    assert done.code == 2
    assert [one["ok"] for one in json.loads(done.out)["rules"]] == [True, False]
