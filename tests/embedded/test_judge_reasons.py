"""The embedded judge on 240 reasons written by hand after the manner of language models.

They are development material: it was improved on them. The known truth that ships is the measure.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from rmaudit.checklists.schema import Item, Reason, Turn
from rmaudit.judge_check.truth import KnownCase, compare
from rmaudit.judging.metajudge import BuiltinJudge
from rmaudit.parsing.sides import reason_about
from rmaudit.records import ModelReason

ROWS = Path(__file__).with_name("judge_reasons.jsonl")
ITEMS = Path(__file__).with_name("judge_items.jsonl")


@cache
def items() -> dict[str, Item]:
    """The generated items as they were when the reasons were written."""
    lines = ITEMS.read_text(encoding="utf-8").splitlines()
    return {item.id: item for item in map(Item.model_validate_json, lines)}


def item_of(row: dict[str, Any]) -> Item:
    """A generated item by its id, or one written out."""
    if "set" in row:
        return items()[row["item"]]
    told = row["item"]
    return Item(
        id=told["id"],
        prompt=[Turn(role="user", content=told["prompt"])],
        response_a=told["response_a"],
        response_b=told["response_b"],
        label="a",
        reasons=[
            Reason(id=name, about=about, text=text) for name, about, text in told["references"]
        ],
    )


def cases() -> list[KnownCase]:
    made = []
    for row in map(json.loads, ROWS.read_text(encoding="utf-8").splitlines()):
        item, said = item_of(row), row["reasons"]
        matrix = tuple(
            tuple(float(one["scores"].get(reason.id, 0)) for one in said) for reason in item.reasons
        )
        reasons = tuple(ModelReason(one["text"], *reason_about(one["text"])) for one in said)
        made.append(KnownCase(item, reasons, ("",) * len(said), matrix))
    return made


def test_it_reads_what_it_was_made_with() -> None:
    written = cases()
    judged = {a.key: a.matrix for a in BuiltinJudge().judge(case.request() for case in written)}
    found = compare(written, judged)
    assert sum(len(case.reasons) for case in written) == 240
    assert found.pairs.precision is not None
    assert found.pairs.precision >= 0.95
    assert found.pairs.recall is not None
    assert found.pairs.recall >= 0.92
    assert found.rc.bias is not None
    assert abs(found.rc.bias) <= 0.05
