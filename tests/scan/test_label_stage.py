"""Labels in a scan: who gives them, when, what they cost, and what becomes of failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import answer, ideal_replay, write_replay
from support.command_line import Done
from support.fault_server import FaultServer
from support.judge_server import asked, judge_server, same_text
from support.run_samples import same_but_for_lists

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.sets import load_set
from rmaudit.run.directory import RunDir
from rmaudit.run.files import FLAWS

pytestmark = pytest.mark.slow
Cli = Callable[..., Done]
SPEC = "synth:3:6:slogan"
ITEMS = load_set(SPEC).items


def words(folder: Path, *more: str, out: str = "run", spec: str = SPEC) -> list[str]:
    replay = ideal_replay(folder / "ideal.jsonl", ITEMS)
    return ["scan", f"replay:{replay}", "--set", spec, "--out", out, *more]


def rows(run: Path, name: str = "flaws.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / name).read_text().splitlines()]


def read(run: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((run / name).read_text()))


def metrics(run: Path) -> dict[str, Any]:
    return dict(read(run, "metrics.json")["metrics"])


def label_prompts(server: FaultServer) -> list[str]:
    return [prompt for prompt in asked(server) if "Label every reason" in prompt]


def test_the_builtin_labeller_labels_every_answer(cli: Cli, tmp_path: Path) -> None:
    """References as reasons: nearly all name a fact of the item, none praises one side."""
    assert cli(*words(tmp_path)).code == 0
    run = tmp_path / "run"
    labels = list(RunDir(run).rows(FLAWS))
    verdicts = {(row["item"], row["order"]): row for row in rows(run, "verdicts.jsonl")}
    assert len(labels) == len(verdicts) == 12
    for row in labels:
        reasons = verdicts[row.key.item, row.key.order or ""]["reasons"]
        assert len(row.labels.labels) == len(reasons)
    found = metrics(run)
    assert found["category.EG"]["value"] > 0.9
    assert found["flaw.F4"]["value"] == 0.0
    assert found["flaw.F5"]["value"] is None
    assert found["flaw.F5"]["why"] == "the builtin labeller cannot test it"
    told = read(run, "manifest.json")
    assert told["labeler"]["spec"] == "builtin"
    assert told["labeler"]["approximate"] is True
    assert told["labeler"]["counts"]["rows"] == 12
    assert "flaws.jsonl" in told["row_hashes"]


def test_wrong_verdicts_and_items_without_references_are_labelled(cli: Cli, tmp_path: Path) -> None:
    items = [ITEMS[0], ITEMS[1].model_copy(update={"reasons": [], "repairs": None})]
    (tmp_path / "set.jsonl").write_text("".join(dump_item(item) + "\n" for item in items))
    wrong = {"a": "B>A", "b": "A>B"}
    write_replay(
        tmp_path / "r.jsonl",
        [
            {"item": item.id, "order": "ab", "text": answer(["Response A is clear."], verdict)}
            for item in items
            for verdict in [wrong[item.label]]
        ],
    )
    done = cli("scan", "replay:r.jsonl", "--set", "set.jsonl", "--orders", "ab", "--out", "run")
    assert done.code == 0, done.err
    assert [row["labels"] for row in rows(tmp_path / "run")] == [
        [{"category": "GS", "flaws": ["F1", "F4"]}]
    ] * 2
    assert len(rows(tmp_path / "run", "matches.jsonl")) == 1


def test_one_model_as_judge_and_labeller_is_asked_in_one_stream(cli: Cli, tmp_path: Path) -> None:
    with judge_server() as server:
        done = cli(*words(tmp_path, "--judge", server.target, "--concurrency", "1"))
        assert done.code == 0, done.err
        # 12 answers, each against two lists of references, and labelled; 6 lists of 6 items.
        assert "12 generations, up to 72 judge calls" in done.err
        # Both orders give the same reasons: the labels of 6 are the others' too.
        assert len(label_prompts(server)) == 6
        assert len(asked(server)) == 6 + 12 + 36
        # A label call follows the match call of the same answer, and begins as it does.
        sent = sorted(asked(server), key=lambda prompt: server.times[prompt][0])
        for label in label_prompts(server):
            before = sent[sent.index(label) - 2 : sent.index(label)]
            shared = label[: label.index("Label every reason")]
            assert len(shared) > 400
            assert all(prompt.startswith(shared) for prompt in before)
    run = tmp_path / "run"
    told = read(run, "manifest.json")
    assert told["judge"]["spec"] == told["labeler"]["spec"] == server.target
    assert told["judge"]["counts"]["calls"] == 12 + 36
    assert told["labeler"]["counts"]["calls"] == 6
    assert len(list((run / "prompts").iterdir())) == 4
    found = metrics(run)
    assert found["flaw.F7"]["value"] == 0.0
    assert found["coverage.labelled"]["value"] == 1.0
    # The gold judgments of these items hold their reasons word for word.
    assert (found["f_score"]["value"], found["s_corr"]["value"]) == (1.0, 0.0)


@pytest.mark.slow
def test_a_labeller_elsewhere_works_while_the_target_does(cli: Cli, tmp_path: Path) -> None:
    with (
        FaultServer(lambda prompt: answer(["Response A is clear."], "A>B"), seconds=0.2) as target,
        judge_server() as judge,
        judge_server() as labeler,
    ):
        done = cli(
            *("scan", target.target, "--set", SPEC, "--out", "run", "--concurrency", "1"),
            *("--judge", judge.target, "--labeler", labeler.target),
        )
        assert done.code == 0, done.err
        last = max(time for times in target.times.values() for time in times)
        assert min(labeler.times[prompt][0] for prompt in label_prompts(labeler)) < last
        assert not label_prompts(judge)
        assert len(label_prompts(labeler)) == len(asked(labeler)) > 0
    assert metrics(tmp_path / "run")["flaw.F4"]["value"] == 1.0
    told = read(tmp_path / "run", "manifest.json")
    assert told["labeler"]["spec"] == labeler.target
    assert told["identity"]["labeler"] == labeler.target
    assert told["judge"]["counts"]["failures"] == told["labeler"]["counts"]["failures"] == 0


def test_answers_that_cannot_be_read_are_failures_not_flawless(cli: Cli, tmp_path: Path) -> None:
    """The labeller answers nonsense to a third of the items, twice: 4 of 12 rows are lost."""
    bad = {ITEMS[0].response_a, ITEMS[3].response_a}

    def say(prompt: str) -> str:
        if "Label every reason" in prompt and any(text in prompt for text in bad):
            return '{"labels": []}'
        return same_text(prompt)

    with judge_server(say) as server:
        done = cli(*words(tmp_path, "--judge", server.target))
        assert done.code == 0, done.err
        assert len(label_prompts(server)) == 6 + 2
    lost = [row for row in rows(tmp_path / "run") if row["failure"]]
    assert len(lost) == 4
    assert all(row["labels"] == [] and row["raw"] for row in lost)
    assert "each of the" in lost[0]["failure"]
    found = metrics(tmp_path / "run")
    assert found["flaw.F4"]["n_excluded"] == 4
    assert found["flaw.F4"]["value"] == 0.0 < found["flaw.F4"]["worst"]
    assert found["coverage.labelled"]["value"] == pytest.approx(8 / 12)
    assert found["f_score"]["value"] == pytest.approx(8 / 12)
    assert found["f_score"]["best"] == 1.0
    assert found["coverage.matched"]["value"] == 1.0
    assert read(tmp_path / "run", "manifest.json")["labeler"]["counts"]["failures"] == 4


def test_a_resume_asks_again_what_the_labeller_did_not_answer(cli: Cli, tmp_path: Path) -> None:
    refusing = True

    def fault(prompt: str, nth: int) -> str | None:
        return "500" if refusing and "Label every reason" in prompt else None

    with judge_server(fault=fault) as server:
        call = words(tmp_path, "--judge", server.target, "--request-retries", "0")
        first = cli(*call)
        refusing = False
        assert cli(*call, "--resume").code == 0, first.err
    assert all(row["failure"] is None for row in rows(tmp_path / "run"))
    assert len(rows(tmp_path / "run")) == 12
    assert metrics(tmp_path / "run")["coverage.labelled"]["value"] == 1.0


def test_recorded_labels_give_the_same_metrics(cli: Cli, tmp_path: Path) -> None:
    with judge_server() as server:
        assert cli(*words(tmp_path, "--judge", server.target)).code == 0
    replayed = ("--judge", "replay:run/matches.jsonl", "--labeler", "replay:run/flaws.jsonl")
    assert cli(*words(tmp_path, *replayed, out="again")).code == 0
    assert same_but_for_lists(metrics(tmp_path / "again"), metrics(tmp_path / "run"))
    assert read(tmp_path / "again", "manifest.json")["labeler"]["approximate"] is False
    # Recorded matches alone: the labels come from the embedded labeller.
    assert cli(*words(tmp_path, *replayed[:2], out="third")).code == 0
    assert read(tmp_path / "third", "manifest.json")["labeler"]["spec"] == "builtin"


def test_recorded_labels_that_are_missing_or_of_another_answer_are_failures(
    cli: Cli, tmp_path: Path
) -> None:
    assert cli(*words(tmp_path)).code == 0
    kept = rows(tmp_path / "run")[1:]
    kept[0]["labels"] = kept[0]["labels"][:1]
    write_replay(tmp_path / "f.jsonl", kept)
    assert cli(*words(tmp_path, "--labeler", "replay:f.jsonl", out="again")).code == 0
    failures = sorted(row["failure"] for row in rows(tmp_path / "again") if row["failure"])
    assert failures == ["not recorded", "recorded for other reasons"]
    found = metrics(tmp_path / "again")
    assert found["flaw.F4"]["n_excluded"] == 2
    assert found["flaw.F5"]["why"] == "the replay labeller cannot test it"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("replay:f.jsonl", "f.jsonl, line 1, field labels.0.category: "),
        ("replay:nowhere.jsonl", "cannot read nowhere.jsonl"),
        ("magic", "no labeler 'magic'"),
    ],
)
def test_bad_labellers(cli: Cli, tmp_path: Path, spec: str, told: str) -> None:
    (tmp_path / "f.jsonl").write_text('{"item": "x", "labels": [{"category": "?"}]}\n')
    done = cli(*words(tmp_path, "--labeler", spec))
    assert done.code == 2
    assert told in done.err


def test_calls_of_the_labeller_count(cli: Cli, tmp_path: Path) -> None:
    with judge_server() as server:
        done = cli(*words(tmp_path, "--labeler", server.target, "--max-calls", "23"))
    assert done.code == 2
    assert "this scan makes 24 model calls" in done.err
    assert "12 of the labeller" in done.err


def test_another_labeller_is_another_run(cli: Cli, tmp_path: Path) -> None:
    assert cli(*words(tmp_path)).code == 0
    with judge_server() as server:
        done = cli(*words(tmp_path, "--labeler", server.target, "--resume"))
    assert done.code == 2
    assert f"labeler (builtin -> {server.target})" in done.err


def test_show_prints_the_labels(cli: Cli, tmp_path: Path) -> None:
    assert cli(*words(tmp_path)).code == 0
    item = ITEMS[0]
    shown = cli("show", "run", item.id).out
    for reason in item.reasons:
        assert f"  EG        {reason.text}" in shown
    assert "not tested: F5, F6, F7" in shown
    assert len(json.loads(cli("show", "run", item.id, "--json").out)["flaws"]) == 2
    with judge_server() as server:
        assert cli(*words(tmp_path, "--judge", server.target, out="second")).code == 0
    shown = cli("show", "second", item.id).out
    assert "not tested" not in shown
    assert "the gold judgment's ground: correct" in shown
