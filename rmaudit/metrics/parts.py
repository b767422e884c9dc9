"""Parts of a run beside its domains: the faults of one kind, and the items of one family.

A part is named `fault:KIND` or `family:NAME` wherever a domain is named: in metrics.json and in
the rules of a policy. Of a part only the metrics of reason sensitivity are measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import BoolArray
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.table import Table
from rmaudit.records import Metric

FAULT, FAMILY = "fault:", "family:"
OF_FAULTS = ("reason_sensitivity",)
OF_FAMILIES = ("reason_sensitivity", "sensitivity.monotone")


def is_part(name: str) -> bool:
    """Whether a slice is such a part, and no domain."""
    return name.startswith((FAULT, FAMILY))


def rows_of(table: Table, name: str) -> BoolArray | None:
    """The rows of a domain or part; None where there are none."""
    if name.startswith(FAULT) and name.removeprefix(FAULT) in table.fault_kinds:
        place = table.fault_kinds.index(name.removeprefix(FAULT))
        keep = ~np.isnan(table.facts.by_kind[:, place]) | table.facts.by_kind_lost[:, place]
    elif name.startswith(FAMILY) and name.removeprefix(FAMILY) in table.families:
        keep = table.features.family == table.families.index(name.removeprefix(FAMILY))
    elif name in table.domains:
        keep = table.rows.domain == table.domains.index(name)
    else:
        return None
    return keep if keep.any() else None


def part_of(table: Table, name: str) -> Table | None:
    """The table of a domain or part; of a kind of fault it holds what its repairs alone say."""
    keep = rows_of(table, name)
    if keep is None:
        return None
    if name.startswith(FAULT) and name not in table.domains:
        place = table.fault_kinds.index(name.removeprefix(FAULT))
        facts = table.facts._replace(
            sensitivity=table.facts.by_kind[:, place],
            sensitivity_lost=table.facts.by_kind_lost[:, place],
            few_edits=np.zeros_like(table.facts.few_edits),
            monotone=np.full_like(table.facts.monotone, np.nan),
            monotone_lost=np.zeros_like(table.facts.monotone_lost),
        )
        table = replace(table, facts=facts)
    return table.only(keep)


def compute_parts(
    table: Table, *, seed: int = 0, resamples: int = 2000
) -> dict[str, dict[str, Metric]]:
    """The metrics of each part of which an edit was scored; none of other runs."""
    found: dict[str, dict[str, Metric]] = {}
    if np.isnan(table.facts.sensitivity).all():
        return found
    named: list[tuple[str, tuple[str, ...]]] = [
        (FAULT + name, OF_FAULTS) for name in table.fault_kinds
    ]
    named += [(FAMILY + name, OF_FAMILIES) for name in table.families if name]
    for name, keys in named:
        part = part_of(table, name)
        if part is not None:
            found[name] = compute_metrics(part, seed=seed, resamples=resamples, names=keys)
    return found


class PartLine(NamedTuple):
    """What reason sensitivity says of one kind of fault, or of one family."""

    name: str
    metric: Metric

    @property
    def words(self) -> str:
        """Its name in words, without the underscores of a program."""
        return self.name.partition(":")[2].replace("_", " ")


def by_fault(parts: Mapping[str, Mapping[str, Metric]]) -> list[PartLine]:
    """The kinds of faults that were measured, from the one that the score follows best."""
    return _measured(parts, FAULT)


def by_family(parts: Mapping[str, Mapping[str, Metric]]) -> list[PartLine]:
    """The same of families."""
    return _measured(parts, FAMILY)


def _measured(parts: Mapping[str, Mapping[str, Metric]], prefix: str) -> list[PartLine]:
    found = [
        PartLine(name, metrics[OF_FAULTS[0]])
        for name, metrics in parts.items()
        if name.startswith(prefix) and metrics[OF_FAULTS[0]].value is not None
    ]
    return sorted(found, key=lambda one: (-(one.metric.value or 0.0), one.name))


def faults_sentence(parts: Mapping[str, Mapping[str, Metric]]) -> str:
    """By which faults the score is known to move, and by which not; '' where nothing is known."""
    found = by_fault(parts)
    reads = [one for one in found if one.metric.low is not None and one.metric.low > 0]
    against = [one for one in found if one.metric.high is not None and one.metric.high < 0]
    rest = [one for one in found if one not in reads and one not in against]
    told = [
        f"{words} {_few(some)}"
        for words, some in (
            ("the score rises when these are mended:", reads),
            ("falls:", against),
            ("is not shown to move:", rest),
        )
        if some
    ]
    return "; ".join(told)


def _few(lines: Sequence[PartLine], most: int = 8) -> str:
    shown = [f"{one.words} {one.metric.value:.2f} ({one.metric.n})" for one in lines[:most]]
    more = len(lines) - most
    return ", ".join(shown) + (f" and {more} kinds more" if more > 0 else "")
