"""Requests to one service for one stream of answers: what is asked, learned, and given up on.

Imports openai inside functions only; the client lives in the loop that `session` is entered in.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rmaudit.engines.base import Request
from rmaudit.engines.completions import (
    Completion,
    is_too_long,
    refused_option,
    short_reason,
    too_long,
    without_room,
)
from rmaudit.engines.dialect import STRUCTURED, Dialect, Structured, sent_options
from rmaudit.engines.endpoints import Endpoint, refused_key
from rmaudit.errors import RmauditError
from rmaudit.records import Generation, Key

if TYPE_CHECKING:
    import openai

    from rmaudit.engines.balance import Balancer

GIVE_UP = 50
"""So many failed requests in a row are a broken service, not bad luck."""
_KEEP_ON = "finished rows are kept: mend the endpoint, then go on with --resume"
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


@dataclass(slots=True)
class Service:
    """The servers of one model, and what was found out about them.

    structured: how they give JSON of a schema, None until it was asked for. retries: tries beyond
    the first of requests that were answered.
    """

    endpoints: tuple[Endpoint, ...]
    key: str = field(repr=False)
    key_env: str
    timeout: float
    max_retries: int
    structured: Structured | None = None
    retries: int = 0


class Asking:
    """One call of `OpenAIEngine.complete`."""

    def __init__(self, service: Service, dialect: Dialect, context: int | None) -> None:
        self._service = service
        self._context = context
        self._dialect = dialect
        self._failed_in_row = 0
        self._answered = False
        self._probing = asyncio.Lock()
        self._client: openai.AsyncOpenAI
        self._balancer: Balancer

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Callable[[Request], Awaitable[Generation]]]:
        """For `async_bridge.stream`: the function that completes one request."""
        import openai

        from rmaudit.engines.balance import PLACEHOLDER, Balancer

        service = self._service
        self._balancer = Balancer(service.endpoints)
        async with openai.AsyncOpenAI(
            base_url=PLACEHOLDER,
            api_key=service.key,
            timeout=openai.Timeout(service.timeout, connect=min(10.0, service.timeout)),
            max_retries=service.max_retries,
            http_client=self._balancer,
        ) as self._client:
            yield self._complete

    async def _complete(self, request: Request) -> Generation:
        import openai

        started = time.perf_counter()
        try:
            if request.schema is None:
                answer = await self._ask(request, None)
            else:
                answer = await self._ask_structured(request)
        except openai.APIStatusError as error:
            said, seconds = _said(error), time.perf_counter() - started
            if is_too_long(error.status_code, said):
                return too_long(request.key, said, seconds=seconds)
            reason = _reason(error)
            if error.status_code in (401, 403):
                raise self._refused_key(error) from None
        except openai.APIConnectionError as error:
            reason, said = _reason(error), ""
            if not await self._balancer.any_alive():
                raise RmauditError(f"no endpoint answers any more ({reason})", _KEEP_ON) from None
        else:
            self._answered, self._failed_in_row = True, 0
            generation = answer.generation(request.key, seconds=time.perf_counter() - started)
            return without_room(generation, self._dialect.sampling.max_tokens, self._context)
        self._count_failure(reason, said)
        seconds = round(time.perf_counter() - started, 4)
        return Generation(request.key, "", "error", seconds=seconds, error=reason)

    async def _ask(self, request: Request, structured: Structured | None) -> Completion:
        """Asks until the server takes the options, or refuses what cannot be left out."""
        import openai

        from rmaudit.engines.balance import COMPLETION, RETRIED, response_type

        while True:
            arguments = self._dialect.arguments(request, structured)
            try:
                response = await self._client.post(
                    "/chat/completions", body=_body(arguments), cast_to=response_type()
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                said = _said(error)
                if is_too_long(error.status_code, said):
                    raise
                refused = refused_option(said, error.param, sent_options(arguments))
                if refused is None or not self._dialect.learn(refused):
                    raise
                continue
            self._service.retries += int(response.request.headers.get(RETRIED, 0))
            completion: Completion = response.extensions[COMPLETION]
            return completion

    async def _ask_structured(self, request: Request) -> Completion:
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
                answer = await self._ask(_PROBE, structured)
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

    def _count_failure(self, reason: str, said: str) -> None:
        self._failed_in_row += 1
        if self._failed_in_row >= GIVE_UP:
            words = f"{reason}: {said[:300]}" if said else reason
            raise RmauditError(
                f"the last {GIVE_UP} requests all failed ({self._clean(words)})", _KEEP_ON
            )

    def _refused_key(self, error: openai.APIStatusError) -> RmauditError:
        service = self._service
        told = refused_key(service.endpoints, error.status_code, service.key_env)
        return RmauditError(told.message, _KEEP_ON) if self._answered else told

    def _clean(self, text: str) -> str:
        """A server may repeat in its error what it was sent."""
        for secret in (self._service.key, *(one.authorization for one in self._service.endpoints)):
            if secret is not None:
                text = text.replace(secret, "[key]")
        return text


def _obeyed(answer: Completion) -> bool:
    """Whether the probe's answer can only come from a constrained decoder, cut or whole."""
    text = "".join((answer.choices[0].message.content or "").split())
    whole = ('{"colour":"red"}', '{"colour":"green"}')
    return any(one.startswith(text) for one in whole) and text != ""


def _said(error: openai.APIStatusError) -> str:
    """The server's own words."""
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return str(body["message"])
    return error.response.text[:4000]


def _reason(error: openai.APIError) -> str:
    """Class, status and code; never a text that could hold a key, a URL or a prompt."""
    import openai

    from rmaudit.engines.balance import FLAW

    kind = type(error).__name__
    if isinstance(error, openai.APIStatusError):
        flaw = error.response.extensions.get(FLAW)
        return str(flaw) if flaw else short_reason(kind, error.status_code, error.code)
    if isinstance(error, openai.APITimeoutError):
        return kind
    return f"{kind} {type(error.__cause__).__name__}" if error.__cause__ else kind


def _body(arguments: dict[str, Any]) -> dict[str, Any]:
    """What is sent.

    The package's own `create` reads and copies it field by field first, which over many calls at
    once takes as long as to send them; `post` is its way without that.
    """
    named = {name: value for name, value in arguments.items() if name != "extra_body"}
    return {**named, **arguments["extra_body"]}
