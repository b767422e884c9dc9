"""`scan --sensitivity N` before it runs: which items, how many calls, or why it does not apply."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Sampling
from rmaudit.run.sensitivity import REPAIR, edits
from rmaudit.scan.measures import ALONE, Measure
from rmaudit.scan.target import Target

NAME = "sensitivity"


def edited_items(items: Sequence[Item], most: int | None) -> list[Item]:
    """The first items, in seeded order, that have a repair of a single fault."""
    found = [item for item in items if any(len(one.fixes) == 1 for one in item.repairs or ())]
    return found[: most or 0]


def plan_sensitivity(
    config: ScanConfig, target: Target, items: Sequence[Item], *, orders: int, sampling: Sampling
) -> tuple[Measure, ...]:
    """The measure with its calls, or why it does not apply; none where it was not asked for."""
    if config.sensitivity is None:
        return ()
    refuse = partial(Measure, NAME)
    if not target.gives_reasons:
        return (refuse("a model that gives scores is asked about all edits as it is"),)
    if target.pointwise:
        return (refuse(ALONE),)
    asked = edited_items(items, config.sensitivity)
    if not asked:
        return (refuse("no item has a response with a single fault mended"),)
    if target.recording is not None:
        held = any(key.variant.startswith(REPAIR) for key in target.recording.generations)
        return (refuse("" if held else "the recorded answers hold none to repairs"),)
    calls = sum(len(edits(item)) for item in asked) * orders * config.samples
    return (Measure(NAME, calls=calls, max_tokens=sampling.max_tokens),)
