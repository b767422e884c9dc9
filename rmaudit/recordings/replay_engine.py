"""Engine `replay`: recorded answers by key, from a JSON-lines file. No model, no network.

A line needs only `item`, `order` and `text`; absent parts are variant base, slot pair, sample 0,
finish_reason stop. A key that the file does not hold is outcome `error`, counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rmaudit.engines.base import Request, Sampling
from rmaudit.errors import InputError
from rmaudit.records import Generation, Key
from rmaudit.run.rows import generation_of

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
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "give a JSON-lines file") from error
    recorded: dict[Key, Generation] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("not a JSON object")
            generation = generation_of(row)
        except KeyError as error:
            raise InputError(
                f"{path}, line {number}, field {error.args[0]}: is missing",
                "a line needs item, order and text",
            ) from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: {error}", "mend this line") from error
        if generation.key in recorded:
            raise InputError(
                f"{path}, line {number}: the key {'/'.join(map(str, generation.key))} comes twice",
                "keep one answer a key",
            )
        recorded[generation.key] = generation
    return recorded
