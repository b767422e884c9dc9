"""The lists that judge nothing on the items of a run: which, their keys, and what they earn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import islice

from rmaudit.checklists.schema import Item
from rmaudit.metrics.null_scores import ItemNulls, NullScore, NullsMeasured
from rmaudit.metrics.scores import score_matrices
from rmaudit.nulls.lists import NULLS, cut
from rmaudit.records import Key, ModelReason
from rmaudit.run.manifest import NullFacts
from rmaudit.run.rows import NullRow

VARIANT = "null:"
TOO_OLD = "scanned before lists that read nothing were scored"


def null_key(item: str, name: str) -> Key:
    """The key of the row of one list; a list knows no order."""
    return Key(item, f"{VARIANT}{name}", "pair", "ab", 0)


def null_items(items: Iterable[Item], *, most: int) -> list[Item]:
    """The items that the lists are scored on: the first of a run, seeded, that have references."""
    return list(islice((item for item in items if item.reasons), most))


def null_reasons(item: Item, name: str, *, max_reasons: int, seed: int) -> tuple[ModelReason, ...]:
    """One list of an item, cut as a model's list is, in the seeded order."""
    return tuple(cut(NULLS[name](item), max_reasons=max_reasons, seed=seed, item=item.id))


def halves(items: Iterable[Item], *, seed: int) -> dict[str, int]:
    """The half of each group, 0 or 1: of the groups of each domain, drawn by hash, every other.

    So the halves of a domain are those of a run on that domain alone.
    """
    domain_of: dict[str, str] = {}
    for item in items:
        domain_of.setdefault(item.cluster, item.domain)
    groups: dict[str, list[str]] = {}
    for group, domain in domain_of.items():
        groups.setdefault(domain, []).append(group)
    return {
        group: place % 2
        for members in groups.values()
        for place, group in enumerate(sorted(members, key=lambda group: _drawn(group, seed)))
    }


def _drawn(group: str, seed: int) -> bytes:
    return hashlib.sha256(f"null/{seed}/{group}".encode(errors="surrogatepass")).digest()


def nulls_measured(
    items: Sequence[Item], rows: Iterable[NullRow], facts: NullFacts | None, *, seed: int
) -> NullsMeasured:
    """What the lists of a run earn.

    Args:
        items: those that count, in the order of the run.
        rows: of nulls.jsonl; an item that was drawn and lacks a row failed there.
        facts: of the manifest; None of a run that knew no such lists.
        seed: of the run.

    Raises:
        ValueError: a matrix is ragged or off the grid.
    """
    if facts is None or facts.why:
        return NullsMeasured(why=TOO_OLD if facts is None else facts.why)
    if facts.drawn is None:
        drawn = null_items(items, most=facts.items)
    else:
        names = set(facts.drawn)
        drawn = [item for item in items if item.id in names]
    half_of = halves(drawn, seed=seed)
    known = {row.key: row for row in rows if row.matches.failure is None and row.matches.matrix}
    scores = score_matrices([row.matches.matrix for row in known.values()])
    found = {
        key: NullScore(
            score.rc,
            score.rc * len(row.matches.matrix) / len(row.reasons) if row.reasons else None,
        )
        for (key, row), score in zip(known.items(), scores, strict=True)
    }
    return NullsMeasured(
        names=tuple(NULLS),
        items={
            item.id: ItemNulls(
                half_of[item.cluster],
                {name: found.get(null_key(item.id, name), NullScore()) for name in NULLS},
            )
            for item in drawn
        },
    )
