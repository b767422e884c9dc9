"""All checks of the references of a set, in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rmaudit.checklists.references.finding import KINDS, Kind, ReferenceFinding
from rmaudit.checklists.references.frames import frames_of
from rmaudit.checklists.references.gold import gold_finding, gold_verdict
from rmaudit.checklists.references.near_pairs import contradictions
from rmaudit.checklists.references.reasons import reason_findings, repeated_often
from rmaudit.checklists.schema import Item, Reason


@dataclass(frozen=True, slots=True)
class ReferencesRead:
    """What was read, and what was found.

    Attributes:
        findings: by kind in the order of `KINDS`, then in the order of the items.
        items: number of items.
        reasons: reasons read, those of annotators too.
        gold: gold judgments.
        gold_read: those of them that state a verdict that can be read.
        pairs_left_out: pairs of items not compared, since too many are alike.
    """

    findings: tuple[ReferenceFinding, ...]
    items: int
    reasons: int
    gold: int
    gold_read: int
    pairs_left_out: int

    @property
    def counts(self) -> dict[Kind, int]:
        """Findings by kind, in the order of `KINDS`; kinds without any are left out."""
        found = Counter(finding.kind for finding in self.findings)
        return {kind: found[kind] for kind in KINDS if found[kind]}

    @property
    def items_found(self) -> int:
        """Items with a finding."""
        return len({finding.item for finding in self.findings})

    def as_dict(self) -> dict[str, Any]:
        """For JSON, all findings included."""
        return {
            "items": self.items,
            "items_with_findings": self.items_found,
            "reasons": self.reasons,
            "gold_judgments": self.gold,
            "gold_judgments_read": self.gold_read,
            "pairs_left_out": self.pairs_left_out,
            "counts": dict(self.counts),
            "findings": [finding.as_dict() for finding in self.findings],
        }


def read_references(
    items: Sequence[Item], places: Mapping[str, tuple[str, int]] | None = None
) -> ReferencesRead:
    """Reads the references of a set.

    Args:
        items: the items.
        places: file and line of each item by its id, for the findings; empty without a file.
    """
    verdicts = {
        k: gold_verdict(item.gold_judgment.text)
        for k, item in enumerate(items)
        if item.gold_judgment
    }
    told = [reason.text for item in items for reason in _reasons(item)]
    frames = frames_of(told)
    found = [finding for item in items for finding in reason_findings(item, frames)]
    found += [
        finding for k, verdict in verdicts.items() if (finding := gold_finding(items[k], verdict))
    ]
    found += repeated_often(items)
    near, left_out = contradictions(items)
    place = {item.id: k for k, item in enumerate(items)}
    order = {kind: k for k, kind in enumerate(KINDS)}
    found = sorted([*found, *near], key=lambda one: (order[one.kind], place[one.item]))
    at = places or {}
    found = [
        replace(one, file=at[one.item][0], line=at[one.item][1]) if one.item in at else one
        for one in found
    ]
    return ReferencesRead(
        findings=tuple(found),
        items=len(items),
        reasons=len(told),
        gold=len(verdicts),
        gold_read=sum(verdict is not None for verdict in verdicts.values()),
        pairs_left_out=left_out,
    )


def _reasons(item: Item) -> Iterator[Reason]:
    yield from item.reasons
    for annotator in item.annotators or ():
        yield from annotator.reasons
