"""Parts of a set, scanned apart and merged, against the whole scanned at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import faithful, record, run_items, run_set, slogans, vague

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.metrics import compute_metrics
from rmaudit.run.directory import RunDir
from rmaudit.run.item import run_items as items_of
from rmaudit.run.table import run_table, settings_of
from rmaudit.scan.plan import make_plan
from rmaudit.scan.redraw import judge_without_model
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent

Cli = Callable[..., Done]


def mixed(item: Item, order: str) -> str:
    return (faithful if ord(item.id[-1]) % 2 else vague)(item, order)


def scanned(part: str, items: tuple[Item, ...], **options: object) -> RunDir:
    """A run on some of the items, of the model recorded in all.jsonl."""
    path = Path(f"{part}-items.jsonl")
    path.write_text("".join(dump_item(item) + "\n" for item in items))
    config = ScanConfig(target="replay:all.jsonl", sets=(str(path),), out=Path(part), **options)  # type: ignore[arg-type]
    return scan(make_plan(config), Silent()).run


@pytest.fixture
def parts() -> tuple[RunDir, RunDir, RunDir]:
    """The whole, and two parts."""
    items = slogans()
    record(mixed, items, "all")
    return scanned("whole", items), scanned("one", items[:5]), scanned("two", items[5:])


def test_merged_parts_are_the_whole(cli: Cli, parts: tuple[RunDir, RunDir, RunDir]) -> None:
    whole = parts[0]
    done = cli("merge-runs", "two", "one", "--out", "merged")
    assert (done.code, done.out.strip()) == (0, "merged")
    merged = RunDir.open(Path("merged"))
    expected, found = (run.read_json("metrics.json") for run in (whole, merged))
    assert found == expected
    assert done.err == ""
    items = [(run.path / "checklist" / "items.jsonl").read_bytes() for run in (whole, merged)]
    assert items[0] == items[1]
    assert merged.manifest().n_items == 12
    assert merged.manifest().row_hashes == merged.hashes()
    assert [one.items for one in merged.manifest().merged_from or ()] == [7, 5]


def untidy(item: Item, order: str) -> str | None:
    """Right and vague reasons, an unreadable answer here and there, and some that are missing."""
    kind = sum(map(ord, item.id)) % 5
    if kind == 0 and order == "ba":
        return None
    return "No." if kind == 1 else mixed(item, order)


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["builtin", "truth"])
def test_every_metric_of_three_parts_with_several_families(cli: Cli, judge: str) -> None:
    """Families and domains draw apart, items are shuffled into parts, answers are lost."""
    items = load_set("synth:7:36:slogan,formats,arithmetic").items
    record(untidy, items, "all")
    whole = scanned("whole", items, judge=judge)
    for number in range(3):
        scanned(f"part-{number}", items[number::3][::-1], judge=judge)
    done = cli("merge-runs", "part-2", "part-0", "part-1", "--out", "merged")
    assert done.code == 0, done.err
    merged = RunDir.open(Path("merged"))
    expected, found = (run.read_json("metrics.json") for run in (whole, merged))
    assert len(expected["slices"]) > 1
    assert expected["metrics"]["rc.chance"]["n"] > 20
    assert expected["metrics"]["rc.above_null"]["value"] is not None
    assert found == expected
    # The set in parts is the set: a gate holds one against the other.
    run_set(vague, "poor", spec="whole-items.jsonl", judge=judge)
    Path("p.toml").write_text(
        'name = "p"\nallow_builtin_judge = true\n[[rules]]\nid = "kept"\nmetric = "rc"\n'
        'kind = "relative"\nmargin = 0.02\n'
    )
    assert cli("gate", "run-poor", "--policy", "p.toml", "--baseline", "merged").code in (3, 4)


def test_a_judge_that_is_a_model_or_another_version_is_not_asked_again() -> None:
    items = slogans()
    record(mixed, items, "all")
    manifest = scanned("one", items[:5]).manifest()
    assert judge_without_model(manifest) is not None
    older = manifest.adding({"identity": {**manifest.identity.as_dict(), "judge_version": -1}})
    assert judge_without_model(older) is None
    manifest.judge.spec = "openai:judge@http://127.0.0.1:1"
    assert judge_without_model(manifest) is None


@pytest.mark.slow
def test_the_merged_run_can_be_measured_again_and_compared(
    cli: Cli, parts: tuple[RunDir, RunDir, RunDir]
) -> None:
    cli("merge-runs", "one", "two", "--out", "merged")
    merged = RunDir.open(Path("merged"))
    _, table = run_table(merged, items_of(merged), settings_of(merged.manifest()))
    again = compute_metrics(table, seed=0)
    recorded = merged.read_json("metrics.json")["metrics"]
    assert {name: metric.value for name, metric in again.items()} == {
        name: metric["value"] for name, metric in recorded.items()
    }
    run_set(vague, "poor")
    assert cli("compare", "merged", "run-poor").code == 0
    assert cli("report", "merged", "--html").code == 0
    # One model's answers, whether in parts or not: no second data point.
    assert "repeats" in cli("compare", "whole", "merged").err


def test_json(cli: Cli, parts: tuple[RunDir, RunDir, RunDir]) -> None:
    done = cli("merge-runs", "one", "two", "--out", "merged", "--json")
    assert json.loads(done.out) == {"run": "merged", "items": 12}


@pytest.mark.slow
def test_what_cannot_be_merged(cli: Cli, parts: tuple[RunDir, RunDir, RunDir]) -> None:
    scanned("few", slogans()[5:], max_reasons=3)
    run_items(vague, slogans()[5:], "other", judge="truth")
    stopped = scanned("stopped", slogans()[5:])
    stopped.write_json(
        "manifest.json", stopped.manifest().adding({"stopping": "sequential"}).as_dict()
    )
    for words, told in (
        (["one"], "error: one run has nothing to be merged with"),
        (["one", "nowhere"], "error: no run at nowhere"),
        (["one", "whole"], "error: the item '"),
        (["one", "few"], "error: one and few do not agree in max_reasons"),
        (["one", "run-other"], "error: one and run-other do not agree in target"),
        (["one", "stopped"], "error: stopped is a run that stopped early (sequential)"),
    ):
        done = cli("merge-runs", *words, "--out", "merged")
        assert done.code == 2, words
        assert done.err.startswith(told)
        assert not Path("merged").exists()
    assert "is there already" in cli("merge-runs", "one", "two", "--out", "whole").err


@pytest.mark.slow
def test_measures_are_merged_where_all_parts_have_them(cli: Cli) -> None:
    items = slogans()
    record(mixed, items, "all")
    whole = scanned("whole", items, measures=("verdict-consistency",))
    scanned("one", items[:5], measures=("verdict-consistency",))
    scanned("two", items[5:])
    refused = cli("merge-runs", "one", "two", "--out", "merged")
    assert refused.code == 2
    assert "asked for different measures: verdict-consistency and none" in refused.err
    resumed = ScanConfig(
        target="replay:all.jsonl",
        sets=("two-items.jsonl",),
        out=Path("two"),
        resume=True,
        measures=("verdict-consistency",),
    )
    scan(make_plan(resumed), Silent())
    assert cli("merge-runs", "one", "two", "--out", "merged").code == 0
    name = "rationale_verdict_consistency.abstained"
    expected, found = (
        run.read_json("metrics.json")["metrics"][name]
        for run in (whole, RunDir.open(Path("merged")))
    )
    assert expected["value"] is not None
    assert found == expected
