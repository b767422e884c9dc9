"""A model as judge qualifies on ordinary items in three wordings, or its card says it does not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.judge_server import asked, entries, judge_server, same_text
from support.known_truth import known_item

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.judge_check import truth
from rmaudit.judge_check.qualify import ITEMS, qualify, written
from rmaudit.judge_check.truth import KnownCase, KnownSplit, load_split
from rmaudit.records import Key, ModelReason
from rmaudit.resources import folder

Cli = Callable[..., Done]
FEW = "synth:3:8:slogan"


@pytest.fixture(autouse=True)
def no_heldout(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test measures a judge on `heldout`."""
    monkeypatch.delitem(truth.SPLITS, "heldout")


def split_of(*matrices: tuple[tuple[float, ...], ...]) -> KnownSplit:
    """Each matrix an item of its own; the texts do not matter here."""
    return KnownSplit(
        "written",
        "",
        tuple(
            KnownCase(
                Item.model_validate(known_item(f"i{number}", ["The date is wrong."] * len(matrix))),
                (ModelReason("The date is wrong.", "a"),) * len(matrix[0]),
                ("true",) * len(matrix[0]),
                matrix,
            )
            for number, matrix in enumerate(matrices)
        ),
    )


def qualified(split: KnownSplit, judged: dict[Key, Any]) -> tuple[bool, dict[str, bool]]:
    found = qualify(split, judged, seed=0)
    return found["qualified"], found["met"]


def test_both_bars_by_hand() -> None:
    """20 true pairs and 20 false ones, one a list: 17 of 20 found is .85 of both, 16 is .8."""
    split = split_of(*[((1.0,),)] * 20, *[((0.0,),)] * 20)
    keys = [case.key for case in split.cases]

    def said(found: int, wrong: int) -> dict[Key, Any]:
        hits = {*keys[:found], *keys[20 : 20 + wrong]}
        return {key: ((0.5 if key in hits else 0.25,),) for key in keys}

    assert qualified(split, said(17, 3)) == (True, {"precision": True, "recall": True})
    assert qualified(split, said(16, 2)) == (True, {"precision": True, "recall": True})
    assert qualified(split, said(15, 0)) == (False, {"precision": True, "recall": False})
    assert qualified(split, said(20, 4)) == (False, {"precision": False, "recall": True})
    assert qualified(split, said(0, 0)) == (False, {"precision": False, "recall": False})


def test_what_it_fails_on_counts_as_not_found() -> None:
    """Right on all it answers; 32 of 40 true pairs are .8, 31 are less."""
    split = split_of(*[((1.0,),)] * 40)
    right = {case.key: case.matrix for case in split.cases}
    for answered, fit in ((40, True), (32, True), (31, False), (0, False)):
        judged = dict(list(right.items())[:answered])
        found = qualify(split, judged, seed=0)
        assert (found["qualified"], found["failed"]) == (fit, 40 - answered)
        assert found["recall_failed_as_missed"] == answered / 40
        assert found["overall"]["recall"] == (1.0 if answered else None)


def test_few_items_can_fail_a_judge_and_qualify_none() -> None:
    for items, said in ((30, True), (29, None), (1, None)):
        split = split_of(*[((1.0,),)] * items)
        right = {case.key: case.matrix for case in split.cases}
        wrong = {case.key: ((0.0,),) for case in split.cases}
        assert qualify(split, right, seed=0)["qualified"] is said
        assert qualify(split, wrong, seed=0)["qualified"] is False


def test_a_seeded_part_with_all_wordings_of_each_item() -> None:
    for limit, items in ((None, ITEMS), (7, 7), (400, ITEMS)):
        split = written(limit=limit, seed=1)
        assert split is not None
        assert len({case.item.id for case in split.cases}) == items
        assert len(split.cases) == 3 * items
    first, again, other = (written(limit=7, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def knowing() -> Callable[[str], str]:
    """A stand-in that has the written lists by heart; on other requests it compares letters."""
    path = folder("checklists") / "known_truth" / "written.jsonl"
    known = {
        tuple(words(reason.text) for reason in case.reasons): case.matrix
        for case in load_split("written", path).cases
    }

    def answer(prompt: str) -> str:
        matrix = known.get(tuple(words(text) for text in entries(prompt, "S")))
        if matrix is None or "[begin References]" not in prompt:
            return same_text(prompt)
        pairs = [
            {"r": ref, "s": reason, "score": score}
            for ref, row in enumerate(matrix, start=1)
            for reason, score in enumerate(row, start=1)
            if score
        ]
        return json.dumps({"pairs": pairs})

    return answer


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


@pytest.mark.slow
def test_a_model_is_put_to_the_written_lists_and_the_scan_says_what_came_of_it(
    cli: Cli, tmp_path: Path
) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", load_set(FEW).items)
    scan = ("scan", f"replay:{replay}", "--set", FEW, "--judge")
    for answer, fit in ((knowing(), True), (same_text, False)):
        with judge_server(answer) as server:
            check = ("judge", "check", server.target, "--set", FEW, "--limit", "30")
            refused = cli(*check, "--max-calls", "10")
            assert refused.code == 2
            done = cli(*check)
            assert done.code == 0, done.err
            assert "90 lists on 30 ordinary items, in three wordings" in done.err
            assert ("not qualified as a judge: " in done.out) is not fit
            card = json.loads(cli(*check, "--json").out)
            assert card["qualified"] is card["written"]["qualified"] is fit
            assert (card["written"]["items"], card["written"]["overall"]["n"]) == (30, 90)
            assert card["written"]["overall"]["recall"] == float(fit)
            assert set(card["written"]["strata"]["wording"]) == {"same", "judge", "free"}
            calls = len({one for one in asked(server) if "[begin References]" in one})
            assert calls == card["asked"]
            run = tmp_path / f"run-{fit}"
            done = cli(*scan, server.target, "--out", run)
            assert done.code == 0, done.err
            assert ("not qualified (precision n/a, recall 0.00" in done.err) is not fit
            assert ("is not qualified (precision n/a" in " ".join(done.out.split())) is not fit
            again = cli(*scan, server.target, "--out", f"{run}-json", "--json")
            standing = json.loads(again.out)["judge"]["standing"]
            assert (standing == "") is fit
            assert standing == "" or standing.startswith("not qualified (precision n/a")
            told = cli("doctor", f"replay:{replay}", "--set", FEW, "--judge", server.target)
            assert ("not qualified" in told.out) is not fit
            assert "not measured," not in told.out
            cited = json.loads((run / "manifest.json").read_text())["judge"]["card"]
            assert cited["qualified"] is cited["written"]["ok"] is fit
        done = cli("gate", run, "--policy", "release", "--json")
        rules = {rule["id"]: rule for rule in json.loads(done.out)["rules"]}
        assert (rules["reasons-floor"]["status"] == "INVALID") is not fit
        if not fit:
            assert done.code == 5
        # Either is the labeller too, and a bad one: that has a rule of its own.
        assert "is below 0.8 on unseen reasons" in rules["flaws-kept"]["sentence"]
    with judge_server(knowing()) as server:  # nor does a model qualify on a few items
        done = cli("judge", "check", server.target, "--set", FEW, "--limit", "2")
        assert "2 written items are too few to qualify on: 30 at least" in done.out
        assert "not measured" in cli(*scan, server.target, "--out", tmp_path / "few").err
    with judge_server(same_text) as server:  # a model that nobody has checked
        done = cli(*scan, server.target, "--out", tmp_path / "unchecked")
        assert "not measured" in done.err
        assert "The judge" in done.out
        assert "is not measured." in " ".join(done.out.split())
        told = cli("doctor", f"replay:{replay}", "--set", FEW, "--judge", server.target)
        assert f"{server.target}, not measured" in " ".join(told.out.split())
    quiet = cli("judge", "check", "builtin", "--set", FEW, "--limit", "2", "--json")
    assert json.loads(quiet.out)["written"] is json.loads(quiet.out)["qualified"] is None
