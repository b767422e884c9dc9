"""Engine `replay`: recorded answers by key, from a JSON-lines file. No model, no network.

A line needs only `item`, `order` and `text`; absent parts are variant base, slot pair, sample 0,
finish_reason stop. A key that the file does not hold is outcome `error`, counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rmaudit.engines.base import Request, Sampling
from rmaudit.errors import InputError
from rmaudit.records import Generation, Key
from rmaudit.run.files import GENERATIONS, read_lines

NOT_RECORDED = "not recorded"


class ReplayEngine:
    """Hands over what a file holds."""

    name = "replay"
    continues = False

    def __init__(self, recorded: Mapping[Key, Generation]) -> None:
        self._recorded = recorded

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """The recorded generation of each request, in order."""
        for request in requests:
            recorded = self._recorded.get(request.key)
            if recorded is None:
                yield Generation(request.key, "", "error", error=NOT_RECORDED)
            else:
                yield recorded

    def describe(self) -> dict[str, Any]:
        """The number of recorded answers."""
        return {"recorded": len(self._recorded)}

    def close(self) -> None:
        """Holds nothing that must be freed."""


def read_recorded(path: Path) -> dict[Key, Generation]:
    """All generations of a file by key.

    Raises:
        InputError: the file, or a line of it, is not what a replay file holds, or a key comes
            twice.
    """
    recorded: dict[Key, Generation] = {}
    for number, generation in read_lines(path, GENERATIONS):
        if generation.key in recorded:
            raise InputError(
                f"{path}, line {number}: the key {'/'.join(map(str, generation.key))} comes twice",
                "keep one answer a key",
            )
        recorded[generation.key] = generation
    return recorded
