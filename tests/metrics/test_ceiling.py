"""The human ceiling: by hand, through scans with both kinds of judge, and after a stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import answer, swap_names, write_replay
from support.command_line import Done
from support.judge_server import asked, judge_server
from support.metrics_rows import item as result_item
from support.metrics_rows import no_answer, row, table

from rmaudit.checklists.schema import Item
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.scores import RowKey
from rmaudit.records import Key, MatchSet
from rmaudit.run.annotators import Panel, ceilings, left_out_key, panels
from rmaudit.run.rows import MatchRow

Cli = Callable[..., Done]
NAMES = ("rc.human_ceiling", "rc.human_ceiling.model")
CLEF = "Response A gives the year 1911 instead of 1912."
CORK = "Response B names the ship Cork instead of Lark."
SAIL = "Response A leaves out the word sail."


def record(name: str, *annotators: tuple[str, ...]) -> dict[str, Any]:
    """An item labelled b; each annotator is the texts of his reasons."""
    return {
        "id": name,
        "prompt": [
            {"role": "user", "content": f"Tell of the ship Lark of 1912, sail and all ({name})."}
        ],
        "response_a": "The Lark left in 1911.",
        "response_b": "The Cork left in 1912 under sail.",
        "label": "b",
        "annotators": [
            {
                "label": "b",
                "reasons": [
                    {"id": f"r{k}", "text": text, "about": text[9].lower()}
                    for k, text in enumerate(texts)
                ],
            }
            for texts in annotators
        ],
    }


def panel(*annotators: tuple[str, ...]) -> Panel:
    return panels([Item.model_validate(record("i", *annotators))])["i"]


def match_row(key: Key, *matrix: tuple[float, ...], failure: str | None = None) -> MatchRow:
    return MatchRow(key, MatchSet(matrix, (), failure=failure))


def test_a_panel_needs_two_annotators_with_reasons() -> None:
    items = [
        Item.model_validate(record("none")),
        Item.model_validate(record("one", (CLEF,), ())),
        Item.model_validate(record("two", (CLEF, SAIL), (), (CORK,))),
        Item.model_validate(record("more", (CLEF,), (CORK,))),
    ]
    assert list(panels(items)) == ["two", "more"]
    assert list(panels(items, most=1)) == ["two"]
    found = panels(items)["two"]
    assert found.owners == [0, 0, 1]
    assert [one.text for one in found.everybody.reasons] == [CLEF, SAIL, CORK]
    assert [one.text for one in found.others(1).reasons] == [CLEF, SAIL]
    assert [one.text for one in found.said_by(0, most=1)] == [CLEF]
    assert len({one.id for one in found.everybody.reasons}) == 3


def test_left_out_scores_by_hand() -> None:
    """Annotator 0 gave two reasons, 1 gave one.

    Human: 0 against the one of 1 matches at most once, 1.0; 1 against the two of 0: 0.5 / 2.
    Model, two reasons: without 0 the one of 1: 0.5; without 1 the two of 0: (1 + 0) / 2.
    """
    of = {"i": panel((CLEF, SAIL), (CORK,))}
    base = Key("i", "base", "pair", "ab", 0)
    rows = [
        match_row(left_out_key("i", 0), (0.5, 1.0)),
        match_row(left_out_key("i", 1), (0.5,), (0.0,)),
        match_row(base, (1.0, 0.0), (0.0, 0.0), (0.0, 0.5)),
        match_row(base._replace(order="ba"), failure="cut"),
        match_row(base._replace(sample=1), (), (), ()),
    ]
    found = ceilings(of, rows)
    assert found.human == {"i": pytest.approx((1.0 + 0.25) / 2)}
    assert found.model == {
        ("i", "ab", 0): pytest.approx(0.5),
        ("i", "ba", 0): None,
        ("i", "ab", 1): 0.0,
    }
    assert ceilings(of, rows[1:]).human == {"i": None}  # an annotator without a row
    failed = [match_row(left_out_key("i", 0), failure="cut"), rows[1]]
    assert ceilings(of, failed).human == {"i": None}


def test_metrics_by_hand() -> None:
    """i0  human 0.6, model 0.4 and 0.2;  i1  human failed, model 1.0;  i2  no panel
    i3  human 0.2, the model did not answer
    """
    facts: dict[RowKey, RowFacts] = {
        ("i0", "ab", 0): RowFacts(panel=True, human=0.6, ceiling=0.4),
        ("i0", "ba", 0): RowFacts(panel=True, human=0.6, ceiling=0.2),
        ("i1", "ab", 0): RowFacts(panel=True, ceiling=1.0),
        ("i3", "ab", 0): RowFacts(panel=True, human=0.2),
    }
    data = table(
        result_item("i0", row("a"), row("a", order="ba")),
        result_item("i1", row("a")),
        result_item("i2", row("a")),
        result_item("i3", no_answer()),
        facts=facts,
    )
    human, model = compute_metrics(data, resamples=100, names=NAMES).values()
    assert (human.value, human.n, human.n_excluded) == (pytest.approx(0.4), 2, 1)
    assert (human.worst, human.best) == pytest.approx((0.8 / 3, 1.8 / 3))
    assert (model.value, model.n, model.n_excluded) == (pytest.approx(0.65), 2, 1)
    nobody = compute_metrics(table(result_item("i0", row("a"))), names=NAMES)
    assert nobody[NAMES[0]].why.startswith("needs items with the reasons of two annotators")


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """Two items with annotators, one without; the model says what the first annotator says."""
    records = [
        record("1", (CLEF, CORK), (CLEF,)),
        record("2", (CLEF,), (SAIL,)),
        record("3"),
    ]
    Path("set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    said = {"1": [CLEF, CORK], "2": [CLEF], "3": []}
    write_replay(
        tmp_path / "answers.jsonl",
        (
            {
                "item": name,
                "order": order,
                "text": answer(reasons, "B>A")
                if order == "ab"
                else answer(map(swap_names, reasons), "A>B"),
            }
            for name, reasons in said.items()
            for order in ("ab", "ba")
        ),
    )
    return ["scan", "replay:answers.jsonl", "--set", "set.jsonl"]


def metrics(run: str) -> dict[str, Any]:
    return json.loads(Path(run, "metrics.json").read_text())["metrics"]  # type: ignore[no-any-return]


EXPECTED = (
    ((1 + 0.5) / 2 + 0) / 2,  # item 1: 1 of 1, 1 of 2; item 2: none of 1, none of 1
    ((1 + 1) / 2 + (0 + 1) / 2) / 2,  # item 1: all; item 2: not SAIL, but CLEF
)


def test_scan_with_the_builtin_judge(cli: Cli, words: list[str]) -> None:
    done = cli(*words, "--out", "run")
    assert done.code == 0, done.err
    found = metrics("run")
    assert [found[name]["value"] for name in NAMES] == pytest.approx(EXPECTED)
    assert found["rc"]["value"] is None  # the items have no reasons of their own
    rows = [json.loads(line) for line in Path("run/ceilings.jsonl").read_text().splitlines()]
    assert len(rows) == 4 + 4  # annotators; answers in both orders
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert "ceilings.jsonl" in manifest["row_hashes"]


@pytest.mark.parametrize("people", [2, 3, 5])
def test_people_who_agree_reach_all_however_many_they_are(cli: Cli, people: int) -> None:
    Path("set.jsonl").write_text(json.dumps(record("1", *[(CLEF, CORK)] * people)) + "\n")
    said = {"ab": answer([CLEF, CORK], "B>A"), "ba": answer([swap_names(CLEF)], "A>B")}
    rows = ({"item": "1", "order": order, "text": text} for order, text in said.items())
    write_replay(Path("answers.jsonl"), rows)
    done = cli("scan", "replay:answers.jsonl", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = metrics("run")
    assert [found[name]["value"] for name in NAMES] == [1.0, (1.0 + 0.5) / 2]


def test_a_stopped_stage_goes_on(cli: Cli, words: list[str]) -> None:
    assert cli(*words, "--out", "whole").code == 0
    assert cli(*words, "--out", "run").code == 0
    file = Path("run/ceilings.jsonl")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:3]) + lines[3][:20])
    done = cli(*words, "--out", "run", "--resume")
    assert done.code == 0, done.err
    assert sorted(file.read_text().splitlines()) == sorted(line.strip() for line in lines)
    assert metrics("run") == metrics("whole")


@pytest.mark.slow
def test_scan_with_a_model_as_judge(cli: Cli, words: list[str]) -> None:
    """Every call is counted beforehand; the model sees the references of all but one."""
    with judge_server() as server:
        judge = ["--judge", server.target, "--labeler", "builtin"]
        over = cli(*words, *judge, "--out", "over", "--max-calls", "13")
        assert over.code == 2
        assert "14 model calls" in over.err  # 6 answers, 4 annotators, 4 answers against them
        done = cli(*words, *judge, "--out", "run", "--max-calls", "14")
        assert done.code == 0, done.err
        prompts = asked(server)
    assert len(prompts) <= 8
    found = metrics("run")
    assert [found[name]["value"] for name in NAMES] == pytest.approx(EXPECTED)


def test_recorded_matches_hold_no_annotators(cli: Cli, words: list[str]) -> None:
    assert cli(*words, "--out", "run").code == 0
    done = cli(*words, "--judge", "replay:run/matches.jsonl", "--out", "again")
    assert done.code == 0, done.err
    assert not Path("again/ceilings.jsonl").exists()
    assert metrics("again")["rc.human_ceiling"]["value"] is None
