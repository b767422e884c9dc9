"""Recorded outputs of judges and score-only models as targets: JudgeBench files and own runs.

The files are of JudgeBench's shape with text of our own; every number is worked by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.recorded_files import (
    ONE_ORDER,
    PAIRS,
    entry,
    metrics,
    pair,
    rows,
    scored,
    write_pairs,
)

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.sets import load_set
from rmaudit.parsing.decisions import by_score, difference, with_decision
from rmaudit.records import Judgment, Key, ModelReason

Cli = Callable[..., Done]


def test_recorded_decisions_hand_worked(cli: Cli, tmp_path: Path) -> None:
    """Five pairs, label and decisions as shown (ab, ba), then in item coordinates.

    p1  A>B   A>B, B>A      a, a         right, right: both votes right
    p2  B>A   A>B, A>B      a, b         wrong, right: the votes cancel
    p3  A>B   A=B, null     tie, none    wrong, wrong (the answer states two verdicts)
    p4  B>A   entry null, A>B   -, b     not answered, right
    p5  B>A   B>A, A=B      b, tie       right, wrong: one vote more is right

    accuracy (1 + 1/2 + 0 + 1 + 1/2) / 5; net votes p1 and p5 of p1, p2, p3, p5. Decisive verdicts
    as shown: A B, A A, A, B: 4 of 6 for the first. Orders: p1 agrees, p2 and p5 differ, p3 and p4
    cannot be compared.
    """
    write_pairs("judge.jsonl", PAIRS)
    done = cli("scan", "replay:judge.jsonl", "--verdicts", "recorded", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(3 / 5)
    assert found["accuracy"]["n_excluded"] == 1
    assert found["accuracy_net_votes"]["value"] == 2 / 4
    assert found["accuracy_both_orders"]["value"] == 1 / 4
    assert found["order_consistency"]["value"] == 1 / 3
    assert found["order_consistency"]["n_excluded"] == 2
    assert found["first_position_bias"]["value"] == 4 / 6 - 0.5
    assert found["first_position_bias"]["n"] == 6
    assert found["coverage.parsed"]["value"] == 8 / 10
    assert found["coverage.error"]["value"] == 1 / 10
    assert found["rc"]["value"] is None
    verdicts = {(row["item"], row["order"]): row for row in rows(tmp_path / "run/verdicts.jsonl")}
    assert verdicts["p3", "ba"]["outcome"] == "unparsed"
    assert verdicts["p4", "ab"]["outcome"] == "error"
    manifest = json.loads((tmp_path / "run/manifest.json").read_text())
    assert manifest["verdicts"] == manifest["identity"]["verdicts"] == "recorded"
    assert manifest["target"]["judge_model"] == "tiny-judge"
    assert manifest["target"]["null_decisions"] == 1
    assert manifest["target"]["not_recorded"] == 1
    assert manifest["prompts"] == {}
    assert manifest["reference_origins"] == []
    assert "recorded_differences" not in manifest
    assert not (tmp_path / "run/recorded_differences.jsonl").exists()


def test_a_parsed_run_explains_each_difference(cli: Cli, tmp_path: Path) -> None:
    """Only p3 ba is read otherwise: recorded is its last verdict, and it states two."""
    pairs = deepcopy(PAIRS)
    pairs[2]["judgments"][1]["decision"] = "B>A"
    write_pairs("judge.jsonl", pairs)
    done = cli("scan", "replay:judge.jsonl", "--out", "run")
    assert done.code == 0, done.err
    assert rows(tmp_path / "run/recorded_differences.jsonl") == [
        {
            "item": "p3",
            "variant": "base",
            "slot": "pair",
            "order": "ba",
            "sample": 0,
            "parsed": None,
            "outcome": "unparsed",
            "flags": ["conflict", "no_reasons"],
            "recorded": "a",
            "stated": ["[[A>B]]", "[[B>A]]"],
            "why": "recorded, but the answer states verdicts that differ",
        }
    ]
    manifest = json.loads((tmp_path / "run/manifest.json").read_text())
    assert (manifest["recorded_differences"], manifest["recorded_compared"]) == (1, 9)
    assert "1 of 9 recorded decisions differs: see recorded_differences.jsonl" in done.out
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(3 / 5)
    assert found["coverage.conflict"]["value"] == 1 / 10
    page = cli("report", "run", "--html")
    assert page.code == 0, page.err
    html = (tmp_path / "run/report.html").read_text()
    assert "1 of 9 differ from the recorded decisions" in html
    as_json = cli("scan", "replay:judge.jsonl", "--out", "other", "--json")
    assert json.loads(as_json.out)["recorded_decisions"] == {"compared": 9, "differ": 1}


@pytest.mark.parametrize("verdicts", ["parsed", "recorded"])
def test_reasons_are_read_and_turned_whoever_decides(
    cli: Cli, tmp_path: Path, verdicts: str
) -> None:
    """The prompt calls the responses Assistant A and B, so a reason names a side by that."""
    text = (
        "1. Assistant A cites no law at all.\n"
        "2. Assistant B counts 4 witnesses where there are 5.\n\nVerdict: [[A>B]]"
    )
    write_pairs("judge.jsonl", [pair("p1", entries=[entry(text, "A>B"), entry(text, "A>B")])])
    done = cli("scan", "replay:judge.jsonl", "--verdicts", verdicts, "--out", "run")
    assert done.code == 0, done.err
    ab, ba = rows(tmp_path / "run/verdicts.jsonl")
    assert (ab["verdict"], ba["verdict"]) == ("a", "b")
    assert [reason["about"] for reason in ab["reasons"]] == ["a", "b"]
    assert [reason["about"] for reason in ba["reasons"]] == ["b", "a"]
    assert ba["reasons"][0]["text"] == "Assistant B cites no law at all."
    assert metrics(tmp_path / "run")["coverage.ambiguous_side"]["value"] == 0


def test_scores_decide_and_equal_scores_are_a_tie(cli: Cli, tmp_path: Path) -> None:
    """Three pairs, labels A>B, B>A, A>B.

    s1  2.5 and -1, swapped the same      a, a       right in both orders
    s2  1 and 3 in ab, 3.5 and 1 in ba    b, b       right (the swapped entry holds 3.5 first)
    s3  4 and 4                           tie, tie   wrong; the file decides B>A both times

    accuracy 2/3; ties agree with ties, so order consistency is 3/3. Decisive verdicts as shown:
    A B, B A: half for the first. The file's decision differs from the tie in both orders.
    """
    write_pairs("scores.jsonl", scored())
    done = cli("scan", "replay:scores.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(2 / 3)
    assert found["order_consistency"]["value"] == 1
    assert found["first_position_bias"]["value"] == 0
    assert found["first_position_bias"]["n"] == 4
    for name in ("rc", "ap", "s_rc@0+", "coverage.no_reasons"):
        assert found[name]["value"] is None, name
        assert found[name]["why"] == "the model gives no reasons", name
    manifest = json.loads((tmp_path / "run/manifest.json").read_text())
    assert manifest["rm_type"] == "score"
    assert (manifest["recorded_differences"], manifest["recorded_compared"]) == (2, 6)
    differences = rows(tmp_path / "run/recorded_differences.jsonl")
    assert [(row["item"], row["parsed"], row["recorded"]) for row in differences] == [
        ("s3", "tie", "b"),
        ("s3", "tie", "a"),
    ]
    assert {row["why"] for row in differences} == {
        "equal scores are a tie; the file counts them for one side"
    }
    scores = {(row["item"], row["slot"]): row for row in rows(tmp_path / "run/scores.jsonl")}
    assert scores["s2", "b"] == {
        "item": "s2",
        "variant": "base",
        "slot": "b",
        "order": None,
        "sample": 0,
        "score": 3.0,
        "by_order": {"ab": 3.0, "ba": 3.5},
    }
    assert len(scores) == 6
    assert "scores.jsonl" in manifest["row_hashes"]
    assert "generations.jsonl" not in manifest["row_hashes"]


def test_recorded_decisions_on_scores_follow_the_file(cli: Cli, tmp_path: Path) -> None:
    write_pairs("scores.jsonl", scored())
    words = ["scan", "replay:scores.jsonl", "--verdicts", "recorded", "--out", "run"]
    assert cli(*words).code == 0
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert found["order_consistency"]["value"] == pytest.approx(2 / 3)


def test_a_run_of_scores_is_shown_and_reported(cli: Cli, tmp_path: Path) -> None:
    write_pairs("scores.jsonl", scored())
    done = cli("scan", "replay:scores.jsonl", "--out", "run")
    assert "not applicable, the model gives no reasons" in done.out
    assert cli("report", "run", "--html").code == 0
    html = (tmp_path / "run/report.html").read_text()
    assert "Scores 3 for Response B" not in html
    assert "Scores 1 for Response A, 3 for Response B." in html
    assert "Scores 1 for Response A, 3.5 for Response B." in html
    assert "Calls it a tie" in html
    shown = cli("show", "run", "s2")
    assert "score of response b: 3.0 (ab 3.0, ba 3.5)" in shown.out
    assert "verdict b" in shown.out
    as_json = json.loads(cli("show", "run", "s2", "--json").out)
    assert [row["score"] for row in as_json["scores"]] == [1.0, 3.0]
    assert as_json["generations"] == []


def test_scores_of_one_order_say_nothing_about_order(cli: Cli, tmp_path: Path) -> None:
    """Each row has one entry (ab), and s2 lost it."""
    write_pairs("scores.jsonl", scored(entries=1, null="s2"))
    done = cli("scan", "replay:scores.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["order_consistency"]["value"] is None
    assert found["order_consistency"]["why"] == ONE_ORDER
    assert found["accuracy"]["value"] == 1 / 2
    assert found["accuracy"]["n_excluded"] == 1
    assert {row["order"] for row in rows(tmp_path / "run/verdicts.jsonl")} == {"ab"}
    assert {row["item"] for row in rows(tmp_path / "run/scores.jsonl")} == {"s1", "s3"}
    assert cli("report", "run", "--html").code == 0
    assert "No scores are recorded." in (tmp_path / "run/report.html").read_text()


def test_scores_on_items_with_references_leave_rationale_metrics_out(
    cli: Cli, tmp_path: Path
) -> None:
    items = load_set("synth:3:4:slogan").items
    (tmp_path / "set.jsonl").write_text("".join(dump_item(item) + "\n" for item in items))
    labels = {"a": "A>B", "b": "B>A"}
    write_pairs(
        "scores.jsonl",
        [
            pair(item.id, label=labels[item.label], entries=[entry("", "A>B", scores=[1, 0])])
            for item in items
        ],
    )
    done = cli("scan", "replay:scores.jsonl", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == sum(item.label == "a" for item in items) / 4
    assert found["rc"]["value"] is None
    assert found["rc"]["why"] == "the model gives no reasons"
    assert found["rc.chance"]["value"] is None
    assert found["rc"]["n_excluded"] == 0


def test_a_run_brings_its_items_along(cli: Cli, tmp_path: Path) -> None:
    """Without --set the run's own items are used: the same numbers again, none missing."""
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set("synth:3:8:slogan").items)
    spec = ["--set", "synth:3:8:slogan", "--limit", "5", "--orders", "ab", "--out", "first"]
    assert cli("scan", f"replay:{replay}", *spec).code == 0
    again = cli("scan", "replay:first/generations.jsonl", "--out", "again")
    assert again.code == 0, again.err
    assert metrics(tmp_path / "again") == metrics(tmp_path / "first")
    assert "was written for other items" not in again.err
    manifest = json.loads((tmp_path / "again/manifest.json").read_text())
    assert manifest["target"]["name"] == "ideal"
    assert manifest["orders"] == ["ab"]
    with_set = cli("scan", "replay:first/generations.jsonl", *spec[:4], "--out", "with-set")
    assert with_set.code == 0, with_set.err
    assert metrics(tmp_path / "with-set")["accuracy"] == metrics(tmp_path / "first")["accuracy"]


def test_limit_set_and_resume(cli: Cli, tmp_path: Path) -> None:
    write_pairs("judge.jsonl", PAIRS)
    words = ["scan", "replay:judge.jsonl", "--limit", "3", "--seed", "4", "--out", "run"]
    assert cli(*words).code == 0
    used = [row["id"] for row in rows(tmp_path / "run/checklist/items.jsonl")]
    assert len(used) == 3
    before = (tmp_path / "run/verdicts.jsonl").read_text()
    lines = (tmp_path / "run/generations.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "run/generations.jsonl").write_text("".join(lines[:2]) + '{"item"')
    assert cli(*words, "--resume").code == 0
    assert sorted((tmp_path / "run/verdicts.jsonl").read_text()) == sorted(before)
    changed = cli(*words, "--resume", "--verdicts", "recorded")
    assert changed.code == 2
    assert "verdicts (parsed -> recorded)" in changed.err

    imported = cli("checklist", "import", "judgebench", "judge.jsonl", "--out", "mine")
    assert imported.code == 0, imported.err
    matched = cli("scan", "replay:judge.jsonl", "--set", "mine", "--out", "matched")
    assert matched.code == 0, matched.err
    assert cli("scan", "replay:judge.jsonl", "--out", "own").code == 0
    assert metrics(tmp_path / "matched") == metrics(tmp_path / "own")
    other = cli("scan", "replay:judge.jsonl", "--set", "synth:1:3:slogan", "--out", "other")
    assert other.code == 2
    assert "no item of synth:1:3:slogan is in replay:judge.jsonl" in other.err
    assert "hint: ids there are like p1" in other.err


def test_a_run_of_scores_resumes(cli: Cli, tmp_path: Path) -> None:
    write_pairs("scores.jsonl", scored())
    words = ["scan", "replay:scores.jsonl", "--out", "run"]
    assert cli(*words).code == 0
    before = {path.name: path.read_text() for path in (tmp_path / "run").glob("*.jsonl")}
    (tmp_path / "run/verdicts.jsonl").write_text('{"item": "s1"')
    (tmp_path / "run/scores.jsonl").unlink()
    assert cli(*words, "--resume").code == 0
    assert before == {path.name: path.read_text() for path in (tmp_path / "run").glob("*.jsonl")}


def test_with_decision() -> None:
    reasons = (ModelReason("It is short.", "a"),)
    read = Judgment("a", "ok", reasons, 2, ("conflict",))
    assert with_decision(read, "a") == read
    assert with_decision(read, "tie") == Judgment("tie", "tie", reasons, None, ("conflict",))
    assert with_decision(read, None) == Judgment(None, "unparsed", reasons, None, ("conflict",))
    assert with_decision(Judgment(None, "error"), None) == Judgment(None, "error")
    assert with_decision(Judgment(None, "error"), "b") == Judgment("b", "ok")


def test_by_score() -> None:
    assert by_score(0.5, -2) == Judgment("a", "ok")
    assert by_score(-2, 0.5) == Judgment("b", "ok")
    assert by_score(0.0, -0.0) == Judgment("tie", "tie")


@pytest.mark.parametrize(
    ("judgment", "recorded", "stated", "why"),
    [
        (Judgment("a", "ok"), None, ["[[A>B]]", "[[A>B]]"], "though the answer states a verdict"),
        (Judgment("a", "ok", flags=("ran_on",)), None, ["[[A]]", "[[B]]"], "first complete one"),
        (Judgment(None, "refused"), "b", [], "recorded, but the answer is refused here"),
        (Judgment("a", "ok"), "b", ["[[A]]"], "the two readings pick different verdicts"),
        (Judgment("a", "ok"), "b", None, "the file decides against its own scores"),
    ],
)
def test_why_two_readings_differ(
    judgment: Judgment, recorded: Any, stated: list[str] | None, why: str
) -> None:
    found = difference(Key("x"), judgment, recorded, stated=stated)
    assert found is not None
    assert why in found.why


def test_no_difference() -> None:
    assert difference(Key("x"), Judgment("tie", "tie"), "tie", stated=[]) is None
    assert difference(Key("x"), Judgment(None, "unparsed"), None, stated=[]) is None
