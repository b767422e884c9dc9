"""The lines that a judge or a labeller fills; `lines` has the others, and what all share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Self, TypeVar

from rmaudit.records import (
    Category,
    Edge,
    Flaw,
    Gold,
    LabelSet,
    MatchSet,
    ModelReason,
    ReasonLabel,
    ServerSaid,
    Tested,
)
from rmaudit.run.lines import GenerationLine, KeyedLine, Number
from rmaudit.run.rows import NO_USE, JudgeUse, LabelRow, MatchRow, NullRow
from rmaudit.taxonomy import FLAW_NAMES, TESTED

Matrix = tuple[tuple[Number, ...], ...]
Claims = tuple[bool | None, ...]
T = TypeVar("T")
_USE = frozenset(JudgeUse._fields)


@dataclass(slots=True, kw_only=True)
class MatchLine(KeyedLine):
    """matches.jsonl and ceilings.jsonl: the judge's matrices of one answer.

    `assignment` lists (reference, reason, score). What only some judges or a spot check have
    stands at the end.
    """

    matrix: Matrix
    assignment: tuple[tuple[int, int, Number], ...]
    raw: str | None
    failure: str | None
    chance_item: str | None
    chance_matrix: Matrix | None
    chance_raw: str | None = None
    chance_failure: str | None = None
    calls: int = 0
    retries: int = 0
    snapped: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False
    human_matrix: Matrix | None = None
    claims: Claims | None = None

    @classmethod
    def of(cls, row: MatchRow) -> Self:
        """The line of a matching."""
        item, variant, slot, order, sample = row.key
        return cls(
            item=item,
            variant=variant,
            slot=slot,
            order=order,
            sample=sample,
            matrix=row.matches.matrix,
            assignment=row.matches.edges,
            raw=row.matches.raw,
            failure=row.matches.failure,
            chance_item=row.chance_item,
            chance_matrix=row.chance,
            chance_raw=row.chance_raw,
            chance_failure=row.chance_failure,
            **row.use._asdict(),
            human_matrix=row.human,
            claims=row.matches.claims,
        )

    def row(self) -> MatchRow:
        """The matching of a line."""
        edges = tuple(Edge(*edge) for edge in self.assignment)
        return MatchRow(
            self.key,
            MatchSet(self.matrix, edges, self.raw, self.failure, self.claims or None),
            self.chance_item,
            self.chance_matrix,
            self.chance_raw,
            self.chance_failure,
            _use(self),
            self.human_matrix or None,
        )


@dataclass(slots=True, kw_only=True)
class NullLine(KeyedLine):
    """nulls.jsonl: a list that judges nothing, and the judge's matrix of it."""

    reasons: tuple[ModelReason, ...]
    matrix: Matrix
    assignment: tuple[tuple[int, int, Number], ...]
    raw: str | None
    failure: str | None
    calls: int = 0
    retries: int = 0
    snapped: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False

    @classmethod
    def of(cls, row: NullRow) -> Self:
        """The line of a null."""
        return cls(
            **row.key._asdict(),
            reasons=row.reasons,
            matrix=row.matches.matrix,
            assignment=row.matches.edges,
            raw=row.matches.raw,
            failure=row.matches.failure,
            **row.use._asdict(),
        )

    def row(self) -> NullRow:
        """The null of a line."""
        edges = tuple(Edge(*edge) for edge in self.assignment)
        matches = MatchSet(self.matrix, edges, self.raw, self.failure)
        return NullRow(self.key, self.reasons, matches, _use(self))


@dataclass(slots=True, kw_only=True)
class LabelLine(KeyedLine):
    """flaws.jsonl: the labels of one answer's reasons, and what a model as labeller took."""

    labels: tuple[ReasonLabel, ...]
    tested: tuple[Tested, ...]
    gold: Gold | None = None
    raw: str | None = None
    failure: str | None = None
    calls: int = 0
    retries: int = 0
    snapped: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False

    @classmethod
    def of(cls, row: LabelRow) -> Self:
        """The line of labels."""
        labels = row.labels
        item, variant, slot, order, sample = row.key
        return cls(
            item=item,
            variant=variant,
            slot=slot,
            order=order,
            sample=sample,
            labels=labels.labels,
            tested=labels.tested,
            gold=labels.gold,
            raw=labels.raw,
            failure=labels.failure,
            **row.use._asdict(),
        )

    def row(self) -> LabelRow:
        """The labels of a line: flaws and tests in their order, each once."""
        labels = tuple(_label(one.category, one.flaws) for one in self.labels)
        tested = _ordered(self.tested, TESTED)
        found = LabelSet(labels, tested, self.gold, self.raw, self.failure)
        return LabelRow(self.key, found, _use(self))


def _use(line: MatchLine | NullLine | LabelLine) -> JudgeUse:
    use = JudgeUse(
        line.calls, line.retries, line.snapped, line.tokens_in, line.tokens_out, line.cached
    )
    return NO_USE if use == NO_USE else use


@cache
def _label(category: Category | None, flaws: tuple[Flaw, ...]) -> ReasonLabel:
    """One object for all reasons of a kind: a run has a few kinds and hundreds of thousands."""
    return ReasonLabel(category, _ordered(flaws, FLAW_NAMES))


@cache
def _ordered(names: tuple[T, ...], among: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(name for name in among if name in names)


SPARSE: Mapping[type, frozenset[str]] = {
    MatchLine: _USE | {"chance_raw", "chance_failure", "human_matrix", "claims"},
    NullLine: _USE,
    LabelLine: _USE,
    GenerationLine: frozenset({"server"}),
    ServerSaid: frozenset({"code", "not_sent"}),
}
"""Fields of a record that are left out of a line where they are empty, 0, False or None."""
