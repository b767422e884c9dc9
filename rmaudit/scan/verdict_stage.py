"""From a completion of the target to its verdict row, in item coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rmaudit.checklists.controls import edited
from rmaudit.checklists.schema import Item
from rmaudit.parsing.generations import read_generation
from rmaudit.parsing.parse import Parsed
from rmaudit.parsing.pointwise import compare
from rmaudit.parsing.sides import to_item
from rmaudit.records import Generation, Key, Side
from rmaudit.run.halves import pair_of
from rmaudit.run.probe_facts import CONTROL
from rmaudit.run.rows import VerdictRow
from rmaudit.run.sensitivity import REPAIR
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.recorded_decisions import settle

READABLE = ("ok", "tie")


class ReadCompletion(NamedTuple):
    """What came of a completion: the verdict that it makes whole, if it does; could it be read."""

    verdict: VerdictRow | None
    readable: bool


class VerdictReader:
    """Reads completions as they come; where each response is judged alone, two make a verdict.

    The first of two waits, so that rows can come in any order.
    """

    def __init__(self, plan: ScanPlan, items: Mapping[str, Item]) -> None:
        self._plan, self._items = plan, items
        self._waiting: dict[Key, Parsed] = {}

    def take(self, generation: Generation) -> ReadCompletion:
        """Reads a completion."""
        key = generation.key
        if key.slot == "pair":
            row = read_verdict(self._plan, self._items, generation)
            return ReadCompletion(row, row.judgment.outcome in READABLE)
        pair = pair_of(key)
        read = self._alone(generation, key.slot)
        other = self._waiting.pop(pair, None)
        if other is None:
            self._waiting[pair] = read
            return ReadCompletion(None, read.rating is not None)
        a, b = (read, other) if key.slot == "a" else (other, read)
        scale = self._plan.target.reads.scale
        if scale is None:
            raise ValueError(f"profile {self._plan.target.profile.name} has no scale of scores")
        judgment = compare(a, b, scale, max_reasons=self._plan.config.max_reasons)
        row = VerdictRow(pair, settle(self._plan, pair, judgment))
        return ReadCompletion(row, read.rating is not None)

    def _alone(self, generation: Generation, side: Side) -> Parsed:
        target = self._plan.target
        return read_generation(
            generation,
            max_reasons=self._plan.config.max_reasons,
            responses=(self._items[generation.key.item].response(side), ""),
            names=target.names,
            grammar=target.reads,
        )


def read_verdict(plan: ScanPlan, items: Mapping[str, Item], generation: Generation) -> VerdictRow:
    """The judgment of one completion."""
    key = generation.key
    names = plan.target.names
    parsed = read_generation(
        generation,
        max_reasons=plan.config.max_reasons,
        responses=responses_shown(item_shown(items, key), key),
        names=names,
        grammar=plan.target.reads,
    )
    if plan.target.reads.open:
        plan.target.forms[parsed.form or ""] += 1
    judgment = to_item(parsed.judgment, order=key.order, names=names)
    return VerdictRow(key, settle(plan, key, judgment))


def item_shown(items: Mapping[str, Item], key: Key) -> Item:
    """The item as a row shows it: with an edited response where the row is of an edit."""
    item = items[key.item]
    if key.variant.startswith(REPAIR):
        return edited(item, (item.repairs or [])[int(key.variant.removeprefix(REPAIR))])
    if not key.variant.startswith(CONTROL):
        return item
    return edited(item, (item.controls or [])[int(key.variant.removeprefix(CONTROL))])


def responses_shown(item: Item, key: Key) -> tuple[str, str]:
    """The two responses in the order of a row."""
    shown = (item.response_a, item.response_b)
    return shown[::-1] if key.order == "ba" else shown
