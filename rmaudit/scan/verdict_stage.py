"""From a completion of the target to its verdict row, in item coordinates."""

from __future__ import annotations

from collections.abc import Mapping

from rmaudit.checklists.controls import edited
from rmaudit.checklists.schema import Item
from rmaudit.parsing.generations import read_generation
from rmaudit.parsing.pointwise import compare
from rmaudit.parsing.sides import to_item
from rmaudit.records import Generation, Key
from rmaudit.run.halves import pair_of
from rmaudit.run.probe_facts import CONTROL
from rmaudit.run.rows import VerdictRow
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.recorded_decisions import settle


class VerdictReader:
    """Reads completions as they come; where each response is judged alone, two make a verdict.

    The first of two waits, so that rows can come in any order.
    """

    def __init__(self, plan: ScanPlan, items: Mapping[str, Item]) -> None:
        self._plan, self._items = plan, items
        self._waiting: dict[Key, Generation] = {}

    def take(self, generation: Generation) -> VerdictRow | None:
        """The verdict that a completion makes whole; None where the other one is still to come."""
        if generation.key.slot == "pair":
            return read_verdict(self._plan, self._items, generation)
        key = pair_of(generation.key)
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = generation
            return None
        by_side = {one.key.slot: one for one in (other, generation)}
        return read_halves(self._plan, key, by_side["a"], by_side["b"])


def read_halves(plan: ScanPlan, key: Key, a: Generation, b: Generation) -> VerdictRow:
    """The judgment of two completions, each about one response."""
    target = plan.target
    scale = target.reads.scale
    if scale is None:
        raise ValueError(f"profile {target.profile.name} has no scale to compare scores by")
    read = [
        read_generation(
            one, max_reasons=plan.config.max_reasons, names=target.names, grammar=target.reads
        )
        for one in (a, b)
    ]
    judgment = compare(read[0], read[1], scale, max_reasons=plan.config.max_reasons)
    return VerdictRow(key, settle(plan, key, judgment))


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
    """The item as a row shows it: with an edited response where the row is of a control."""
    item = items[key.item]
    if not key.variant.startswith(CONTROL):
        return item
    return edited(item, (item.controls or [])[int(key.variant.removeprefix(CONTROL))])


def responses_shown(item: Item, key: Key) -> tuple[str, str]:
    """The two responses in the order of a row."""
    shown = (item.response_a, item.response_b)
    return shown[::-1] if key.order == "ba" else shown
