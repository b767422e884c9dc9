"""The judge that knows the truth of program-made items, at its place in the flow."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, JudgeTraits
from rmaudit.prompts import Template
from rmaudit.truth import score as truth


class TruthJudge:
    """Scores reasons against the facts that the generator recorded; fails on any other item."""

    traits = JudgeTraits()
    templates: tuple[Template, ...] = ()

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """See the protocol; no model."""
        for request in requests:
            if request.nothing is not None:
                yield JudgeAnswer(request.key, request.purpose, request.nothing)
            elif truth.facts_of(request.references):
                matrix = truth.matrix(request.references, request.reasons)
                yield JudgeAnswer(request.key, request.purpose, matrix)
            else:
                yield JudgeAnswer(request.key, request.purpose, (), failure=truth.UNKNOWN)

    def identity(self) -> dict[str, Any]:
        """Its name; it always sees the whole item."""
        return {"judge": truth.NAME, "judge_view": "full"}

    def describe(self) -> dict[str, Any]:
        """Its name."""
        return {"spec": truth.NAME, "view": "full", "approximate": False}

    def close(self) -> None:
        """Holds nothing that must be freed."""
