"""A model as judge on whether reasons are true: read, measured, checked, ruled on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import answer, swap_names, write_replay
from support.command_line import Done
from support.gate_runs import policy, rule
from support.judge_server import asked, entries, judge_server
from support.known_truth import known_item, said, write_known

from rmaudit.checklists.sets import load_set
from rmaudit.judging.answers import Malformed
from rmaudit.judging.metajudge_answer import read_matrix
from rmaudit.taxonomy import CLAIMS

Cli = Callable[..., Done]
SPEC = "synth:3:12:slogan"
PAIRS = '{"pairs": [{"r": 1, "s": 2, "score": 0.75}]'


def told(*claims: tuple[object, object]) -> str:
    """The rest of an answer: `"claims": [...]}`."""
    listed = [{"s": place, "claim": claim} for place, claim in claims]
    return json.dumps({"claims": listed})[1:]


ALL = told((1, "true"), (2, "false"), (3, "undecidable"))
DECIDED = (True, False, None)


def read(text: str) -> tuple[bool | None, ...] | None:
    return read_matrix(text, n_refs=1, n_reasons=3).claims


@pytest.mark.parametrize(
    "text",
    [
        f"{PAIRS}, {ALL}",
        f"```json\n{PAIRS}, {ALL}\n```",
        f"{PAIRS}}}\n{{{ALL}",
        f"<think>S1 false</think>{PAIRS}, {ALL}",
        f"{PAIRS}, " + told((3, "undecidable"), (1, "true"), (2, "false")),
        f"{PAIRS}, " + told((1, True), ("S2", "FALSE"), ("3", "undecidable ")),
        "R1 S2 0.75\nS1: true\n* **S2** - FALSE\nS3 | undecidable",
        "S1 true\nS2 false\nS3 undecidable\nnone",
    ],
)  # fmt: skip
def test_claims_are_read_in_any_order_and_form(text: str) -> None:
    assert read(text) == DECIDED


@pytest.mark.parametrize(
    "claims",
    [
        "",
        ', "claims": []',
        ', "claims": null',
        ', "claims": [1, 2, 3]',
        ", " + told((1, "true"), (2, "false"), (3, "maybe"))[:-1],
        ", " + told((1, "true"), (2, "false"), (3, ["true"]))[:-1],
        ", " + told((1, "true"), (2, "false"), (3, None))[:-1],
        ", " + told((1, "true"), (2, "false"))[:-1],
        ", " + told((1, "true"), (2, "false"), (2, "false"))[:-1],
        ", " + told((1, "true"), (2, "false"), (4, "true"))[:-1],
        ", " + told((1, "true"), (2, "false"), (3, "true"), (3, "true"))[:-1],
    ],
)
def test_the_matrix_stands_where_claims_cannot_be_read(claims: str) -> None:
    """Not said of every reason once is not said: never taken for true or for undecidable."""
    found = read_matrix(f"{PAIRS}{claims}}}", n_refs=1, n_reasons=3)
    assert found.matrix == ((0.0, 0.75, 0.0),)
    assert found.claims is None


def test_two_lists_of_claims_that_differ_are_none() -> None:
    other = ALL.replace("true", "false")
    assert read(f"{PAIRS}, {ALL} {{{other}") is None
    assert read(f"{PAIRS}, {ALL} {{{ALL}") == DECIDED


@given(st.lists(st.sampled_from(list(CLAIMS)), min_size=1, max_size=6), st.randoms())
@settings(max_examples=60, deadline=None)
def test_every_list_of_claims_is_read_back(claims: list[str], random: Any) -> None:
    listed = [{"s": number, "claim": claim} for number, claim in enumerate(claims, start=1)]
    random.shuffle(listed)
    text = json.dumps({"pairs": [], "claims": listed})
    found = read_matrix(text, n_refs=2, n_reasons=len(claims))
    assert found.claims == tuple(CLAIMS[claim] for claim in claims)
    cut = text[: random.randrange(len(text))]
    with suppress(Malformed):
        assert read_matrix(cut, n_refs=2, n_reasons=len(claims)).claims is None


def knows(prompt: str) -> str:
    """A stand-in with known behaviour: it goes by one word of a reason."""
    if "Name one colour" in prompt:
        return '{"colour": "green"}'
    reasons, references = entries(prompt, "S"), entries(prompt, "R")
    found: dict[str, Any] = {
        "pairs": [
            {"r": ref, "s": place, "score": 1}
            for ref, reference in enumerate(references, start=1)
            for place, reason in enumerate(reasons, start=1)
            if reason == reference
        ]
    }
    if "whatever the references say" in prompt:
        words = {"purple": "false", "pleasant": "undecidable"}
        found["claims"] = [
            {"s": place, "claim": next((words[w] for w in words if w in text), "true")}
            for place, text in enumerate(reasons, start=1)
        ]
    return json.dumps(found)


def three_reasons(path: Path) -> Path:
    """A reference, which is true; one that is false in two of three items; one of taste."""
    rows = []
    for place, item in enumerate(load_set(SPEC).items):
        colour = "purple" if place % 3 else "plain"
        reasons = [
            item.reasons[0].text,
            f"Response A is printed in {colour} letters.",
            "Response B is pleasant to read.",
        ]
        rows.append({"item": item.id, "order": "ab", "text": answer(reasons, "A>B")})
        turned = [swap_names(reason) for reason in reasons]
        rows.append({"item": item.id, "order": "ba", "text": answer(turned, "B>A")})
    return write_replay(path, rows)


def measured(run: Path) -> dict[str, Any]:
    found = json.loads((run / "metrics.json").read_text())["metrics"]
    return {name: found[name]["value"] for name in ("claims.false", "claims.checked")}


@pytest.mark.slow
def test_a_scan_with_a_model_measures_false_claims(cli: Cli, tmp_path: Path) -> None:
    """Of three reasons two are decided; of 12 items 8 have a false one: 8/24, checked 2/3."""
    replay = three_reasons(tmp_path / "said.jsonl")
    words = ("scan", f"replay:{replay}", "--set", SPEC, "--labeler", "builtin", "--judge")
    with judge_server(knows) as server:
        done = cli(*words, server.target, "--out", "run")
        assert done.code == 0, done.err
        # Of the model's own reasons alone: not of another item's references, nor of null lists.
        prompts = asked(server)
        with_claims = [one for one in prompts if "whatever the references say" in one]
        assert len(with_claims) == 12 < len(prompts)
        assert cli(*words, server.target, "--judge-view", "lists", "--out", "lists").code == 0
        assert cli("doctor", f"replay:{replay}", "--set", SPEC, "--judge", server.target).code == 0
    assert measured(tmp_path / "run") == {
        "claims.false": pytest.approx(8 / 24), "claims.checked": pytest.approx(2 / 3),
    }  # fmt: skip
    rows = [json.loads(line) for line in (tmp_path / "run/matches.jsonl").read_text().splitlines()]
    assert {tuple(row["claims"]) for row in rows} == {(True, False, None), (True, True, None)}
    assert measured(tmp_path / "lists") == {"claims.false": None, "claims.checked": None}
    assert cli(*words, "replay:run/matches.jsonl", "--out", "again").code == 0
    assert measured(tmp_path / "again") == measured(tmp_path / "run")
    rules = rule("claims.false", 0.5, direction="max"), rule("claims.checked", 0.5)
    done = cli("gate", "run", "--policy", policy(*rules), "--json")
    assert [one["value"] for one in json.loads(done.out)["rules"]] == pytest.approx([1 / 3, 2 / 3])
    done = cli("gate", "run", "--policy", policy(rules[0]))
    assert done.code == 2
    assert "claims.checked" in done.err


@pytest.mark.slow
def test_the_error_of_the_claims_is_measured(cli: Cli) -> None:
    """By hand. 4 reasons are false, 3 are called so, and one true one: precision and recall 3/4.

    True: 3, called so 2, and one false one: 2/3, 2/3. Undecidable: one, found, and nothing else.
    The kind `praise` says nothing of the claim, unless the line does.
    """
    reasons = [
        said("Response A gives 1912.", "true"),
        said("Response A is short.", "extra_true"),
        said("Response A is purple.", "praise") | {"claim": "true"},
        said("Response B is purple, the year wrong.", "wrong_side"),
        said("Response A is purple, at 1999.", "wrong_value"),
        said("Response A: purple and right.", "opposite"),
        said("Both give 1912.", "both"),
        said("Response A is pleasant.", "vague"),
        said("Response A is purple.", "praise"),
    ]
    line = {
        "item": known_item("one", ["Response A gives the wrong year."]),
        "reasons": reasons,
        "matrix": [[0] * len(reasons)],
    }
    file = write_known([line])
    with judge_server(knows) as server:
        check = ("judge", "check", server.target, "--known", file)
        done = cli(*check, "--json")
        found = json.loads(done.out)["strata"]["claim"]
        table = cli(*check).out
    assert found == {
        "true": {"precision": pytest.approx(2 / 3), "recall": pytest.approx(2 / 3), "n": 3},
        "false": {"precision": 0.75, "recall": 0.75, "n": 4},
        "undecidable": {"precision": 1.0, "recall": 1.0, "n": 1},
    }
    assert re.search(r"claim of a reason +precision +recall +reasons", table)
    assert "claim" not in json.loads(cli("judge", "check", "--known", file, "--json").out)["strata"]
