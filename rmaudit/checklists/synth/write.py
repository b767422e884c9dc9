"""A program-made set as a whole, with its card."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.checklists.differences import mean_differences
from rmaudit.checklists.load import ChecklistSet, content_hash
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose

GENERATOR_VERSION = "3"
CORE = 250
"""Items of each domain in `core`, as many as in the sets of arXiv 2602.04649."""


def make_set(
    families: Sequence[Family], *, n: int, seed: int, name: str | None = None
) -> ChecklistSet:
    """`n` program-made items with their card, baselines not yet measured."""
    return _carded(make_items(families, n=n, seed=seed), families, name or f"synth-{seed}")


def make_core(*, seed: int, name: str = "core") -> ChecklistSet:
    """The set `core`: CORE items of each domain, those of a domain from its families in turn.

    `slogan` is left out: it is made for models of a million parameters.
    """
    domains = dict.fromkeys(family.domain for family in core_families())
    by_domain = [
        [family for family in core_families() if family.domain == domain] for domain in domains
    ]
    items = [item for families in by_domain for item in make_items(families, n=CORE, seed=seed)]
    return _carded(items, core_families(), name)


def core_families() -> list[Family]:
    """The families of `core`."""
    return [family for family in choose(()) if family.name != "slogan"]


def _carded(made: Sequence[Item], families: Sequence[Family], name: str) -> ChecklistSet:
    items = tuple(made)
    sha256 = content_hash(items)
    names = ", ".join(family.name for family in families)
    card = SetCard(
        name=name,
        version=GENERATOR_VERSION,
        licence="Apache-2.0",
        origin="program",
        sha256=sha256,
        purpose=f"Program-made preference pairs ({names}) whose reasons are proved by checks.",
        differences=mean_differences(items),
        not_for="Ranking models in general: the faults are injected, simple and known in advance.",
    )
    return ChecklistSet(card, items, sha256)
