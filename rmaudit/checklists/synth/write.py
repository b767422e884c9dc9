"""A program-made set as a whole, with its card."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.checklists.differences import mean_differences
from rmaudit.checklists.load import ChecklistSet, content_hash
from rmaudit.checklists.schema import SetCard
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.build import make_items

GENERATOR_VERSION = "2"


def make_set(
    families: Sequence[Family], *, n: int, seed: int, name: str | None = None
) -> ChecklistSet:
    """`n` program-made items with their card, baselines not yet measured."""
    items = tuple(make_items(families, n=n, seed=seed))
    sha256 = content_hash(items)
    names = ", ".join(family.name for family in families)
    card = SetCard(
        name=name or f"synth-{seed}",
        version=GENERATOR_VERSION,
        licence="Apache-2.0",
        origin="program",
        sha256=sha256,
        purpose=f"Program-made preference pairs ({names}) whose reasons are proved by checks.",
        differences=mean_differences(items),
        not_for="Ranking models in general: the faults are injected, simple and known in advance.",
    )
    return ChecklistSet(card, items, sha256)
