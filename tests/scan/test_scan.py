"""The real pipeline on recorded answers, from the command line to the run directory."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import answer, ideal_answer, ideal_replay, write_replay
from support.command_line import Done

from rmaudit.checklists.sets import load_set
from rmaudit.run.schema import SCHEMA_VERSION

Cli = Callable[..., Done]
SPEC = "synth:3:12:slogan"


def rows(run: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / name).read_text().splitlines()]


def metrics(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "metrics.json").read_text())["metrics"])


def test_perfect_answers(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    for name in ("accuracy", "accuracy_both_orders", "rc", "ap", "order_consistency"):
        assert found[name]["value"] == 1.0, name
        assert found[name]["n"] == 12, name
    assert found["s_rc@0+"]["value"] == 0.0
    assert found["rc.chance"]["value"] < 0.2
    assert found["coverage.parsed"]["value"] == 1.0
    assert found["first_position_bias"]["value"] == 0.0
    assert "accuracy" in done.out
    assert "100.0 %" in done.out


def test_hand_worked_run(cli: Cli, tmp_path: Path) -> None:
    """Four items, one order, every number worked by hand.

    Item 0: right, all n reasons matched.    rc 1,    ap 1
    Item 1: right, vague praise only.        rc 0,    ap 0
    Item 2: wrong, first reference only.     rc 1/n,  ap 1/n (one hit at rank 1)
    Item 3: no verdict, no list.             wrong, rc 0
    accuracy 2/4, s_rc@0+ 1/2 (item 1 of the two right ones), parsed 3/4.
    """
    items = load_set("synth:3:4:slogan").items
    wrong = "A>B" if items[2].label == "b" else "B>A"
    better = {"a": "A", "b": "B"}[items[1].label]
    texts = [
        ideal_answer(items[0], "ab"),
        answer([f"Response {better} is clear and engaging."], "A>B" if better == "A" else "B>A"),
        answer([items[2].reasons[0].text], wrong),
        "Hard to say.",
    ]
    replay = write_replay(
        tmp_path / "r.jsonl",
        ({"item": item.id, "text": text} for item, text in zip(items, texts, strict=True)),
    )
    spec = ["--set", "synth:3:4:slogan", "--orders", "ab", "--out", "run"]
    assert cli("scan", f"replay:{replay}", *spec).code == 0
    found = metrics(tmp_path / "run")
    share = 1 / len(items[2].reasons)
    assert found["accuracy"]["value"] == 0.5
    assert found["rc"]["value"] == pytest.approx((1 + 0 + share + 0) / 4)
    assert found["ap"]["value"] == pytest.approx((1 + 0 + share + 0) / 4)
    assert found["s_rc@0+"]["value"] == 0.5
    assert found["coverage.parsed"]["value"] == 0.75
    assert found["order_consistency"]["value"] is None
    assert "order" in found["order_consistency"]["why"]


def test_missing_answers_are_errors_counted_and_bounded(cli: Cli, tmp_path: Path) -> None:
    items = load_set(SPEC).items
    replay = ideal_replay(tmp_path / "ideal.jsonl", items[1:])
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run")
    assert done.code == 0
    accuracy = metrics(tmp_path / "run")["accuracy"]
    assert accuracy["value"] == 1.0
    assert accuracy["n"] == 11
    assert accuracy["n_excluded"] == 2
    assert accuracy["worst"] == pytest.approx(11 / 12)
    assert accuracy["best"] == 1.0
    assert metrics(tmp_path / "run")["coverage.error"]["value"] == pytest.approx(2 / 24)
    assert "2 failed and are left out" in done.out


def test_run_directory(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    assert cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "deep/run").code == 0
    run = tmp_path / "deep" / "run"
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["schema_version"] == SCHEMA_VERSION
    assert manifest["status"] == "finished"
    assert manifest["reference_visible"] == "unknown"
    assert manifest["stopping"] == "full"
    assert set(manifest["row_hashes"]) == {
        "generations.jsonl", "verdicts.jsonl", "matches.jsonl", "flaws.jsonl",
        "results.jsonl", "nulls.jsonl",
    }  # fmt: skip
    keys = {
        (r["item"], r["variant"], r["slot"], r["order"], r["sample"])
        for r in rows(run, "generations.jsonl")
    }
    assert len(keys) == 24
    for name in ("verdicts.jsonl", "matches.jsonl", "flaws.jsonl"):
        assert {
            (r["item"], r["variant"], r["slot"], r["order"], r["sample"]) for r in rows(run, name)
        } == keys
    verdict = rows(run, "verdicts.jsonl")[0]
    assert verdict["reasons"][0].keys() == {"text", "about"}
    assert len(rows(run, "results.jsonl")) == 12
    assert os.readlink(tmp_path / "runs" / "latest") == "../deep/run"
    assert len(list((run / "prompts").iterdir())) == 1


def test_items_of_a_run_are_a_set_with_a_card_of_their_own(cli: Cli, tmp_path: Path) -> None:
    """Another order, and fewer of them, than the card of the set they come from names."""
    spec = "synth:11:6:slogan"
    replay = ideal_replay(tmp_path / "answers.jsonl", load_set(spec).items)
    run = tmp_path / "run"
    assert cli("scan", f"replay:{replay}", "--set", spec, "--limit", "4", "--out", run).code == 0
    used = load_set(str(run / "checklist"))
    assert len(used.items) == 4
    assert (used.card.sha256, used.stale_card) == (used.sha256, False)


def test_item_coordinates_do_not_depend_on_the_order_shown(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    assert cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run").code == 0
    by_order: dict[str, dict[str, Any]] = {"ab": {}, "ba": {}}
    for row in rows(tmp_path / "run", "verdicts.jsonl"):
        by_order[row["order"]][row["item"]] = (row["verdict"], row["reasons"])
    assert by_order["ab"] == by_order["ba"]


def test_json_is_one_object_and_metrics_json(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run", "--json")
    printed = json.loads(done.out)
    assert printed["run"] == "run"
    assert printed["metrics"] == metrics(tmp_path / "run")
    assert set(printed["slices"]) == {"creative"}


def test_quiet_is_one_line(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run", "-q")
    assert done.out == "accuracy 100.0 % · rc 100.0 % · run\n"
    assert done.err == ""


def test_dry_run_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(SPEC).items)
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run", "--dry-run")
    assert done.code == 0
    assert "24 generations" in done.err
    assert not (tmp_path / "run").exists()


def test_set_without_reasons(cli: Cli, tmp_path: Path) -> None:
    item = {
        "id": "x", "prompt": [{"role": "user", "content": "q"}],
        "response_a": "one", "response_b": "two", "label": "a",
    }  # fmt: skip
    (tmp_path / "set.jsonl").write_text(json.dumps(item) + "\n")
    replay = write_replay(
        tmp_path / "r.jsonl",
        [
            {"item": "x", "order": "ab", "text": answer(["Response B is wrong."], "A>B")},
            {"item": "x", "order": "ba", "text": answer(["Response A is wrong."], "B>A")},
        ],
    )
    done = cli("scan", f"replay:{replay}", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == 1.0
    assert found["rc"]["value"] is None
    assert found["rc"]["why"]
    assert found["coverage.no_references"]["value"] == 1.0
    assert "not applicable" in done.out


def test_show(cli: Cli, tmp_path: Path) -> None:
    items = load_set(SPEC).items
    hostile = ideal_answer(items[0], "ab") + "\x1b]0;title\x07"
    replay = write_replay(
        tmp_path / "r.jsonl", [{"item": items[0].id, "order": "ab", "text": hostile}]
    )
    cli("scan", f"replay:{replay}", "--set", SPEC, "--out", "run")
    done = cli("show", "run", items[0].id)
    assert done.code == 0
    assert items[0].response_a in done.out
    assert items[0].reasons[0].text in done.out
    assert "not recorded" in done.out  # the order ba
    assert "\x1b" not in done.out
    as_json = json.loads(cli("show", "run", items[0].id, "--json").out)
    assert as_json["generations"][0]["text"] == hostile
    missing = cli("show", "run", "nobody")
    assert missing.code == 2
    assert "no item 'nobody'" in missing.err
