"""Every scan scores lists that read nothing with its own judge, on the same items."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.judge_server import asked, judge_server
from support.report_runs import boxed, faithful, run_set, slogans
from support.run_samples import FOLDER

from rmaudit.checklists.schema import Item
from rmaudit.metrics.findings import find
from rmaudit.metrics.scores import score_matrices
from rmaudit.nulls.lists import NULLS
from rmaudit.run.directory import RunDir
from rmaudit.run.files import NULL_LISTS
from rmaudit.run.item import run_items
from rmaudit.run.null_rows import halves, null_reasons
from rmaudit.run.table import run_table, settings_of

Cli = Callable[..., Done]
SET = "synth:3:6:slogan"
KEYS = ("rc.null", "rc.null_precision", "rc.above_null", "rc.above_null_precision")


def metrics(run: Path | RunDir) -> dict[str, Any]:
    path = run.path if isinstance(run, RunDir) else run
    return dict(json.loads((path / "metrics.json").read_text())["metrics"])


def test_rows_and_the_value_by_another_way(tmp_path: Path) -> None:
    run = run_set(faithful, spec=SET, judge="truth")
    rows = list(run.rows(NULL_LISTS))
    items = run_items(run)
    assert Counter(row.key.item for row in rows) == {item.id: len(NULLS) for item in items}
    assert {row.key.variant for row in rows} == {f"null:{name}" for name in NULLS}
    assert run.manifest().nulls is not None
    assert NULL_LISTS.name in (run.manifest().row_hashes or {})
    for row, item in zip(rows[:6], [items[0]] * 6, strict=True):
        name = row.key.variant.removeprefix("null:")
        assert row.reasons == null_reasons(item, name, max_reasons=5, seed=0)
        assert len(row.reasons) <= 5
    rc = {row.key: score_matrices([row.matches.matrix])[0].rc for row in rows}
    half = halves(items, seed=0)
    assert Counter(half.values()) == {0: 3, 1: 3}

    def mean(name: str, part: int) -> float:
        found = [rc[key] for key in rc if key.variant == f"null:{name}"
                 and half[key.item] == part]  # fmt: skip
        return sum(found) / len(found)

    best = {part: max(NULLS, key=lambda name, part=part: mean(name, part)) for part in (0, 1)}
    expected = (mean(best[1], 0) + mean(best[0], 1)) / 2
    found = metrics(run)
    assert found["rc.null"]["value"] == pytest.approx(expected)
    assert found["rc.null"]["n"] == 6
    above = (found["rc"]["value"] - expected) / (1 - expected)
    assert found["rc.above_null"]["value"] == pytest.approx(above)
    assert all(name in found["rc.null"]["why"] for name in set(best.values()))


def test_a_stopped_stage_goes_on(cli: Cli) -> None:
    run = run_set(faithful, spec=SET, judge="truth")
    before, file = metrics(run), run.path / NULL_LISTS.name
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:9]) + lines[9][:30])
    resumed = ("--judge", "truth", "--out", run.path, "--resume")
    assert cli("scan", "replay:model.jsonl", "--set", SET, *resumed).code == 0
    assert sorted(file.read_text().splitlines(keepends=True)) == sorted(lines)
    assert metrics(run) == before


def test_a_list_of_differences_is_named_and_an_honest_model_is_not(tmp_path: Path) -> None:
    def listing(item: Item, order: str) -> str:
        return boxed(item, order, [one.text for one in NULLS["diff_words"](item)[:5]])

    def honest(item: Item, order: str) -> str:
        most = round(0.6 * len(item.reasons))
        return boxed(item, order, [one.text for one in item.reasons[:most]])

    told = {}
    for answers in (listing, honest):
        # The judge of words pays lists of differences; `truth` pays them nothing.
        run = run_set(answers, answers.__name__, spec="synth:3:60:slogan", judge="builtin")
        manifest = run.manifest()
        table = run_table(run, run_items(run), settings_of(manifest))[1]
        told[answers.__name__] = {finding.key for finding in find(table).named}
    assert "differences" in told["listing"]
    assert "differences" not in told["honest"]


def test_a_model_as_judge_is_counted_beforehand_and_asked_once(cli: Cli, tmp_path: Path) -> None:
    items = slogans(3)
    ideal_replay(tmp_path / "ideal.jsonl", items)
    with judge_server() as server:
        words = ("scan", "replay:ideal.jsonl", "--set", "synth:3:3:slogan")
        judge = ("--judge", server.target, "--labeler", "builtin")
        # 6 answers; 6 matches, 6 for chance, 6 lists of 3 items.
        over = cli(*words, *judge, "--out", "over", "--max-calls", "35")
        assert over.code == 2
        assert "36 model calls" in over.err
        assert "30 of the judge (18 of them about lists that read nothing)" in over.err
        plan = cli("doctor", *words[1:], *judge)
        assert "30 of the judge (18 of them" in plan.out
        assert cli(*words, *judge, "--out", "run", "--max-calls", "36").code == 0
        first = len(asked(server))
        assert first <= 30
        assert cli(*words, *judge, "--out", "again").code == 0
        assert len(asked(server)) == first
    run = RunDir.open(Path("again"))
    assert run.manifest().nulls.items == 100  # type: ignore[union-attr]
    assert run.manifest().judge.counts.rows == 6 + 18
    assert all(row.use.cached for row in run.rows(NULL_LISTS) if row.reasons)


def test_what_the_judge_fails_on_is_counted_bounded_and_asked_again(
    cli: Cli, tmp_path: Path
) -> None:
    ideal_replay(tmp_path / "ideal.jsonl", slogans(3))
    down = [True]

    def fault(prompt: str, nth: int) -> Any:
        return 500 if down[0] and "The request says" in prompt else None

    with judge_server(fault=fault) as server:
        words = ("scan", "replay:ideal.jsonl", "--set", "synth:3:3:slogan", "--out", "run")
        words += ("--request-retries", "0")
        judge = ("--judge", server.target, "--labeler", "builtin")
        assert cli(*words, *judge).code == 0
        run = RunDir.open(Path("run"))
        failed = [row for row in run.rows(NULL_LISTS) if row.matches.failure]
        assert {row.key.variant for row in failed} == {"null:restated"}
        assert run.manifest().judge.counts.failures == len(failed) == 3
        down[0] = False
        assert cli(*words, *judge, "--resume").code == 0
    assert not [row for row in run.rows(NULL_LISTS) if row.matches.failure]
    assert metrics(run)["rc.null"]["n_excluded"] == 0


def test_a_recorded_judge_and_a_score_model_say_why_not(cli: Cli, tmp_path: Path) -> None:
    run = run_set(faithful, spec=SET, judge="truth")
    again = run_set(faithful, "again", spec=SET, judge=f"replay:{run.path}/matches.jsonl")
    assert not again.has(NULL_LISTS)
    for key in KEYS:
        assert metrics(again)[key]["value"] is None
        assert metrics(again)[key]["why"].startswith("the judge is recorded")
    scores = FOLDER / "schema-1" / "scores"
    told = cli("report", scores, "--json", "--out", tmp_path / "scores.json")
    assert told.code == 0
    table = run_table(RunDir(scores), run_items(RunDir(scores)),
                      settings_of(RunDir(scores).manifest()))[1]  # fmt: skip
    assert table.nulls.why == "scanned before lists that read nothing were scored"


def test_an_edited_row_is_no_evidence(cli: Cli) -> None:
    run = run_set(faithful, spec=SET, judge="truth")
    path = run.path / NULL_LISTS.name
    path.write_text(path.read_text().replace("0.0", "1.0", 1))
    done = cli("gate", run.path, "--policy", "pr", "--json")
    assert done.code == 5
    assert "nulls.jsonl was changed since the run ended" in done.out


def test_it_is_shown(cli: Cli) -> None:
    run = run_set(faithful, spec=SET, judge="truth")
    done = cli("show", run.path, run_items(run)[0].id)
    assert "list that reads nothing: diff_words " in done.out
    resumed = ("--judge", "truth", "--out", run.path, "--resume")
    told = cli("scan", "replay:model.jsonl", "--set", SET, *resumed)
    value = metrics(run)["rc.null"]["value"]
    assert f"rationale consistency: lists that read nothing reach {100 * value:.1f} %" in told.out
    page = cli("report", run.path, "--html", "--out", "report.html")
    assert page.code == 0
    assert "lists that read nothing" in Path("report.html").read_text()


def test_merged_parts_are_measured_as_a_whole(cli: Cli, tmp_path: Path) -> None:
    for name, spec in (("one", "synth:3:4:slogan"), ("two", "synth:4:4:slogan")):
        run_set(faithful, name, spec=spec, judge="truth")
    (tmp_path / "both.jsonl").write_text(
        "".join(Path(f"{name}.jsonl").read_text() for name in ("one", "two"))
    )
    for name, spec in (("one", "synth:3:4:slogan"), ("two", "synth:4:4:slogan")):
        done = cli("scan", "replay:both.jsonl", "--set", spec, "--judge", "truth", "--out", name)
        assert done.code == 0, done.err
    assert cli("merge-runs", "one", "two", "--out", "merged").code == 0
    merged = RunDir.open(Path("merged"))
    # A judge without a model draws them anew over the whole.
    facts = merged.manifest().nulls
    assert facts is not None
    assert facts.drawn is None
    assert metrics(merged)["rc.null"]["n"] == 8
