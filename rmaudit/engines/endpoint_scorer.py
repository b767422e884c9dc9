"""A reward model behind an endpoint that scores, under the protocol of scores."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmaudit.engines.async_bridge import stream
from rmaudit.engines.calls import Service
from rmaudit.engines.chat import Chat
from rmaudit.engines.endpoints import read_key
from rmaudit.engines.options import (
    CONCURRENCY,
    KEY_ENV,
    REQUEST_RETRIES,
    REQUEST_TIMEOUT,
)
from rmaudit.engines.score_asking import ScoreAsking
from rmaudit.engines.score_routes import Route, parse_target, route_of
from rmaudit.engines.scores import Scored, ScoreRequest, WritesNothing
from rmaudit.engines.tokenizer import load_tokenizer
from rmaudit.errors import InputError

if TYPE_CHECKING:
    from rmaudit.engines.served import Served

_RENDERS = (
    "tokenizer.json", "tokenizer.model", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "chat_template.jinja", "vocab.json", "merges.txt",
)  # fmt: skip


class EndpointScorer(WritesNothing):
    """`classify:`, `pooling:`, `sglang:` or `get-reward:`; see `score_routes`."""

    def __init__(
        self,
        spec: str,
        *,
        tokenizer: Path | None = None,
        batch_size: int = 16,
        context: int | None = None,
        checks: bool = True,
        key_env: str = KEY_ENV,
        concurrency: int = CONCURRENCY,
        timeout: float = REQUEST_TIMEOUT,
        max_retries: int = REQUEST_RETRIES,
        deadline: float | None = None,
        allow_other_model: bool = False,
    ) -> None:
        """Reads key and tokenizer; sends nothing.

        Args:
            spec: the target.
            tokenizer: folder whose chat template renders the conversations; None: the server's.
            batch_size: conversations in a request, where a request takes several.
            context: tokens of a conversation, where the server does not tell.
            checks: probe whether the scores are raw, before the first one.
            key_env: environment variable of the key.
            concurrency: requests in flight.
            timeout: seconds that one try may take.
            max_retries: tries beyond the first.
            deadline: seconds that a request may take with all its tries and waits.
            allow_other_model: take the scores of a model that names itself otherwise.

        Raises:
            InputError: the target, the tokenizer or the key is not usable.
        """
        route = route_of(spec)
        if route is None:
            raise InputError(f"{spec} is no endpoint that scores", "e.g. classify:MODEL@URL")
        self.route: Route = route
        self.model, self.endpoints = parse_target(route, spec)
        if route.needs_tokenizer and tokenizer is None:
            raise InputError(
                f"{route.prefix} takes rendered text, and nothing here renders it",
                "name the folder of the model's tokenizer and chat template: --tokenizer DIR",
            )
        self._chat: Chat | None = None
        self._rendered = ""
        if tokenizer is not None:
            if not tokenizer.is_dir():
                raise InputError(f"no folder {tokenizer}", "give --tokenizer a folder")
            self._rendered = _digest(tokenizer)
            self._chat = Chat(load_tokenizer(tokenizer), tokenizer, opens=False)
        self._tokenizer = tokenizer
        self._sends = route.sends(rendered=tokenizer is not None)
        self._batch_size = 1 if self._sends == "messages" else batch_size
        self._context, self._checks, self._raw = context, checks, False
        self.concurrency = concurrency
        self._service = Service(
            self.endpoints,
            read_key(key_env, needed=False),
            key_env,
            timeout,
            max_retries,
            deadline=deadline,
            model=self.model,
            allow_other_model=allow_other_model,
        )
        self._served: tuple[Served, ...] = ()
        self._stream: Generator[list[Scored], None, None] | None = None

    @property
    def name(self) -> str:
        """The kind of endpoint."""
        return self.route.prefix.removesuffix(":")

    def connect(self) -> None:
        """Asks the servers what they serve, where the kind of endpoint has a list of models.

        Raises:
            InputError: none answers, one does not serve the model, or the key is refused.
        """
        if self._served or not self.route.has_model:
            return
        from rmaudit.engines.served import known_names, read_served

        service = self._service
        lists = [replace(one, url=f"{one.url}/v1") for one in self.endpoints]
        self._served = read_served(self.model, lists, key=service.key, key_env=service.key_env)
        service.known_as = known_names(self._served)

    @property
    def identity(self) -> tuple[str, ...]:
        """What decides the scores: kind, model and what is loaded as it, servers, template."""
        self.connect()
        cards = [one.card for one in self._served if one.card is not None]
        loaded = sorted({card.root or card.id for card in cards})
        places = (one.url for one in self.endpoints)
        return (self.name, self.model, *loaded, *places, self._rendered)

    @property
    def context(self) -> int | None:
        """The smallest context that a server tells of, or that was given."""
        cards = [one.card for one in self._served if one.card is not None]
        told = [card.max_model_len for card in cards if card.max_model_len]
        return min((*told, *([self._context] if self._context else [])), default=None)

    @property
    def rendered_by(self) -> str:
        """Whose chat template makes a text of a conversation."""
        return "the server" if self._tokenizer is None else f"{self._tokenizer}"

    def score(self, requests: Iterable[ScoreRequest]) -> Iterator[Scored]:
        """Some in each request, `concurrency` requests at a time; see the protocol.

        Raises:
            InputError: the endpoint or the key is not usable as it is, or its scores are not raw.
            RmauditError: the endpoint is gone, or its service is broken.
        """
        asked = list(requests)
        if not asked:
            return
        self.connect()
        asking = ScoreAsking(
            self._service,
            self.route,
            chat=self._chat,
            context=self.context,
            check_raw=self._checks and not self._raw,
            longest=self._longest(asked) if self._checks else None,
            concurrency=self.concurrency,
        )
        size = self._batch_size
        batches = (tuple(asked[start : start + size]) for start in range(0, len(asked), size))
        self._stream = stream(batches, asking.session, concurrency=self.concurrency)
        for scored in self._stream:
            self._raw = True  # what was checked is known: the first score came after it
            yield from scored

    def _longest(self, requests: Sequence[ScoreRequest]) -> ScoreRequest | None:
        """The longest conversation that may be sent, where a server could cut it unseen."""
        chat, most = self._chat, self.context
        if chat is None or not self.route.needs_tokenizer:
            return None
        by_length = sorted(requests, key=lambda one: -sum(len(t["content"]) for t in one.messages))
        fitting = (
            one for one in by_length if most is None or len(chat.encode(one.messages)) <= most
        )
        return next(fitting, None)

    def describe(self) -> dict[str, Any]:
        """Servers, what they serve, how they are asked; no key, no credentials."""
        import openai

        return {
            "openai": openai.__version__,
            "model": self.model,
            "urls": [one.url + self.route.path for one in self.endpoints],
            "served": [
                {"url": one.endpoint.url}
                | ({"down_at_start": one.down} if one.down else {})
                | (one.card.model_dump(exclude_none=True) if one.card else {})
                for one in self._served
            ],
            "context": self.context,
            "rendered_by": self.rendered_by,
            "sent_as": self._sends,
            "raw_by_probes": self._checks and self._raw,
            "batch_size": self._batch_size,
            "concurrency": self.concurrency,
            "timeout": self._service.timeout,
            "deadline": self._service.deadline,
            "retries": self._service.retries,
            "answered_by": sorted(self._service.answered_by),
            "other_models": self._service.other_models,
        }

    def close(self) -> None:
        """Cancels what is in flight, where a stream of scores was left before its end."""
        if self._stream is not None:
            with contextlib.suppress(ValueError):  # another thread is waiting for its next score
                self._stream.close()


def _digest(folder: Path) -> str:
    """Of all that decides how a conversation is rendered and read."""
    found = hashlib.sha256()
    for name in _RENDERS:
        path = folder / name
        if path.is_file():
            found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
