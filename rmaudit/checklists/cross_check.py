"""What no line of a set shows alone: an id that comes twice, one pair with opposite labels."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from rmaudit.checklists.schema import Item


@dataclass(frozen=True, slots=True)
class LineProblem:
    """One thing wrong with one line of a set."""

    file: str
    line: int
    field: str
    what: str

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}"
        return (
            f"{where}, field {self.field}: {self.what}" if self.field else f"{where}: {self.what}"
        )


class _Seen(NamedTuple):
    """What is kept of an item: digests, so that a set need not fit into memory."""

    id: str
    pair: bytes
    winner: bytes


class CrossCheck:
    """Reads the items of a file one after the other and remembers no text of them.

    Of an id the first item is kept. Of labels that contradict each other none is, since nothing
    says which of them is right.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._lines: dict[str, int] = {}
        self._seen: list[_Seen] = []
        self._first: dict[bytes, _Seen] = {}
        self._winners: dict[bytes, dict[bytes, str]] = {}

    def add(self, line: int, item: Item) -> LineProblem | None:
        """Reads one item; the problem if its id was there before."""
        if item.id in self._lines:
            what = f"the id '{item.id}' is already on line {self._lines[item.id]}"
            return LineProblem(self._file, line, "id", what)
        self._lines[item.id] = line
        seen = _seen(item)
        self._seen.append(seen)
        first = self._first.setdefault(seen.pair, seen)
        if first.winner != seen.winner:
            winners = self._winners.setdefault(seen.pair, {first.winner: first.id})
            winners.setdefault(seen.winner, seen.id)
        return None

    def contradictions(self) -> dict[str, LineProblem]:
        """Items whose pair, in either order, has another label elsewhere, by id in file order."""
        found = {}
        for seen in self._seen if self._winners else ():
            winners = self._winners.get(seen.pair, {})
            other = next((name for winner, name in winners.items() if winner != seen.winner), None)
            if other is not None:
                pair = f"the pair of '{other}' (line {self._lines[other]})"
                what = f"item '{seen.id}' is {pair} with another label"
                line = self._lines[seen.id]
                found[seen.id] = LineProblem(self._file, line, "label", what)
        return found


def _seen(item: Item) -> _Seen:
    request = json.dumps([turn.model_dump() for turn in item.prompt])
    texts = json.dumps([request, *sorted((item.response_a, item.response_b))])
    winner = item.response(item.label) if item.label in ("a", "b") else ""
    return _Seen(item.id, _digest(texts), _digest(winner) if winner else b"")


def _digest(text: str) -> bytes:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
