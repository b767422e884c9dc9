"""What changed between two versions of a set."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from rmaudit.checklists.load import ChecklistSet, content_hash
from rmaudit.checklists.schema import Item

SHOWN = 10


class Changed(NamedTuple):
    """An item that stands in both versions, and the fields that differ."""

    id: str
    fields: tuple[str, ...]


class Renamed(NamedTuple):
    """The same content under another id."""

    old: str
    new: str


class SetDiff(NamedTuple):
    """The difference of two versions; ids in the order of the version that holds them."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[Renamed, ...]
    changed: tuple[Changed, ...]
    same: int
    card: dict[str, tuple[Any, Any]]

    @property
    def fields(self) -> dict[str, int]:
        """In how many items each field changed."""
        return dict(Counter(name for one in self.changed for name in one.fields))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "same": self.same,
            "added": list(self.added),
            "removed": list(self.removed),
            "renamed": [one._asdict() for one in self.renamed],
            "changed": [{"id": one.id, "fields": list(one.fields)} for one in self.changed],
            "fields": self.fields,
            "card": {name: list(both) for name, both in self.card.items()},
        }

    def lines(self) -> list[str]:
        """For a terminal: counts, the first ids of each, fields, the card."""
        lines = [
            f"{self.same} items the same, {len(self.changed)} changed, {len(self.added)} added, "
            f"{len(self.removed)} removed, {len(self.renamed)} under another id"
        ]
        fields = ", ".join(f"{name} {n}" for name, n in self.fields.items())
        lines += [f"fields    {fields}"] if fields else []
        shown = [
            ("changed", [f"{one.id} ({', '.join(one.fields)})" for one in self.changed]),
            ("added", list(self.added)),
            ("removed", list(self.removed)),
            ("renamed", [f"{one.old} -> {one.new}" for one in self.renamed]),
        ]
        for name, ids in shown:
            lines += [f"{name:<9} {' '.join(one.split())}" for one in ids[:SHOWN]]
            lines += [f"          and {len(ids) - SHOWN} more"] if len(ids) > SHOWN else []
        lines += [f"card      {k}: {old!r} -> {new!r}" for k, (old, new) in self.card.items()]
        return lines


def diff(old: ChecklistSet, new: ChecklistSet) -> SetDiff:
    """Compares items by id; an added and a removed item of the same content are one renamed."""
    before = {item.id: item for item in old.items}
    after = {item.id: item for item in new.items}
    both = [item for item in new.items if item.id in before]
    changed = [
        Changed(item.id, fields) for item in both if (fields := _fields(before[item.id], item))
    ]
    gone = {_content(item): item.id for item in old.items if item.id not in after}
    renamed, added = [], []
    for item in new.items:
        if item.id not in before:
            earlier = gone.pop(_content(item), None)
            if earlier is None:
                added.append(item.id)
            else:
                renamed.append(Renamed(earlier, item.id))
    names = {one.old for one in renamed}
    removed = [item.id for item in old.items if item.id not in after and item.id not in names]
    cards = old.card.model_dump(mode="json"), new.card.model_dump(mode="json")
    return SetDiff(
        tuple(added),
        tuple(removed),
        tuple(renamed),
        tuple(changed),
        len(both) - len(changed),
        {
            name: (value, cards[1][name])
            for name, value in cards[0].items()
            if value != cards[1][name] and name != "sha256"
        },
    )


def _fields(old: Item, new: Item) -> tuple[str, ...]:
    return tuple(name for name in Item.model_fields if getattr(old, name) != getattr(new, name))


def _content(item: Item) -> str:
    """The hash of an item without its id, and without a group that repeats it."""
    group = "" if item.cluster == item.id else item.group
    return content_hash([item.model_copy(update={"id": "-", "group": group})])
