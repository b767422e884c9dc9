"""The judge of shared words and facts, at its place in the flow."""

from __future__ import annotations

from typing import Any

from rmaudit import embedded
from rmaudit.judging.metajudge import BuiltinJudge, JudgeRequest, Matrix
from rmaudit.judging.metajudge_prompt import sided_references


class LexicalJudge(BuiltinJudge):
    """Word and fact overlap; approximate. It judges only where it is asked for by name."""

    def matrix(self, request: JudgeRequest) -> Matrix:
        """See `BuiltinJudge.matrix`."""
        references = sided_references(request.references)
        return embedded.lexical.matrix(references, request.reasons, self.context(request.item))

    def identity(self) -> dict[str, Any]:
        """Name, view and version."""
        return {
            "judge": embedded.lexical.NAME,
            "judge_view": self.view,
            "judge_version": embedded.lexical.VERSION,
        }

    def describe(self) -> dict[str, Any]:
        """Name, version and view."""
        return super().describe() | {
            "spec": embedded.lexical.NAME,
            "version": embedded.lexical.VERSION,
        }
