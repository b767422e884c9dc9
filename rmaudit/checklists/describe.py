"""A set, or one item of it, in lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rmaudit.checklists.differences import mean_differences
from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.references.finding import KINDS
from rmaudit.checklists.references.read import ReferencesRead
from rmaudit.checklists.rulers import ruler_scores
from rmaudit.checklists.schema import Baselines, Item

SHOWN_FINDINGS = 3
"""Of each kind."""


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
    card = loaded.card
    labels = Counter(item.label for item in loaded.items)
    domains = Counter(item.domain for item in loaded.items)
    lines = [
        f"{card.name} {card.version} · {card.licence} · origin {card.origin}",
        *(line for line in (card.purpose, card.not_for and f"Not for: {card.not_for}") if line),
        summary_line(loaded),
        "domains   " + ", ".join(f"{name} {count}" for name, count in sorted(domains.items())),
        "labels    " + ", ".join(f"{name} {count}" for name, count in sorted(labels.items())),
        *ruler_lines(loaded.items),
    ]
    differences = card.differences or mean_differences(loaded.items)
    if differences is not None:
        lines.append(f"differences between the two responses of an item: {differences:.1f} places")
    if card.baselines is not None:
        lines += _baseline_lines(card.baselines)
    return lines


def ruler_lines(items: Iterable[Item]) -> list[str]:
    """What one plain look at each pair scores, the best first; nothing without a label a or b."""
    scores = sorted(ruler_scores(items), key=lambda score: -score.accuracy)
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
        lines += [f"[{turn.role}]", turn.content, ""]
    lines += ["[response a]", item.response_a, "", "[response b]", item.response_b, "", "[reasons]"]
    for reason in item.reasons:
        check = f"   check {reason.check}" if reason.check else ""
        lines.append(f"{reason.id} ({reason.about}, weight {reason.weight}) {reason.text}{check}")
    if item.gold_judgment:
        lines += ["", f"[gold judgment, {item.gold_judgment.origin}]", item.gold_judgment.text]
    lines += ["", f"repairs {len(item.repairs or ())}, controls {len(item.controls or ())}"]
    return lines
