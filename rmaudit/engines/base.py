"""The protocol that all engines share: requests in, completions out as each finishes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from rmaudit.records import TOO_LONG as TOO_LONG
from rmaudit.records import Generation, Key


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are drawn; always explicit, never a checkpoint's own default.

    temperature 0 is greedy. max_tokens bounds the completion; an engine lowers it to half of the
    model's context where that is smaller, and a prompt that leaves less room than that is too long.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt to complete; with `schema`, the answer is JSON of that schema where possible.

    An engine that cannot constrain its output completes such a request as plain text. `prefill` is
    the beginning of the answer, raw as the model would write it: the model only goes on from there,
    and the generation's text is what it adds. Only engines that say so (`continues`) can do that.
    """

    key: Key
    messages: tuple[dict[str, str], ...]
    seed: int
    schema: dict[str, Any] | None = None
    prefill: str = ""


class Engine(Protocol):
    """Completes requests. Construction is cheap; the model is loaded by the first `complete`."""

    @property
    def name(self) -> str:
        """`replay`, `transformers`, ..."""
        ...

    @property
    def continues(self) -> bool:
        """Whether it goes on from `Request.prefill`."""
        ...

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """Yields one generation for each request, in any order, as each finishes.

        `requests` may be a stream that blocks until the next is known: an endpoint takes each as
        it comes, a local engine may read them all first.

        A prompt that does not fit yields a generation with error `too_long`; nothing is cut.

        Raises:
            InputError: the model cannot be loaded as asked.
        """
        ...

    def describe(self) -> dict[str, Any]:
        """What the manifest records: versions, device, dtype, context, effective max_tokens."""
        ...

    def close(self) -> None:
        """Frees the model and its device memory; a second call does nothing."""
        ...


def answer_budget(sampling: Sampling, context: int | None) -> int:
    """Tokens that an answer may take: `max_tokens`, half of the context at most."""
    return sampling.max_tokens if context is None else min(sampling.max_tokens, context // 2)


def request_seed(run_seed: int, key: Key) -> int:
    """A seed of its own for each request, whatever the batch or the order of work."""
    text = "/".join(str(part) for part in (run_seed, *key))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1
