"""The MetaJudge's place in the flow: a judgment and its references in, a matching out.

A judge returns the full matrix; the one-to-one matching on it is ours, whatever judge made it.
"""

from __future__ import annotations

from typing import Any, Protocol

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.judging import builtin
from rmaudit.judging.matching import match
from rmaudit.judging.prompts import flatten
from rmaudit.judging.sides import reason_about
from rmaudit.records import About, Judgment, MatchSet, ModelReason
from rmaudit.rows import MatchRow, VerdictRow

Matrix = tuple[tuple[float, ...], ...]


class Judge(Protocol):
    """Scores how far each model reason says what each reference says."""

    @property
    def name(self) -> str:
        """The judge's SPEC as given."""
        ...

    def matrix(self, item: Item, references: Item, reasons: tuple[ModelReason, ...]) -> Matrix:
        """[n references of `references`, m reasons] on the grid, seen in the view of `item`."""
        ...

    def describe(self) -> dict[str, Any]:
        """What the manifest records."""
        ...


class BuiltinJudge:
    """The embedded judge; approximate."""

    name = builtin.NAME

    def __init__(self, view: str = "full") -> None:
        self.view = view
        self._seen: tuple[Item | None, builtin.Context] = (None, builtin.Context())

    def matrix(self, item: Item, references: Item, reasons: tuple[ModelReason, ...]) -> Matrix:
        """See the protocol; text alone, no model."""
        return builtin.matrix(sided_references(references), reasons, self._context(item))

    def _context(self, item: Item) -> builtin.Context:
        """Kept for the next call: rows of one item come after each other."""
        if self.view == "full" and self._seen[0] is not item:
            texts = flatten(item.prompt), item.response_a, item.response_b
            self._seen = item, builtin.Context.of(*texts)
        return self._seen[1]

    def describe(self) -> dict[str, Any]:
        """Name and view."""
        return {"spec": self.name, "view": self.view, "approximate": True}


def make_judge(spec: str, *, view: str) -> Judge:
    """The judge that SPEC names.

    Raises:
        InputError: no such judge.
    """
    if spec != builtin.NAME:
        raise InputError(f"no judge '{spec}'", "this version has one judge: builtin")
    return BuiltinJudge(view)


def sided_references(item: Item) -> list[tuple[str, About]]:
    """Text and side of each reference; the side is read off the text where it is not given."""
    return [(reason.text, reason.about or reason_about(reason.text)[0]) for reason in item.reasons]


def judge_row(
    judge: Judge, item: Item, verdict: VerdictRow, *, chance_from: Item | None
) -> MatchRow:
    """The matching of one answered row, and the chance matrix where another item is given."""
    judgment = verdict.judgment
    chance = None
    if chance_from is not None:
        chance = judge.matrix(item, chance_from, judgment.reasons)
    return MatchRow(
        key=verdict.key,
        matches=matching_of(judge.matrix(item, item, judgment.reasons), judgment),
        chance_item=chance_from.id if chance_from is not None else None,
        chance=chance,
    )


def matching_of(matrix: Matrix, judgment: Judgment) -> MatchSet:
    """The one-to-one matching on a judge's matrix."""
    edges = match(matrix, n_refs=len(matrix), n_reasons=len(judgment.reasons))
    return MatchSet(matrix, edges)
