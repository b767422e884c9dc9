"""Where the items of a scan come from, and whether their references contradict themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rmaudit.checklists.load import ChecklistSet, ItemPlace
from rmaudit.checklists.references.read import ReferencesRead, read_references
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.config import DEFAULT_SET, ScanConfig
from rmaudit.errors import InputError
from rmaudit.run.manifest import ReferenceFacts
from rmaudit.scan.target import Target


def own_items(target: Target) -> tuple[ChecklistSet, ...]:
    """The items that recorded outputs bring along; none for other targets."""
    own = target.recording.items if target.recording is not None else None
    return () if own is None else (own,)


def named_sets(config: ScanConfig) -> tuple[ChecklistSet, ...]:
    """The sets asked for, else the default.

    Raises:
        InputError: a set is not there, or one of its lines is bad.
    """
    return tuple(
        load_set(spec, skip_bad=config.skip_bad, families=config.families)
        for spec in config.sets or (DEFAULT_SET,)
    )


def check_recording(config: ScanConfig, target: Target, checklist: ChecklistSet) -> None:
    """Refuses what a file of recorded outputs cannot give.

    Raises:
        InputError: decisions that it does not record, or a set without any of its items.
    """
    recording = target.recording
    if config.verdicts == "recorded" and (
        recording is None or not (recording.decided or recording.apart)
    ):
        raise InputError(
            f"{target.spec} holds no recorded decisions",
            "leave --verdicts out: the answers are then read here",
        )
    if recording is None:
        return
    own = {key.item for key in (*recording.generations, *recording.scores, *recording.decisions)}
    items = recording.items.items if recording.items is not None else ()
    own |= {item.id for item in items}
    if own.isdisjoint(item.id for item in checklist.items):
        like = items[0].id if items else min(own, default="")
        raise InputError(
            f"no item of {checklist.card.name} is in {target.spec}",
            f"ids there are like {like}" + ("; leave --set out to use its items" if items else "")
            if like
            else "the file holds no row",
        )


def read_items(items: Sequence[Item], places: Mapping[str, ItemPlace]) -> ReferencesRead | None:
    """What the references of a scan's items say against themselves.

    None where a program made all of them: its references are right by construction.
    """
    if all(item.reference_origin == "program" for item in items):
        return None
    # In the order of the files, so that what is named as the first finding is found first.
    order = {name: number for number, name in enumerate(places)}
    in_order = sorted(items, key=lambda item: order.get(item.id, len(order)))
    return read_references(in_order, places)


def reference_facts(read: ReferencesRead | None) -> ReferenceFacts | None:
    """What the manifest says of it."""
    if read is None:
        return None
    facts = read.as_dict()
    del facts["findings"]
    return ReferenceFacts(**facts)
