"""One part of a scan in several: `--shard i/n`, for job arrays. Pure.

The items are those of the whole scan, `--limit` included, in its order; their groups are dealt out
one by one, so that every part is a sample of the whole, and a group is never cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.errors import InputError
from rmaudit.scan.target import Target

_FORM = re.compile(r"([1-9]\d{0,5})/([1-9]\d{0,5})")


class Shard(NamedTuple):
    """Part `number` of `parts`, counted from 1."""

    number: int
    parts: int

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


def read_shard(text: str) -> Shard:
    """The part that `i/n` names.

    Raises:
        InputError: it names none.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise InputError(f"--shard {text}: no part", "give i/n with i from 1 to n, e.g. 1/8")
    shard = Shard(int(found[1]), int(found[2]))
    if shard.number > shard.parts:
        raise InputError(
            f"--shard {text}: there are parts 1 to {shard.parts}",
            "job arrays that count from 0 add 1 to their index",
        )
    return shard


def shard_of(config: ScanConfig, target: Target) -> Shard:
    """The part that a scan is to be.

    Raises:
        InputError: it names none, or the scan cannot be done in parts.
    """
    shard = read_shard(config.shard or "")
    if config.until_decided:
        raise InputError(
            "--shard and --until-decided: a stop holds for the items of one run",
            "leave one of them out",
        )
    if target.recording is not None and target.recording.own_numbers is not None:
        raise InputError(
            "--shard: what the public script of this file makes of it is of the whole file",
            "leave --shard out: recorded outputs are read once",
        )
    return shard


def dealt(items: Sequence[Item], shard: Shard) -> tuple[Item, ...]:
    """The items of a part, in their order.

    Raises:
        InputError: there are fewer groups than parts, and this one gets none.
    """
    places = {name: place for place, name in enumerate(dict.fromkeys(i.cluster for i in items))}
    found = tuple(item for item in items if places[item.cluster] % shard.parts == shard.number - 1)
    if not found:
        raise InputError(
            f"--shard {shard}: {len(places)} groups of items are not enough for that many parts",
            f"use {len(places)} parts at most",
        )
    return found
