"""Failed calls that were recorded as if they were results, and rows that find no item."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings.test_documented import EXAMPLES, written
from support.command_line import Done
from support.judge_server import judge_server
from support.recorded_files import entry, metrics, pair, rows, scored, write_pairs

from rmaudit.checklists.schema import Item
from rmaudit.recordings.failures import error_text, score_of
from rmaudit.recordings.loose import LooseRow, find_items
from rmaudit.recordings.r_align import gold_in
from rmaudit.recordings.rationalerm import matching_in
from rmaudit.records import Key

Cli = Callable[..., Done]


@pytest.mark.parametrize(
    "text",
    [
        "APIError: timeout",
        "openai.RateLimitError: Error code: 429",
        "Traceback (most recent call last):\n  File ...",
        "Error: connection reset",
        "HTTP 503 Service Unavailable",
        '{"error": {"message": "slow down"}}',
        "ReadTimeout(host='x')",
    ],
)
def test_the_text_of_an_error_is_no_rationale(text: str) -> None:
    assert error_text(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Errors in Response A: it names 9.",
        "Response A raises ValueError: the index is wrong. [[B]]",
        "Error handling is missing in Response B.",
        "Error-prone code all over, and no test.",
        "Error: Response A names 9.",
        "Error: the index is wrong. [[B]]",
        "The error: Response A names 9. [[B]]",
        "HTTP status codes are explained by Response A only.",
    ],
)
def test_a_rationale_about_errors_is_one(text: str) -> None:
    assert error_text(text) is None


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), "3", True, [1, 2], -1, [-1.0]])
def test_what_is_no_score(value: Any) -> None:
    assert score_of(value, sentinel=-1.0) is None


def test_a_score_of_minus_one_is_one_where_nothing_says_otherwise() -> None:
    assert score_of([[-1]]) == -1.0


def test_ratings_of_minus_one_are_failed_calls(cli: Cli, tmp_path: Path) -> None:
    """Ratings 8, 3, -1, 5: the pair with the third has no verdict; the others are right."""
    written(tmp_path)
    rated = json.loads(EXAMPLES["rewardbench2.json"]) | {"scores": [[8, 3, -1, 5]]}
    (tmp_path / "rated.json").write_text(json.dumps(rated))
    done = cli("scan", "replay:rated.json", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert (found["accuracy"]["value"], found["accuracy"]["n_excluded"]) == (1.0, 1)
    assert "rows of rated.json that hold a failed call: 1" in done.err


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_score_of_rm_bench_is_no_win(cli: Cli, tmp_path: Path, missing: Any) -> None:
    """Without the plain chosen score three pairs fail; of six, all but detailed-markdown are right.

    The script has the three wrong: easy 1, normal 2/3, hard 0.
    """
    written(tmp_path)
    row = json.loads(EXAMPLES["rm_bench.jsonl"]) | {"score_chosen": [missing, 0.6, 0.9]}
    (tmp_path / "rm.jsonl").write_text(json.dumps(row) + "\n")
    done = cli("scan", "replay:rm.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(5 / 6)
    assert found["accuracy"]["n_excluded"] == 3
    values = [found[f"compat.rm_bench.{level}"]["value"] for level in ("easy", "normal", "hard")]
    assert values == pytest.approx([1.0, 2 / 3, 0.0])


@pytest.mark.parametrize("scores", [None, [None, 1.0], [1.0, float("nan")]])
def test_a_missing_score_of_judgebench_is_no_verdict(cli: Cli, tmp_path: Path, scores: Any) -> None:
    """Three scored rows and one whose only call failed: accuracy stays 2/3, one row excluded."""
    write_pairs("s.jsonl", [*scored(), pair("x", entries=[entry("", None, scores=scores)])])
    done = cli("scan", "replay:s.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert found["accuracy"]["value"] == pytest.approx(2 / 3)
    assert found["accuracy"]["n_excluded"] == 2
    assert told_outcomes(tmp_path / "run") == {"ok": 4, "tie": 2, "error": 2}


def told_outcomes(run: Path) -> Counter[str]:
    return Counter(row["outcome"] for row in rows(run / "verdicts.jsonl"))


@pytest.mark.slow
def test_a_labeller_decides_the_gold_judgments_anew(cli: Cli, tmp_path: Path) -> None:
    """The server finds a reason met if the gold judgment holds it word for word: row 1 of 2.

    The recorded meta-judge is then not asked: C 1, I 1, none failed; the script's stay.
    """
    written(tmp_path)
    lines = [json.loads(line) for line in EXAMPLES["r_align.jsonl"].splitlines()]
    lines[0]["gt_judgment"] = "Assistant A names 9, a multiple of 3. \\boxed{B}"
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with judge_server() as server:
        done = cli("scan", "replay:r.jsonl", "--labeler", server.target, "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    values = {name: found[name]["value"] for name in ("l_acc", "f_score", "s_corr")}
    assert values == {"l_acc": 1.0, "f_score": 0.5, "s_corr": 0.5}
    assert found["compat.r_align.f_score"]["value"] == 0.0


def test_half_a_result_is_a_failure_and_no_tie(cli: Cli, tmp_path: Path) -> None:
    """Outcomes without scores, as a generative judge leaves them: 1, and 0.5 for what failed."""
    written(tmp_path)
    bare = json.loads(EXAMPLES["rewardbench.json"]) | {"results": [1, 0.5]}
    del bare["scores_chosen"], bare["scores_rejected"]
    (tmp_path / "bare.json").write_text(json.dumps(bare))
    done = cli("scan", "replay:bare.json", "--out", "run")
    assert done.code == 0, done.err
    found = metrics(tmp_path / "run")
    assert (found["accuracy"]["value"], found["accuracy"]["n_excluded"]) == (1.0, 1)
    assert {row["outcome"] for row in rows(tmp_path / "run/verdicts.jsonl")} == {"ok", "error"}
    assert found["compat.rewardbench.accuracy"]["value"] == 0.75


def test_equal_genrm_scores_are_decided_by_the_ranking(cli: Cli, tmp_path: Path) -> None:
    """4 and 4 with ranking 4: the second response shown is better; 3, 3 and 3.5 is a default."""
    written(tmp_path)
    one = json.loads(EXAMPLES["compare.jsonl"])
    one["comparison_results"][0] |= {"score_1": 4.0, "score_2": 4.0, "ranking": 4.0}
    split = {"request": {k: one.pop(k) for k in ("conversation_history", "response_objs")}}
    (tmp_path / "tied.jsonl").write_text(json.dumps(split | {"response": one}) + "\n")
    done = cli("scan", "replay:tied.jsonl", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    verdicts = {(r["item"], r["order"]): r for r in rows(tmp_path / "run/verdicts.jsonl")}
    assert verdicts["q1", "ab"]["verdict"] == "b"
    assert verdicts["q1", "ba"]["outcome"] == "error"


def test_the_meta_judge_is_read_again() -> None:
    tag = "<final_verdict>{}</final_verdict>"
    assert gold_in("Incorrect", tag.format("Correct.")).gold == "correct"
    assert gold_in("Incorrect", tag.format("\n**Correct**\n")).gold == "correct"
    assert gold_in("Correct", tag.format("correct") + tag.format("Incorrect")).gold == "incorrect"
    assert gold_in("Correct", None).gold == "correct"
    assert gold_in("ParseFail", "no tags").failure == "the recorded answer has no verdict"
    assert gold_in("SkippedLabelMismatch", None).gold is None


def test_matchings_count_only_where_they_are_whole() -> None:
    said = "<RESULT_START>\n- R1@S2: 0.75\n- R2 @ S0: 0\n<RESULT_END>"
    template = "<RESULT_START>\n- Rx@Sy: 0.5\n<RESULT_END>\n"
    assert matching_in(template + said, 2, 2).edges == ((0, 1, 0.75),)
    assert matching_in(said, 3, 2).failure == "not one line for each of 3 references"
    assert matching_in(said, 2, 1).failure == "a reason or a score that there cannot be"
    assert matching_in(said.replace("0.75", "-1"), 2, 2).failure is not None
    assert matching_in(None, 2, 2).failure == "recorded as null: the call failed"
    assert matching_in("none", 2, 2).failure == "no block of results"


def item(name: str, a: str = "x", b: str = "y") -> Item:
    prompt = [{"role": "user", "content": "q"}]
    return Item(id=name, prompt=prompt, response_a=a, response_b=b, label="a", reasons=[])


NAMES = st.sampled_from(
    ["a", "a/ba", "a/ab/1", "a:ba", "a/ba/ba", "b", "b/ab", "b|ba|0", "é|ba", "/ba", "0", "a/ba/x"]
)


@given(names=st.sets(NAMES, min_size=1, max_size=6), data=st.data())
def test_each_row_is_used_or_counted(names: set[str], data: st.DataObject) -> None:
    """However ids look: an item's own id finds it, ITEM/ba its other order; nothing is lost."""
    items = [item(name) for name in sorted(names)]
    chosen = data.draw(st.lists(st.sampled_from(sorted(names)), max_size=6))
    others = data.draw(st.lists(NAMES, max_size=4))
    listed = [LooseRow(k, name, text=name) for k, name in enumerate([*chosen, *others])]
    found = find_items(listed, items)
    counted = (
        found.facts.get("rows_of_a_key_that_came_before", 0),
        found.facts.get("rows_of_no_item", 0),
    )
    assert len(found.generations) + sum(map(int, map(str, counted))) == len(listed)
    for name in chosen:
        assert found.generations[Key(name, order="ab")].text


def test_a_row_finds_its_item_by_the_texts_in_either_order() -> None:
    items = [item("one", "first", "second"), item("two", "third", "fourth")]
    listed = [
        LooseRow(1, "", shown=("second", "first"), scores=(5.0, 1.0), decision="a", decided=True),
        LooseRow(2, "", shown=("third", "second")),
    ]
    found = find_items(listed, items)
    key = Key("one", order="ba")
    assert found.scores == {key: (1.0, 5.0)}
    assert found.decisions == {key: "b"}
    assert found.facts["rows_of_no_item"] == 1
    assert found.facts["first_of_no_item"] == "line 2"
