"""Planted reward models: what they decide, what they say, and the raw text that comes of it.

A healthy model is right with the probability that it was given, is mostly consistent over both
orders, words true faults of both responses and sometimes gets one wrong. A defect changes some of
its answers before they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from rmaudit.checklists.schema import Item
from rmaudit.recordings.recording import ShownOrder
from rmaudit.records import Flaw, Generation, Key, Side
from rmaudit.selftest.formats import ENVELOPES, WrittenReason
from rmaudit.selftest.writers import other, shown, side_of, true_fault

ORDERS: tuple[ShownOrder, ...] = ("ab", "ba")
MOST_REASONS = 5


@dataclass(frozen=True, slots=True)
class PlantedAnswer:
    """One answer before it is written, of a model that saw `item` in `order`.

    verdict: the response of the item that it prefers. reasons: as shown, most important first.
    text: where set, the whole raw answer. flaws: those of each reason; empty means none at all.
    deaf: its verdict comes from elsewhere than its reasons.
    """

    item: Item
    order: ShownOrder
    verdict: Side
    reasons: tuple[WrittenReason, ...]
    strength: int = 1
    text: str | None = None
    flaws: tuple[tuple[Flaw, ...], ...] = ()
    deaf: bool = False


Spoil = Callable[[PlantedAnswer, "World", Random], PlantedAnswer]
"""A defect: the answer as the defective model gives it."""


@dataclass(frozen=True, slots=True)
class World:
    """What a model may draw on beside the item at hand: the other items of the set."""

    items: Sequence[Item]
    by_family: dict[str, list[Item]] = field(default_factory=dict)
    _places: dict[int, dict[tuple[str, ShownOrder], float]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Sequence[Item]) -> World:
        """The items, by family."""
        families: dict[str, list[Item]] = {}
        for item in items:
            families.setdefault(item.family, []).append(item)
        return cls(items, families)

    def place(self, seed: int, item: Item, order: ShownOrder) -> float:
        """Where an answer stands in a seeded order of all, from 0 to 1: a rate takes the first."""
        if seed not in self._places:
            answers = [(one.id, shown) for one in self.items for shown in ORDERS]
            Random(f"{seed}/places").shuffle(answers)
            self._places[seed] = {key: k / len(answers) for k, key in enumerate(answers)}
        return self._places[seed][item.id, order]

    def another(self, item: Item, rng: Random) -> Item:
        """Another item of the same family."""
        while (drawn := rng.choice(self.by_family[item.family])) is item:
            pass
        return drawn


@dataclass(frozen=True, slots=True)
class PlantedModel:
    """A model made for the test.

    seed: of all that it does. accuracy: share of items it decides rightly. spoil: its defect, in
    a share `rate` of its answers. recall: share of true faults that it finds. wobble: share of
    answers that turn with the order. slip: share of reasons that are a fault of another item.
    envelopes: its answer formats, the first one most of the time.
    """

    name: str
    seed: int
    accuracy: float = 0.85
    spoil: Spoil | None = None
    rate: float = 0.0
    recall: float = 0.85
    wobble: float = 0.03
    slip: float = 0.05
    envelopes: tuple[str, ...] = ("numbered",)

    def answer(self, item: Item, order: ShownOrder, world: World) -> PlantedAnswer:
        """What it says about one item in one order, the same at every rate but for the defect."""
        about_item = Random(f"{self.seed}/{item.id}")
        rng = Random(f"{self.seed}/{item.id}/{order}")
        label: Side = "a" if item.label == "a" else "b"
        verdict = label if about_item.random() < self.accuracy else other(label)
        if rng.random() < self.wobble:
            verdict = other(verdict)
        reasons = self._reasons(item, order, verdict, world, rng)
        healthy = PlantedAnswer(item, order, verdict, reasons, strength=rng.choice((1, 1, 2)))
        if self.spoil is None or world.place(self.seed, item, order) >= self.rate:
            return healthy
        return self.spoil(healthy, world, Random(f"{self.seed}/{item.id}/{order}/spoil"))

    def write(self, answer: PlantedAnswer) -> Generation:
        """The raw text of an answer."""
        key = Key(answer.item.id, order=answer.order)
        if answer.text is not None:
            return Generation(key, answer.text)
        rng = Random(f"{self.seed}/{answer.item.id}/{answer.order}/envelope")
        usual, *rare = self.envelopes
        envelope = usual if not rare or rng.random() < 0.7 else rng.choice(rare)
        letter = shown(answer.verdict, answer.order)
        return Generation(key, ENVELOPES[envelope](answer.reasons, letter, answer.strength, rng))

    def _reasons(
        self, item: Item, order: ShownOrder, verdict: Side, world: World, rng: Random
    ) -> tuple[WrittenReason, ...]:
        """Faults that it found, those of the response it rejects first; at least one."""
        ranked = sorted(item.reasons, key=lambda reason: side_of(reason) == verdict)
        found = [reason for reason in ranked if rng.random() < self.recall] or ranked[:1]
        said = []
        for reason in found[:MOST_REASONS]:
            source = world.another(item, rng) if rng.random() < self.slip else item
            wrong = rng.choice(source.reasons) if source is not item else reason
            said.append(true_fault(source, wrong, order, rng))
        return tuple(said)


def at_rate(model: PlantedModel, rate: float) -> PlantedModel:
    """The same model with its defect in another share of its answers."""
    return replace(model, rate=rate)
