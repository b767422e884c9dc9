"""The data that flows from a model's raw answer to a metric: typed records, no I/O.

    Generation -> Judgment -> MatchSet + LabelSet -> ItemResult -> Metric

Coordinates. A pair is shown to a model in an order: `ab` shows response_a first (as Response A),
`ba` shows response_b first (as Response A). Everything named *item coordinates* speaks of
response_a and response_b of the item, whatever was shown first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Side = Literal["a", "b"]
About = Literal["a", "b", "both"] | None
Verdict = Literal["a", "b", "tie"] | None
Order = Literal["ab", "ba"] | None
Slot = Literal["pair", "a", "b"]
FinishReason = Literal["stop", "length", "error"]
Outcome = Literal["ok", "tie", "unparsed", "truncated", "refused", "too_long", "filtered", "error"]
Unit = Literal["share", "score", "count", "seconds"]
Category = Literal["EG", "CG", "GS"]
Flaw = Literal["F1", "F2", "F3", "F4", "F5", "F6", "F7"]
Tested = Literal["category", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "gold"]
Gold = Literal["correct", "incorrect"]

ANSWERED: frozenset[str] = frozenset({"ok", "tie", "unparsed", "truncated", "refused"})
"""Outcomes where the target answered; `too_long`, `filtered` and `error` are no answer."""
TOO_LONG: Literal["too_long"] = "too_long"
FILTERED: Literal["filtered"] = "filtered"
SETTLED: frozenset[str | None] = frozenset({TOO_LONG, FILTERED})
"""Errors of a generation that would come again: such a request is not asked a second time."""
AnswerKind = Literal["answer", "refusal", "tool_calls", "empty", "draft", "filtered", "failed"]


class Key(NamedTuple):
    """What one row of a run is about; unique within each row file."""

    item: str
    variant: str = "base"
    slot: Slot = "pair"
    order: Order = "ab"
    sample: int = 0


@dataclass(frozen=True, slots=True)
class ServerSaid:
    """What a server said of one completion, beside its text.

    kind: what it gave. `answer`: a text to read. `refusal`: the model declined, in a field of its
    own. `tool_calls`: calls in place of a text. `empty`: nothing. `draft`: reasoning that was
    handed over in the place of an answer. `filtered`: the provider kept it back. `failed`: an
    error. finish_reason, model, code: in the server's own words, None where it gave none; code is
    that of an error. status: of the last HTTP response. not_sent: options that were left out of
    the request, since the server had refused them.
    """

    kind: AnswerKind
    finish_reason: str | None = None
    model: str | None = None
    status: int | None = None
    code: str | None = None
    not_sent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generation:
    """One completion of the target, never edited.

    `error` is None, or `too_long` where the prompt did not fit the context, or `filtered` where
    the provider kept the answer back (`text` is then what it let through), or what the engine
    said. `thinking` is the reasoning that an endpoint hands over apart from the text. `server` is
    None where no endpoint was asked.
    """

    key: Key
    text: str
    finish_reason: FinishReason = "stop"
    thinking: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    error: str | None = None
    server: ServerSaid | None = None

    @property
    def unanswered(self) -> Outcome | None:
        """The outcome of a completion that is no answer; None where there is one to read."""
        if self.finish_reason != "error":
            return None
        if self.error == TOO_LONG:
            return TOO_LONG
        return FILTERED if self.error == FILTERED else "error"


@dataclass(frozen=True, slots=True)
class ModelReason:
    """One atomic reason that the target gave.

    In a parsed answer `text` and `about` speak of the responses as shown; in item coordinates
    after `judging.sides.to_item`. `ambiguous` marks a reason that names a side only in a form
    that the prompt did not define.
    """

    text: str
    about: About = None
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one completion says: a verdict, its strength (0 tie, 1 better, 2 much better), reasons.

    `verdict` is None unless `outcome` is `ok` or `tie`. `flags` are among `conflict` (verdicts
    that disagree, so that none counts), `ran_on` (text past the first complete answer was not
    trusted), `over_max_reasons` (the list was cut), `no_reasons`, `ambiguous_side`, `copied` (most
    reasons repeat a response), `unknown_keys` (the reasons of a JSON answer stand under keys that
    are not known to hold any), `unread_texts` (beside its reasons a JSON answer holds long texts
    under keys that are not known to hold any).
    """

    verdict: Verdict
    outcome: Outcome
    reasons: tuple[ModelReason, ...] = ()
    strength: int | None = None
    flags: tuple[str, ...] = ()


class Edge(NamedTuple):
    """Reference `ref` matched to model reason `reason` (0-based ranks) with `score` in (0, 1]."""

    ref: int
    reason: int
    score: float


@dataclass(frozen=True, slots=True)
class MatchSet:
    """The MetaJudge's full n x m matrix of one judgment and the one-to-one matching on it.

    `matrix[i][j]` in {0, .25, .5, .75, 1}: how far model reason j says what reference i says.
    `failure` is None, or why the judge gave no matrix; then `matrix` is empty and the row is
    excluded and bounded, never scored 0. `claims[j]`: whether what reason j says of the responses
    is true of them, None where nothing of it could be looked up; None of a judge that does not
    decide claims.
    """

    matrix: tuple[tuple[float, ...], ...]
    edges: tuple[Edge, ...]
    raw: str | None = None
    failure: str | None = None
    claims: tuple[bool | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class ReasonLabel:
    """What kind of reason one is, and what is wrong with it (arXiv 2602.04649).

    `category` is None where the labeller does not decide categories; `flaws` are in order, each
    once. `judging.taxonomy` defines both.
    """

    category: Category | None = None
    flaws: tuple[Flaw, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of one judgment's reasons, in their order.

    `tested` names what the labeller decided: `category`, flaws, `gold`; about anything else it
    says nothing, which is not the same as finding nothing. `gold` is whether the reasons name the
    decisive points of the item's gold judgment (arXiv 2602.06763), None where that was not asked.
    `failure` is None, or why there are no labels; then the row is excluded and bounded, never
    taken for flawless.
    """

    labels: tuple[ReasonLabel, ...]
    tested: tuple[Tested, ...] = ()
    gold: Gold | None = None
    raw: str | None = None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class RowResult:
    """One (order, sample) of an item, scored.

    `correct`, `rc`, `ap` are None where they do not apply or could not be measured; `failure`
    is None, `target: ...` where the target did not answer, `judge: ...` where the judge failed.
    """

    order: Order
    sample: int
    outcome: Outcome
    verdict: Verdict
    correct: bool | None
    rc: float | None
    ap: float | None
    n_reasons: int
    n_refs: int
    flags: tuple[str, ...]
    failure: str | None


@dataclass(frozen=True, slots=True)
class ItemResult:
    """All rows of one item of one run."""

    item: str
    group: str
    domain: str
    label: Literal["a", "b", "tie"] | None
    rows: tuple[RowResult, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that never travels without its interval and counts.

    value: point estimate, or None with `why` where it does not apply.
    low, high: 95% interval. worst, best: the value if every excluded observation had gone the
    worst or the best way. n: units behind the value (items; rows for `coverage.*`; pairs of
    orders for `order_consistency`). n_excluded: observations left out because the target did
    not answer or the judge failed ((item, order, sample) rows, or pairs of orders).
    """

    value: float | None
    low: float | None
    high: float | None
    worst: float | None
    best: float | None
    n: int
    n_excluded: int
    unit: Unit
    why: str = ""
