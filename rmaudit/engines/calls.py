"""Calls to one service for one stream of answers: tries, deadlines, and when to give up.

What is asked and what the answers mean is the caller's: chat completions (`asking`), scores
(`score_asking`). Imports openai inside functions only; the client lives in the loop that `open` is
entered in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rmaudit.engines.answered_by import same_model
from rmaudit.engines.dialect import Structured
from rmaudit.engines.endpoints import Endpoint, other_model, refused_key
from rmaudit.engines.error_body import ServerError
from rmaudit.engines.options import RETRY_AFTER_LIMIT
from rmaudit.errors import RmauditError
from rmaudit.records import SETTLED

if TYPE_CHECKING:
    import openai

    from rmaudit.engines.balance import Balancer

GIVE_UP = 50
"""So many failed requests in a row are a broken service, not bad luck."""
_KEEP_ON = "finished rows are kept: mend the endpoint, then go on with --resume"
T = TypeVar("T")


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


class Failure(NamedTuple):
    """Why a call gave nothing; `said` is the server's error where it sent one.

    A reason among SETTLED would come again.
    """

    reason: str
    said: ServerError | None = None


class Calls:
    """Calls of one stream."""

    def __init__(self, service: Service, read: Callable[[bytes], Any]) -> None:
        """Opens nothing.

        Args:
            service: whom to call.
            read: an answer of a body, which raises `Incomplete` where it is none.
        """
        self.service = service
        self._read = read
        self._failed_in_row = 0
        self._answered = False
        self._client: openai.AsyncOpenAI
        self._balancer: Balancer

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """The connections, for as long as calls are made."""
        import openai

        from rmaudit.engines.balance import PLACEHOLDER, Balancer

        service = self.service
        self._balancer = Balancer(
            service.endpoints,
            self._read,
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
            yield

    async def post(self, path: str, body: dict[str, Any]) -> tuple[Any, int]:
        """What `read` makes of the answer, and its HTTP status, after all tries.

        The openai package's own `create` reads and copies a request field by field first, which
        over many calls at once takes as long as to send them; `post` is its way without that.
        """
        from rmaudit.engines.balance import ANSWER, RETRIED, response_type

        response = await self._client.post(path, body=body, cast_to=response_type())
        self.service.retries += int(response.request.headers.get(RETRIED, 0))
        return response.extensions[ANSWER], response.status_code

    async def outcome(
        self, call: Awaitable[T], model: Callable[[T], str | None] = lambda _: None
    ) -> T | Failure:
        """The result of a call made of `post`, or why there is none.

        model: who answered, as the result names it; another model's answer is a failure.

        Raises:
            InputError: the key is refused, or the very first answer is another model's.
            RmauditError: no server answers any more, or nothing but failures comes.
        """
        import openai

        from rmaudit.engines.balance import ERROR

        said: ServerError | None = None
        try:
            async with asyncio.timeout(self.service.deadline):
                result = await call
        except TimeoutError:
            reason = f"no answer within {self.service.deadline or 0:g} s"
            await self._stop_if_gone(reason)
        except openai.APIStatusError as error:
            said, reason = error.response.extensions.get(ERROR), _reason(error)
            if said is not None and said.means in SETTLED:
                return Failure(said.means, said)
            if error.status_code in (401, 403):
                raise self._refused_key(error) from None
        except openai.APIConnectionError as error:
            reason = _reason(error)
            await self._stop_if_gone(reason)
        else:
            reason = self._other_model(model(result))
            if not reason:
                self._answered, self._failed_in_row = True, 0
                return result
        self._count_failure(reason, said.message if said else "")
        return Failure(reason, said)

    async def _stop_if_gone(self, reason: str) -> None:
        if not await self._balancer.any_alive():
            raise RmauditError(f"no endpoint answers any more ({reason})", _KEEP_ON)

    def _other_model(self, said: str | None) -> str:
        """Why an answer is not taken: another model gave it; '' where it is taken.

        Raises:
            InputError: it is the first answer, so that nothing of this model may come at all.
        """
        service = self.service
        if said is None or said in service.answered_by:
            return ""
        if not service.allow_other_model and not service.is_asked(said):
            if not self._answered and not service.answered_by:
                raise other_model(service.model, self.clean(said))
            return "answered by another model"
        service.answered_by.add(said)
        return ""

    def _count_failure(self, reason: str, said: str) -> None:
        self._failed_in_row += 1
        if self._failed_in_row >= GIVE_UP:
            words = " ".join(f"{reason}: {said[:300]}".split()) if said else reason
            raise RmauditError(
                f"the last {GIVE_UP} requests all failed ({self.clean(words)})", _KEEP_ON
            )

    def _refused_key(self, error: openai.APIStatusError) -> RmauditError:
        service = self.service
        told = refused_key(service.endpoints, error.status_code, service.key_env)
        return RmauditError(told.message, _KEEP_ON) if self._answered else told

    def clean(self, text: str) -> str:
        """A server may repeat in its error what it was sent."""
        for secret in (self.service.key, *(one.authorization for one in self.service.endpoints)):
            if secret is not None:
                text = text.replace(secret, "[key]")
        return text


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
