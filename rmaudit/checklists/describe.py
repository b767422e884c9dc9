"""A set, or one item of it, in lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from rmaudit.checklists.differences import FEW_DIFFERENCES, MOST_COUNTED
from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.references.finding import KINDS
from rmaudit.checklists.references.read import ReferencesRead
from rmaudit.checklists.rulers import RulerScore, RulerTally, ruler_scores
from rmaudit.checklists.schema import Baselines, Item, SetCard
from rmaudit.escaping import quoted
from rmaudit.text.differences import count_differences

SHOWN_FINDINGS = 3
"""Of each kind."""


@dataclass
class Summary:
    """Counts over the items of a set, read one by one."""

    items: int = 0
    reasons: int = 0
    checked: int = 0
    gold: int = 0
    annotated: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    domains: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    rulers: RulerTally = field(default_factory=RulerTally)
    differences: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, items: Iterable[Item]) -> Summary:
        """Of these items."""
        summary = cls()
        for item in items:
            summary.add(item)
        return summary

    def add(self, item: Item) -> None:
        """Counts one item."""
        self.items += 1
        self.reasons += len(item.reasons)
        self.checked += sum(reason.check is not None for reason in item.reasons)
        self.gold += item.gold_judgment is not None
        self.annotated += bool(item.annotators)
        self.labels[str(item.label)] += 1
        self.domains[item.domain] += 1
        if item.reasons or item.gold_judgment or item.annotators:
            self.origins[item.reference_origin] += 1
        self.rulers.add(item)
        if len(self.differences) < MOST_COUNTED:
            self.differences.append(count_differences(item.response_a, item.response_b))

    def lines(self, card: SetCard, sha256: str) -> list[str]:
        """The card, counts by domain and label, what the items refer to, the rulers."""
        lines = [
            f"{card.name} {card.version} · {card.licence} · origin {card.origin}",
            *(one for one in (card.purpose, card.not_for and f"Not for: {card.not_for}") if one),
            f"{card.name}: {self.items} items, {self.reasons} reasons, "
            f"{self.checked} with a check, sha256 {sha256[:12]}",
            f"domains   {_counts(self.domains)}",
            f"labels    {_counts(self.labels)}",
            *([self._references()] if self.gold or self.annotated else []),
            *_ruler_lines(self.rulers.scores()),
            *self._differences(card),
        ]
        # Names come from outside: each line stays one line.
        return [" ".join(line.splitlines()) for line in lines]

    def _differences(self, card: SetCard) -> list[str]:
        """Of the card, or of the first items."""
        mean = card.differences or (fmean(self.differences) if self.differences else None)
        if mean is None:
            return []
        few = (
            "; so few that a list of differences is partly right" if mean < FEW_DIFFERENCES else ""
        )
        return [f"differences between the two responses of an item: {mean:.1f} places{few}"]

    def _references(self) -> str:
        return (
            f"refer to  gold judgments {self.gold}, annotated items {self.annotated}; "
            f"origin of what is referred to: {_counts(self.origins)}"
        )


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))


def summary_line(loaded: ChecklistSet) -> str:
    """One line: how much of what."""
    reasons = sum(len(item.reasons) for item in loaded.items)
    checked = sum(reason.check is not None for item in loaded.items for reason in item.reasons)
    return (
        f"{loaded.card.name}: {len(loaded.items)} items, {reasons} reasons, "
        f"{checked} with a check, sha256 {loaded.sha256[:12]}"
    )


def card_lines(loaded: ChecklistSet) -> list[str]:
    """The card, counts by domain and label, and the no-read baselines."""
    lines = Summary.of(loaded.items).lines(loaded.card, loaded.sha256)
    if loaded.card.baselines is not None:
        lines += _baseline_lines(loaded.card.baselines)
    return lines


def ruler_lines(items: Iterable[Item]) -> list[str]:
    """What one plain look at each pair scores, the best first; nothing without a label a or b."""
    return _ruler_lines(ruler_scores(items))


def _ruler_lines(scores: list[RulerScore]) -> list[str]:
    scores = sorted(scores, key=lambda score: -score.accuracy)
    if not scores:
        return []
    n = f"{scores[0].n} pairs labelled a or b"
    return [f"rulers    {'; '.join(score.sentence for score in scores)} ({n})"]


def reference_lines(read: ReferencesRead) -> list[str]:
    """What was read of the references and what was found: counts by kind, the first of each."""
    gold = f" and {read.gold_read} of {read.gold} gold judgments" if read.gold else ""
    found = f"{len(read.findings)} findings on {read.items_found} of {read.items} items"
    lines = [
        f"references  {read.reasons} reasons{gold} read: "
        + (found if read.findings else "no contradiction found")
    ]
    for kind, count in read.counts.items():
        lines.append(f"{count:>6}  {KINDS[kind]}")
        shown = [finding for finding in read.findings if finding.kind == kind][:SHOWN_FINDINGS]
        # An id may hold line breaks; each finding stays on one line.
        lines += ["        " + " ".join(str(finding).split()) for finding in shown]
        if count > len(shown):
            lines.append(f"        and {count - len(shown)} more")
    if read.pairs_left_out:
        lines.append(f"{read.pairs_left_out} pairs were not compared: too many are alike")
    return lines


def reference_warnings(read: ReferencesRead) -> list[str]:
    """What a scan says of references before it starts: a line a kind with its first finding."""
    lines = []
    for kind, count in read.counts.items():
        first = next(finding for finding in read.findings if finding.kind == kind)
        lines.append(
            " ".join(f"references: {KINDS[kind]}: {count:,}, the first in {first}".split())
        )
    if lines:
        lines.append(
            f"references: findings on {read.items_found:,} of {read.items:,} items; "
            "`rmaudit checklist validate` lists all"
        )
    if read.pairs_left_out:
        lines.append(
            f"{read.pairs_left_out:,} pairs of items were not compared: too many are alike"
        )
    return lines


def validated(loaded: ChecklistSet, read: ReferencesRead) -> dict[str, Any]:
    """What `validate --json` prints."""
    return {
        "set": loaded.card.name,
        "sha256": loaded.sha256,
        "items": len(loaded.items),
        "reasons": sum(len(item.reasons) for item in loaded.items),
        "rulers": {score.name: score._asdict() for score in ruler_scores(loaded.items)},
        "references": read.as_dict(),
    }


def _baseline_lines(baselines: Baselines) -> list[str]:
    def shown(value: float | None) -> str:
        return "n/a" if value is None else f"{value:.3f}"

    return [
        f"no-read baselines, {baselines.n} items of the generator: "
        f"shotgun rc {shown(baselines.shotgun_rc)} (bar 0.25), "
        f"surface accuracy {shown(baselines.surface_accuracy)} (bar 0.60), "
        f"label a {shown(baselines.label_a_share)} (bar 0.48-0.52)",
        f"no-read baselines, this set: shotgun rc {shown(baselines.shipped_shotgun_rc)}, "
        f"surface accuracy {shown(baselines.shipped_surface_accuracy)}, "
        f"label a {shown(baselines.shipped_label_a_share)}",
    ]


def item_lines(item: Item) -> list[str]:
    """Everything a reader needs to judge the item by hand."""
    lines = [f"{item.id} · {item.domain} · label {item.label} · strength {item.strength}", ""]
    for turn in item.prompt:
        lines += [f"[{turn.role}]", *quoted(turn.content), ""]
    lines += ["[response a]", *quoted(item.response_a), ""]
    lines += ["[response b]", *quoted(item.response_b), "", "[reasons]"]
    for reason in item.reasons:
        check = f"   check {reason.check}" if reason.check else ""
        lines.append(f"{reason.id} ({reason.about}, weight {reason.weight}) {reason.text}{check}")
    if item.gold_judgment:
        lines += ["", f"[gold judgment, {item.gold_judgment.origin}]"]
        lines += quoted(item.gold_judgment.text)
    lines += ["", f"repairs {len(item.repairs or ())}, controls {len(item.controls or ())}"]
    return lines
