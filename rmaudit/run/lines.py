"""One record for each row file: the fields of its lines, in the order in which they stand there.

A line of a row file is flat: the parts of its key stand beside what the row says. Each record here
is made from a row of `rows` or `records` and gives it back; `files` reads and writes them. The
lines of judges and labellers stand in `grade_lines`.

A field that a line lacks takes its default, so that a hand-made line of recorded answers needs
only `item`, `order` and `text`. Fields named in `grade_lines.SPARSE` are written only where they
say something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field

from rmaudit.parsing.decisions import Difference
from rmaudit.records import (
    FinishReason,
    Generation,
    ItemResult,
    Judgment,
    Key,
    ModelReason,
    Order,
    Outcome,
    RowResult,
    ServerSaid,
    Slot,
    Verdict,
)
from rmaudit.run.rows import (
    JudgeUse,
    ProbeOutcome,
    ProbeRow,
    ScoreRow,
    VerdictRow,
)

Number = int | Annotated[float, Field(allow_inf_nan=False)]
"""A number as it is written: 1 stays 1, and is not written again as 1.0. NaN is no number."""
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
    server: ServerSaid | None = None

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
            server=row.server,
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
            self.server,
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
    label: Literal["a", "b", "tie"] | None
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
