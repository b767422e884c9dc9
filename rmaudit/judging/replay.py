"""The judge `replay:FILE`: the matrices of a matches.jsonl by key. No model, the same answers."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError
from rmaudit.judging.llm import CHANCE_ITEMS
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, JudgeTraits, Matrix
from rmaudit.prompts import Template
from rmaudit.records import Key
from rmaudit.run.files import MATCHES, read_lines
from rmaudit.run.rows import MatchRow

NOT_RECORDED = "not recorded"


class ReplayJudge:
    """Hands over what a file holds; what it does not hold is a failure, counted."""

    templates: tuple[Template, ...] = ()

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows = read_matches(path)
        # A model was asked about chance on a sample only; builtin was on every item.
        drawn = {key.item for key, row in self._rows.items() if row.chance_item is not None}
        self.traits = JudgeTraits(
            chance_items=CHANCE_ITEMS if len(drawn) <= CHANCE_ITEMS else None,
            null_items=0,
            claims=any(row.matches.claims is not None for row in self._rows.values()),
        )

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """The recorded answer to each request, in order."""
        for request in requests:
            yield self._answer(request)

    def _answer(self, request: JudgeRequest) -> JudgeAnswer:
        if request.nothing is not None:  # a file need not hold what is 0 whatever it holds
            return JudgeAnswer(request.key, request.purpose, request.nothing)
        row = self._rows.get(request.key)
        matrix, raw, failure = _recorded(row, request)
        claims = row.matches.claims if row is not None and request.purpose == "match" else None
        shape = len(request.references.reasons), len(request.reasons)
        if failure is None and not (_fits(matrix, *shape) and _each_decided(claims, shape[1])):
            matrix, failure = (), "recorded for other references or reasons"
        claims = claims if failure is None else None
        return JudgeAnswer(request.key, request.purpose, matrix, raw, failure, claims=claims)

    def identity(self) -> dict[str, Any]:
        """The file's content; its name does not matter."""
        return {"judge": "replay", "judge_digest": sha256_of(self.path)}

    def describe(self) -> dict[str, Any]:
        """The file, its content and its size; matrices that no model made are approximate."""
        return {
            "spec": f"replay:{self.path}",
            "digest": sha256_of(self.path),
            "approximate": not any(row.matches.raw for row in self._rows.values()),
            "recorded": len(self._rows),
        }

    def close(self) -> None:
        """Holds nothing that must be freed."""


def read_matches(path: Path) -> dict[Key, MatchRow]:
    """All rows of a matches.jsonl by key.

    Raises:
        InputError: the file or a line of it is not what a matches.jsonl holds.
    """
    rows: dict[Key, MatchRow] = {}
    for number, row in read_lines(path, MATCHES):
        where = f"{path}, line {number}"
        scores = (score for matrix in (row.matches.matrix, row.chance or ()) for line in matrix
                  for score in line)  # fmt: skip
        if not all(0 <= score <= 1 for score in scores):  # False for NaN
            raise InputError(f"{where}: a score is not from 0 to 1", "correct it, or judge anew")
        if row.key in rows:
            raise InputError(f"{where}: a second line of {row.key.item}", "take one of them out")
        rows[row.key] = row
    return rows


def sha256_of(path: Path) -> str:
    """The hash of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _recorded(row: MatchRow | None, request: JudgeRequest) -> tuple[Matrix, str | None, str | None]:
    """Matrix, raw text and failure for a request."""
    if row is None:
        return (), None, NOT_RECORDED
    if request.purpose == "match":
        return row.matches.matrix, row.matches.raw, row.matches.failure
    if request.purpose != "chance" or row.chance_item != request.references.id:
        return (), None, NOT_RECORDED
    failure = None if row.chance is not None else row.chance_failure or NOT_RECORDED
    return row.chance or (), row.chance_raw, failure


def _each_decided(claims: tuple[bool | None, ...] | None, n_reasons: int) -> bool:
    return claims is None or len(claims) == n_reasons


def _fits(matrix: Matrix, n_refs: int, n_reasons: int) -> bool:
    return len(matrix) == n_refs and all(len(line) == n_reasons for line in matrix)
