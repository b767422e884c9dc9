"""The known-truth pairs are complete, on the grid, and say what their labels say."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from rmaudit.checklists.schema import Item
from rmaudit.judge_check.truth import compare, load_split
from rmaudit.judging.metajudge import BuiltinJudge
from rmaudit.resources import folder

GRID = {0.0, 0.25, 0.5, 0.75, 1.0}
FILES = {"dev": "pairs.jsonl", "earlier": "earlier.jsonl", "heldout": "heldout.jsonl"}
KINDS = {
    "direct": {1.0},
    "paraphrase": {0.75, 1.0},
    "number_format": {0.5, 0.75, 1.0},
    "contrast": {0.75, 1.0},
    "compound": {0.75, 1.0},
    "other_language": {1.0},
    "partial": {0.25, 0.5, 0.75},
    "wrong_number": {0.25, 0.5},
    "wrong_name": {0.25, 0.5},
    "wrong_side": {0.0},
    "opposite": {0.0},
    "praise_only": {0.0},
    "other_fault": {0.0},
    "vague": {0.0},
    "instruction": {0.0},
    "copy": {0.0},
}
SIDES = {"a": {"a"}, "b": {"b"}, "both": {"a", "b"}, None: set()}


def rows(split: str) -> list[dict[str, Any]]:
    path = folder("checklists") / "known_truth" / FILES[split]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def flat(text: str) -> str:
    return " ".join(text.split())


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,:]\d+)*", text))


ROWS = [row for split in FILES for row in rows(split)]
NAMES = [row["item"]["id"] for row in ROWS]


def cells(row: dict[str, Any], column: int) -> dict[str, float]:
    """Score of one reason against each reference, by the reference's id."""
    ids = [reference["id"] for reference in row["item"]["reasons"]]
    return {name: line[column] for name, line in zip(ids, row["matrix"], strict=True)}


def test_ids_and_texts_are_unique_over_all_splits() -> None:
    assert len(set(NAMES)) == len(NAMES)
    prompts: defaultdict[str, list[str]] = defaultdict(list)
    for row in ROWS:
        prompts[row["item"]["prompt"][-1]["content"]].append(row["item"]["id"])
    for ids in prompts.values():  # at most two lists of reasons were dealt for one item
        assert len({name.removesuffix("-ii").removesuffix("-i") for name in ids}) == 1
    texts = [(reason["text"], reason["kind"]) for row in ROWS for reason in row["reasons"]]
    repeated = {said for said, times in Counter(texts).items() if times > 1}
    # Two authors may praise in the same few words.
    assert {kind for _, kind in repeated} <= {"vague"}
    assert len({text for text, _ in texts}) == len(set(texts))


@pytest.mark.parametrize("split", FILES)
def test_each_half_is_large_enough(split: str) -> None:
    half = rows(split)
    assert {row["split"] for row in half} == {split}
    assert len(half) >= 30
    assert sum(len(row["reasons"]) for row in half) >= 120
    assert sum(len(reason["aims"]) for row in half for reason in row["reasons"]) >= 200
    labelled = [reason for row in half for reason in row["reasons"] if "category" in reason]
    assert len(labelled) >= 50
    flaws = {flaw for reason in labelled for flaw in reason["flaws"]}
    assert flaws == {"F1", "F2", "F3", "F4"}


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_line_is_complete(row: dict[str, Any]) -> None:
    assert set(row) == {"item", "reasons", "matrix", "split"}
    item = Item.model_validate(row["item"])
    assert 3 <= len(row["reasons"]) <= 6
    assert len(row["matrix"]) == len(item.reasons)
    assert {len(line) for line in row["matrix"]} == {len(row["reasons"])}
    assert {score for line in row["matrix"] for score in line} <= GRID
    for reason in row["reasons"]:
        assert {"text", "about", "kind", "aims"} <= set(reason)
        assert set(reason) <= {"text", "about", "kind", "aims", "category", "flaws"}
        assert reason["about"] in SIDES
        assert reason["aims"], reason["text"]
        assert set(reason["aims"]) <= {reference.id for reference in item.reasons}
        assert reason["text"] not in {reference.text for reference in item.reasons}
        assert reason.get("category", "EG") in {"EG", "CG", "GS"}
        assert set(reason.get("flaws", [])) <= {"F1", "F2", "F3", "F4"}
        assert ("flaws" in reason) == ("category" in reason)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_scores_fit_the_kind_and_the_side(row: dict[str, Any]) -> None:
    about = {reference["id"]: reference["about"] for reference in row["item"]["reasons"]}
    for column, reason in enumerate(row["reasons"]):
        scores = {name: score for name, score in cells(row, column).items() if score}
        assert set(scores.values()) <= KINDS[reason["kind"]], reason["text"]
        assert bool(scores) == (KINDS[reason["kind"]] != {0.0}), reason["text"]
        assert set(scores) <= set(reason["aims"]), reason["text"]
        if reason["kind"] == "compound":
            assert len(scores) >= 2, reason["text"]
        for name in scores:
            assert about[name] in SIDES[reason["about"]], reason["text"]


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_texts_name_their_side(row: dict[str, Any]) -> None:
    responses = {side: flat(row["item"][f"response_{side}"]) for side in "ab"}
    for reason in row["reasons"]:
        if reason["kind"] == "copy":
            assert flat(reason["text"]) in responses[reason["about"]]
            continue
        named = {
            side for side in "ab" if re.search(rf"\bResponse {side.upper()}\b", reason["text"])
        }
        assert named >= SIDES[reason["about"]], reason["text"]
        if reason["kind"] == "contrast":
            assert named == {"a", "b"}, reason["text"]
        assert (reason["about"] is None) == (reason["kind"] == "instruction")


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_wrong_number_is_not_one_of_the_reference(row: dict[str, Any]) -> None:
    texts = {reference["id"]: reference["text"] for reference in row["item"]["reasons"]}
    for reason in row["reasons"]:
        if reason["kind"] == "wrong_number":
            assert any(numbers(reason["text"]) - numbers(texts[name]) for name in reason["aims"])


def test_every_hard_kind_is_there_often() -> None:
    aimed: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for row in ROWS:
        for reason in row["reasons"]:
            reasons[reason["kind"]] += 1
            aimed[reason["kind"]] += len(reason["aims"])
    often = ["wrong_side", "wrong_number", "vague", "compound", "paraphrase", "number_format"]
    for kind in [*often, "other_fault", "praise_only", "opposite"]:
        assert aimed[kind] >= 30, kind
    assert reasons["instruction"] >= 10
    assert reasons["copy"] >= 10
    assert sum(aimed.values()) >= 400


@pytest.mark.parametrize("split", ["earlier", "heldout"])
def test_the_embedded_judge_meets_its_bars(split: str) -> None:
    path = folder("checklists") / "known_truth" / FILES[split]
    cases = load_split(split, path).cases
    answers = BuiltinJudge().judge([case.request() for case in cases])
    found = compare(cases, {answer.key: answer.matrix for answer in answers})
    assert found.met == dict.fromkeys(("precision", "recall", "r", "bias"), True)
