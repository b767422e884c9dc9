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
from typing import TYPE_CHECKING, Any, NamedTuple

from rmaudit.engines.answered_by import same_model
from rmaudit.engines.base import Request
from rmaudit.engines.completions import Completion, without_room
from rmaudit.engines.dialect import STRUCTURED, Dialect, Structured, refused_option
from rmaudit.engines.endpoints import Endpoint, other_model, refused_key
from rmaudit.engines.error_body import ServerError
from rmaudit.engines.options import RETRY_AFTER_LIMIT
from rmaudit.errors import RmauditError
from rmaudit.records import FILTERED, SETTLED, TOO_LONG, Generation, Key, ServerSaid

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
    """The servers of one model, how they are asked, and what was found out about them.

    Attributes:
        endpoints: the servers.
        key: sent to them, and shown nowhere.
        key_env: the environment variable that it comes from.
        timeout: seconds that one try may take.
        max_retries: tries beyond the first.
        deadline: seconds that a request may take with all its tries and waits; None for no limit.
        retry_after_limit: seconds that a server may ask to wait before the next try.
        model: as asked for.
        known_as: names that the servers list and load it under.
        allow_other_model: take answers of a model that names itself otherwise.
        structured: how they give JSON of a schema, None until it was asked for.
        retries: tries beyond the first of requests that were answered.
        answered_by: models as the servers named them.
    """

    endpoints: tuple[Endpoint, ...]
    key: str = field(repr=False)
    key_env: str
    timeout: float
    max_retries: int
    deadline: float | None = None
    retry_after_limit: float = RETRY_AFTER_LIMIT
    model: str = ""
    known_as: tuple[str, ...] = ()
    allow_other_model: bool = False
    structured: Structured | None = None
    retries: int = 0
    answered_by: set[str] = field(default_factory=set)

    @property
    def other_models(self) -> list[str]:
        """Those of them that are not the model that was asked for."""
        return [name for name in sorted(self.answered_by) if not self.is_asked(name)]

    def is_asked(self, said: str) -> bool:
        """Whether a server's name for a model means the one that was asked for."""
        return same_model(self.model, said, self.known_as)


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
        self._balancer = Balancer(
            service.endpoints,
            seconds=service.timeout,
            retry_after_limit=service.retry_after_limit,
        )
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

        from rmaudit.engines.balance import ERROR

        started = time.perf_counter()
        said: ServerError | None = None
        try:
            async with asyncio.timeout(self._service.deadline):
                answer, status, not_sent = await (
                    self._ask(request, None)
                    if request.schema is None
                    else self._ask_structured(request)
                )
        except TimeoutError:
            reason = f"no answer within {self._service.deadline or 0:g} s"
            await self._stop_if_gone(reason)
        except openai.APIStatusError as error:
            said, reason = error.response.extensions.get(ERROR), _reason(error)
            if said is not None and said.means in SETTLED:
                return self._failed(request.key, said.means, said, started)
            if error.status_code in (401, 403):
                raise self._refused_key(error) from None
        except openai.APIConnectionError as error:
            reason = _reason(error)
            await self._stop_if_gone(reason)
        else:
            reason = self._other_model(answer)
            if not reason:
                self._answered, self._failed_in_row = True, 0
                budget = self._dialect.sampling.max_tokens
                generation = answer.generation(
                    request.key,
                    budget=budget,
                    seconds=time.perf_counter() - started,
                    status=status,
                    not_sent=not_sent,
                )
                return without_room(generation, budget, self._context)
            said = None
        self._count_failure(reason, said.message if said else "")
        return self._failed(request.key, reason, said, started)

    async def _ask(self, request: Request, structured: Structured | None) -> _Given:
        """Asks until the server takes the options, or refuses what cannot be left out."""
        import openai

        from rmaudit.engines.balance import COMPLETION, ERROR, RETRIED, response_type

        while True:
            arguments = self._dialect.arguments(request, structured)
            not_sent = tuple(self._dialect.not_sent)
            try:
                response = await self._client.post(
                    "/chat/completions", body=_body(arguments), cast_to=response_type()
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                said = error.response.extensions.get(ERROR)
                refused = refused_option(said, arguments) if said is not None else None
                if refused is None or not self._dialect.learn(refused):
                    raise
                continue
            self._service.retries += int(response.request.headers.get(RETRIED, 0))
            completion: Completion = response.extensions[COMPLETION]
            return _Given(completion, response.status_code, not_sent)

    async def _stop_if_gone(self, reason: str) -> None:
        if not await self._balancer.any_alive():
            raise RmauditError(f"no endpoint answers any more ({reason})", _KEEP_ON)

    def _other_model(self, answer: Completion) -> str:
        """Why an answer is not taken: another model gave it; '' where it is taken.

        Raises:
            InputError: it is the first answer, so that nothing of this model may come at all.
        """
        service, said = self._service, answer.model
        if said is None or said in service.answered_by:
            return ""
        if not service.allow_other_model and not service.is_asked(said):
            if not self._answered and not service.answered_by:
                raise other_model(service.model, self._clean(said))
            return "answered by another model"
        service.answered_by.add(said)
        return ""

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

    def _count_failure(self, reason: str, said: str) -> None:
        self._failed_in_row += 1
        if self._failed_in_row >= GIVE_UP:
            words = " ".join(f"{reason}: {said[:300]}".split()) if said else reason
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
    text = "".join(answer.text.split())
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

    from rmaudit.engines.balance import ERROR, FLAW

    kind = type(error).__name__
    if isinstance(error, openai.APIStatusError):
        flaw = error.response.extensions.get(FLAW)
        said: ServerError | None = error.response.extensions.get(ERROR)
        code = said.code if said is not None and said.code != str(error.status_code) else None
        return str(flaw) if flaw else " ".join(filter(None, (kind, str(error.status_code), code)))
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
