"""`rmaudit judge check --known`: the lines, the figures by hand, and laws of the figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command_line import Done
from support.judge_server import asked, judge_server
from support.known_truth import Row, known_item, said, write_answers, write_known

from rmaudit.checklists.schema import Item
from rmaudit.judge_check.strata import measure
from rmaudit.judge_check.truth import KnownCase, load_split
from rmaudit.metrics.agreement import item_agreement, pair_agreement
from rmaudit.metrics.scores import score_matrices
from rmaudit.records import ModelReason
from rmaudit.resources import folder

Cli = Callable[..., Done]
FIVE = {"precision", "recall", "r_items", "bias", "n"}
YEAR = "Response A gives the wrong year, 1912."
NO_SOURCE = "Response A cites no published source."


def three_items() -> list[Row]:
    """By hand: 4 true pairs of 13; true rc 1/2, 3/4 and 3/4."""
    return [
        {
            "item": known_item("one", [YEAR, NO_SOURCE], meta={"kind": "dates"}),
            "reasons": [said("The year 1912 is wrong in Response A."), said("Nice.", "vague")],
            "matrix": [[1, 0], [0, 0]],
        },
        {
            "item": known_item("two", [YEAR], meta={"kind": "dates", "language": "de"}),
            "reasons": [said("It was put up later than A believes.")],
            "matrix": [[0.75]],
        },
        {
            "item": known_item("three", [YEAR, NO_SOURCE]),
            "reasons": [
                said("Response A gives the year 1912, and that is wrong."),
                said("Response A cites nobody.", "partial"),
            ],
            "matrix": [[1, 0], [0, 0.5]],
            "split": "mine",
        },
    ]


JUDGED = [
    ("one", "base", [[1, 0], [0, 0.5]]),
    ("two", "base", [[0.25]]),
    ("three", "base", [[1, 0], [0, 0.5]]),
]


def found_by(cli: Cli, *words: str | Path) -> dict[str, Any]:
    done = cli("judge", "check", *words, "--json")
    assert done.code == 0, done.err
    return dict(json.loads(done.out))


def test_figures_by_hand(cli: Cli) -> None:
    """The judge scores 4 pairs 0.5 or more, 3 of them rightly; its rc are 3/4, 1/4, 3/4.

    Errors of rc: +1/4, -1/2, 0. Deviations of rc: true -1/6, 1/12, 1/12; judged 1/6, -1/3, 1/6;
    so r = -1/24 / sqrt(1/24 * 1/6) = -1/2.
    """
    file, judge = write_known(three_items()), write_answers(JUDGED)
    found = found_by(cli, judge, "--known", file)
    assert set(found) == {"overall", "strata", "intervals"}
    close = pytest.approx
    assert found["overall"] == {
        "precision": 0.75, "recall": 0.75, "r_items": close(-0.5), "bias": close(-1 / 12), "n": 3,
    }  # fmt: skip
    strata = found["strata"]
    assert set(strata) == {"stems", "language", "kind", "reason"}
    assert strata["stems"] == {
        "under 0.1": {"recall": 0.0, "n": 1},
        "0.1 to 0.5": {"recall": 1.0, "n": 1},
        "0.5 and more": {"recall": 1.0, "n": 2},
    }
    assert strata["language"]["de"] == {
        "precision": None, "recall": 0.0, "r_items": None, "bias": -0.5, "n": 1,
    }  # fmt: skip
    assert strata["language"]["en"]["precision"] == 0.75
    assert {name: one["n"] for name, one in strata["kind"].items()} == {"dates": 2, "general": 1}
    assert strata["reason"] == {
        "partial": {"judged": 0.5, "true": 0.5, "recall": 1.0, "n": 1},
        "true": {"judged": 0.75, "true": close(11 / 12), "recall": close(2 / 3), "n": 3},
        "vague": {"judged": 0.5, "true": 0.0, "recall": None, "n": 1},
    }


def test_intervals_have_the_shape_of_the_figures_and_hold_them(cli: Cli) -> None:
    found = found_by(cli, write_answers(JUDGED), "--known", write_known(three_items()))

    def held(figures: dict[str, Any], spans: dict[str, Any]) -> int:
        checked = 0
        assert set(spans) == set(figures) - {"n", "intervals"}
        for name, span in spans.items():
            value = figures[name]
            if isinstance(value, dict):
                checked += held(value, span)
            elif span is not None:
                checked += 1
                assert span[0] <= value <= span[1]
                assert span[0] < span[1]
            elif value is not None:
                assert figures["n"] <= 1
        return checked

    assert held(found, found["intervals"]) > 10


def test_three_wordings_are_three_lists_of_one_item(cli: Cli) -> None:
    """Recall by wording 1, 1, 0; an interval counts two items, whatever their wordings."""
    lists = {
        "same": {"reasons": [said("The year 1912 is wrong.", about="a")], "matrix": [[1]]},
        "judge": {"reasons": [said("Assistant A is mistaken as to 1912.")], "matrix": [[1]]},
        "free": {"reasons": [said("It is off by a decade.")], "matrix": [[1]]},
    }
    rows = [{"item": known_item(name, [YEAR]), "lists": lists} for name in ("one", "two")]
    file = write_known(rows)
    answers = [
        (name, f"wording:{wording}", [[float(wording != "free")]])
        for name in ("one", "two")
        for wording in lists
    ]
    split = load_split("known", file, recorded=True)
    assert [case.wording for case in split.cases] == ["same", "judge", "free"] * 2
    assert len({case.key for case in split.cases}) == 6
    assert {case.reasons[0].about for case in split.cases} == {"a"}, "as written, without a name"
    found = found_by(cli, write_answers(answers), "--known", file)
    wordings = found["strata"]["wording"]
    assert list(wordings) == ["same", "judge", "free"]
    assert {name: one["recall"] for name, one in wordings.items()} == {
        "same": 1.0, "judge": 1.0, "free": 0.0,
    }  # fmt: skip
    assert found["overall"]["n"] == 6
    # Clopper and Pearson for 2 of 2, once over one wording and once over all three.
    assert found["intervals"]["strata"]["wording"]["same"]["recall"] == [
        pytest.approx(0.025**0.5), 1.0,
    ]  # fmt: skip


def test_the_written_lists_ship_whole() -> None:
    split = load_split("written", folder("checklists") / "known_truth" / "written.jsonl")
    assert len(split.cases) == 900
    assert len({case.key for case in split.cases}) == 900
    assert {case.wording for case in split.cases} == {"same", "judge", "free"}
    assert {case.language for case in split.cases} == {"en", "de", "fr", "es", "it", "pt"}
    right = {case.key: case.matrix for case in split.cases}
    few = [case for case in split.cases if case.item.id.endswith("7")]
    found = measure(few, right)
    assert (found["overall"]["precision"], found["overall"]["recall"]) == (1.0, 1.0)
    assert found["strata"]["stems"]["under 0.1"]["n"] > 20


def test_failed_answers_are_counted_and_left_out(cli: Cli) -> None:
    file = write_known(three_items())
    found = found_by(cli, write_answers(JUDGED[:2]), "--known", file)
    assert set(found) == {"overall", "strata", "intervals"}
    assert set(found["overall"]) == FIVE
    assert found["overall"]["n"] == 2
    done = cli("judge", "check", write_answers(JUDGED[:2]), "--known", file)
    assert done.code == 0
    assert "the judge failed on 1 of 3 lists" in done.err
    quiet = cli("judge", "check", write_answers(JUDGED[:2]), "--known", file, "--json", "-q")
    assert "the judge failed on 1 of 3 lists" in quiet.err
    done = cli("judge", "check", "truth", "--known", file)
    assert done.code == 1
    assert "failed on all 3" in done.err


def test_a_table_of_80_columns(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = write_known(three_items())
    done = cli("judge", "check", write_answers(JUDGED), "--known", file, "--out", "figures.json")
    assert done.code == 0
    assert all(len(line) <= 80 for line in done.out.splitlines())
    for title in ("3 lists", "by share of common stems", "by language", "by kind of reason"):
        assert title in done.out
    assert "precision 0.750, recall 0.750, r -0.500, bias -0.083 on 3 lists" in done.out
    assert "known.jsonl, 3 lists on 3 items" in done.err
    assert set(json.loads(Path("figures.json").read_text())) == {"overall", "strata", "intervals"}
    quiet = cli("judge", "check", "builtin", "--known", file, "--limit", "2", "-q")
    assert quiet.code == 0
    assert quiet.out.count("\n") == 1
    assert "on 2 lists" in quiet.out


def test_a_false_side_earns_nothing_by_the_embedded_judge(cli: Cli) -> None:
    """The side of a reason is that of its text, and only without one the written side."""
    rows = [
        {
            "item": known_item("one", [YEAR]),
            "reasons": [
                said("Response B gives the wrong year, 1912.", "wrong_side"),
                said("Gives the wrong year, 1912.", about="a"),
            ],
            "matrix": [[0, 1]],
        }
    ]
    found = found_by(cli, "builtin", "--known", write_known(rows))
    assert found["strata"]["reason"]["wrong_side"]["judged"] == 0.0
    assert found["strata"]["reason"]["true"]["judged"] >= 0.75


def test_a_model_is_asked_once_a_list_and_the_calls_are_counted_before(cli: Cli) -> None:
    """The stand-in compares letter by letter, so that it finds the one reason that is a copy."""
    rows = three_items()
    rows[1]["reasons"][0]["text"] = YEAR
    file = write_known(rows)
    with judge_server() as server:
        refused = cli("judge", "check", server.target, "--known", file, "--max-calls", "2")
        assert refused.code == 2
        assert "this check makes 3 model calls; --max-calls is 2" in refused.err
        assert not asked(server)
        found = found_by(cli, server.target, "--known", file)
        assert len(asked(server)) == 3
        assert found["overall"] | {"r_items": None, "bias": None} == {
            "precision": 1.0, "recall": 0.25, "r_items": None, "bias": None, "n": 3,
        }  # fmt: skip


def bad(change: Callable[[Row], object]) -> list[Row]:
    rows = three_items()
    change(rows[1])
    return rows


LIST = {"reasons": [said("Nice.")], "matrix": [[0]]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda row: row.pop("item"), "field item: is missing"),
        (lambda row: row["item"].pop("label"), "field item.label: is missing"),
        (lambda row: row["item"].update(id="one"), "field item.id: the id 'one' is already on"),
        (lambda row: row["item"].update(reasons=[]), "field item.reasons: is empty"),
        (lambda row: row.pop("reasons"), "field reasons: is missing"),
        (lambda row: row.pop("matrix"), "field matrix: is missing"),
        (lambda row: row["reasons"][0].update(about="c"), "field reasons.0.about:"),
        (lambda row: row["reasons"][0].update(text=" "), "field reasons.0.text: is empty"),
        (lambda row: row["reasons"][0].update(aim="r1"), "field reasons.0.aim: unknown key"),
        (lambda row: row.update(scores=[[1]]), "field scores: unknown key"),
        (lambda row: row.update(matrix=[[1], [0]]), "field matrix: has 2 rows for 1 references"),
        (lambda row: row.update(matrix=[[1, 0]]), "field matrix.0: has 2 scores for 1 reasons"),
        (lambda row: row.update(matrix=[[0.6]]), "field matrix.0.0: 0.6 is not one of 0, 0.25"),
        (lambda row: row.update(matrix=[["1"]]), "field matrix.0.0:"),
        (lambda row: row.update(lists={"same": LIST}), "field reasons: stands beside `lists`"),
        (
            lambda row: (row.pop("reasons"), row.pop("matrix"), row.update(lists={})),
            "field lists:",
        ),
        (
            lambda row: (
                row.pop("reasons"),
                row.pop("matrix"),
                row.update(lists={"free": LIST | {"matrix": [[0, 1]]}}),
            ),
            "field lists.free.matrix.0: has 2 scores for 1 reasons",
        ),
    ],
)
def test_a_bad_line_is_named_before_any_judge_is_made(
    cli: Cli, change: Callable[[Row], object], told: str
) -> None:
    done = cli("judge", "check", "vllm:/nowhere", "--known", write_known(bad(change)))
    assert done.code == 2
    assert f"known.jsonl, line 2, {told}" in done.err
    assert "hint:" in done.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--set", "starter"), "--set does not go with --known"),
        (("--from", "run"), "--from does not go with --known"),
        (("--second", "builtin"), "--second does not go with --known"),
        (("--labeler", "builtin"), "--labeler does not go with --known"),
        (("--repeats", "2"), "--repeats does not go with --known"),
        (("--from", "run", "--export", "x.csv"), "--known goes with no sheet"),
        (("--out", "nowhere/x.json"), "no folder"),
    ],
)
def test_only_the_file_is_measured(cli: Cli, words: tuple[str, ...], told: str) -> None:
    done = cli("judge", "check", "--known", write_known(three_items()), *words)
    assert done.code == 2
    assert told in done.err
    done = cli("judge", "check", "--known", "nowhere.jsonl")
    assert done.code == 2
    assert "cannot read nowhere.jsonl" in done.err


LEVEL = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


@st.composite
def judged_cases(draw: st.DrawFn) -> tuple[list[KnownCase], list[tuple[tuple[float, ...], ...]]]:
    cases, answers = [], []
    for number in range(draw(st.integers(1, 6))):
        n, m = draw(st.integers(1, 3)), draw(st.integers(0, 3))
        true, judged = (
            tuple(tuple(draw(LEVEL) for _ in range(m)) for _ in range(n)) for _ in range(2)
        )
        item = Item.model_validate(known_item(f"i{number}", ["The date is wrong."] * n))
        kinds = tuple(draw(st.sampled_from(["true", "vague"])) for _ in range(m))
        reasons = (ModelReason("The date is wrong.", "a"),) * m
        wording = draw(st.sampled_from(["same", "free"]))
        cases.append(KnownCase(item, reasons, kinds, true, wording))
        answers.append(judged)
    return cases, answers


@settings(max_examples=40, deadline=None)
@given(judged_cases())
def test_figures_are_those_of_agreement_and_strata_sum_to_the_whole(
    drawn: tuple[list[KnownCase], list[tuple[tuple[float, ...], ...]]],
) -> None:
    cases, answers = drawn
    found = measure(cases, {case.key: one for case, one in zip(cases, answers, strict=True)})
    true = [cell for case in cases for row in case.matrix for cell in row]
    said_ = [cell for one in answers for row in one for cell in row]
    pairs = pair_agreement(true, said_)
    rcs = [[one.rc for one in score_matrices(x)] for x in ([c.matrix for c in cases], answers)]
    items = item_agreement(*rcs)

    def same(value: float | None, other: float | None) -> bool:
        return value == other or (value is not None and value == pytest.approx(other, abs=1e-6))

    overall = found["overall"]
    assert same(overall["precision"], pairs.precision)
    assert same(overall["recall"], pairs.recall)
    assert same(overall["bias"], items.bias)
    assert same(overall["r_items"], items.r)
    assert overall["n"] == len(cases)
    strata = found["strata"]
    for whole in ("wording", "language", "kind"):
        assert sum(one["n"] for one in strata[whole].values()) == len(cases)
    assert sum(one["n"] for one in strata["stems"].values()) == pairs.same
    assert sum(one["n"] for one in strata.get("reason", {}).values()) == sum(
        len(case.kinds) for case in cases
    )
