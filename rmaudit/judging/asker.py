"""Asks a language model questions with a strict answer: one call, one retry, a cache, the cost.

Identical content is asked once. An answer that is cut or malformed is asked for once more, with
another seed and more room, and is then a failure, never an empty answer. What a question is about
and what an answer says is the business of who asks: a MetaJudge, a labeller.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from rmaudit.engines.base import Engine, Request, Sampling
from rmaudit.judging.answer_cache import AnswerCache, Answered
from rmaudit.judging.answers import Malformed
from rmaudit.prompts import Prompt
from rmaudit.records import FILTERED, TOO_LONG, Generation, Key
from rmaudit.run.rows import NO_USE, JudgeUse

NO_ANSWER = "no answer"
"""Failures that begin so are the engine's, not the model's: a resume asks again."""
MAX_TOKENS = 2048
MORE_ROOM = 4
"""A second attempt has so many times the room of the first."""
STRUCTURED = {"vllm": "json_schema", "transformers": "prompt"}
"""How an engine is held to the schema, where it does not say so itself; `prompt`: in words only."""

R = TypeVar("R")
V = TypeVar("V")


def answered(failure: str | None) -> bool:
    """Whether the engine answered, if only with what could not be read."""
    return failure is None or not failure.startswith(NO_ANSWER)


class Read(NamedTuple, Generic[V]):
    """What an answer says, and how many of its values were moved to allowed ones."""

    value: V
    snapped: int = 0


@dataclass(frozen=True, slots=True)
class Question(Generic[R, V]):
    """What is asked for a request.

    `read` gives what an answer's text says, or raises `Malformed`.
    """

    request: R
    prompt: Prompt
    schema: dict[str, Any]
    read: Callable[[str], Read[V]]


@dataclass(frozen=True, slots=True)
class Reply(Generic[R, V]):
    """What became of a request; `value` is None where `failure` says why there is none."""

    request: R
    value: V | None
    raw: str | None = None
    failure: str | None = None
    use: JudgeUse = NO_USE


class Asker:
    """A model that answers questions."""

    def __init__(
        self,
        spec: str,
        engine: Engine,
        *,
        digest: str,
        cache: AnswerCache,
        at_endpoint: bool,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        """Nothing is loaded or called yet.

        Args:
            spec: as given, without secrets.
            engine: who completes the prompts.
            digest: what the model is: the hash of a checkpoint, or the name at an endpoint.
            cache: earlier answers.
            at_endpoint: the engine waits for a server.
            max_tokens: room for an answer, thinking included.
        """
        self.spec, self.engine, self.digest = spec, engine, digest
        self.cache, self.at_endpoint = cache, at_endpoint
        # A greedy answer would come again as it was, so the second attempt draws.
        self.samplings = (
            Sampling(temperature=0.0, max_tokens=max_tokens),
            Sampling(temperature=0.6, max_tokens=max_tokens * MORE_ROOM),
        )

    def ask(
        self, questions: Iterable[Question[R, V] | Reply[R, V]]
    ) -> Generator[Reply[R, V], None, None]:
        """One reply for each question, in any order; a reply among the questions passes through.

        What needs no call comes at once, repeated calls at the end.
        """
        desk: _Desk[R, V] = _Desk(self)
        stream = iter(questions)
        for question in stream:
            asked = desk.take(question)
            if asked is not None:
                # From here on the engine draws from the stream, perhaps in a thread of its own.
                more = (one for one in map(desk.take, stream) if one is not None)
                for generation in self.engine.complete(chain([asked], more), self.samplings[0]):
                    desk.receive(generation)
                    yield from desk.ready()
            yield from desk.ready()
        if repeats := desk.repeats():
            for generation in self.engine.complete(repeats, self.samplings[1]):
                desk.receive(generation)
                yield from desk.ready()

    def describe(self) -> dict[str, Any]:
        """What the manifest records; what the engine knows only later is there after the work."""
        engine = self.engine.describe()
        return {
            "spec": self.spec,
            "digest": self.digest,
            "approximate": False,
            "engine": {"name": self.engine.name, **engine},
            "structured_output": engine.get("structured_output", STRUCTURED.get(self.engine.name)),
            "sampling": {
                f"{attempt}_{name}": value
                for attempt, sampling in zip(("first", "again"), self.samplings, strict=True)
                for name, value in asdict(sampling).items()
            },
        }

    def close(self) -> None:
        """Frees the engine."""
        self.engine.close()


@dataclass(slots=True)
class _Case(Generic[R, V]):
    """One prompt, and everybody who waits for its answer."""

    digest: str
    question: Question[R, V]
    waiting: list[R] = field(default_factory=list)
    repeated: bool = False
    use: JudgeUse = NO_USE

    def request(self) -> Request:
        """For the engine. The seed follows from the content: the same in every run."""
        seed = int(self.digest[:8], 16) >> 1
        question = self.question
        messages, schema = question.prompt.messages, question.schema
        return Request(Key(self.digest), messages, seed ^ int(self.repeated), schema)


class _Desk(Generic[R, V]):
    """The state of one pass of `Asker.ask`.

    `take` may run in the engine's thread while `receive` runs in the caller's, hence the lock.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._lock = Lock()
        self._open: dict[str, _Case[R, V]] = {}
        self._repeats: dict[str, _Case[R, V]] = {}
        self._ready: deque[Reply[R, V]] = deque()

    def take(self, question: Question[R, V] | Reply[R, V]) -> Request | None:
        """What to ask the model; None where nothing is, or not now."""
        if isinstance(question, Reply):
            self._ready.append(question)
            return None
        case = _Case(_digest([question.prompt.messages, question.schema]), question)
        with self._lock:
            if pending := self._open.get(case.digest) or self._repeats.get(case.digest):
                pending.waiting.append(question.request)
                return None
            case.waiting.append(question.request)
            known = self._asker.cache.get(self._key(case))
            if known is not None:
                self._settle(case, known)
                return None
            self._open[case.digest] = case
            return case.request()

    def receive(self, generation: Generation) -> None:
        """Takes the model's answer to a case that is open."""
        with self._lock:
            case = self._open.pop(generation.key.item)
            case.use = case.use.plus(
                JudgeUse(
                    calls=1,
                    retries=int(case.repeated),
                    tokens_in=generation.tokens_in or 0,
                    tokens_out=generation.tokens_out or 0,
                )
            )
            if generation.finish_reason == "error":
                self._answer(case, failure=_error(generation))
            else:
                self._asker.cache.put(self._key(case), generation)
                self._settle(case, Answered(generation.text, generation.finish_reason == "length"))

    def ready(self) -> Iterator[Reply[R, V]]:
        """Replies that are complete."""
        while self._ready:
            yield self._ready.popleft()

    def repeats(self) -> list[Request]:
        """The second attempts, once the stream is over."""
        self._open, self._repeats = self._repeats, {}
        return [case.request() for case in self._open.values()]

    def _settle(self, case: _Case[R, V], answered: Answered) -> None:
        """Replies to whoever waits, or puts the case down for a second attempt."""
        case.use = case.use._replace(cached=answered.earlier)
        try:
            if answered.cut:
                raise Malformed("it is cut: the model did not end within its budget")
            read = case.question.read(answered.text)
        except Malformed as why:
            if case.repeated:
                self._answer(case, raw=answered.text, failure=f"unreadable answer: {why}")
                return
            case.repeated = True
            known = self._asker.cache.get(self._key(case))
            if known is not None:
                self._settle(case, known)
            else:
                self._repeats[case.digest] = case
            return
        case.use = case.use._replace(snapped=read.snapped)
        self._answer(case, read.value, raw=answered.text)

    def _answer(
        self,
        case: _Case[R, V],
        value: V | None = None,
        *,
        raw: str | None = None,
        failure: str | None = None,
    ) -> None:
        """The same reply to all who wait; the first of them bears the cost."""
        use = case.use
        for request in case.waiting:
            self._ready.append(Reply(request, value, raw, failure, use))
            use = JudgeUse(cached=use.cached)

    def _key(self, case: _Case[R, V]) -> str:
        """Everything that decides the answer."""
        asker = self._asker
        sampling = asker.samplings[case.repeated]
        return _digest([asker.spec, asker.digest, case.digest, asdict(sampling)])


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _error(generation: Generation) -> str:
    if generation.error == TOO_LONG:
        return f"the prompt of {generation.tokens_in} tokens does not fit the model's context"
    if generation.error == FILTERED:
        return "the provider kept the answer back"
    return f"{NO_ANSWER}: {generation.error}"
