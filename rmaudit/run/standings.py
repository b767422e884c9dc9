"""Verdicts as they are measured: what their reasons rest on is read, their words are let go.

A run holds five times as many bytes of reasons as of all that is measured of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.grounding.grounding import ItemTexts, claims, standing
from rmaudit.metrics.scores import RowKey
from rmaudit.prompts import flatten
from rmaudit.records import Judgment, ModelReason
from rmaudit.run.rows import VerdictRow

_AT_ONCE = 64
"""Items whose texts are held as they are compared; the rows of one item stand together."""
_LET_GO = ModelReason("")


class Standings(NamedTuple):
    """How many reasons of a row have quotes or numbers that stand, or do not, or may."""

    grounded: int
    ungrounded: int
    unchecked: int


def standings(
    verdicts: Iterable[VerdictRow], items: Mapping[str, Item]
) -> Iterator[tuple[RowKey, Standings]]:
    """Those of the base rows of pairs, of these items."""

    @lru_cache(_AT_ONCE)
    def texts(name: str) -> ItemTexts:
        item = items[name]
        return ItemTexts.of(flatten(item.prompt), item.response_a, item.response_b)

    known: dict[Standings, Standings] = {}
    for row in verdicts:
        key = row.key
        if key.variant == "base" and key.slot == "pair" and key.item in items:
            source = texts(key.item)
            found = Counter(standing(claims(reason, source)) for reason in row.judgment.reasons)
            said = Standings(found["grounded"], found["ungrounded"], found["unchecked"])
            yield (key.item, key.order, key.sample), known.setdefault(said, said)


class Wordless:
    """Takes the words out of verdicts, so that those that say the same are one in memory."""

    def __init__(self) -> None:
        self._known: dict[Judgment, Judgment] = {}

    def __call__(self, row: VerdictRow, name: str) -> VerdictRow:
        """The row with as many reasons, none of which says anything; `name`: its item's."""
        said = replace(row.judgment, reasons=(_LET_GO,) * len(row.judgment.reasons))
        return VerdictRow(row.key._replace(item=name), self._known.setdefault(said, said))
