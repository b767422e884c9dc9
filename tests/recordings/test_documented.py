"""Every example of docs/recorded.md, read as it stands there; each number is worked by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.command_line import Done
from support.recorded_files import metrics, rows

from rmaudit.recordings.formats import FORMATS

GUIDE = Path(__file__).parents[2] / "docs" / "recorded.md"
EXAMPLES = dict(re.findall(r"```jsonl? (\S+)\n(.*?)```", GUIDE.read_text(), re.DOTALL))
Cli = Callable[..., Done]


class Case(NamedTuple):
    """An example: its format, whether it needs the set, and what comes of it."""

    file: str
    format: str
    with_set: bool
    accuracy: float
    outcomes: list[str]
    reasons: int
    own: dict[str, float]


CASES = (
    # Of q2 one call failed, so its one answered row is right.
    Case("lines.jsonl", "lines", True, 1.0, ["ok", "ok", "ok", "error"], 3, {}),
    # q2/ab has status 429, q2/ba no row, q9 is no item.
    Case("batch.jsonl", "openai-batch", True, 1.0, ["ok", "ok", "error", "error"], 2, {}),
    Case("log.json", "inspect", True, 1.0, ["ok", "error", "error", "error"], 1, {}),
    # Shown first 9 (2 points), then 11 (4 points); the swapped comparison holds the defaults.
    Case("compare.jsonl", "genrm-compare", True, 1.0, ["ok", "error", "error", "error"], 0, {}),
    Case("records.jsonl", "score-records", True, 1.0, ["ok", "ok", "error", "error"], 3, {}),
    Case("judgebench.jsonl", "judgebench", False, 1.0, ["ok", "error"], 1, {}),
    # Both labels right. The file: C 0, I 1, f 1: F-Score 0 of 2 - 1 rows, S-Corr 1 of 1.
    Case(
        "r_align.jsonl",
        "r-align",
        False,
        1.0,
        ["ok", "ok"],
        2,
        {
            "compat.r_align.l_acc": 1.0,
            "compat.r_align.s_corr": 1.0,
            "compat.r_align.f_score": 0.0,
            # Read again the meta-judge says correct: C 1, I 0, f 1 of N 2.
            "l_acc": 1.0,
            "s_corr": 0.0,
            "f_score": 0.5,
        },
    ),
    Case("rationalerm.jsonl", "rationalerm", False, 1.0, ["ok"], 2, {"rc": 1.0}),
    # One hit of .75 at rank 2 of 2: ours .5; the script has it at rank 1 of the matched: .75.
    Case(
        "matchings.jsonl",
        "rationalerm",
        False,
        1.0,
        ["ok"],
        2,
        {
            "rc": 0.75,
            "ap": 0.5,
            "compat.rationalerm.recall": 0.75,
            "compat.rationalerm.precision": 0.375,
            "compat.rationalerm.f1": 0.5,
            "compat.rationalerm.average_precision": 0.75,
        },
    ),
    # Chosen .2 .6 .9 over rejected .1 .3 .7: right but concise against detailed and markdown
    # (.2 < .3, .7) and detailed against markdown (.6 < .7).
    Case(
        "rm_bench.jsonl",
        "rm-bench",
        False,
        6 / 9,
        ["ok"] * 9,
        0,
        {
            "compat.rm_bench.easy": 1.0,
            "compat.rm_bench.normal": 1.0,
            "compat.rm_bench.hard": 0.0,
            "compat.rm_bench.total": 6 / 9,
        },
    ),
    # The second score of the rejected response is null: no verdict; the script has it as 0.
    Case(
        "rewardbench.json",
        "rewardbench",
        False,
        1.0,
        ["ok", "error"],
        0,
        {
            "compat.rewardbench.accuracy": 0.5,
            "compat.rewardbench.chat": 1.0,
            "compat.rewardbench.reasoning": 0.0,
            "compat.rewardbench.score": 0.5,
        },
    ),
    Case(
        "rewardbench2.json",
        "rewardbench2",
        False,
        1.0,
        ["ok"] * 3,
        0,
        {"compat.rewardbench2.factuality": 1.0, "compat.rewardbench2.score": 1.0},
    ),
)


def written(folder: Path) -> None:
    for name, text in EXAMPLES.items():
        (folder / name).write_text(text)


def scanned(cli: Cli, case: Case, *more: str) -> Done:
    sets = ["--set", "set.jsonl"] if case.with_set else []
    return cli("scan", f"replay:{case.file}", *sets, "--out", "run", *more)


def test_each_format_and_example_is_here() -> None:
    assert {case.format for case in CASES} == {one.name for one in FORMATS}
    assert {case.file for case in CASES} == EXAMPLES.keys() - {"set.jsonl"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_an_example_is_read_as_documented(cli: Cli, tmp_path: Path, case: Case) -> None:
    written(tmp_path)
    done = scanned(cli, case)
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(case.accuracy)
    verdicts = rows(tmp_path / "run" / "verdicts.jsonl")
    assert sorted(row["outcome"] for row in verdicts) == sorted(case.outcomes)
    assert sum(len(row["reasons"]) for row in verdicts) == case.reasons
    assert found["coverage.error"]["value"] == case.outcomes.count("error") / len(case.outcomes)
    values = {key: found[key]["value"] for key in case.own}
    assert values == pytest.approx(case.own)
    own = [key for key in found if key.startswith("compat.")]
    assert own == list(found)[: len(own)]
    assert set(own) <= case.own.keys()
    report = cli("report", "run", "--html")
    assert report.code == 0, report.err


@pytest.mark.parametrize("case", [CASES[1], CASES[9], CASES[11]], ids=lambda case: case.file)
def test_a_named_format_reads_the_same(cli: Cli, tmp_path: Path, case: Case) -> None:
    written(tmp_path)
    done = scanned(cli, case, "--format", case.format, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["metrics"]["accuracy"]["value"] == pytest.approx(case.accuracy)


def told(run: Path) -> Any:
    return json.loads((run / "manifest.json").read_text())["target"]


def test_what_is_not_used_is_counted_and_said(cli: Cli, tmp_path: Path) -> None:
    """Of four lines one is about no item, one failed; of four pairs shown one has no row."""
    written(tmp_path)
    twice = EXAMPLES["batch.jsonl"] + EXAMPLES["batch.jsonl"].splitlines()[0] + "\n"
    (tmp_path / "batch.jsonl").write_text(twice)
    done = scanned(cli, CASES[1])
    assert done.code == 0, done.err
    facts = told(tmp_path / "run")
    assert facts["rows"] == 5
    assert facts["rows_of_no_item"] == 1
    assert facts["first_of_no_item"] == "q9/ab"
    assert facts["rows_of_a_key_that_came_before"] == 1
    assert facts["failed_calls"] == 1
    assert facts["requests_without_a_row"] == 1
    assert "1 of 5 rows of batch.jsonl are about no item of the set" in done.err
    assert "1 of 4 pairs shown have no row" in done.err
    assert "repeat an item, order and sample: 1" in done.err


def test_the_script_s_numbers_come_first_and_ours_below(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path)
    done = scanned(cli, CASES[6])
    lines = [line.strip() for line in done.out.splitlines() if line.strip()]
    assert lines[1].startswith("L-Acc by R-Align's script")
    assert lines[4].startswith("L-Acc  ")
    page = cli("report", "run", "--html")
    assert page.code == 0, page.err
    html = (tmp_path / "run" / "report.html").read_text().replace("&#39;", "'")
    places = [html.index(one) for one in ("F-Score by R-Align's script", "Right for the right")]
    assert places == sorted(places)


def test_lines_about_other_items_are_counted_or_refused(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path)
    stranger = json.dumps({"item": "q7", "order": "ab", "text": "Verdict: [[A]]"})
    (tmp_path / "lines.jsonl").write_text(EXAMPLES["lines.jsonl"] + stranger + "\n")
    done = scanned(cli, CASES[0])
    assert done.code == 0, done.err
    assert "1 of 5 rows of lines.jsonl are about no item of the set, the first of them q7" in (
        done.err
    )
    (tmp_path / "lines.jsonl").write_text(stranger + "\n")
    alone = cli("scan", "replay:lines.jsonl", "--set", "set.jsonl", "--out", "other")
    assert alone.code == 2
    assert "no item of set is in replay:lines.jsonl" in alone.err
    (tmp_path / "lines.jsonl").write_text("")
    empty = cli("scan", "replay:lines.jsonl", "--set", "set.jsonl", "--out", "other")
    assert empty.code == 2
    assert "the file holds no row" in empty.err


def test_models_of_one_file_are_two_targets(cli: Cli, tmp_path: Path) -> None:
    """`large` gives no list and a label of another type: a failed call, no verdict and no tie."""
    written(tmp_path)
    row = json.loads(EXAMPLES["rationalerm.jsonl"])
    row |= {"large-checklist": [], "large-label": {"better": 2}}
    (tmp_path / "two.jsonl").write_text(json.dumps(row) + "\n")
    words = ["scan", "replay:two.jsonl", "--out", "run", "--format"]
    done = cli(*words, "rationalerm:large")
    assert done.code == 0, done.err
    verdict = rows(tmp_path / "run" / "verdicts.jsonl")[0]
    assert (verdict["verdict"], verdict["outcome"], verdict["reasons"]) == (None, "error", [])
    assert metrics(tmp_path / "run")["accuracy"]["n_excluded"] == 1
    assert told(tmp_path / "run")["labels_of_another_type"] == 1
    other = cli(*words, "rationalerm:tiny", "--resume")
    assert other.code == 2
    assert "target" in other.err


def test_a_repeated_matching_counts_once_for_us_and_twice_for_the_script(
    cli: Cli, tmp_path: Path
) -> None:
    """The first try has no block, the second hits at .75; the script leaves the first out."""
    written(tmp_path)
    good = json.loads(EXAMPLES["matchings.jsonl"])
    bad = good | {"status": "format_error", "samples": [{"generated_text": "no block"}]}
    lines = [bad, good, good]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = cli("scan", "replay:m.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert (found["rc"]["value"], found["rc"]["n"]) == (0.75, 1)
    recall = found["compat.rationalerm.recall"]
    assert (recall["value"], recall["n"], recall["n_excluded"]) == (0.75, 2, 1)
    assert told(tmp_path / "run")["rows_of_a_key_that_came_before"] == 2
    assert "rows of m.jsonl that repeat an item, order and sample: 2" in done.err


def test_a_failed_matching_is_a_failure_of_the_judge(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path)
    bad = json.loads(EXAMPLES["matchings.jsonl"]) | {"status": "error", "samples": []}
    (tmp_path / "m.jsonl").write_text(json.dumps(bad) + "\n")
    done = cli("scan", "replay:m.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert (found["rc"]["value"], found["rc"]["n_excluded"]) == (None, 1)
    assert found["compat.rationalerm.recall"]["value"] is None
    assert "the judge failed on 1 answers" in done.err
