"""A model that lists what reads nothing, with the right verdict, passes no shipped policy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.report_runs import Answers, boxed, run_set

from rmaudit.checklists.schema import Item
from rmaudit.nulls.lists import NULLS
from rmaudit.run.directory import RunDir

Cli = Callable[..., Done]
SET = "synth:31:200"
POLICIES = Path(__file__).parents[2] / "checklists" / "policies"


def listing(null: str) -> Answers:
    """The first reasons of a list, as a model would write them."""

    def answers(item: Item, order: str) -> str:
        return boxed(item, order, [reason.text for reason in NULLS[null](item)[:5]])

    return answers


def decision(cli: Cli, run: RunDir, name: str, baseline: RunDir) -> dict[str, Any]:
    """By a shipped policy, with every judge allowed."""
    text = (POLICIES / f"{name}.toml").read_text()
    Path(f"{name}.toml").write_text(
        text.replace("allow_builtin_judge = false", "allow_builtin_judge = true")
    )
    done = cli("gate", run.path, "--policy", f"{name}.toml", "--baseline", baseline.path, "--json")
    return dict(json.loads(done.out))


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["truth", "builtin"])
def test_no_list_passes(cli: Cli, judge: str) -> None:
    """Against another list as baseline, which no relative rule tells it from."""
    runs = {name: run_set(listing(name), name, spec=SET, judge=judge) for name in NULLS}
    for name, run in runs.items():
        for policy in ("release", "pr"):
            found = decision(cli, run, policy, runs["diff_words"])
            rules = {rule["id"]: rule["status"] for rule in found["rules"]}
            assert found["verdict"] in ("FAIL", "INCONCLUSIVE"), (name, policy, rules)
            assert rules["above-lists"] != "PASS", (name, policy, rules)
