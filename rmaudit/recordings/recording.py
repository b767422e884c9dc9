"""What a file of recorded outputs holds, whatever its format: answers, scores, decisions, items."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rmaudit.checklists.load import ChecklistSet
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.recordings.loose import LooseRow
from rmaudit.recordings.loose import ShownOrder as ShownOrder
from rmaudit.records import Generation, Gold, Key, Metric, Side, Verdict

ORDERS: tuple[ShownOrder, ShownOrder] = ("ab", "ba")


class PairScores(NamedTuple):
    """The scores of response_a and response_b that one call gave."""

    a: float
    b: float

    def of(self, side: Side) -> float:
        """The score of one response."""
        return self.a if side == "a" else self.b


class RecordedMatching(NamedTuple):
    """The scores that a recorded judge gave: (reference, reason, score), both counted from 0.

    One reason was named for each reference, so that the matrix is not the full one. failure: why
    there are none.
    """

    edges: tuple[tuple[int, int, float], ...]
    raw: str | None = None
    failure: str | None = None


class RecordedGold(NamedTuple):
    """What a recorded judge said of an answer's reasons, held against a gold judgment.

    raw: its answer, where the file keeps it. failure: why it said nothing, None where it did.
    """

    gold: Gold | None
    raw: str | None = None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """Everything that a file of recorded outputs holds, by key, in item coordinates.

    Attributes:
        format: what the file is, in words.
        generations: the answers; none for score-only models.
        items: the file's own items, None where it has none.
        orders: the orders in which the file shows pairs.
        scores: of score-only models, by pair and order.
        decisions: what the file says was decided; None where it could not tell.
        loose: rows that name their item by an id or by its texts, and wait for a set.
        apart: the decisions stand beside the texts, which are rationales without a verdict: they
            always count, and a row without one is a failed call.
        reasons: the lists of atomic reasons that the file holds beside its texts.
        gold: what the file's own judge said of the reasons, by its own reading of its answer.
        matchings: what the file's own judge matched, for a judge that makes no call.
        own_numbers: what the public scripts make of the file, as metrics, for some of its items.
        names: what the recorded prompts call the two responses.
        no_answers: the file keeps no text of the model, only scores or outcomes.
        own_prompts: the answers were given to prompts of another tool.
        name: of the model, '' where the file does not tell.
        facts: what the manifest records beside.
    """

    format: str
    generations: Mapping[Key, Generation] = field(default_factory=dict)
    items: ChecklistSet | None = None
    orders: tuple[ShownOrder, ...] = ORDERS
    scores: Mapping[Key, PairScores] = field(default_factory=dict)
    decisions: Mapping[Key, Verdict] = field(default_factory=dict)
    loose: tuple[LooseRow, ...] = ()
    apart: bool = False
    reasons: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    gold: Mapping[Key, RecordedGold] = field(default_factory=dict)
    matchings: Mapping[Key, RecordedMatching] = field(default_factory=dict)
    own_numbers: Callable[[Collection[str]], dict[str, Metric]] | None = None
    names: Names = DEFAULT_NAMES
    own_prompts: bool = False
    no_answers: bool = False
    name: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scored(self) -> bool:
        """Whether the model gives scores or bare outcomes, and no answers."""
        return self.no_answers or bool(self.scores)

    @property
    def decided(self) -> bool:
        """Whether the file holds any decision."""
        return any(decision is not None for decision in self.decisions.values())
