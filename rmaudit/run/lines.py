"""One record for each row file: the fields of its lines, in the order in which they stand there.

A line of a row file is flat: the parts of its key stand beside what the row says. Each record here
is made from a row of `rows` or `records` and gives it back; `files` reads and writes them.

A field that a line lacks takes its default, so that a hand-made line of recorded answers needs
only `item`, `order` and `text`. Fields named in `SPARSE` are written only where they say something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field

from rmaudit.parsing.decisions import Difference
from rmaudit.records import (
    Edge,
    FinishReason,
    Generation,
    Gold,
    ItemResult,
    Judgment,
    Key,
    LabelSet,
    MatchSet,
    ModelReason,
    Order,
    Outcome,
    ReasonLabel,
    RowResult,
    Slot,
    Tested,
    Verdict,
)
from rmaudit.run.rows import (
    JudgeUse,
    LabelRow,
    MatchRow,
    ProbeOutcome,
    ProbeRow,
    ScoreRow,
    VerdictRow,
)
from rmaudit.taxonomy import FLAW_NAMES, TESTED

Number = int | float
"""A number as it is written: 1 stays 1, and is not written again as 1.0."""
Matrix = tuple[tuple[Number, ...], ...]
T = TypeVar("T")
_USE = frozenset(JudgeUse._fields)


@dataclass(slots=True, kw_only=True)
class KeyedLine:
    """What every row but a result begins with; unique within its file."""

    item: str
    variant: str = "base"
    slot: Slot = "pair"
    order: Order = "ab"
    sample: Annotated[int, Field(ge=0)] = 0

    @property
    def key(self) -> Key:
        """The key of the row."""
        return Key(self.item, self.variant, self.slot, self.order, self.sample)


@dataclass(slots=True, kw_only=True)
class GenerationLine(KeyedLine):
    """generations.jsonl."""

    text: str
    finish_reason: FinishReason = "stop"
    thinking: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: Number | None = None
    error: str | None = None

    @classmethod
    def of(cls, row: Generation) -> Self:
        """The line of a generation."""
        item, variant, slot, order, sample = row.key
        return cls(
            item=item,
            variant=variant,
            slot=slot,
            order=order,
            sample=sample,
            text=row.text,
            finish_reason=row.finish_reason,
            thinking=row.thinking,
            tokens_in=row.tokens_in,
            tokens_out=row.tokens_out,
            seconds=row.seconds,
            error=row.error,
        )

    def row(self) -> Generation:
        """The generation of a line."""
        return Generation(
            self.key,
            self.text,
            self.finish_reason,
            self.thinking,
            self.tokens_in,
            self.tokens_out,
            self.seconds,
            self.error,
        )


@dataclass(slots=True, kw_only=True)
class ScoreLine(KeyedLine):
    """scores.jsonl: the key has the slot of the response that was scored."""

    score: Number
    by_order: dict[str, Number]

    @classmethod
    def of(cls, row: ScoreRow) -> Self:
        """The line of a score."""
        return cls(**row.key._asdict(), score=row.score, by_order=row.by_order)

    def row(self) -> ScoreRow:
        """The score of a line."""
        return ScoreRow(self.key, self.score, self.by_order)


@dataclass(slots=True, kw_only=True)
class VerdictLine(KeyedLine):
    """verdicts.jsonl: the judgment of one completion, in item coordinates."""

    verdict: Verdict
    strength: int | None
    outcome: Outcome
    flags: tuple[str, ...]
    reasons: tuple[ModelReason, ...]

    @classmethod
    def of(cls, row: VerdictRow) -> Self:
        """The line of a judgment."""
        said = row.judgment
        item, variant, slot, order, sample = row.key
        return cls(
            item=item,
            variant=variant,
            slot=slot,
            order=order,
            sample=sample,
            verdict=said.verdict,
            strength=said.strength,
            outcome=said.outcome,
            flags=said.flags,
            reasons=said.reasons,
        )

    def row(self) -> VerdictRow:
        """The judgment of a line."""
        said = Judgment(self.verdict, self.outcome, self.reasons, self.strength, self.flags)
        return VerdictRow(self.key, said)


@dataclass(slots=True, kw_only=True)
class MatchLine(KeyedLine):
    """matches.jsonl and ceilings.jsonl: the judge's matrices of one answer.

    `assignment` lists (reference, reason, score). What only a model as judge or a spot check has
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
        )

    def row(self) -> MatchRow:
        """The matching of a line."""
        edges = tuple(Edge(*edge) for edge in self.assignment)
        return MatchRow(
            self.key,
            MatchSet(self.matrix, edges, self.raw, self.failure),
            self.chance_item,
            self.chance_matrix,
            self.chance_raw,
            self.chance_failure,
            _use(self),
            self.human_matrix or None,
        )


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
        labels = tuple(
            one
            if len(one.flaws) < 2
            else ReasonLabel(one.category, _ordered(one.flaws, FLAW_NAMES))
            for one in self.labels
        )
        tested = _ordered(self.tested, TESTED)
        found = LabelSet(labels, tested, self.gold, self.raw, self.failure)
        return LabelRow(self.key, found, _use(self))


@dataclass(slots=True, kw_only=True)
class ProbeLine(KeyedLine):
    """probes.jsonl: one further question about a row, and what came back."""

    probe: str
    condition: str
    outcome: ProbeOutcome
    verdict: Verdict = None
    text: str = ""
    prefill: str = ""
    finish_reason: FinishReason = "stop"
    failure: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None

    @classmethod
    def of(cls, row: ProbeRow) -> Self:
        """The line of a probe."""
        own = row._asdict()
        return cls(**own.pop("key")._asdict(), **own)

    def row(self) -> ProbeRow:
        """The probe of a line."""
        return ProbeRow(
            self.key,
            self.probe,
            self.condition,
            self.outcome,
            self.verdict,
            self.text,
            self.prefill,
            self.finish_reason,
            self.failure,
            self.tokens_in,
            self.tokens_out,
        )


@dataclass(slots=True, kw_only=True)
class DifferenceLine(KeyedLine):
    """recorded_differences.jsonl: a recorded decision that differs from our reading."""

    parsed: Verdict
    outcome: Outcome
    flags: tuple[str, ...]
    recorded: Verdict
    stated: tuple[str, ...]
    why: str

    @classmethod
    def of(cls, row: Difference) -> Self:
        """The line of a difference."""
        said = row.judgment
        item, variant, slot, order, sample = row.key
        return cls(
            item=item,
            variant=variant,
            slot=slot,
            order=order,
            sample=sample,
            parsed=said.verdict,
            outcome=said.outcome,
            flags=said.flags,
            recorded=row.recorded,
            stated=row.stated,
            why=row.why,
        )

    def row(self) -> Difference:
        """The difference of a line; the reasons of the judgment stand in verdicts.jsonl."""
        said = Judgment(self.parsed, self.outcome, flags=self.flags)
        return Difference(self.key, said, self.recorded, self.stated, self.why)


@dataclass(slots=True, kw_only=True)
class ResultLine:
    """results.jsonl: an item with its scored rows."""

    item: str
    group: str
    domain: str
    label: Literal["a", "b", "tie"]
    rows: tuple[RowResult, ...]

    @classmethod
    def of(cls, row: ItemResult) -> Self:
        """The line of a result."""
        return cls(
            item=row.item, group=row.group, domain=row.domain, label=row.label, rows=row.rows
        )

    def row(self) -> ItemResult:
        """The result of a line."""
        return ItemResult(self.item, self.group, self.domain, self.label, self.rows)


def _use(line: MatchLine | LabelLine) -> JudgeUse:
    return JudgeUse(
        line.calls, line.retries, line.snapped, line.tokens_in, line.tokens_out, line.cached
    )


@cache
def _ordered(names: tuple[T, ...], among: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(name for name in among if name in names)


SPARSE: Mapping[type, frozenset[str]] = {
    MatchLine: _USE | {"chance_raw", "chance_failure", "human_matrix"},
    LabelLine: _USE,
}
"""Fields of a record that are left out of a line where they are empty, 0, False or None."""
