"""What kind of fault a reason states, so that faults can be told apart by kind."""

from __future__ import annotations

from rmaudit.checklists.schema import Item


def fault_kind(item: Item, reason: str) -> str:
    """`meta.kinds` of the item where it names one, else the kind of the reason's check, else ''."""
    kinds = item.meta.get("kinds")
    named = kinds.get(reason) if isinstance(kinds, dict) else None
    if isinstance(named, str):
        return named
    check = next((one.check for one in item.reasons if one.id == reason), None)
    return str(check["kind"]) if check else ""
