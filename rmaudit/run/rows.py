"""The rows of a run directory as the package works with them; `files` says where each is kept."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rmaudit.records import (
    FinishReason,
    Judgment,
    Key,
    LabelSet,
    MatchSet,
    ModelReason,
    Verdict,
)

ProbeOutcome = Literal["read", "unreadable", "error", "skipped"]


class VerdictRow(NamedTuple):
    """verdicts.jsonl: a judgment in item coordinates."""

    key: Key
    judgment: Judgment


class JudgeUse(NamedTuple):
    """What a judge's answers cost and how they came.

    calls: model calls, repeated ones included. retries: calls repeated since the first answer was
    cut or malformed. snapped: scores moved onto the grid. cached: taken from an earlier run, so no
    independent evidence.
    """

    calls: int = 0
    retries: int = 0
    snapped: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False

    def plus(self, other: JudgeUse) -> JudgeUse:
        """Both together."""
        return JudgeUse(
            self.calls + other.calls,
            self.retries + other.retries,
            self.snapped + other.snapped,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cached or other.cached,
        )


NO_USE = JudgeUse()


class MatchRow(NamedTuple):
    """matches.jsonl: a row's matching, and its chance matrix against another item's references.

    `chance_item` is the item whose references were used, None where there was none to use;
    `chance_failure` is why there is no chance matrix then. `human` is a person's matrix of the
    row, from a spot check of the judge; None where nobody looked.
    """

    key: Key
    matches: MatchSet
    chance_item: str | None = None
    chance: tuple[tuple[float, ...], ...] | None = None
    chance_raw: str | None = None
    chance_failure: str | None = None
    use: JudgeUse = NO_USE
    human: tuple[tuple[float, ...], ...] | None = None


class NullRow(NamedTuple):
    """nulls.jsonl: a list that judges nothing (`rmaudit.nulls`), cut, against an item's references.

    The variant of its key is `null:` and the name of the list.
    """

    key: Key
    reasons: tuple[ModelReason, ...]
    matches: MatchSet
    use: JudgeUse = NO_USE


class ScoreRow(NamedTuple):
    """scores.jsonl: what a score-only model gave one response, raw; the key has its slot.

    `by_order` holds the score from each order that the pair was scored in, where that is known.
    """

    key: Key
    score: float
    by_order: dict[str, float]


class LabelRow(NamedTuple):
    """flaws.jsonl: the labels of one answer's reasons, and what they cost."""

    key: Key
    labels: LabelSet
    use: JudgeUse = NO_USE


class ProbeRow(NamedTuple):
    """A probe of one base row; `verdict` in item coordinates.

    probe: the measure it belongs to. condition: under which it was asked, '' where it was skipped.
    prefill: the beginning of the answer that was given. text: what the target or the judge said,
    raw. failure: why nothing came back, or why the row could not be asked.
    """

    key: Key
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

    @property
    def asked(self) -> tuple[Key, str, str]:
        """What it answers; unique in the file."""
        return self.key, self.probe, self.condition
