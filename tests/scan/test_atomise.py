"""`--atomise`: rationales in free text become atomic reasons by the judge's model, in order."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import Done
from support.judge_server import asked, judge_server, same_text
from support.recorded_files import metrics, rows

from rmaudit.judging.answers import Malformed
from rmaudit.judging.atomise import MOST, read_atoms

Cli = Callable[..., Done]
ITEMS = [
    {
        "id": name,
        "prompt": [{"role": "user", "content": f"Name a prime near {k}."}],
        "response_a": f"{k} is one.",
        "response_b": f"{k + 1} is one.",
        "label": "b",
        "reasons": [
            {"id": "r1", "text": f"Response A names {k}, which is even.", "about": "a"},
            {"id": "r2", "text": "Response A gives no proof.", "about": "a"},
        ],
    }
    for name, k in (("q1", 10), ("q2", 12))
]
PROSE = (
    "Response A names {k}, which is even, and gives no proof. Response B is a clear answer. "
    "Verdict: [[B]]"
)
LISTED = "1. Response A names 12, which is even.\n\nVerdict: [[B]]"


def splitting(prompt: str) -> str:
    """Splits at `, and `, last sentence first; judges letter by letter."""
    sentences = re.findall(r"^(\d+): (.*)$", prompt, re.MULTILINE)
    if "Split the rationale" not in prompt:
        return same_text(prompt)
    found = []
    for number, text in reversed(sentences):
        first, _, second = text.rstrip(".").partition(", and ")
        found.append({"from": [int(number)], "text": f"{first}."})
        if second:
            found.append({"from": [int(number)], "text": f"Response A {second}."})
    return json.dumps({"reasons": found})


def scan(cli: Cli, target: str, *more: str) -> Done:
    words = ["--judge", target, "--labeler", "builtin", "--orders", "ab", "--out", "run"]
    return cli("scan", "replay:answers.jsonl", "--set", "set.jsonl", *words, *more)


def write(folder: Path, second: str = LISTED) -> None:
    (folder / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in ITEMS))
    lines = [
        {"item": "q1", "order": "ab", "text": PROSE.format(k=10)},
        {"item": "q2", "order": "ab", "text": second},
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))


@pytest.mark.slow
def test_prose_is_split_and_a_list_is_not(cli: Cli, tmp_path: Path) -> None:
    """Of q1 two faults in one sentence, then praise: 2 of 2 references, where sentences earn 0.

    q2 holds a list with one of its two references: rc (1 + 1/2) / 2.
    """
    write(tmp_path)
    with judge_server(splitting) as server:
        done = scan(cli, server.target, "--atomise")
        assert done.code == 0, done.err
        split = [one for one in asked(server) if "Split the rationale" in one]
    assert len(split) == 1
    assert metrics(tmp_path / "run")["rc"]["value"] == pytest.approx(0.75)
    one, two = sorted(rows(tmp_path / "run" / "verdicts.jsonl"), key=lambda row: row["item"])
    assert [reason["text"] for reason in one["reasons"]] == [
        "Response A names 10, which is even.",
        "Response A gives no proof.",
        "Response B is a clear answer.",
    ]
    assert [reason["about"] for reason in one["reasons"]] == ["a", "a", "b"]
    assert "atomised" in one["flags"]
    assert "atomised" not in two["flags"]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert "atomise" in manifest["prompts"]
    assert manifest["identity"]["atomised_by"]
    assert manifest["options"][-1] == "--atomise"


@pytest.mark.slow
def test_a_second_scan_takes_it_from_the_cache(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path)
    with judge_server(splitting) as server:
        assert scan(cli, server.target, "--atomise").code == 0
        first = len(asked(server))
        (tmp_path / "run").rename(tmp_path / "before")
        assert scan(cli, server.target, "--atomise").code == 0
        assert len(asked(server)) == first
        assert metrics(tmp_path / "run") == metrics(tmp_path / "before")
        plain = scan(cli, server.target, "--resume")
        assert plain.code == 2
        assert "atomised_by" in plain.err


@pytest.mark.slow
def test_what_cannot_be_split_keeps_its_sentences_and_is_said(cli: Cli, tmp_path: Path) -> None:
    def refusing(prompt: str) -> str:
        return "I would rather not." if "Split the rationale" in prompt else same_text(prompt)

    write(tmp_path)
    with judge_server(refusing) as server:
        done = scan(cli, server.target, "--atomise")
    assert done.code == 0, done.err
    assert "1 rationales could not be split by the judge and keep their sentences" in done.err
    one = min(rows(tmp_path / "run" / "verdicts.jsonl"), key=lambda row: row["item"])
    assert len(one["reasons"]) == 2
    assert "not_atomised" in one["flags"]
    assert metrics(tmp_path / "run")["rc"]["value"] == pytest.approx(0.25)


def test_the_calls_are_counted_before_the_start(cli: Cli, tmp_path: Path) -> None:
    """2 of the target, 2 to judge, 2 of lists by chance, 12 of null lists, 2 to split."""
    write(tmp_path)
    with judge_server(splitting) as server:
        most = {}
        for more in ((), ("--atomise",)):
            done = scan(cli, server.target, "--max-calls", "1", *more)
            assert done.code == 2
            found = re.search(r"makes (\d+) model calls", done.err)
            assert found is not None
            most[more] = int(found[1])
        assert most["--atomise",] - most[()] == 2
        assert "2 of the judge to split rationales" in done.err
        assert not asked(server)


def test_it_needs_a_model(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path)
    done = cli("scan", "replay:answers.jsonl", "--set", "set.jsonl", "--atomise")
    assert done.code == 2
    assert "--atomise needs a language model as the judge" in done.err


@given(
    places=st.lists(st.lists(st.integers(-1, 6), max_size=3), max_size=8),
    thought=st.sampled_from(["", "<think>Two points.</think>"]),
)
def test_reasons_come_in_the_order_of_their_sentences(
    places: list[list[int]], thought: str
) -> None:
    """Each stands in a sentence that there is; else the answer is malformed, not shortened."""
    found = [{"from": one, "text": f"Point {k}."} for k, one in enumerate(places)]
    answer = thought + json.dumps({"reasons": found})
    if all(one and all(1 <= number <= 5 for number in one) for one in places):
        ranked = sorted(range(len(places)), key=lambda k: min(places[k]))
        assert read_atoms(answer, count=5) == tuple(f"Point {k}." for k in ranked)
    else:
        with pytest.raises(Malformed):
            read_atoms(answer, count=5)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "[]",
        '{"reasons": "Response A is even."}',
        '{"reasons": [{"from": [1]}]}',
        '{"reasons": [{"from": [1], "text": " ... "}]}',
        '{"reasons": [{"from": [true], "text": "x"}]}',
        '<think>{"reasons": [{"from": [1], "text": "draft"}]}',
        '{"reasons": [{"from": [1], "text": "x"}]} {"reasons": [{"from": [1], "text": "y"}]}',
    ],
)
def test_what_is_no_split(answer: str) -> None:
    with pytest.raises(Malformed):
        read_atoms(answer, count=3)


def test_a_long_list_is_cut() -> None:
    found = [{"from": [1], "text": f"Point {k}."} for k in range(MOST + 5)]
    assert len(read_atoms(json.dumps({"reasons": found}), count=1)) == MOST
