"""A metric that is written in one place is found in all others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.gate_runs import policy, rule
from support.report_runs import Page

from rmaudit.checklists.sets import load_set
from rmaudit.metrics.estimand import Estimand, not_applicable, pooled
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.spec import MetricSpec, Reader
from rmaudit.metrics.table import AB, Table

Cli = Callable[..., Done]
SPEC = "synth:3:8:slogan"
SCAN = ("scan", "replay:model.jsonl", "--set", SPEC, "--judge", "builtin")
LIMIT = "It does not show why these rows came first."


def shown_first(table: Table) -> Estimand:
    """The share of rows with response a shown first: a half, in both orders."""
    rows = table.rows.order
    return pooled(table.row_units, rows == AB, used=np.ones(len(rows), bool), why="no rows")


def nothing(table: Table) -> Estimand:
    return not_applicable("no sky is in sight")


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Two metrics, one of them without a value; who must have read the reasons as a test says."""
    reader: Reader | None = getattr(request, "param", None)
    for spec in (
        MetricSpec(
            "shown.first",
            "share",
            "none",
            "Share of rows that show response a first.",
            shown_first,
            reader=reader,
            alike=("verdicts",),
            topic="Verdicts",
            label="rows with a first",
            title="Rows with a first",
            gloss="whatever they say",
            format="plain",
            counted="rows",
            shown={"terminal": 25, "report": 25},
            limits=(LIMIT,),
        ),
        MetricSpec(
            "shown.stars",
            "share",
            "higher",
            "Share of rows that name a star.",
            nothing,
            reader=reader,
            alike=("verdicts",),
            topic="Verdicts",
            needs="a telescope",
        ),
    ):
        monkeypatch.setitem(REGISTRY, spec.key, spec)
    ideal_replay(Path("model.jsonl"), load_set(SPEC).items)


def test_in_terminal_and_report(cli: Cli) -> None:
    done = cli(*SCAN, "--out", "run")
    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    labels = [" ".join(line) for line in lines]
    (place,) = [k for k, line in enumerate(labels) if line.startswith("rows with a first 0.500")]
    assert labels[place].endswith(" 16")
    # Between ranks 20 and 30, both of which have a rank for their row.
    assert labels[place - 1].startswith("accuracy, right in both orders")
    assert labels[place + 1].startswith("rationale consistency")
    assert "shown.stars" in cli(*SCAN, "--out", "more", "-v").out
    metrics = json.loads(Path("run/metrics.json").read_text())["metrics"]
    assert metrics["shown.first"]["value"] == 0.5

    assert cli("report", "run", "--html", "--out", "page.html").code == 0
    page = Page(Path("page.html").read_text())
    sections = page.all("section")
    first = next(text for text in sections if "Outcome accuracy" in text)
    assert "Rows with a first" in first
    assert "whatever they say" in first
    assert "16 rows" in first
    measured = next(text for text in sections if text.startswith("Everything measured"))
    assert "Share of rows that show response a first." in measured
    assert "no sky is in sight" in measured
    assert LIMIT in page.all("section", "method")[0]
    markdown = cli("report", "run", "--md").out
    assert "| Rows with a first | 0.500 |" in markdown


def test_in_doctor(cli: Cli) -> None:
    done = cli("doctor", "replay:model.jsonl", "--set", SPEC)
    assert done.code == 0, done.err
    assert "shown.first" in next(x for x in done.out.splitlines() if x.startswith("can be"))
    assert "cannot: shown.stars - no sky is in sight; needs a telescope" in done.out


@pytest.mark.parametrize(
    ("written", "told"),
    [("judge", "judge"), ("labeler", "labeler"), (None, "")],
    indirect=["written"],
)
def test_in_the_requirements_of_a_gate(cli: Cli, told: str) -> None:
    rules = rule("shown.first", 0.1, direction="min"), rule("accuracy", 0.1, direction="min")
    file = policy(*rules, builtin=False)
    done = cli(*SCAN, "--out", "run", "--policy", file)
    assert (f"does not allow the builtin {told}" in done.err) is bool(told)
    found = json.loads(cli("gate", "run", "--policy", file, "--json").out)
    assert (found["verdict"] == "INVALID") is bool(told)
    assert (f"the builtin {told}, which is approximate" in json.dumps(found)) is bool(told)
