"""Engine `openai`: chat completions of any OpenAI-compatible server, many at a time.

The openai package does the retries, their back-off and Retry-After; a balancer sends each try to
the least busy server. A request that fails for good is a row with finish_reason `error`, which a
resume asks again; a server that is gone ends the work, and what is finished is kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rmaudit.engines.asking import Asking
from rmaudit.engines.async_bridge import stream
from rmaudit.engines.base import Request, Sampling, answer_budget
from rmaudit.engines.calls import Service
from rmaudit.engines.dialect import CONTINUING, Dialect
from rmaudit.engines.endpoints import URL_ENV, endpoints_of, parse_spec, read_key
from rmaudit.engines.options import (
    CONCURRENCY,
    KEY_ENV,
    REQUEST_RETRIES,
    REQUEST_TIMEOUT,
    RETRY_AFTER_LIMIT,
)
from rmaudit.records import Generation

if TYPE_CHECKING:
    from rmaudit.engines.served import Served


class OpenAIEngine:
    """A model behind one or several base URLs; without any: OPENAI_BASE_URL or the default."""

    name = "openai"

    def __init__(
        self,
        model: str,
        base_urls: tuple[str, ...] = (),
        *,
        key_env: str = KEY_ENV,
        concurrency: int = CONCURRENCY,
        timeout: float = REQUEST_TIMEOUT,
        max_retries: int = REQUEST_RETRIES,
        deadline: float | None = None,
        retry_after_limit: float = RETRY_AFTER_LIMIT,
        allow_other_model: bool = False,
    ) -> None:
        """Reads the key; sends nothing.

        Args:
            model: its name at the endpoint.
            base_urls: the servers.
            key_env: environment variable of the key.
            concurrency: requests in flight.
            timeout: seconds that one try may take.
            max_retries: tries beyond the first.
            deadline: seconds that a request may take with all its tries and waits.
            retry_after_limit: seconds that a server may ask to wait.
            allow_other_model: take the answers of a model that names itself otherwise.

        Raises:
            InputError: a base URL or the key's variable is not usable.
        """
        self.model = model
        self.endpoints = endpoints_of(base_urls)
        key = read_key(key_env, needed=not base_urls and URL_ENV not in os.environ)
        self.concurrency = concurrency
        self._service = Service(
            self.endpoints,
            key,
            key_env,
            timeout,
            max_retries,
            deadline=deadline,
            retry_after_limit=retry_after_limit,
            model=model,
            allow_other_model=allow_other_model,
        )
        self._served: tuple[Served, ...] = ()
        self._dialect: Dialect | None = None
        self._stream: Generator[Generation, None, None] | None = None

    @classmethod
    def from_spec(cls, spec: str, **options: Any) -> OpenAIEngine:
        """The engine of `openai:MODEL[@URL[,URL]]`; options as in the constructor."""
        model, base_urls = parse_spec(spec)
        return cls(model, base_urls, **options)

    def connect(self) -> tuple[Served, ...]:
        """Asks the servers what they serve; a second call does nothing.

        Raises:
            InputError: none answers, one does not serve the model, or the key is refused.
        """
        if not self._served:
            from rmaudit.engines.served import known_names, read_served

            service = self._service
            self._served = read_served(
                self.model, self.endpoints, key=service.key, key_env=service.key_env
            )
            service.known_as = known_names(self._served)
        return self._served

    @property
    def identity(self) -> tuple[str, ...]:
        """Model, what the servers load under that name, and the base URLs without credentials."""
        cards = [one.card for one in self.connect() if one.card is not None]
        loaded = sorted({card.root or card.id for card in cards})
        return (self.model, *loaded, *(endpoint.url for endpoint in self.endpoints))

    @property
    def continues(self) -> bool:
        """Whether every server says that it is one of those that take `continue_final_message`."""
        cards = [one.card for one in self._served]
        return bool(cards) and all(card and card.owned_by in CONTINUING for card in cards)

    @property
    def context(self) -> int | None:
        """The smallest context that a server tells of."""
        cards = [one.card for one in self._served if one.card is not None]
        return min((card.max_model_len for card in cards if card.max_model_len), default=None)

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """Each as it comes, `concurrency` at a time; see the protocol.

        Raises:
            InputError: the endpoint or the key is not usable as it is.
            RmauditError: the endpoint is gone, or its service is broken.
        """
        served = self.connect()
        budget = answer_budget(sampling, self.context)
        vllm = any(one.card is not None and one.card.owned_by == "vllm" for one in served)
        # vLLM takes what is not sent from the checkpoint's generation_config.json.
        neutral = {"top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0} if vllm else {}
        known = self._dialect or Dialect(self.model, sampling)
        self._dialect = replace(
            known, sampling=replace(sampling, max_tokens=budget), extra=dict(neutral)
        )
        asking = Asking(self._service, self._dialect, self.context)
        self._stream = stream(requests, asking.session, concurrency=self.concurrency)
        return self._stream

    def describe(self) -> dict[str, Any]:
        """Servers, what they serve, how they are asked; no key, no credentials."""
        import openai

        dialect = self._dialect
        facts: dict[str, Any] = {
            "openai": openai.__version__,
            "model": self.model,
            "served": [
                {"url": one.endpoint.url}
                | ({"down_at_start": one.down} if one.down else {})
                | (one.card.model_dump(exclude_none=True) if one.card else {})
                for one in self._served
            ],
            "context": self.context,
            "concurrency": self.concurrency,
            "timeout": self._service.timeout,
            "deadline": self._service.deadline,
            "retries": self._service.retries,
            "answered_by": sorted(self._service.answered_by),
            "other_models": self._service.other_models,
            "structured_output": self._service.structured,
        }
        if dialect is not None:
            facts["max_tokens"] = dialect.sampling.max_tokens
            facts["budget_option"] = dialect.budget
            facts["not_sent"] = list(dialect.not_sent)
        return facts

    def close(self) -> None:
        """Cancels what is in flight, where a stream of answers was left before its end."""
        if self._stream is not None:
            with contextlib.suppress(ValueError):  # another thread is waiting for its next answer
                self._stream.close()
