"""What the items themselves say, as columns beside the rows: looks, styles, tuples, folds.

A metric that asks whether looks decide a verdict reads them here. They are computed once from the
items, and slice with the rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from rmaudit.checklists.rollouts import copies_of
from rmaudit.checklists.rulers import RULERS, Pick, picks
from rmaudit.checklists.schema import Item
from rmaudit.metrics.arrays import FloatArray, IntArray
from rmaudit.text.markup import markup

NO_ITEMS = "the items are not at hand"
NONE = -1
FOLDS = 5

_SIDES: dict[Pick, int] = {"a": 0, "b": 1, None: NONE}

STYLES = ("concise", "detailed", "markdown")
"""The styles of RM-Bench (arXiv 2410.16184), from plain to showy; other names have no rank."""


_KINDS: dict[str, int] = {"ref": 0, "tied": 1}


class Features(NamedTuple):
    """One array a column, one entry a row; where there are two columns, of responses a and b.

    length, headers, bold, lists: [rows, 2], see `judging.markup`; NaN without the items.
    style: [rows, 2], rank in STYLES, NONE where the item names none of them.
    tuple_: code of the best-of-n tuple, NONE outside of one.
    candidate: [rows, 2], code of each response within the tuples: one text, one candidate.
    copies: [rows, 2], how often the policy gave each response, where the item records that, else 1.
    picks: [rows, rulers], what each of `checklists.rulers` picks: 0 for a, 1 for b, NONE.
    kind: of a tuple of the subset Ties of RewardBench 2, 0 for one right answer (ref), 1 for
    several (tied), else NONE.
    family: place of the item's family in `families`.
    fold: 0 to FOLDS - 1, the same for all items of a group, whatever else is in the run.
    """

    length: FloatArray
    headers: FloatArray
    bold: FloatArray
    lists: FloatArray
    style: IntArray
    tuple_: IntArray
    candidate: IntArray
    copies: IntArray
    picks: IntArray
    kind: IntArray
    family: IntArray
    fold: IntArray


def families(items: Iterable[Item]) -> tuple[str, ...]:
    """The families of items, '' for items of none, in the order of their codes."""
    return tuple(sorted({item.family for item in items}))


def feature_columns(
    items: Mapping[str, Item], ids: Sequence[str], groups: Sequence[str]
) -> Features:
    """The columns.

    Args:
        items: the items by id; an id that is not there has no features.
        ids: the item of each row.
        groups: the group of each row.
    """
    known = [items[name] for name in dict.fromkeys(ids) if name in items]
    place = {item.id: k for k, item in enumerate(known)}
    index = np.array([place.get(name, len(known)) for name in ids], dtype=np.int64)
    looks = np.full((len(known) + 1, 2, 4), np.nan)  # the last line: no item
    named = np.full((len(known) + 1, 6), NONE, dtype=np.int64)
    copies = np.ones((len(known) + 1, 2), dtype=np.int64)
    picked = np.full((len(known) + 1, len(RULERS)), NONE, dtype=np.int64)
    names = families(known)
    family = np.array([*(names.index(item.family) for item in known), NONE], dtype=np.int64)
    tuples: dict[Hashable, int] = {}
    candidates: dict[Hashable, int] = {}
    for k, item in enumerate(known):
        responses = item.response_a, item.response_b
        shown = markup(item.response_a), markup(item.response_b)
        looks[k] = shown
        picked[k] = [_SIDES[pick] for pick in picks(item, shown)]
        named[k, :2] = [_style(item.style_a), _style(item.style_b)]
        if item.tuple is not None:
            copies[k] = copies_of(item)
            named[k, 5] = _KINDS.get(str(item.meta.get("sample_type")), NONE)
            named[k, 2] = tuples.setdefault(item.tuple.id, len(tuples))
            named[k, 3:5] = [
                candidates.setdefault((item.tuple.id, text.strip()), len(candidates))
                for text in responses
            ]
    length, headers, bold, lists = np.moveaxis(looks[index], 2, 0)
    return Features(
        length=length,
        headers=headers,
        bold=bold,
        lists=lists,
        style=named[index, :2],
        tuple_=named[index, 2],
        candidate=named[index, 3:5],
        copies=copies[index],
        picks=picked[index],
        kind=named[index, 5],
        family=family[index],
        fold=np.array([crc32(group.encode()) % FOLDS for group in groups], dtype=np.int64),
    )


def _style(name: str | None) -> int:
    return STYLES.index(name) if name in STYLES else NONE
