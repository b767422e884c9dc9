"""`rmaudit compare`: two real runs over recorded answers, and what may not be compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import faithful, run_items, run_set, slogans, vague

from rmaudit.checklists.schema import Item
from rmaudit.compare.comparable import comparable
from rmaudit.compare.pair import Judged, compare_pair, word_of
from rmaudit.compare.read import CompareRun, read_for_comparison
from rmaudit.errors import InputError
from rmaudit.metrics import REGISTRY
from rmaudit.metrics.evidence import Unanimous
from rmaudit.metrics.paired import Change
from rmaudit.run.graders import GraderCounts, JudgeFacts
from rmaudit.run.manifest import RunManifest

Cli = Callable[..., Done]


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def read(name: str, number: int = 1) -> CompareRun:
    return read_for_comparison(Path(f"run-{name}"), number=number)


def test_a_model_whose_reasons_got_worse(cli: Cli) -> None:
    run_set(faithful, "good")
    run_set(vague, "poor")
    done = cli("compare", "run-good", "run-poor")
    assert done.code == 0
    assert "12 in both" in done.out
    assert "their reasons do, worse in the second" in done.out
    found = json.loads(cli("compare", "run-good", "run-poor", "--json").out)
    pair = found["pairs"][0]
    rc, accuracy = pair["metrics"]["rc"], pair["metrics"]["accuracy"]
    # Twelve items fall from 1 to 0: two of the 2^12 exchanges are as large.
    assert (rc["first"], rc["second"], rc["difference"]) == (1.0, 0.0, -1.0)
    assert rc["p"] == 2 / 4096
    assert rc["word"] == "worse"
    assert rc["p_holm"] == pytest.approx(rc["p"] * pair["claims"])
    assert rc["q"] is None
    assert (accuracy["difference"], accuracy["p"]) == (0.0, 1.0)
    assert accuracy["word"] == "no difference shown"
    assert pair["metrics"]["rc.precision"]["q"] is not None
    back = json.loads(cli("compare", "run-poor", "run-good", "--json").out)["pairs"][0]
    assert back["metrics"]["rc"]["word"] == "better"


@pytest.mark.parametrize("columns", ["80", "120"])
def test_it_fits_the_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    run_set(faithful, "good")
    run_set(vague, "poor")
    for words in ((), ("-v",)):
        done = cli("compare", "run-good", "run-poor", *words)
        assert max(map(len, done.out.splitlines())) <= int(columns)
        assert "…" not in done.out


def test_only_shared_items_are_compared(cli: Cli) -> None:
    items = slogans()
    run_items(faithful, items[:8], "one")
    changed = items[5].model_copy(update={"response_a": items[5].response_a + " Now."})
    run_items(vague, (*items[2:5], changed, *items[6:]), "two")
    items_ = json.loads(cli("compare", "run-one", "run-two", "--json").out)["pairs"][0]["items"]
    assert items_ == {
        "shared": 5,
        "only_first": 2,
        "only_second": 4,
        "differing": 1,
        "orders": [],
    }
    done = cli("compare", "run-one", "run-two")
    assert "5 in both; left out: 2 only in the first, 4 only in the second, 1 with the" in done.out
    assert "the sets differ" in done.out


def test_one_order_is_not_held_against_two() -> None:
    run_set(faithful, "both")
    run_set(vague, "single", orders="ab")
    found = compare_pair(read("both"), read("single"))
    assert found.shared.orders == ("ab",)
    assert found.overall["order_consistency"].word == "not compared"
    assert found.overall["coverage.parsed"].change.n == 12


def test_a_repeat_is_no_second_data_point(cli: Cli) -> None:
    run_set(faithful, "good")
    run_set(faithful, "good-again", judge_view="lists")
    Path("good-copy.jsonl").write_text(Path("good.jsonl").read_text())
    done = cli("compare", "run-good", "run-good-again")
    assert done.code == 2
    assert "repeats run-good: the same answers of the same model" in done.err
    run_set(vague, "poor")
    done = cli("compare", "run-good", "run-good-again", "run-poor")
    assert done.code == 0
    assert "run-good-again repeats run-good: it is no second data point, left out" in done.out
    assert (
        len(
            json.loads(cli("compare", "run-good", "run-good-again", "run-poor", "--json").out)[
                "pairs"
            ]
        )
        == 1
    )


def test_same_answers_of_another_model_are_told() -> None:
    run_set(faithful, "good")
    run_set(faithful, "twin")
    first, second = read("good"), read("twin", 2)
    second.manifest.target.digest = "other"
    notes = compare_pair(first, second).scope.notes
    assert "both runs give the same answers, word for word" in notes


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run-good"], "error: one run has nothing to be compared with"),
        (["run-good", "nowhere"], "error: no run at nowhere"),
        (["run-good", "run-other"], "error: no item is the same in run-good and run-other"),
        (["run-good", "run-other", "run-good"], "error: no two of the runs are of one set"),
        (["run-good", "run-open"], "error: run-open is not finished (status interrupted)"),
        (["run-good", "run-other", "--curve"], "error: the target of run-good states no step"),
    ],
)
def test_what_cannot_be_compared_is_said_before_work(cli: Cli, words: list[str], told: str) -> None:
    run_set(faithful, "good")
    run_set(vague, "other", spec="synth:5:4:slogan")
    run = run_set(vague, "open")
    run.write_manifest(run.manifest().adding({"status": "interrupted"}))
    done = cli("compare", *words)
    assert done.code == 2
    assert done.err.startswith(told)
    assert "\nhint: " in done.err


# ----------------------------------------------------------------------- comparability


def manifest() -> RunManifest:
    run_set(faithful, "good")
    return read("good").manifest


def changed(base: RunManifest, **identity: object) -> RunManifest:
    return base.adding({"identity": base.identity.adding(identity)})


def test_another_judge_bars_what_a_judge_decides() -> None:
    base = manifest()
    found = comparable(base, changed(base, judge="openai:m@http://h"), REGISTRY)
    assert "accuracy" in found.names
    assert "order_consistency" in found.names
    assert "coverage.parsed" in found.names
    for name in ("rc", "rc.above_chance", "ap@0.5", "f_rc@0+", "s_rc@0.25", "coverage.matched"):
        assert name not in found.names
    assert [one.why for one in found.barred] == [
        "the judges differ (builtin and openai:m@http://h)"
    ]
    assert set(found.names) | set(found.barred[0].metrics) == set(REGISTRY)


def test_another_labeller_bars_what_it_decides() -> None:
    base = changed(manifest(), labeler="builtin")
    found = comparable(base, changed(base, labeler="openai:m"), REGISTRY)
    assert [one.why for one in found.barred] == ["the labellers differ (builtin and openai:m)"]
    assert {"rc", "s_rc@0+", "coverage.matched"} <= set(found.names)
    assert {"flaw.F4", "category.EG", "s_corr", "coverage.labelled"} <= set(found.barred[0].metrics)


def test_more_reasons_bar_what_counts_reasons() -> None:
    base = manifest()
    found = comparable(
        base, base.adding({"max_reasons": 8}), ["rc", "accuracy", "coverage.over_max_reasons"]
    )
    assert found.names == ("accuracy",)
    assert found.barred[0].why == "max_reasons differs (5 and 8)"


def test_other_items_bar_what_is_above_lists() -> None:
    base = manifest()
    names = ["rc", "rc.above_chance", "rc.null", "rc.above_null"]
    found = comparable(base, base.adding({"items_sha256": "0" * 64}), names)
    assert found.names == ("rc", "rc.above_chance")
    assert found.barred[0].why.startswith("the items differ, and what lists that read nothing earn")


def test_two_ways_of_reading_bar_what_verdicts_decide() -> None:
    base = manifest()
    found = comparable(
        base, base.adding({"verdicts": "recorded"}), ["rc", "ap", "accuracy", "f_rc@0+"]
    )
    assert found.names == ("rc", "ap")


def test_what_is_compared_with_a_caveat() -> None:
    base = manifest()
    other = changed(base, prompt="another")
    other.samples = 4
    other.judge = JudgeFacts(spec="x", counts=GraderCounts(cached=7))
    notes = comparable(base, other, []).notes
    assert "the models were asked with different prompts: a change is of both together" in notes
    assert "1 and 4 samples a prompt" in notes
    assert any(
        note.startswith("second run: 7 answers of the judge come from its") for note in notes
    )
    assert "first run: the judge is approximate" in notes
    assert any(note.startswith("both runs: recorded answers") for note in notes)


def test_recorded_judges_are_compared_on_trust() -> None:
    base = changed(manifest(), judge="replay", judge_digest="1")
    found = comparable(base, changed(base, judge_digest="2"), ["rc"])
    assert found.names == ("rc",)
    assert any("taken on trust" in note for note in found.notes)


# -------------------------------------------------------------------------------- words


def test_words_follow_the_direction_and_the_corrected_p_value() -> None:
    up = Change("rc", 0.2, 0.5, False, Unanimous(0.3, 50, (-1, 1)), 0.001, "sign-flip", 50, 0)
    assert word_of(up, 0.04) == "better"
    assert word_of(up, 0.05) == "no difference shown"
    assert word_of(replace(up, key="s_rc@0+"), 0.04) == "worse"
    assert word_of(replace(up, key="rc.length_ceiling"), 0.04) == "changed"
    assert word_of(replace(up, key="first_position_bias", size=True), 0.04) == "worse"
    assert word_of(replace(up, evidence=None), None) == "not compared"


def test_by_domain(cli: Cli) -> None:
    items = [
        item.model_copy(update={"domain": "code" if k % 2 else "prose"})
        for k, item in enumerate(slogans())
    ]

    def good_at_code(item: Item, order: str) -> str:
        return (faithful if item.domain == "code" else vague)(item, order)

    run_items(faithful, items, "one")
    run_items(good_at_code, items, "two")
    found: dict[str, dict[str, Judged]] = compare_pair(read("one"), read("two")).slices
    assert found["code"]["rc"].change.difference == 0.0
    assert found["prose"]["rc"].change.difference == -1.0
    assert found["prose"]["rc"].change.p == 2 / 2**6
    out = cli("compare", "run-one", "run-two").out
    assert "by domain" in out
    assert "prose: rationale consistency" in out


def test_a_damaged_run_is_told(cli: Cli) -> None:
    run_set(faithful, "good")
    run = run_set(vague, "poor")
    (run.path / "verdicts.jsonl").write_text("{]\n")
    with pytest.raises(InputError, match="is damaged"):
        read("poor")
    assert cli("compare", "run-good", "run-poor").code == 2
