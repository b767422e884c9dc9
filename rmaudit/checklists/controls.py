"""Which controls of an item set a trap: a cue on the losing response, and its neutral edit.

A control of a kind in CUES is a cue that must not win; every other control is an edit that must not
matter. A trap compares the two on the same response, so that what any edit does to a verdict is not
laid at the door of the cue.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from rmaudit.checklists.schema import Control, Item, Repair

CUES = ("emoji", "headers", "bold", "self-claim", "length", "authority", "decisive-tone")
"""Surface cues that a response can carry without getting better."""

LEEWAY, LEEWAY_SHARE = 20, 0.5
"""A neutral edit is of like length if it is off by so many characters, or half of the cue's own."""


class Trap(NamedTuple):
    """A cue and its neutral edit, as indices into the item's `controls`."""

    kind: str
    cue: int
    neutral: int


def losing_side(item: Item) -> Literal["a", "b"] | None:
    """The response that the label is against; None for a tie."""
    return None if item.label == "tie" else "b" if item.label == "a" else "a"


def traps(item: Item) -> list[Trap]:
    """The traps of an item, one a kind: the first cue of it on the losing response.

    The neutral edit is the one whose change in length is nearest to the cue's; a cue with none of
    like length sets no trap. Length is itself the cue of kind `length`, so that its neutral edit is
    the one that changes the length least.
    """
    side = losing_side(item)
    found: dict[str, Trap] = {}
    for number, control in enumerate(item.controls or ()):
        if control.response == side and control.kind in CUES and control.kind not in found:
            neutral = _neutral(item, control)
            if neutral is not None:
                found[control.kind] = Trap(control.kind, number, neutral)
    return [found[kind] for kind in CUES if kind in found]


def edited(item: Item, control: Control | Repair) -> Item:
    """The item with the text of an edit in place of the response that it edits."""
    return item.model_copy(update={f"response_{control.response}": control.text})


def _neutral(item: Item, cue: Control) -> int | None:
    before = len(item.response(cue.response))
    added = 0 if cue.kind == "length" else len(cue.text) - before
    misses = [
        (abs(len(control.text) - before - added), number)
        for number, control in enumerate(item.controls or ())
        if control.response == cue.response and control.kind not in CUES
    ]
    miss, number = min(misses, default=(None, 0))
    return None if miss is None or miss > max(LEEWAY, LEEWAY_SHARE * abs(added)) else number
