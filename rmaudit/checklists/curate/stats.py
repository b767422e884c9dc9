"""Counts and sizes of a set, overall and by domain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rmaudit.checklists.curate.part import families
from rmaudit.checklists.schema import Item

QUANTILES = (0.05, 0.5, 0.95)


def statistics(items: Sequence[Item]) -> dict[str, Any]:
    """All that `checklist stats` shows, for JSON.

    Sizes are characters. `independent` counts items that belong together once. Reasons a item are
    over the items that have any; a mean over none is null.
    """
    by_domain: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_domain[item.domain].append(item)
    return _of(items) | {"domains": {name: _of(by_domain[name]) for name in sorted(by_domain)}}


def _of(items: Sequence[Item]) -> dict[str, Any]:
    reasons = [len(item.reasons) for item in items if item.reasons]
    about = Counter(str(reason.about) for item in items for reason in item.reasons)
    return {
        "items": len(items),
        "groups": len({item.cluster for item in items}),
        "independent": len(families(items)),
        "labels": _counts(item.label for item in items),
        "strengths": _counts(str(item.strength) for item in items),
        "with_reasons": len(reasons),
        "reasons": sum(reasons),
        "reasons_per_item": float(np.mean(reasons)) if reasons else None,
        "reasons_per_item_counts": _counts(reasons),
        "reasons_about": dict(sorted(about.items())),
        "with_checks": sum(any(one.check for one in item.reasons) for item in items),
        "gold_judgments": sum(item.gold_judgment is not None for item in items),
        "annotated": sum(bool(item.annotators) for item in items),
        "annotators": _counts(len(item.annotators) for item in items if item.annotators),
        "repairs": sum(len(item.repairs or ()) for item in items),
        "controls": _counts(one.kind for item in items for one in item.controls or ()),
        "tuples": len({item.tuple.id for item in items if item.tuple}),
        "origins": _counts(item.reference_origin for item in items if _refers(item)),
        "licences": _counts(item.licence or "not stated" for item in items),
        "turns": _counts(len(item.prompt) for item in items),
        "request_chars": _spread(sum(len(one.content) for one in item.prompt) for item in items),
        "response_chars": _spread(
            len(text) for item in items for text in (item.response_a, item.response_b)
        ),
        "reason_chars": _spread(len(one.text) for item in items for one in item.reasons),
    }


def stat_lines(told: dict[str, Any]) -> list[str]:
    """The statistics for a terminal: overall, then a line a domain."""
    lines = [
        f"items     {told['items']} in {told['groups']} groups, {told['independent']} independent",
        *(
            f"{title:<9} {', '.join(f'{name} {n}' for name, n in told[key].items())}"
            for title, key in (
                ("labels", "labels"),
                ("strength", "strengths"),
                ("about", "reasons_about"),
                ("origins", "origins"),
                ("licences", "licences"),
                ("turns", "turns"),
                ("controls", "controls"),
                ("annotators", "annotators"),
            )
            if told[key]
        ),
        f"refer to  {told['reasons']} reasons on {told['with_reasons']} items, "
        f"{told['gold_judgments']} gold judgments, {told['annotated']} annotated items, "
        f"{told['repairs']} repairs, {told['tuples']} tuples",
    ]
    for title, key in (
        ("request", "request_chars"), ("response", "response_chars"), ("reason", "reason_chars"),
    ):  # fmt: skip
        spread = told[key]
        if spread is not None:
            middle = ", ".join(f"{name} {n:.0f}" for name, n in spread.items())
            lines.append(f"{title:<9} characters: {middle}")
    lines.append("domain               items  groups  with reasons  reasons an item  label a")
    for name, one in [*told["domains"].items(), ("all", told)]:
        each = one["reasons_per_item"]
        share = one["labels"].get("a", 0) / one["items"] if one["items"] else 0
        lines.append(
            f"{name[:20]:<20} {one['items']:>5}  {one['groups']:>6}  {one['with_reasons']:>12}  "
            f"{'n/a' if each is None else f'{each:.2f}':>15}  {100 * share:>5.1f} %"
        )
    return lines


def _refers(item: Item) -> bool:
    return bool(item.reasons or item.gold_judgment or item.annotators)


def _counts(values: Iterable[Any]) -> dict[str, int]:
    return {str(name): n for name, n in sorted(Counter(values).items())}


def _spread(values: Iterable[int]) -> dict[str, float] | None:
    """Mean and quantiles; None of nothing."""
    listed = np.array(list(values), dtype=float)
    if not len(listed):
        return None
    found = np.quantile(listed, QUANTILES)
    named = {f"{100 * q:g} %": float(one) for q, one in zip(QUANTILES, found, strict=True)}
    return {"mean": float(listed.mean()), **named, "largest": float(listed.max())}
