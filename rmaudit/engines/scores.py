"""The protocol of engines that give one number to a conversation, and write no answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from rmaudit.engines.base import Request, Sampling
from rmaudit.errors import InputError
from rmaudit.records import Generation, Key


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A conversation that ends with the response to score; the key has the response's slot."""

    key: Key
    messages: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """What a model gave a conversation.

    score: raw, before any activation; None where there is none, and `error` says why (`too_long`:
    the conversation does not fit, nothing was cut). tokens: of the conversation.
    """

    key: Key
    score: float | None
    tokens: int
    error: str | None = None


@runtime_checkable
class ScoreEngine(Protocol):
    """Scores conversations. Construction is cheap; the model is loaded by the first `score`."""

    @property
    def name(self) -> str:
        """`transformers`, `vllm`."""
        ...

    def score(self, requests: Iterable[ScoreRequest]) -> Iterator[Scored]:
        """Yields one score for each request, in any order, as each finishes.

        Raises:
            InputError: the model cannot be loaded as asked.
            RmauditError: it stopped while working.
        """
        ...


class WritesNothing:
    """What an engine that only scores says where answers are asked of it."""

    continues = False

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """Refuses.

        Raises:
            InputError: always.
        """
        raise InputError(
            "this model gives scores and writes no answers", "give a model that writes verdicts"
        )

    def describe(self) -> dict[str, Any]:
        """What the manifest records; nothing before the model is loaded."""
        return {}
