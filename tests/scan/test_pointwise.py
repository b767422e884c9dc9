"""A model that judges each response alone: a call for each, compared; through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.fault_server import FaultServer
from support.gate_runs import Cli

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set

SET = "synth:3:8:slogan"
ITEMS = load_set(SET).items
BAD = ITEMS[5]
"""The response a of this item is never scored."""


def side_of(prompt: str) -> tuple[Item, str]:
    for item in ITEMS:
        for side, text in (("a", item.response_a), ("b", item.response_b)):
            if text in prompt:
                assert (item.response_b if side == "a" else item.response_a) not in prompt
                return item, side
    return ITEMS[0], "?"


def judge(prompt: str) -> str:
    """The better response gets 8, the other 3; the references are its reasons."""
    item, side = side_of(prompt)
    if item is BAD and side == "a":
        return "I like it very much."
    score = 6 if item.label == "tie" else 8 if side == item.label else 3
    said = [one.text for one in item.reasons if f"Response {side.upper()}" in one.text]
    lines = [f"{n}. {text}" for n, text in enumerate(said, start=1)]
    return "\n".join([*lines, f"\\boxed{{{score}}}"])


def metrics(run: str) -> dict[str, dict[str, object]]:
    found = json.loads(Path(run, "metrics.json").read_text())["metrics"]
    assert isinstance(found, dict)
    return found


def rows(run: str, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(run, name).read_text().splitlines()]


def scanned(cli: Cli, server: FaultServer, *more: object) -> str:
    done = cli("scan", server.target, "--set", SET, "--profile", "generic-pointwise", "--out",
               "run", *more)  # fmt: skip
    assert done.code == 0, done.err
    return done.out + done.err


def test_two_calls_an_item_make_one_verdict(cli: Cli) -> None:
    with FaultServer(judge) as server:
        told = scanned(cli, server)
        assert sum(server.answered.values()) == 16
    assert "gen-pointwise" in told
    raw = rows("run", "generations.jsonl")
    assert sorted((row["item"], row["slot"]) for row in raw) == sorted(
        (item.id, side) for item in ITEMS for side in "ab"
    )
    assert {row["order"] for row in raw} == {None}
    verdicts = {row["item"]: row for row in rows("run", "verdicts.jsonl")}
    assert len(verdicts) == 8
    for item in ITEMS:
        row = verdicts[item.id]
        if item is BAD:
            assert (row["verdict"], row["outcome"]) == (None, "unparsed")
            continue
        assert row["verdict"] == item.label
        reasons = row["reasons"]
        assert isinstance(reasons, list)
        assert [one["text"] for one in reasons]
        for one in reasons:
            assert f"Response {one['about'].upper()}" in one["text"]
    found = metrics("run")
    assert found["coverage.parsed"]["value"] == pytest.approx(7 / 8)
    assert found["accuracy"]["value"] == pytest.approx(7 / 8)
    assert found["order_consistency"]["value"] is None
    assert (
        found["order_consistency"]["why"]
        == "each response was judged alone: nothing is shown first"
    )
    assert cli("verify", "run").code in (0, 2)
    shown = cli("show", "run", ITEMS[0].id)
    assert shown.code == 0, shown.err
    assert "response a alone" in shown.out
    page = cli("report", "run", "--html", "--out", "page.html")
    assert page.code == 0, page.err


def test_a_stop_between_the_two_calls_of_an_item_is_resumed(cli: Cli) -> None:
    with FaultServer(judge) as server:
        scanned(cli, server)
        whole = metrics("run")
        kept = Path("run/generations.jsonl").read_text().splitlines(keepends=True)
        # One half of an item is lost, as by a kill between two writes; its verdict must go too.
        Path("run/generations.jsonl").write_text("".join(kept[:7]))
        before = sum(server.answered.values())
        scanned(cli, server, "--resume")
        assert sum(server.answered.values()) - before == 9
    assert metrics("run") == whole
    assert len(rows("run", "generations.jsonl")) == 16


def test_calls_are_counted_and_bounded(cli: Cli) -> None:
    with FaultServer(judge) as server:
        common = ("scan", server.target, "--set", SET, "--profile", "generic-pointwise")
        over = cli(*common, "--max-calls", "15", "--out", "none")
        assert over.code == 2
        assert "makes 16 model calls" in over.err
        doctor = cli("doctor", server.target, "--set", SET, "--profile", "generic-pointwise")
        assert doctor.code == 0, doctor.err
        assert "16 calls of the target" in " ".join((doctor.out + doctor.err).split())
        assert server.answered.total() <= 1
        measures = cli(*common, "--measure", "traps", "--measure", "causality", "--out", "m")
        assert measures.code == 0, measures.err


def test_recorded_answers_about_single_responses(cli: Cli) -> None:
    with FaultServer(judge) as server:
        scanned(cli, server)
    done = cli("scan", "replay:run/generations.jsonl", "--profile", "generic-pointwise",
               "--out", "again")  # fmt: skip
    assert done.code == 0, done.err
    assert metrics("again")["accuracy"] == metrics("run")["accuracy"]
    assert metrics("again")["rc"] == metrics("run")["rc"]
    wrong = cli("scan", "replay:run/generations.jsonl", "--out", "wrong")
    assert wrong.code == 2
    assert "holds answers about single responses" in wrong.err
    Path("pairs.jsonl").write_text('{"item": "x", "order": "ab", "text": "A>B"}\n')
    wrong = cli("scan", "replay:pairs.jsonl", "--set", SET, "--profile", "generic-pointwise",
                "--out", "wrong")  # fmt: skip
    assert wrong.code == 2
    assert "holds answers about pairs" in wrong.err


def test_log_odds_are_refused_before_anything_is_asked(cli: Cli) -> None:
    with FaultServer(judge) as server:
        done = cli("scan", server.target, "--set", SET, "--profile", "nemotron-principle",
                   "--out", "run")  # fmt: skip
        assert server.answered.total() == 0
    assert done.code == 2
    assert "log-probabilities of Yes and No" in done.err


def test_reasons_that_name_no_side_are_about_the_response_that_was_shown(cli: Cli) -> None:
    with FaultServer(judge) as server:
        scanned(cli, server)
    named = metrics("run")["rc"]["value"]

    def unnamed(prompt: str) -> str:
        return judge(prompt).replace("Response A", "The answer").replace("Response B", "It")

    with FaultServer(unnamed) as server:
        done = cli("scan", server.target, "--set", SET, "--profile", "generic-pointwise",
                   "--out", "unnamed")  # fmt: skip
    assert done.code == 0, done.err
    assert metrics("unnamed")["rc"]["value"] == named == pytest.approx(7 / 8)
