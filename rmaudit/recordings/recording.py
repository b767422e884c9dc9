"""What a file of recorded outputs holds, whatever its format: answers, scores, decisions, items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rmaudit.checklists.load import ChecklistSet
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.records import Generation, Key, Side, Verdict

ShownOrder = Literal["ab", "ba"]
ORDERS: tuple[ShownOrder, ShownOrder] = ("ab", "ba")


class PairScores(NamedTuple):
    """The scores of response_a and response_b that one call gave."""

    a: float
    b: float

    def of(self, side: Side) -> float:
        """The score of one response."""
        return self.a if side == "a" else self.b


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
        names: what the recorded prompts call the two responses.
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
    names: Names = DEFAULT_NAMES
    own_prompts: bool = False
    name: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scored(self) -> bool:
        """Whether the model gives scores and no answers."""
        return bool(self.scores)

    @property
    def decided(self) -> bool:
        """Whether the file holds any decision."""
        return any(decision is not None for decision in self.decisions.values())
