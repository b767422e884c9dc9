"""The judge that knows the truth of program-made items, at its place in the flow."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, JudgeTraits
from rmaudit.prompts import Template
from rmaudit.truth import score as truth


class TruthJudge:
    """Decides reasons by the facts that the generator recorded; fails on any other item."""

    traits = JudgeTraits(claims=True)
    templates: tuple[Template, ...] = ()

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """See the protocol; no model."""
        for request in requests:
            if request.nothing is not None:
                yield JudgeAnswer(request.key, request.purpose, request.nothing)
            elif truth.facts_of(request.references):
                found = truth.decide(request.references, request.reasons)
                yield JudgeAnswer(request.key, request.purpose, found.matrix, claims=found.claims)
            else:
                yield JudgeAnswer(request.key, request.purpose, (), failure=truth.UNKNOWN)

    def identity(self) -> dict[str, Any]:
        """Name and version; it always sees the whole item."""
        return {"judge": truth.NAME, "judge_view": "full", "judge_version": truth.VERSION}

    def describe(self) -> dict[str, Any]:
        """Name and version."""
        return {
            "spec": truth.NAME,
            "version": truth.VERSION,
            "view": "full",
            "approximate": False,
        }

    def close(self) -> None:
        """Holds nothing that must be freed."""
