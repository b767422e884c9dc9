"""Small known truth of our own, and recorded answers to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmaudit.judging.metajudge import JudgeAnswer, matching_of
from rmaudit.records import Key
from rmaudit.run.files import MATCHES
from rmaudit.run.rows import MatchRow

Row = dict[str, Any]
Matrix = Sequence[Sequence[float]]


def known_item(name: str, references: Sequence[str], **fields: Any) -> Row:
    """An item whose references all speak of response a."""
    return {
        "id": name,
        "domain": "general",
        "prompt": [{"role": "user", "content": "When was it built?"}],
        "response_a": "In 1912.",
        "response_b": "In 1921.",
        "label": "b",
        "reasons": [
            {"id": f"r{number}", "text": text, "about": "a"}
            for number, text in enumerate(references, start=1)
        ],
    } | fields


def said(text: str, kind: str = "true", about: str | None = "a") -> Row:
    return {"text": text, "about": about, "kind": kind}


def write_known(rows: Sequence[Row], path: Path = Path("known.jsonl")) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_answers(
    answers: Sequence[tuple[str, str, Matrix]], path: Path = Path("matches.jsonl")
) -> str:
    """The SPEC of recorded matrices, by item and variant."""
    lines = []
    for item, variant, matrix in answers:
        cells = tuple(tuple(map(float, row)) for row in matrix)
        answer = JudgeAnswer(Key(item, variant), "match", cells)
        matches = matching_of(answer, n_reasons=len(cells[0]))
        lines.append(MATCHES.encode(MatchRow(answer.key, matches)))
    path.write_text("".join(lines))
    return f"replay:{path}"
