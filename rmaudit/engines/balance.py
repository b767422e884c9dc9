"""Several servers of one model behind one HTTP client: each try goes to the least busy one.

The openai package makes the tries (its retries, back-off and Retry-After); this client decides
where each goes, how long it may take, and reads what comes back: an error by its code, so that one
which would come again is not tried again. A request whose server has died goes to another one.

Imports openai: import this module only inside functions.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from importlib import import_module
from itertools import cycle
from typing import TYPE_CHECKING, Any

import openai

from rmaudit.engines.completions import Incomplete
from rmaudit.engines.endpoints import Endpoint
from rmaudit.engines.error_body import ServerError, error_status, read_error
from rmaudit.engines.options import RETRY_AFTER_LIMIT

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Request, Response
else:
    AsyncClient = openai.DefaultAsyncHttpxClient

PLACEHOLDER = "http://endpoint.invalid"
"""The base URL that the openai package is given; replaced for every try."""
ANSWER = "rmaudit.answer"
FLAW = "rmaudit.flaw"
ERROR = "rmaudit.error"
RETRIED = "x-stainless-retry-count"
"""Header of a request in which the openai package says which try it is."""
_AGAIN = {"busy": "true"} | dict.fromkeys(("filtered", "too_long", "quota", "value"), "false")
"""Whether to try again, for the openai package, where an error says so better than its status."""
_LONGEST_REST = 30.0
_ALIVE_SECONDS = 5.0


POOLS, CONNECTIONS, IDLE = 16, 1000, 20
"""Every request looks at all connections of its pool, busy or idle. So a wave of calls is dealt to
several pools, and must not leave many idle ones."""


def _http() -> Any:
    """The HTTP library that openai brings."""
    return import_module(AsyncClient.__mro__[1].__module__.partition(".")[0])


@cache
def _tls() -> Any:
    """Made once a process: reading the certificates takes as long as many calls."""
    return _http().create_ssl_context()


def response_type() -> Any:
    """The class of responses as they come, for `AsyncOpenAI.post`."""
    return _http().Response


def _settings() -> dict[str, Any]:
    limits = _http().Limits(max_connections=CONNECTIONS, max_keepalive_connections=IDLE)
    return {"follow_redirects": True, "verify": _tls(), "limits": limits}


@dataclass(slots=True)
class _Place:
    """One server as this run has found it."""

    endpoint: Endpoint
    in_flight: int = 0
    sent: int = 0
    failures: int = 0
    rests_until: float = 0.0

    def failed(self) -> None:
        """Leaves it out for 1, 2, 4, ... 30 seconds."""
        self.rests_until = time.monotonic() + min(2.0**self.failures, _LONGEST_REST)
        self.failures += 1

    def ready(self, now: float) -> bool:
        """After a failure one try at a time finds out whether it is back."""
        return self.rests_until <= now and (not self.failures or not self.in_flight)


class Balancer(AsyncClient):
    """An httpx client for `AsyncOpenAI(http_client=...)`."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        read: Callable[[bytes], object],
        *,
        seconds: float | None = None,
        retry_after_limit: float = RETRY_AFTER_LIMIT,
    ) -> None:
        """Opens nothing yet.

        Args:
            endpoints: the servers.
            read: an answer of the body of a success, which raises `Incomplete` where it is none.
            seconds: that one try may take, from the first byte sent to the last one read.
            retry_after_limit: the longest wait before the next try that a server may ask for.
        """
        super().__init__(**_settings())
        self._reader = read
        self._seconds, self._retry_after_limit = seconds, retry_after_limit
        self._pools = [AsyncClient(**_settings()) for _ in range(POOLS)]
        self._turn = cycle(self._pools)
        self._places = [_Place(endpoint) for endpoint in endpoints]
        self._urls: dict[tuple[str, str], Any] = {}

    async def send(self, request: Request, **options: Any) -> Response:
        """Sends one try; a success without a whole answer counts as a bad gateway."""
        place = self._least_busy()
        self._address(request, place.endpoint)
        place.in_flight += 1
        place.sent += 1
        try:
            # The library's own limits are of one read: a server that drips bytes never meets them.
            async with asyncio.timeout(self._seconds):
                response = await next(self._turn).send(request, **options)
        except TimeoutError as late:
            place.failed()
            raise _http().ReadTimeout("the try took too long", request=request) from late
        except Exception:
            place.failed()
            raise
        finally:
            place.in_flight -= 1
        if response.is_success:
            self._read(response)
        if response.status_code >= 400 and FLAW not in response.extensions:
            error = read_error(response.status_code, response.content)
            response.extensions[ERROR] = error
            self._advise(response, error)
        if response.status_code == 429 or response.status_code >= 500:
            place.failed()
        else:
            place.failures = 0
        return response

    def _read(self, response: Response) -> None:
        """Puts the answer beside the response, or makes an error of it."""
        try:
            response.extensions[ANSWER] = self._reader(response.content)
        except Incomplete as flaw:
            status = error_status(response.content)
            if status is None:
                response.extensions[FLAW] = str(flaw)
            response.status_code = status or 502

    def _advise(self, response: Response, error: ServerError) -> None:
        """Tells the openai package whether to try again, and how long to wait before."""
        if error.means in _AGAIN:
            response.headers["x-should-retry"] = _AGAIN[error.means]
        wait = _asked_to_wait(response.headers)
        if wait is not None:
            response.headers.pop("retry-after-ms", None)
            response.headers["retry-after"] = str(min(wait, self._retry_after_limit))

    async def aclose(self) -> None:
        """Closes every pool."""
        await asyncio.gather(super().aclose(), *(pool.aclose() for pool in self._pools))

    async def any_alive(self) -> bool:
        """Whether any server answers anything at all."""
        return any(await asyncio.gather(*(self._alive(place.endpoint) for place in self._places)))

    async def _alive(self, endpoint: Endpoint) -> bool:
        request = self.build_request("GET", f"{PLACEHOLDER}/models", timeout=_ALIVE_SECONDS)
        self._address(request, endpoint)
        try:
            await super().send(request)
        except Exception:  # every way of not answering, by whatever HTTP library openai brings
            return False
        return True

    def _least_busy(self) -> _Place:
        now = time.monotonic()
        ready = [place for place in self._places if place.ready(now)]
        if not ready:
            return min(self._places, key=lambda place: place.rests_until)
        return min(ready, key=lambda place: (place.in_flight, place.sent))

    def _address(self, request: Request, endpoint: Endpoint) -> None:
        key = endpoint.url, request.url.path
        if key not in self._urls:
            self._urls[key] = request.url.join(endpoint.url + request.url.path)
        request.url = self._urls[key]
        request.headers["Host"] = request.url.netloc.decode("ascii")
        if endpoint.authorization is not None:
            request.headers["Authorization"] = endpoint.authorization


def _asked_to_wait(headers: Any) -> float | None:
    """Seconds that a response asks to wait: as milliseconds, seconds, or until a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - time.time()
            except (TypeError, ValueError, OverflowError):
                continue
        if not math.isnan(seconds):
            return max(seconds, 0.0)
    return None
