"""`rmaudit judge check`: null tests, known truth, second judge, repeats; the judge card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import ideal_replay
from support.command_line import Done
from support.judge_server import asked, judge_server, same_text

from rmaudit.checklists.sets import load_set
from rmaudit.judge_check import nulls, truth
from rmaudit.judge_check.decoys import compounds, decoys, facts_of, other_numbers
from rmaudit.judging.card import SHIPPED
from rmaudit.parsing.sides import reason_about

Cli = Callable[..., Done]
ITEMS = load_set("starter").items
NUMBER = re.compile(r"(?<![\w.#])\d+(?:[.,]\d{3})*(?:\.\d+)?(?!\w)")
FEW = "synth:3:8:slogan"


@pytest.fixture(autouse=True)
def no_heldout(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test measures a judge on `heldout`: what gates a developer's loop is not held out."""
    monkeypatch.delitem(truth.SPLITS, "heldout")


def card_of(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    return dict(json.loads(done.out))


def test_decoys_are_what_their_kind_says() -> None:
    kinds: set[str] = set()
    for item in ITEMS:
        by_id = {reason.id: reason for reason in item.reasons}
        for kind, (ref, reason) in decoys(item, seed=1).items():
            kinds.add(kind)
            reference = item.reasons[ref]
            if kind == "wrong_side":
                assert {reason.about, reference.about} == {"a", "b"}
                assert reason_about(reason.text)[0] == reason.about
            if kind == "wrong_number":
                assert set(NUMBER.findall(reference.text)).isdisjoint(NUMBER.findall(reason.text))
                assert re.sub(r"\d", "", reason.text) == re.sub(r"\d", "", reference.text)
            if kind in ("praise", "implied", "near_miss"):
                assert any(fact in reason.text for fact in facts_of(item, reference))
                assert "instead" not in reason.text
            if kind in ("both_sides", "negated"):
                assert reference.text.rstrip(". ") in reason.text
                assert reason.text != reference.text
            if kind in ("both_fine", "praise_values"):
                named = facts_of(item, reference)[:2]
                assert all(fact in reason.text for fact in named)
            if kind == "facts_only":
                rest = reason.text.replace("On Response", "Response")
                for fact in sorted(facts_of(item, reference), key=len, reverse=True):
                    rest = rest.replace(fact, "")
                assert re.fullmatch(r'(Response [AB])?[:,". ]*', rest), reason.text
        for joined, halves in compounds(item):
            assert [by_id[name].about for name in joined.id.split("+")] == [joined.about] * 2
            assert all(half.text.rstrip(". ") in joined.text for half in halves)
    assert kinds == set(nulls.BARS) - {"self", "other_family", "other_item", "half_compound"}


@settings(deadline=None)
@given(st.text(alphabet="0123456789., x-", max_size=40), st.integers(0, 9))
def test_other_numbers_are_other_numbers(text: str, seed: int) -> None:
    changed = other_numbers(text, Random(seed))
    found = NUMBER.findall(text)
    if not found:
        assert changed == ""
        return
    again = NUMBER.findall(changed)
    assert len(again) == len(found)
    assert set(again).isdisjoint(found)


def test_bars() -> None:
    """Means are bounded; a capped kind may besides hold two scores above half in a hundred."""
    assert nulls.summarise("self", [1.0] * 19 + [0.0]).ok
    assert not nulls.summarise("self", [1.0] * 18 + [0.0] * 2).ok
    assert nulls.summarise("vague", [0.0] * 49 + [1.0]).ok
    assert not nulls.summarise("vague", [0.0] * 48 + [1.0]).ok
    assert nulls.summarise("half_compound", [0.5] * 10).ok
    assert not nulls.summarise("half_compound", [0.0] * 9 + [0.75]).ok


def test_known_truth_against_itself_and_against_zeros() -> None:
    (split, *_) = truth.shipped()
    assert split.name == "dev"
    right = {case.key: case.matrix for case in split.cases}
    found = truth.compare(split.cases, right)
    assert found.ok
    assert (found.pairs.precision, found.pairs.recall, found.rc.r) == (1.0, 1.0, pytest.approx(1))
    zeros = {key: tuple((0.0,) * len(row) for row in m) for key, m in right.items()}
    nothing = truth.compare(split.cases, zeros)
    assert nothing.met == {"precision": False, "recall": False, "r": False, "bias": False}
    assert nothing.rc.bias is not None
    assert nothing.rc.bias < -0.2


@pytest.mark.slow
def test_builtin_check(cli: Cli, tmp_path: Path) -> None:
    card = card_of(cli("judge", "check", "--set", FEW, "--json", "--out", "card.json"))
    assert set(card["null_tests"]) == set(nulls.BARS) - {"other_family"}  # there is one family
    assert card["known_truth"]["dev"]["pairs"]["n"] > 500
    assert card["calls"] == card["failed"] == 0
    assert json.loads((tmp_path / "card.json").read_text()) == card
    again = card_of(cli("judge", "check", "--set", FEW, "--json"))
    assert {**again, "made": ""} == {**card, "made": ""}
    assert card["labels"]["scores"]["EG"]["recall"] > 0.8
    done = cli("judge", "check", "--set", FEW)
    assert "pass   the references themselves as reasons" in done.out
    assert "bars are met" in done.out
    assert "no model calls" in done.err


@pytest.mark.slow
def test_a_judge_behind_an_endpoint(cli: Cli) -> None:
    """The stand-in scores 1 where two texts are equal: it passes all null tests and hears nothing.

    8 items give 40 requests less the missing ones, and known truth one an item. Repeated twice,
    with the embedded judge as second.
    """
    with judge_server() as server:
        words = ("judge", "check", server.target, "--set", FEW, "--seed", "2", "--json")
        card = card_of(cli(*words, "--repeats", "2", "--second", "builtin"))
        matched = [prompt for prompt in asked(server) if "[begin References]" in prompt]
        assert len(matched) == 2 * card["asked"] == card["calls"]
        assert card["labels"]["labeler"] == server.target
        assert card["labels"]["failed"] == 0
        assert all(one["ok"] for one in card["null_tests"].values())
        assert card["null_tests"]["self"]["mean"] == 1.0
        known = card["known_truth"]["dev"]
        assert known["pairs"]["recall"] == 0.0
        assert known["met"]["recall"] is False
        assert card["ok"] is False
        assert card["repeats"] == {
            "n": 2, "kappa": 1.0, "rc_mean_difference": 0.0, "answers_changed": 0.0,
        }  # fmt: skip
        assert card["second"]["judge"]["spec"] == "builtin"
        assert card["second"]["pairs"]["n"] > 500
        assert card["second"]["rc"]["bias"] > 0
        refused = cli(*words, "--max-calls", "10")
        assert refused.code == 2
        assert "model calls; --max-calls is 10" in refused.out


@pytest.mark.slow
def test_a_scan_cites_the_card_of_its_judge(cli: Cli, tmp_path: Path) -> None:
    items = load_set(FEW).items
    replay = ideal_replay(tmp_path / "ideal.jsonl", items)
    with judge_server() as server:
        scan = ("scan", f"replay:{replay}", "--set", FEW, "--judge", server.target, "--out")
        assert cli(*scan, "before").code == 0
        assert json.loads(Path("before/manifest.json").read_text())["judge"]["card"] is None
        card = card_of(cli("judge", "check", server.target, "--set", FEW, "--json"))
        assert cli(*scan, "after").code == 0
    cited = json.loads(Path("after/manifest.json").read_text())["judge"]["card"]
    assert cited["ok"] is card["ok"] is False
    assert cited["missed"] == []
    assert cited["known_truth"]["dev"]["recall"] == 0.0


@pytest.mark.slow
def test_failures_are_counted_and_a_judge_that_fails_on_all_ends_with_1(cli: Cli) -> None:
    first = load_set(FEW).items[0].response_a
    with judge_server(lambda prompt: "Hm." if first in prompt else same_text(prompt)) as server:
        card = card_of(cli("judge", "check", server.target, "--set", FEW, "--json"))
        assert 3 <= card["failed"] <= 5
        assert card["null_tests"]["self"]["mean"] == 1.0
    with judge_server(lambda prompt: "Hm." if "[begin" in prompt else '{"colour": "x"}') as server:
        done = cli("judge", "check", server.target, "--set", FEW)
    assert done.code == 1
    assert "failed on all" in done.err


def test_recorded_answers_are_compared_on_their_run(cli: Cli, tmp_path: Path) -> None:
    items = load_set(FEW).items
    replay = ideal_replay(tmp_path / "ideal.jsonl", items)
    assert cli("scan", f"replay:{replay}", "--set", FEW, "--out", "run").code == 0
    done = cli("judge", "check", "replay:run/matches.jsonl")
    assert done.code == 2
    assert "--from RUN" in done.err
    words = ("judge", "check", "replay:run/matches.jsonl", "--from", "run", "--second", "builtin")
    card = card_of(cli(*words, "--json"))
    assert card["null_tests"] == card["known_truth"] == {}
    assert card["second"]["rc"]["n"] == 16
    assert card["second"]["rc"]["rmse"] == 0.0
    assert card["second"]["pairs"]["kappa"] == 1.0
    assert "agreement only" in cli(*words).out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--repeats", "0"), "--repeats is 0"),
        (("--limit", "0"), "--limit is 0"),
        (("--export", "x.csv"), "--from RUN"),
        (("--set", "nowhere"), "no checklist set"),
        (("--out", "nowhere/card.json"), "no folder"),
        (("nobody",), "no judge 'nobody'"),
    ],
)
def test_what_a_user_can_mend(cli: Cli, words: tuple[str, ...], told: str) -> None:
    done = cli("judge", "check", *words)
    assert done.code == 2
    assert told in done.err


@pytest.mark.slow
def test_the_shipped_card_is_of_this_judge(cli: Cli) -> None:
    # To renew after a change of the judge that is meant: rmaudit judge check --json, then read it.
    shipped = json.loads(SHIPPED.read_text(encoding="utf-8"))
    again = card_of(cli("judge", "check", "--json"))
    for name in ("identity", "set", "seed", "null_tests", "labels", "ok"):
        assert again[name] == shipped[name], name
    assert again["known_truth"] == {"dev": shipped["known_truth"]["dev"]}
    assert set(shipped["known_truth"]) == {"dev", "heldout"}
    assert shipped["null_tests"].keys() >= {"self", "other_family", "wrong_side", "instruction"}
