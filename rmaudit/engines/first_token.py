"""A judge read by its first token: log-probabilities of two labels, at an OpenAI-style endpoint.

The model is asked for one token with its `top_logprobs`, and the score is log P(one label) - log
P(the other): of a pair, of the label of the response shown first against that of the second; of a
single response, of the word for good against that for bad. Spellings of a label that differ in
blanks are one label. A label that is not among the tokens that the server tells has no known
probability: the score is missing, never low.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager
from typing import Any

from rmaudit.engines.asking import Asking
from rmaudit.engines.async_bridge import stream
from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.calls import Failure
from rmaudit.engines.dialect import Dialect
from rmaudit.engines.openai import OpenAIEngine
from rmaudit.engines.scores import Scored, ScoreRequest

TOP = 20
"""Tokens asked for: the most that OpenAI gives, and vLLM where it is not told otherwise."""
_NOWHERE = -9999.0
"""What vLLM writes for minus infinity."""
_BLANKS = " \t\r\n\u2581\u0120\u010a"
"""Blanks, and the marks that tokenizers write for them."""


def log_odds(tokens: Sequence[tuple[str, float]], labels: tuple[str, str]) -> float | str:
    """Log P(first label) - log P(second) among the likeliest first tokens, or why it is not known.

    A label of one letter is read in its case, a word in any: `a` is a word of its own.
    """
    found = []
    for label in labels:
        known = [logprob for token, logprob in tokens if _spells(token, label)]
        known = [one for one in known if math.isfinite(one) and _NOWHERE < one <= 0.01]
        if not known:
            return f"'{label}' is not among the {len(tokens)} likeliest first tokens"
        top = max(known)
        found.append(top + math.log(sum(math.exp(one - top) for one in known)))
    return found[0] - found[1]


def _spells(token: str, label: str) -> bool:
    said = token.strip(_BLANKS)
    return said == label if len(label) == 1 else said.casefold() == label.casefold()


class FirstTokenEngine(OpenAIEngine):
    """`openai:MODEL@URL` behind the protocol of scores; a request's messages are a whole prompt."""

    labels: tuple[str, str] = ("A", "B")
    _scores: Generator[Scored, None, None] | None = None

    def score(self, requests: Iterable[ScoreRequest]) -> Iterator[Scored]:
        """One token of each, `concurrency` at a time; see the protocol.

        Raises:
            InputError: the endpoint or the key is not usable as it is.
            RmauditError: the endpoint is gone, or its service is broken.
        """
        self.connect()
        extra: dict[str, float] = {"logprobs": True, "top_logprobs": TOP}
        known = self._dialect or Dialect(self.model, Sampling(max_tokens=1), extra)
        self._dialect = known
        asking = _FirstTokens(self._service, known, self.context)
        asking.labels = self.labels
        self._scores = stream(requests, asking.scoring, concurrency=self.concurrency)
        yield from self._scores

    def describe(self) -> dict[str, Any]:
        """As of the engine that it is, with the labels whose probabilities were asked for."""
        return super().describe() | {"labels": list(self.labels), "top_logprobs": TOP}

    def close(self) -> None:
        """Cancels what is in flight."""
        if self._scores is not None:
            with contextlib.suppress(ValueError):  # another thread is waiting for its next score
                self._scores.close()


class _FirstTokens(Asking):
    """One call of `FirstTokenEngine.score`."""

    labels: tuple[str, str]

    @asynccontextmanager
    async def scoring(self) -> AsyncIterator[Callable[[ScoreRequest], Awaitable[Scored]]]:
        """For `async_bridge.stream`: the function that scores one prompt."""
        async with self._calls.open():
            yield self._score

    async def _score(self, request: ScoreRequest) -> Scored:
        asked = Request(request.key, request.messages, seed=0)
        given = await self._calls.outcome(self._ask(asked, None), lambda one: one.completion.model)
        if isinstance(given, Failure):
            tokens = given.said.tokens if given.said else None
            return Scored(request.key, None, tokens or 0, given.reason)
        completion = given.completion
        tokens = completion.tokens_in or 0
        if completion.first_tokens is None:
            return Scored(request.key, None, tokens, "bad answer: no log-probabilities")
        odds = log_odds(completion.first_tokens, self.labels)
        if isinstance(odds, str):
            return Scored(request.key, None, tokens, odds)
        return Scored(request.key, odds, tokens)
