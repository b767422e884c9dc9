"""Sets that say chosen and rejected: placement, tuples, ties, styles."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.import_files import imported, user

from rmaudit.errors import InputError


def plain(k: int, **fields: Any) -> dict[str, Any]:
    return {"id": k, "prompt": f"Ask {k}", "chosen": f"right {k}", "rejected": f"wrong {k}",
            "subset": "hep-go", **fields}  # fmt: skip


def test_placement_is_seeded_stored_and_right(tmp_path: Path) -> None:
    rows = [plain(k) for k in range(400)]
    items, made = imported(rows)
    assert made.report.kind == "rewardbench"
    for item in items:
        assert item.label != "tie"
        assert item.response(item.label).startswith("right")
        assert item.meta["placement"] == {"seed": 0, "first": item.label}
    assert 160 <= sum(item.label == "a" for item in items) <= 240
    again, _ = imported(rows, out="again")
    assert again == items
    other, _ = imported(rows, out="other", seed=1)
    assert {item.label for item in other} == {"a", "b"}
    assert [item.label for item in other] != [item.label for item in items]
    # The side of an item does not depend on what stands beside it.
    some, _ = imported(rows[100:200], out="some")
    assert some == items[100:200]


def test_rewardbench_sections_and_ids(tmp_path: Path) -> None:
    items, made = imported([plain(1), plain(1, subset="donotanswer"), plain(2, subset="own")])
    assert [(one.id, one.domain) for one in items] == [
        ("hep-go/1", "reasoning"), ("donotanswer/1", "safety"), ("own/2", "own"),
    ]  # fmt: skip
    assert made.report.counts == {"rows of a subset that is in no section": 1}
    with pytest.raises(
        InputError, match="line 2, field id: the id 'hep-go/1' is already on line 1"
    ):
        imported([plain(1), plain(1, chosen="other")], out="no")


def best_of(name: str, subset: str, chosen: list[str], rejected: list[str]) -> dict[str, Any]:
    return {"id": name, "prompt": f"Ask {name}", "chosen": chosen, "rejected": rejected,
            "num_correct": len(chosen), "num_incorrect": len(rejected), "models": [],
            "total_completions": len(chosen) + len(rejected), "subset": subset}  # fmt: skip


def test_rewardbench2_tuples_and_ties(tmp_path: Path) -> None:
    rows = [
        best_of("7", "Precise IF", ["good"], ["x", "y", "z"]),
        best_of("ref:1", "Ties", ["red"], ["car"]),
        best_of("tied:1", "Ties", ["red", "blue", "red"], ["car", "tree"]),
    ]
    items, made = imported(rows)
    assert made.report.kind == "rewardbench2"
    # 3; 1; 3 right x 2 wrong and of 3 pairs of right ones the 2 whose texts differ.
    assert Counter((one.domain, one.label == "tie") for one in items) == {
        ("precise-if", False): 3, ("ties", False): 1 + 6, ("ties", True): 2,
    }  # fmt: skip
    assert made.report.counts == {"pairs of two equal texts, left out": 1}
    assert {one.tuple.id for one in items if one.tuple} == {
        "Precise IF/7", "Ties/ref:1", "Ties/tied:1",
    }  # fmt: skip
    assert {one.group for one in items} == {"Precise IF/7", "Ties/1"}
    for item in items:
        if item.label != "tie":
            assert item.response(item.label) in {"good", "red", "blue"}
    with pytest.raises(InputError, match="field num_correct: is 2, but the row holds 1"):
        imported([rows[0] | {"num_correct": 2}], out="no")
    with pytest.raises(InputError, match="is already on line 1"):
        imported([rows[0], rows[0]], out="no")
    few, made = imported(rows, out="few", pairs_per_prompt=2)
    assert len(few) == 2 + 1 + 2
    assert made.report.counts["pairs left out by --pairs-per-prompt"] == 1 + 6


STYLED: dict[str, Any] = {
    "id": 4, "prompt": "Which planet is red?", "subset": "own",
    "chosen": ["Mars.", "It is Mars, of course.", "# Mars\nIt is **Mars**."],
    "rejected": ["Venus.", "It is Venus, of course.", "# Venus\nIt is **that**."],
    "error_key": "Venus", "error": "Mars is red, not Venus.",
}  # fmt: skip


def test_rm_bench_is_all_nine_pairs_with_their_styles(tmp_path: Path) -> None:
    items, made = imported([STYLED], file="chat_filtered.json")
    assert made.report.kind == "rm-bench"
    styles = ("concise", "detailed", "markdown")
    seen = set()
    for item in items:
        better, worse = ("a", "b") if item.label == "a" else ("b", "a")
        style = {"a": item.style_a, "b": item.style_b}
        seen.add((style[better], style[worse]))
        assert item.response(better) == STYLED["chosen"][styles.index(style[better] or "")]  # type: ignore[arg-type]
        assert item.response(worse) == STYLED["rejected"][styles.index(style[worse] or "")]  # type: ignore[arg-type]
        (reason,) = item.reasons
        assert reason.about == worse
        assert reason.text == (
            f"Response {worse.upper()} says “Venus”, which is wrong: Mars is red, not Venus."
        )
        assert item.reference_origin == "model:unstated"
        assert (item.group, item.domain) == ("chat/4", "chat")
    assert len(seen) == len(items) == 9
    assert made.report.counts == {"rows without a domain, taken from the file name: chat": 1}
    bare = {key: value for key, value in STYLED.items() if not key.startswith("error")}
    items, _ = imported([bare | {"domain": "safety-refuse"}], out="safe")
    assert not any(item.reasons for item in items)
    assert {item.domain for item in items} == {"safety"}


def test_rm_bench_results_give_the_published_scores(tmp_path: Path) -> None:
    """Worked by hand, chosen against rejected scores; an equal score is wrong.

    chat: chosen 1 2 3, rejected 2 2 2.5. Cells (chosen style, rejected style) right: (2,0) (2,1)
    (2,2). Easy (1,0) (2,0) (2,1): 2/3. Normal (0,0) (1,1) (2,2): 1/3. Hard: 0.
    safety, two rows: all right, and all wrong: 1/2 each. Mean over domains: 7/12, 5/12, 1/4.
    """
    rows = [
        STYLED | {"domain": "chat", "score_chosen": [1, 2, 3], "score_rejected": [2, 2, 2.5]},
        STYLED | {"id": 5, "domain": "safety-refuse", "score_chosen": [[5], [5], [5]],
                  "score_rejected": [[1], [1], [1]], "prompt": "One?"},
        STYLED | {"id": 6, "domain": "safety-response", "score_chosen": [0, 0, 0],
                  "score_rejected": [1, 1, 1], "prompt": "Two?"},
    ]  # fmt: skip
    _, made = imported(rows)
    assert made.report.scores == [
        "scores    chat: easy 66.67 %, normal 33.33 %, hard 0.00 %, mean 33.33 %",
        "scores    safety: easy 50.00 %, normal 50.00 %, hard 50.00 %, mean 50.00 %",
        "scores    mean over 2 domains: easy 58.33 %, normal 41.67 %, hard 25.00 %, mean 41.67 %",
    ]
    with pytest.raises(InputError, match="field score_rejected: must be three finite numbers"):
        imported([rows[0] | {"score_rejected": [1, 2]}], out="no")


def test_nemo_rl_ranks(tmp_path: Path) -> None:
    def ranked(rank: int, text: str) -> dict[str, Any]:
        return {"rank": rank, "completion": [{"role": "assistant", "content": text}]}

    row = {
        "context": user("Ask"), "task_name": "math",
        "completions": [ranked(1, "mid"), ranked(0, "best"), ranked(1, "mid too")],
    }  # fmt: skip
    items, made = imported([row])
    assert made.report.kind == "nemo-rl"
    found = {
        frozenset((one.response_a, one.response_b)):
            "tie" if one.label == "tie" else one.response(one.label)
        for one in items
    }  # fmt: skip
    assert found == {
        frozenset(("mid", "best")): "best", frozenset(("best", "mid too")): "best",
        frozenset(("mid", "mid too")): "tie",
    }  # fmt: skip
    assert len({one.tuple.id for one in items if one.tuple}) == 1
    with pytest.raises(InputError, match=r"field completions\[0\].rank: must be a whole number"):
        imported([row | {"completions": [{"rank": "first", "completion": "x"}]}], out="no")


def test_pairs_of_conversations_and_named_fields(tmp_path: Path) -> None:
    shared = [{"role": "system", "content": "Be short."}, *user("Hi")]
    talk = {
        "chosen": [*shared, {"role": "assistant", "content": "Hello."}],
        "rejected": [*shared, {"role": "assistant", "content": "What?"}],
    }
    (item,), made = imported([talk])
    assert made.report.kind == "pairs"
    assert [turn.role for turn in item.prompt] == ["system", "user"]
    assert item.label != "tie"
    assert item.response(item.label) == "Hello."
    assert made.report.counts == {"rows without an id, named by their content": 1}
    with pytest.raises(InputError, match="field rejected: does not answer the conversation"):
        imported([talk | {"rejected": [*user("Ho"), {"role": "assistant", "content": "x"}]}],
                 out="no")  # fmt: skip
    named = {
        "q": "Ask",
        "left": "L",
        "right": "R",
        "better": "2",
        "key": 9,
        "why": ["Response 1 is L."],
    }
    fields = {"prompt": "q", "a": "left", "b": "right", "id": "key", "reasons": "why"}
    from rmaudit.checklists.importers.labels import LabelValues

    (item,), _ = imported(
        [named], "pairs", out="named", fields=fields, label_field="better",
        label_values=LabelValues(("1",), ("2",)),
    )  # fmt: skip
    assert (item.id, item.label, item.response_a) == ("9", "b", "L")
    assert [(one.text, one.about) for one in item.reasons] == [("Response A is L.", "a")]
    with pytest.raises(InputError, match="neither chosen and rejected nor two responses"):
        imported([named], "pairs", out="no")


def test_numbers_as_ids_and_scores_survive_json(tmp_path: Path) -> None:
    _, made = imported([plain(1)])
    told = json.loads(Path("made/import.json").read_text(encoding="utf-8"))
    assert told["kind"] == "rewardbench"
    assert told["seed"] == 0
    assert told["licence"] == made.card.licence == "ODC-BY"
