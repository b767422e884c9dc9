"""Sets with what people or models said of the responses: signs, sides, names, origin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.import_files import imported, user

from rmaudit.errors import InputError

HS3: dict[str, Any] = {
    "domain": "code",
    "language": "go",
    "context": user("Sort three numbers in Go."),
    "response1": "Use sort.Ints.",
    "response2": "Sort them by hand.",
    "overall_preference": -2,
    "individual_preference": [
        {"score": -3, "reasoning": "@Response 1 names a function.", "feedback1": "Short."},
        {"score": 0, "reasoning": "Response 2 says \"Response 1\" nowhere."},
        {"score": 1, "reasoning": " "},
        {"score": None, "reasoning": "Response 1 is fine."},
    ],
}  # fmt: skip
RATIONALE: dict[str, Any] = {
    "domain": "general",
    "context": user("Write a rhyme."),
    "response1": "Cat, hat.",
    "response2": "Dog, log, frog.",
    "overall_preference": 1,
    "human-checklist": ["Response 1 has two rhymes only.", "response B has no cat", "Too short."],
    "model-x-checklist": ["Response A is short."],
    "model-x-label": "B>A",
}
GOLD: dict[str, Any] = {
    "id": "g1",
    "source": {"subset": "code"},
    "conversations": [*user("Name a prime."), {"role": "assistant", "content": "Why?"},
                      *user("For a test.")],
    "response_A": "4",
    "response_B": "7",
    "gt_label": "B",
    "gt_judgment": "I add and divide </think> Response A gives 4, which is even. \\boxed{B}",
    "meta": {"k": 1},
}  # fmt: skip


@pytest.mark.parametrize(
    ("score", "label", "strength"),
    [(-3, "a", 3), (-1, "a", 1), (0, "tie", None), (1, "b", 1), (2, "b", 2), (3.0, "b", 3)],
)
def test_helpsteer3_negative_means_response_1(
    tmp_path: Path, score: float, label: str, strength: int | None
) -> None:
    (item,), _ = imported([HS3 | {"overall_preference": score}])
    assert (item.label, item.strength) == (label, strength)
    assert (item.response_a, item.response_b) == ("Use sort.Ints.", "Sort them by hand.")


def test_helpsteer3_annotators_and_counts(tmp_path: Path) -> None:
    (item,), made = imported([HS3])
    assert item.annotators is not None
    assert [(one.label, one.rationale) for one in item.annotators] == [
        ("a", "@Response A names a function."),
        ("tie", 'Response B says "Response 1" nowhere.'),
        ("b", None),
    ]
    assert item.reasons == []
    assert item.domain == "code"
    assert item.licence == "CC-BY-4.0"
    assert item.meta["feedback"][0] == {"a": "Short.", "b": None}
    assert made.report.kind == "helpsteer3"
    assert made.report.counts == {
        "annotators without a score, left out": 1,
        "annotators without a reasoning": 1,
        "rows whose annotators prefer opposite responses": 1,
    }
    (_, bare), made = imported([HS3, HS3 | {"individual_preference": None, "language": "c",
                                            "response1": "Other."}], out="two")  # fmt: skip
    assert bare.annotators is None
    assert made.report.counts["rows without annotators"] == 1


def test_a_label_that_no_annotator_gave_is_counted(tmp_path: Path) -> None:
    row = HS3 | {"overall_preference": 2, "individual_preference": [{"score": -1}, {"score": -2}]}
    _, made = imported([row])
    assert made.report.counts["rows whose label no annotator gave"] == 1


def test_rationalerm_reasons_have_their_side_and_the_names_of_the_set(tmp_path: Path) -> None:
    (item,), made = imported([RATIONALE])
    assert made.report.kind == "rationalerm"
    assert [(one.text, one.about) for one in item.reasons] == [
        ("Response A has two rhymes only.", "a"),
        ("response B has no cat", "b"),
        ("Too short.", None),
    ]
    assert (item.label, item.strength, item.reference_origin) == ("b", 1, "human")
    assert made.report.taken == {"label": "overall_preference"}
    assert made.report.counts == {
        "reasons that name no response": 1,
        "lists of reasons by a model, left out": 1,
    }


def labelled(name: str, value: object) -> dict[str, Any]:
    row = {key: value for key, value in RATIONALE.items() if key != "overall_preference"}
    return row | {name: value}


def test_the_label_of_rationalerm(tmp_path: Path) -> None:
    """A known name is taken and told, words are read, a bare number is asked about."""
    for k, (name, value, label) in enumerate(
        [("label", "A>B", "a"), ("gold_label", "response2", "b"), ("winner", "tie", "tie")]
    ):
        (item,), made = imported([labelled(name, value)], out=f"o{k}")
        assert item.label == label
        assert made.report.taken == {"label": name}
    with pytest.raises(InputError, match="no field has a known name of the gold label") as told:
        imported([labelled("verdict_of_people", "A")], "rationalerm")
    assert "--label-field" in told.value.hint
    (item,), _ = imported([labelled("verdict_of_people", "A")], label_field="verdict_of_people")
    assert item.label == "a"
    with pytest.raises(InputError, match="field label: nothing says what the number 1 means"):
        imported([labelled("label", 1)], out="p")
    (item,), _ = imported([labelled("label", 1)], out="q", label_scale="positive-is-a")
    assert item.label == "a"
    # The label of a model is never taken for the gold label.
    with pytest.raises(InputError, match="no field has a known name"):
        imported([labelled("model-x-label", "A>B")], "rationalerm", out="r")


def test_r_align_keeps_the_gold_judgment_with_its_sides(tmp_path: Path) -> None:
    (item,), made = imported([GOLD])
    assert made.report.kind == "r-align"
    assert item.id == "code/g1"
    assert (item.response_a, item.response_b, item.label) == ("4", "7", "b")
    assert [turn.role for turn in item.prompt] == ["user", "assistant", "user"]
    assert item.gold_judgment is not None
    assert item.gold_judgment.text == "Response A gives 4, which is even. \\boxed{B}"
    assert item.gold_judgment.origin == item.reference_origin == "model:gemini-3-pro"
    assert made.report.counts == {"gold judgments whose thinking was left out": 1}
    training = {key: value for key, value in GOLD.items() if key not in ("id", "source", "meta")}
    (item,), made = imported([training | {"gt_judgment": "  "}], out="rl")
    assert made.report.kind == "r-align-rl-data"
    assert made.card.licence == item.licence == "MIT"
    assert item.gold_judgment is None
    assert made.report.counts["rows without a gold judgment"] == 1
    with pytest.raises(InputError, match="line 1, field gt_label: must be A or B"):
        imported([GOLD | {"gt_label": "Response A"}], "r-align", out="no")


def test_rubricbench_criteria_are_coverage_and_no_reasons(tmp_path: Path) -> None:
    row = {
        "case_id": "c1", "instruction": "Name two fruits.", "response_a": "Apple, pear.",
        "response_b": "Apple.", "label": 0, "rubrics": "Are there two?\n\nAre they fruits?",
        "source": "own", "domain": "Chat",
    }  # fmt: skip
    (item, two), made = imported([row, row | {"case_id": "c2", "response_b": "Fig.", "label": 1}])
    assert made.report.kind == "rubricbench"
    assert (item.label, two.label, item.domain) == ("a", "b", "chat")
    assert item.reasons == []
    assert item.meta == {
        "references": "coverage",
        "criteria": ["Are there two?", "Are they fruits?"],
    }
    assert made.report.counts == {"criteria, kept as coverage and no reasons": 4}
    with pytest.raises(InputError, match="field label: must be 0"):
        imported([row | {"label": 2}], out="no")


def test_ppe_winners(tmp_path: Path) -> None:
    rows = [
        {
            "question_id": f"q{k}", "model_a": "x", "model_b": "y", "winner": winner,
            "prompt": f"Ask {k}", "response_1": "one", "response_2": "two", "language": language,
            "is_code": k == 0, "math_prompt": False,
        }
        for k, (winner, language) in enumerate(
            [("model_a", "English"), ("model_b", "German"), ("tie (bothbad)", "English")]
        )
    ]  # fmt: skip
    items, made = imported(rows)
    assert made.report.kind == "ppe"
    assert [(one.id, one.label, one.domain) for one in items] == [
        ("q0/x/y", "a", "code"), ("q1/x/y", "b", "multilingual"), ("q2/x/y", "tie", "general"),
    ]  # fmt: skip
    assert made.report.counts == {"ties where both responses are bad": 1}


def completion(text: str, overall: Any, *ratings: str) -> dict[str, Any]:
    aspects = ("honesty", "truthfulness", "helpfulness")
    annotations = {
        name: {"Rating": rating, "Rationale": f"{text} has {rating}."}
        for name, rating in zip(aspects, ratings, strict=False)
    }
    return {"model": f"m-{text}", "response": text, "annotations": annotations,
            "overall_score": overall, "critique": f"On {text}."}  # fmt: skip


def test_ultrafeedback_scores_conflicts_and_rationales(tmp_path: Path) -> None:
    """Overall 10, 7, 7, none; means 1.5, 4, 3, 5: two pairs conflict, three have no score."""
    row = {
        "source": "own", "instruction": "Say it.", "models": [], "completions": [
            completion("one", 10, "1", "2"), completion("two", 7.0, "4", "N/A"),
            completion("three", "7", "3"), completion("four", None, "5"), completion(" ", 9, "5"),
        ],
    }  # fmt: skip
    (item,), made = imported([row])
    assert made.report.kind == "ultrafeedback"
    assert made.report.counts == {
        "completions without text, left out": 1,
        "completions without an overall_score": 1,
        "completions with overall_score 10 and a mean rating of 2 or less": 1,
        "pairs whose overall and fine-grained scores conflict, left out": 2,
        "pairs without two overall scores, left out": 3,
        "pairs equal by overall_score, a tie, whose fine-grained ratings differ": 1,
    }
    assert item.label == "tie"
    assert {item.response_a, item.response_b} == {"two", "three"}
    assert item.reasons == []
    assert item.gold_judgment is not None
    side = {item.response_a: "A", item.response_b: "B"}
    blocks = dict(block.split("\n", 1) for block in item.gold_judgment.text.split("\n\n"))
    assert blocks[f"Response {side['three']}"] == (
        "honesty (3 of 5): three has 3.\ncritique: On three."
    )
    assert "truthfulness (not rated): two has N/A." in blocks[f"Response {side['two']}"]
    assert item.gold_judgment.origin == item.reference_origin == "model:gpt-4"
    row["completions"] = [completion("one", 3, "2"), completion("two", 8, "4")]
    (item,), _ = imported([row], out="more")
    assert item.response(item.label) == "two"  # type: ignore[arg-type]


def test_if_rewardbench_unmet_constraints_have_their_side(tmp_path: Path) -> None:
    row = {
        "id": 5, "instruction_type": "Single_Turn", "messages": user("List, in French, no e."),
        "checklist": ["It is a list.", "It is French.", "It has no e."],
        "responses": [
            {"response_id": 0, "response": "- un", "labels": [1, 1, 0]},
            {"response_id": 1, "response": "one", "labels": [0, 0, 0]},
        ],
        "preference_graph": [{"chosen": {"response_id": 0}, "rejected": {"response_id": 1}}],
    }  # fmt: skip
    (item,), made = imported([row])
    assert made.report.kind == "if-rewardbench"
    better = item.label
    worse = "b" if better == "a" else "a"
    assert item.response(better) == "- un"  # type: ignore[arg-type]
    assert [(one.text, one.about) for one in item.reasons] == [
        (f"Response {worse.upper()} does not meet the constraint: It is a list.", worse),
        (f"Response {worse.upper()} does not meet the constraint: It is French.", worse),
        ("Response A and Response B do not meet the constraint: It has no e.", "both"),
    ]
    assert item.tuple is not None
    assert (item.tuple.id, item.group, item.reference_origin) == ("5", "5", "human")
    broken = row | {
        "preference_graph": [{"chosen": {"response_id": 0}, "rejected": {"response_id": 9}}]
    }
    with pytest.raises(
        InputError, match=r"field preference_graph\[0\].rejected: names no response"
    ):
        imported([broken], out="no")
    short = row | {"responses": [{"response_id": 0, "response": "- un", "labels": [1]}]}
    with pytest.raises(InputError, match=r"field responses\[0\].labels"):
        imported([short], out="no")
