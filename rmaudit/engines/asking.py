"""Chat completions of one service for one stream of answers: what is asked, and what is learned.

Imports openai inside functions only; the client lives in the loop that `session` is entered in.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from rmaudit.engines.base import Request
from rmaudit.engines.calls import Calls, Failure, Service
from rmaudit.engines.completions import Completion, read_completion, without_room
from rmaudit.engines.dialect import STRUCTURED, Dialect, Structured, refused_option
from rmaudit.engines.error_body import ServerError
from rmaudit.records import FILTERED, TOO_LONG, Generation, Key, ServerSaid

if TYPE_CHECKING:
    import openai

_ABOUT_SCHEMA = re.compile(r"schema|response_format|structured|guided|grammar", re.IGNORECASE)
_COLOUR = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
_PROBE = Request(
    Key("probe"), ({"role": "user", "content": "Name one colour."},), seed=1, schema=_COLOUR
)


class _Given(NamedTuple):
    """What a server gave, with what status, and without which options it was asked."""

    completion: Completion
    status: int
    not_sent: tuple[str, ...]


class Asking:
    """One call of `OpenAIEngine.complete`."""

    def __init__(self, service: Service, dialect: Dialect, context: int | None) -> None:
        self._service = service
        self._context = context
        self._dialect = dialect
        self._probing = asyncio.Lock()
        self._calls = Calls(service, read_completion)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Callable[[Request], Awaitable[Generation]]]:
        """For `async_bridge.stream`: the function that completes one request."""
        async with self._calls.open():
            yield self._complete

    async def _complete(self, request: Request) -> Generation:
        started = time.perf_counter()
        call = self._ask(request, None) if request.schema is None else self._ask_structured(request)
        given = await self._calls.outcome(call, lambda one: one.completion.model)
        if isinstance(given, Failure):
            return self._failed(request.key, given.reason, given.said, started)
        budget = self._dialect.sampling.max_tokens
        generation = given.completion.generation(
            request.key,
            budget=budget,
            seconds=time.perf_counter() - started,
            status=given.status,
            not_sent=given.not_sent,
        )
        return without_room(generation, budget, self._context)

    async def _ask(self, request: Request, structured: Structured | None) -> _Given:
        """Asks until the server takes the options, or refuses what cannot be left out."""
        import openai

        from rmaudit.engines.balance import ERROR

        while True:
            arguments = self._dialect.arguments(request, structured)
            not_sent = tuple(self._dialect.not_sent)
            try:
                completion, status = await self._calls.post("/chat/completions", _body(arguments))
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                said = error.response.extensions.get(ERROR)
                refused = refused_option(said, arguments) if said is not None else None
                if refused is None or not self._dialect.learn(refused):
                    raise
                continue
            return _Given(completion, status, not_sent)

    async def _ask_structured(self, request: Request) -> _Given:
        """Asks for JSON of the request's schema; in words where the server refuses the schema."""
        import openai

        structured = await self._structured()
        try:
            return await self._ask(request, structured)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            if structured == "prompt" or not _ABOUT_SCHEMA.search(_said(error)):
                raise
        self._service.structured = "prompt"
        return await self._ask(request, "prompt")

    async def _structured(self) -> Structured:
        """How to ask for JSON of a schema; found out once, by asking for an unlikely answer."""
        async with self._probing:
            if self._service.structured is None:
                self._service.structured = await self._probe()
            return self._service.structured

    async def _probe(self) -> Structured:
        import openai

        for structured in STRUCTURED[:-1]:
            try:
                answer = (await self._ask(_PROBE, structured)).completion
            except (
                openai.AuthenticationError,
                openai.PermissionDeniedError,
                openai.RateLimitError,
            ):
                raise
            except openai.APIStatusError:
                continue
            if _obeyed(answer):
                return structured
        return STRUCTURED[-1]

    def _failed(self, key: Key, error: str, said: ServerError | None, started: float) -> Generation:
        """A row without an answer."""
        server = ServerSaid(
            "filtered" if error == FILTERED else "failed",
            status=said.status if said else None,
            code=said.code if said else None,
            not_sent=tuple(self._dialect.not_sent),
        )
        return Generation(
            key,
            "",
            "error",
            tokens_in=said.tokens if said and error == TOO_LONG else None,
            seconds=round(time.perf_counter() - started, 4),
            error=error,
            server=server,
        )


def _obeyed(answer: Completion) -> bool:
    """Whether the probe's answer can only come from a constrained decoder, cut or whole."""
    text = "".join(answer.text.split())
    whole = ('{"colour":"red"}', '{"colour":"green"}')
    return any(one.startswith(text) for one in whole) and text != ""


def _said(error: openai.APIStatusError) -> str:
    """The server's own words."""
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return str(body["message"])
    return error.response.text[:4000]


def _body(arguments: dict[str, Any]) -> dict[str, Any]:
    """What is sent."""
    named = {name: value for name, value in arguments.items() if name != "extra_body"}
    return {**named, **arguments["extra_body"]}
