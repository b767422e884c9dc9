"""The known-truth pairs are complete, on the grid, and say what their labels say."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
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
def test_each_part_is_large_enough(split: str) -> None:
    part = rows(split)
    assert {row["split"] for row in part} == {split}
    assert len(part) >= 30
    assert sum(len(row["reasons"]) for row in part) >= 120
    assert sum(len(reason["aims"]) for row in part for reason in row["reasons"]) >= 200
    labelled = [reason for row in part for reason in row["reasons"] if "category" in reason]
    assert len(labelled) >= 50
    flaws = {flaw for reason in labelled for flaw in reason["flaws"]}
    assert flaws == {"F1", "F2", "F3", "F4"}


Fault = Callable[[dict[str, Any]], Iterator[str]]


def faults(check: Fault) -> list[str]:
    """What is wrong with all rows, each fault with the id of its item: none may hide another."""
    return [f"{row['item']['id']}: {fault}" for row in ROWS for fault in check(row)]


def gaps(row: dict[str, Any]) -> Iterator[str]:
    if set(row) != {"item", "reasons", "matrix", "split"}:
        yield f"fields {sorted(row)}"
    item = Item.model_validate(row["item"])
    if not 3 <= len(row["reasons"]) <= 6:
        yield f"{len(row['reasons'])} reasons"
    if len(row["matrix"]) != len(item.reasons):
        yield f"{len(row['matrix'])} lines of scores for {len(item.reasons)} references"
    if {len(line) for line in row["matrix"]} != {len(row["reasons"])}:
        yield "a line of scores is not as long as the reasons"
    if off := {score for line in row["matrix"] for score in line} - GRID:
        yield f"scores off the grid: {sorted(off)}"
    for reason in row["reasons"]:
        yield from (f"{what}: {reason['text']}" for what in gaps_of_reason(reason, item))


def gaps_of_reason(reason: dict[str, Any], item: Item) -> Iterator[str]:
    needed = {"text", "about", "kind", "aims"}
    if not needed <= set(reason) <= needed | {"category", "flaws"}:
        yield f"fields {sorted(reason)}"
    if reason["about"] not in SIDES:
        yield f"about {reason['about']}"
    if not reason["aims"] or not set(reason["aims"]) <= {one.id for one in item.reasons}:
        yield f"aims at {reason['aims']}"
    if reason["text"] in {reference.text for reference in item.reasons}:
        yield "is a reference word for word"
    if reason.get("category", "EG") not in {"EG", "CG", "GS"}:
        yield f"category {reason['category']}"
    if unknown := set(reason.get("flaws", [])) - {"F1", "F2", "F3", "F4"}:
        yield f"flaws {sorted(unknown)}"
    if ("flaws" in reason) != ("category" in reason):
        yield "flaws or category without the other"


def unlikely_scores(row: dict[str, Any]) -> Iterator[str]:
    about = {reference["id"]: reference["about"] for reference in row["item"]["reasons"]}
    for column, reason in enumerate(row["reasons"]):
        kind, text = reason["kind"], reason["text"]
        scores = {name: score for name, score in cells(row, column).items() if score}
        if not set(scores.values()) <= KINDS[kind] or bool(scores) != (KINDS[kind] != {0.0}):
            yield f"{kind} with scores {scores}: {text}"
        if not set(scores) <= set(reason["aims"]):
            yield f"scores {scores} but aims at {reason['aims']}: {text}"
        if kind == "compound" and len(scores) < 2:
            yield f"compound of {len(scores)}: {text}"
        if any(about[name] not in SIDES[reason["about"]] for name in scores):
            yield f"about {reason['about']} but {scores} are not: {text}"


def unnamed_sides(row: dict[str, Any]) -> Iterator[str]:
    for reason in row["reasons"]:
        text, about, kind = reason["text"], reason["about"], reason["kind"]
        if kind == "copy":
            if flat(text) not in flat(row["item"][f"response_{about}"]):
                yield f"no copy of response {about}: {text}"
            continue
        named = {side for side in "ab" if re.search(rf"\bResponse {side.upper()}\b", text)}
        if not named >= SIDES[about] or (kind == "contrast" and named != {"a", "b"}):
            yield f"{kind} about {about} names {sorted(named)}: {text}"
        if (about is None) != (kind == "instruction"):
            yield f"{kind} about {about}: {text}"


def numbers_of_the_reference(row: dict[str, Any]) -> Iterator[str]:
    texts = {reference["id"]: reference["text"] for reference in row["item"]["reasons"]}
    for reason in row["reasons"]:
        if reason["kind"] == "wrong_number" and not any(
            numbers(reason["text"]) - numbers(texts[name]) for name in reason["aims"]
        ):
            yield f"wrong_number without a number of its own: {reason['text']}"


def test_every_line_is_complete() -> None:
    assert faults(gaps) == []


def test_scores_fit_the_kind_and_the_side() -> None:
    assert faults(unlikely_scores) == []


def test_texts_name_their_side() -> None:
    assert faults(unnamed_sides) == []


def test_a_wrong_number_is_not_one_of_the_reference() -> None:
    assert faults(numbers_of_the_reference) == []


def test_all_faults_of_all_lines_are_told() -> None:
    """The checks above can fail, and one fault does not hide the next."""
    row = copy.deepcopy(ROWS[0])
    row["reasons"] = row["reasons"][:2]
    row["reasons"][0] |= {"about": "c", "aims": ["nowhere"]}
    assert [fault.partition(":")[0] for fault in gaps(row)] == [
        "2 reasons",
        "a line of scores is not as long as the reasons",
        "about c",
        "aims at ['nowhere']",
    ]
    kinds = Counter(reason["kind"] for row in ROWS for reason in row["reasons"])
    swapped = [
        row | {"reasons": [reason | {"kind": "wrong_number"} for reason in row["reasons"]]}
        for row in ROWS
    ]
    told = [fault for row in swapped for fault in numbers_of_the_reference(row)]
    assert len(told) > kinds["praise_only"]  # no praise has a number


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


@pytest.mark.slow
def test_the_embedded_judge_meets_its_bars() -> None:
    """On `earlier` alone: a split that gates every change to the judge is no longer held out.

    `rmaudit judge check` measures `heldout`. Of references that no program made another reader
    finds less: `benchmarks/ordinary_reasons.py` measures it.
    """
    every = load_split("earlier", folder("checklists") / "known_truth" / FILES["earlier"]).cases
    cases = [case for case in every if case.item.reference_origin == "program"]
    assert len(cases) == 302
    answers = BuiltinJudge().judge([case.request() for case in cases])
    found = compare(cases, {answer.key: answer.matrix for answer in answers})
    assert found.met == dict.fromkeys(("precision", "recall", "r", "bias"), True)
