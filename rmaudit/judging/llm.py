"""A language model as MetaJudge, over any engine.

One call a request gives the full matrix of non-zero pairs. Identical content is asked once; an
answer that is cut or malformed is asked once more, with another seed and more room, and is then a
failure, never zeros.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from threading import Lock
from typing import Any

from rmaudit.engines.base import TOO_LONG, Engine, Request, Sampling
from rmaudit.judging.answer_cache import AnswerCache, Answered
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, JudgeTraits
from rmaudit.judging.metajudge_answer import Malformed, read_matrix
from rmaudit.judging.metajudge_prompt import (
    View,
    match_prompt,
    match_schema,
    sided_references,
    templates,
)
from rmaudit.records import Generation, Key
from rmaudit.rows import NO_USE, JudgeUse

CHANCE_ITEMS = 200
STRUCTURED = {"vllm": "json_schema", "transformers": "prompt"}
"""How an engine is held to the schema, where it does not say so itself; `prompt`: in words only."""
NO_ANSWER = "no answer"
"""Failures that begin so are the engine's, not the model's: a resume asks again."""
MAX_TOKENS = 2048
MORE_ROOM = 4
"""A second attempt has so many times the room of the first."""


class LlmJudge:
    """Scores reasons by asking the model behind an engine."""

    def __init__(
        self,
        spec: str,
        engine: Engine,
        *,
        view: View,
        digest: str,
        cache: AnswerCache,
        at_endpoint: bool,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        """A judge; nothing is loaded or called yet.

        Args:
            spec: as given, without secrets.
            engine: who completes the prompts.
            view: what the judge sees, `full` or `lists`.
            digest: what the model is: the hash of a checkpoint, or the name at an endpoint.
            cache: earlier answers.
            at_endpoint: the engine waits for a server.
            max_tokens: room for an answer, thinking included.
        """
        self.spec, self.engine, self.view, self.digest = spec, engine, view, digest
        self.cache = cache
        # A greedy answer would come again as it was, so the second attempt draws.
        self.samplings = (
            Sampling(temperature=0.0, max_tokens=max_tokens),
            Sampling(temperature=0.6, max_tokens=max_tokens * MORE_ROOM),
        )
        self.templates = templates()
        self.traits = JudgeTraits(at_endpoint=at_endpoint, calls=True, chance_items=CHANCE_ITEMS)
        self.neutralised = 0

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """See the protocol; answers that need no call come at once, repeated calls at the end."""
        desk = _Desk(self)
        stream = iter(requests)
        for request in stream:
            asked = desk.take(request)
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

    def identity(self) -> dict[str, Any]:
        """Model, view and prompt."""
        return {
            "judge": self.spec,
            "judge_view": self.view,
            "judge_digest": self.digest,
            "judge_prompt": "/".join(template.sha256 for template in self.templates),
            "judge_max_tokens": self.samplings[0].max_tokens,
        }

    def describe(self) -> dict[str, Any]:
        """What the manifest records; what the engine knows only later is there after the work."""
        engine = self.engine.describe()
        return {
            "spec": self.spec,
            "digest": self.digest,
            "view": self.view,
            "approximate": False,
            "prompts": {template.name: template.sha256 for template in self.templates},
            "engine": {"name": self.engine.name, **engine},
            "structured_output": engine.get("structured_output", STRUCTURED.get(self.engine.name)),
            "sampling": {
                f"{attempt}_{name}": value
                for attempt, sampling in zip(("first", "again"), self.samplings, strict=True)
                for name, value in asdict(sampling).items()
            },
            "chance_items": CHANCE_ITEMS,
            "neutralised_delimiters": self.neutralised,
        }

    def close(self) -> None:
        """Frees the engine."""
        self.engine.close()


@dataclass(slots=True)
class _Case:
    """One prompt, and everybody who waits for its answer."""

    digest: str
    messages: tuple[dict[str, str], ...]
    schema: dict[str, Any]
    shape: tuple[int, int]
    waiting: list[JudgeRequest] = field(default_factory=list)
    repeated: bool = False
    use: JudgeUse = NO_USE

    def request(self) -> Request:
        """For the engine. The seed follows from the content: the same in every run."""
        seed = int(self.digest[:8], 16) >> 1
        key = Key(self.digest)
        return Request(key, self.messages, seed ^ int(self.repeated), self.schema)


class _Desk:
    """The state of one pass of `LlmJudge.judge`.

    `take` may run in the engine's thread while `receive` runs in the caller's, hence the lock.
    """

    def __init__(self, judge: LlmJudge) -> None:
        self._judge = judge
        self._lock = Lock()
        self._open: dict[str, _Case] = {}
        self._repeats: dict[str, _Case] = {}
        self._ready: deque[JudgeAnswer] = deque()

    def take(self, request: JudgeRequest) -> Request | None:
        """What to ask the model for this request; None where nothing is, or not now."""
        if not request.reasons:
            empty = ((),) * len(request.references.reasons)
            self._ready.append(JudgeAnswer(request.key, request.purpose, empty))
            return None
        case, neutralised = self._case(request)
        with self._lock:
            self._judge.neutralised += neutralised
            if pending := self._open.get(case.digest) or self._repeats.get(case.digest):
                pending.waiting.append(request)
                return None
            case.waiting.append(request)
            known = self._judge.cache.get(self._key(case))
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
                self._judge.cache.put(self._key(case), generation)
                self._settle(case, Answered(generation.text, generation.finish_reason == "length"))

    def ready(self) -> Iterator[JudgeAnswer]:
        """Answers that are complete."""
        while self._ready:
            yield self._ready.popleft()

    def repeats(self) -> list[Request]:
        """The second attempts, once the stream is over."""
        self._open, self._repeats = self._repeats, {}
        return [case.request() for case in self._open.values()]

    def _settle(self, case: _Case, answered: Answered) -> None:
        """Answers whoever waits, or puts the case down for a second attempt."""
        case.use = case.use._replace(cached=answered.earlier)
        refs, reasons = case.shape
        try:
            if answered.cut:
                raise Malformed("it is cut: the model did not end within its budget")
            read = read_matrix(answered.text, n_refs=refs, n_reasons=reasons)
        except Malformed as why:
            if case.repeated:
                self._answer(case, raw=answered.text, failure=f"unreadable answer: {why}")
                return
            case.repeated = True
            known = self._judge.cache.get(self._key(case))
            if known is not None:
                self._settle(case, known)
            else:
                self._repeats[case.digest] = case
            return
        case.use = case.use._replace(snapped=read.snapped)
        self._answer(case, matrix=read.matrix, raw=answered.text)

    def _answer(
        self,
        case: _Case,
        *,
        matrix: tuple[tuple[float, ...], ...] = (),
        raw: str | None = None,
        failure: str | None = None,
    ) -> None:
        """The same answer to all who wait; the first of them bears the cost."""
        use = case.use
        for request in case.waiting:
            self._ready.append(JudgeAnswer(request.key, request.purpose, matrix, raw, failure, use))
            use = JudgeUse(cached=use.cached)

    def _case(self, request: JudgeRequest) -> tuple[_Case, int]:
        references = sided_references(request.references)
        prompt = match_prompt(request.item, references, request.reasons, view=self._judge.view)
        shape = len(references), len(request.reasons)
        schema = match_schema(*shape)
        digest = _digest([prompt.messages, schema])
        return _Case(digest, prompt.messages, schema, shape), prompt.neutralised

    def _key(self, case: _Case) -> str:
        """Everything that decides the answer."""
        judge = self._judge
        sampling = judge.samplings[case.repeated]
        return _digest([judge.spec, judge.digest, case.digest, asdict(sampling)])


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _error(generation: Generation) -> str:
    if generation.error == TOO_LONG:
        return f"the prompt of {generation.tokens_in} tokens does not fit the judge's context"
    return f"{NO_ANSWER}: {generation.error}"
