"""From a completion of the target to its verdict row, in item coordinates."""

from __future__ import annotations

from collections.abc import Mapping

from rmaudit.checklists.controls import edited
from rmaudit.checklists.schema import Item
from rmaudit.parsing.generations import read_generation
from rmaudit.parsing.sides import to_item
from rmaudit.records import Generation, Key
from rmaudit.run.probe_facts import CONTROL
from rmaudit.run.rows import VerdictRow
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.recorded_decisions import settle


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
