"""Scores of one service for one stream of conversations, some in each request.

A request of several that fails is sent again one by one, so that one conversation that a server
cannot take costs no other its score.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from rmaudit.engines.activation import not_raw
from rmaudit.engines.base import TOO_LONG
from rmaudit.engines.calls import Calls, Failure, Service
from rmaudit.engines.chat import Chat
from rmaudit.engines.completions import Incomplete
from rmaudit.engines.score_replies import ScoreReply, ScoreResult, in_order, several_numbers
from rmaudit.engines.score_routes import Route, SentAs
from rmaudit.engines.scores import Scored, ScoreRequest
from rmaudit.errors import InputError, RmauditError
from rmaudit.records import Key

NOT_AS_TEXT = "no text is read as these tokens: it spells a control token"
_MORE = " And so on, with forty more words of no use." * 8
_PROBES = tuple(
    ({"role": "user", "content": asked}, {"role": "assistant", "content": said})
    for asked, said in (
        ("Name a primary colour.", "Red is a primary colour."),
        ("What is 2 + 3?", "2 + 3 is 5, since two and three more make five."),
        ("Translate 'good night' into French.", "I had soup today."),
        ("Which is larger, 7 or 9?", "zzz zzz"),
    )
)
Batch = tuple[ScoreRequest, ...]


class _Sent(NamedTuple):
    """A conversation on its way: what it is sent as, and its tokens where they are known."""

    key: Key
    shown: SentAs
    tokens: int | None


class ScoreAsking:
    """One call of `EndpointScorer.score`."""

    def __init__(
        self,
        service: Service,
        route: Route,
        *,
        chat: Chat | None,
        context: int | None,
        check_raw: bool,
        longest: ScoreRequest | None,
        concurrency: int,
    ) -> None:
        """Sends nothing.

        Args:
            service: the servers.
            route: the kind of endpoint.
            chat: renders conversations here; None where the server does.
            context: tokens that a conversation may have, None where nobody says.
            check_raw: find out before the first score whether scores are raw.
            longest: the conversation to find out with whether the server cuts; None to take it
                that it does not.
            concurrency: requests in flight, those included that a failed one is split into.
        """
        self._service, self._route, self._chat = service, route, chat
        self._context, self._check_raw, self._longest = context, check_raw, longest
        self._calls = Calls(service, route.read)
        self._limit = asyncio.Semaphore(concurrency)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Callable[[Batch], Awaitable[list[Scored]]]]:
        """For `async_bridge.stream`: the function that scores some conversations."""
        async with self._calls.open():
            if self._check_raw:
                await self._refuse_activation()
            if self._longest is not None:
                await self._refuse_cutting(self._longest)
            yield self._score

    async def _score(self, batch: Batch) -> list[Scored]:
        sent: list[_Sent] = []
        scored: list[Scored] = []
        for request in batch:
            one = self._to_send(request)
            sent.append(one) if isinstance(one, _Sent) else scored.append(one)
        if not sent:
            return scored
        found = await self._asked(sent, self._body(sent))
        if isinstance(found, Failure) and len(sent) > 1:
            alone = await asyncio.gather(*(self._alone(one) for one in sent))
            return scored + list(alone)
        return scored + self._results(sent, found)

    async def _alone(self, one: _Sent) -> Scored:
        return self._results([one], await self._asked([one], self._body([one])))[0]

    def _to_send(self, request: ScoreRequest, *, bound: bool = True) -> _Sent | Scored:
        if self._chat is None:
            return _Sent(request.key, SentAs(request.messages), None)
        ids = self._chat.encode(request.messages)
        if bound and self._context is not None and len(ids) > self._context:
            return Scored(request.key, None, len(ids), TOO_LONG)
        if not self._route.needs_tokenizer:
            return _Sent(request.key, SentAs(request.messages, tuple(ids)), len(ids))
        text = self._chat.as_text(request.messages, ids, adds_bos=self._route.adds_bos)
        if text is None:
            return Scored(request.key, None, len(ids), NOT_AS_TEXT)
        return _Sent(request.key, SentAs(request.messages, text=text), len(ids))

    def _body(self, sent: Sequence[_Sent]) -> dict[str, object]:
        return self._route.body(self._service.model, [one.shown for one in sent])

    async def _asked(self, sent: Sequence[_Sent], body: dict[str, object]) -> ScoreReply | Failure:
        """The reply with a result for each, or why there is none."""

        async def call() -> ScoreReply:
            reply, _ = await self._calls.post(self._route.path, body)
            found: ScoreReply = reply
            return found

        async with self._limit:
            reply = await self._calls.outcome(call(), lambda one: one.model)
        if isinstance(reply, Failure):
            return reply
        try:
            return in_order(reply, len(sent))
        except Incomplete as flaw:
            return Failure(str(flaw))

    def _results(self, sent: Sequence[_Sent], found: ScoreReply | Failure) -> list[Scored]:
        if isinstance(found, Failure):
            tokens = found.said.tokens if found.said else None
            return [Scored(one.key, None, one.tokens or tokens or 0, found.reason) for one in sent]
        return [_scored(one, result) for one, result in zip(sent, found.results, strict=True)]

    async def _refuse_activation(self) -> None:
        """That the server gives one raw number for a conversation.

        Raises:
            InputError: it gives something else.
        """
        raw = await self._probe(_PROBES, active=False)
        active = await self._probe(_PROBES, active=True) if self._route.switch else None
        if why := not_raw(raw, active):
            raise InputError(
                f"{self._place} gives no raw scores of {len(raw)} probes: {why}",
                f"{self._route.raw_hint}: an activation makes good answers equal; --no-probe takes "
                "its numbers as they are",
            )

    async def _refuse_cutting(self, longest: ScoreRequest) -> None:
        """That more words at the end change the score of the longest conversation.

        Some servers cut what is too long without a word, and their score is then of another text.
        A model that such words do not change in a short conversation either shows nothing.

        Raises:
            InputError: they do not, and they change that of a short one.
        """
        shown = [
            turns
            for messages in (_PROBES[1], longest.messages)
            for turns in (messages, _longer(messages))
        ]
        sent = [self._to_send(ScoreRequest(Key("probe"), one), bound=False) for one in shown]
        if any(isinstance(one, Scored) for one in sent):
            return
        short, short_more, long, long_more = await self._probe(shown, active=False)
        if short != short_more and long == long_more:
            (_, _, cut, _) = sent
            tokens = cut.tokens or 0
            raise InputError(
                f"{self._place} cuts long conversations: more words at the end of the longest, of "
                f"{tokens:,} tokens, do not change its score",
                "start it with a larger context (serve_rm: --max_len), or leave longer ones out "
                "with --max-model-len N",
            )

    async def _probe(
        self, conversations: Sequence[tuple[dict[str, str], ...]], *, active: bool
    ) -> list[float]:
        """Scores of conversations that no row is made of.

        Raises:
            InputError: the server has no such endpoint, refuses, or gives something else.
            RmauditError: it failed.
        """
        found = []
        for number, messages in enumerate(conversations):
            one = self._to_send(ScoreRequest(Key(f"probe {number}"), messages), bound=False)
            if isinstance(one, Scored):
                raise InputError(f"a probe cannot be sent: {one.error}", "check the chat template")
            body = self._body([one])
            if active:
                body = {**body, "use_activation": True}
            reply = await self._asked([one], body)
            if isinstance(reply, Failure):
                raise self._no_score(reply)
            (result,) = reply.results
            if result.score is None:
                raise self._no_number(result)
            self._check_rows(one, result)
            found.append(result.score)
        return found

    def _check_rows(self, one: _Sent, result: ScoreResult) -> None:
        tokens = one.tokens or result.tokens
        if result.rows is not None and tokens is not None and result.rows != tokens:
            raise InputError(
                f"{self._place} gives numbers of {result.rows} of {tokens} tokens",
                "it pools steps or chunks: start it without a --pooler-config of its own, so that "
                "every token has its number",
            )

    def _no_score(self, failure: Failure) -> RmauditError:
        said = failure.said
        words = self._calls.clean(" ".join(said.message.split())[:300]) if said else ""
        told = f"{self._place} gave a probe no score: {failure.reason}{words and f' ({words})'}"
        if said is not None and said.status in (400, 404, 405, 422):
            return InputError(told, self._route.other)
        return RmauditError(told, "mend the endpoint, and start again")

    def _no_number(self, result: ScoreResult) -> InputError:
        several = several_numbers([result])
        return InputError(
            f"{self._place}: {result.error}",
            "a model of several numbers (classes, or steps of a process reward) is not audited "
            "through an endpoint"
            if several
            else "check that it serves a reward model of one number",
        )

    @property
    def _place(self) -> str:
        return self._service.endpoints[0].url + self._route.path


def _scored(one: _Sent, result: ScoreResult) -> Scored:
    tokens = one.tokens or result.tokens or 0
    if result.rows is not None and tokens and result.rows != tokens:
        return Scored(one.key, None, tokens, f"bad answer: {result.rows} rows of {tokens} tokens")
    return Scored(one.key, result.score, tokens, result.error)


def _longer(messages: tuple[dict[str, str], ...]) -> tuple[dict[str, str], ...]:
    *before, last = messages
    return (*before, {**last, "content": last["content"] + _MORE})
