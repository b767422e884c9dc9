"""Small files of JudgeBench's shape, with text of our own, for the tests of recorded outputs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ONE_ORDER = "needs both orders of an item"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def metrics(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "metrics.json").read_text())["metrics"])


def entry(response: Any, decision: str | None, *, scores: Any = ()) -> dict[str, Any]:
    """One judgment; `pair` fills its prompt in. With `scores`, of a score-only model."""
    judgment = {"judge_model": "tiny-judge", "prompt": "", "response": response}
    if scores != ():
        judgment["scores"] = scores
    return {"judgment": judgment, "decision": decision}


def pair(
    name: str,
    *,
    label: str = "A>B",
    source: str = "mmlu-pro-law",
    original: int | str | None = None,
    entries: list[dict[str, Any] | None],
) -> dict[str, Any]:
    """One row; the second entry's prompt shows the responses in swapped order."""
    question = f"Which law holds in case {name}?"
    shown = [f"The law of {name} holds.", f"No law holds in {name}."]
    for number, one in enumerate(entries):
        if one is not None and isinstance(one["judgment"], dict):
            first, second = shown if number == 0 else shown[::-1]
            one["judgment"]["prompt"] = (
                f"[Question]\n{question}\n\n[Assistant A's answer]\n{first}\n\n"
                f"[Assistant B's answer]\n{second}"
            )
    return {
        "pair_id": name,
        "original_id": original,
        "source": source,
        "question": question,
        "response_model": "tiny-writer",
        "response_A": shown[0],
        "response_B": shown[1],
        "label": label,
        "judge_name": "tiny",
        "judgments": entries,
    }


def answered(name: str, *decisions: str, **fields: Any) -> dict[str, Any]:
    """A row whose answers state these decisions."""
    entries = [entry(f"I read both. My verdict: [[{one}]]", one) for one in decisions]
    return pair(name, entries=entries, **fields)


TWO_VERDICTS = "Assistant A is right. My verdict is [[A>B]]\n\nNo, it errs. My verdict is [[B>A]]"
PAIRS = [
    answered("p1", "A>B", "B>A", original=7),
    answered("p2", "A>B", "A>B", label="B>A", source="livebench-math"),
    pair("p3", entries=[entry("Even. [[A=B]]", "A=B"), entry(TWO_VERDICTS, None)], original="k"),
    pair("p4", label="B>A", entries=[None, entry("Clear. [[A>B]]", "A>B")]),
    answered("p5", "B>A", "A=B", label="B>A", source="house-rules"),
]


def scored(*, entries: int = 2, null: str = "") -> list[dict[str, Any]]:
    """Rows of a score-only model; equal scores are decided as `B>A`, as JudgeBench does."""
    table = [
        ("s1", "A>B", [2.5, -1], [-1, 2.5]),
        ("s2", "B>A", [1, 3], [3.5, 1]),
        ("s3", "A>B", [4, 4], [4, 4]),
    ]
    made = []
    for name, label, *shown in table:
        both = [entry("", "A>B" if one[0] > one[1] else "B>A", scores=one) for one in shown]
        kept: list[dict[str, Any] | None] = [None] if name == null else [*both[:entries]]
        made.append(pair(name, label=label, entries=kept))
    return made


def write_pairs(name: str, pairs: Iterable[dict[str, Any]]) -> None:
    Path(name).write_text("".join(json.dumps(one) + "\n" for one in pairs))
