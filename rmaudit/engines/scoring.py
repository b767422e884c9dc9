"""What both engines for reward heads share: conversations to batches, and what does not fit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.engines.base import TOO_LONG
from rmaudit.engines.chat import Chat
from rmaudit.engines.scores import Scored, ScoreRequest, WritesNothing
from rmaudit.engines.tokenizer import load_tokenizer
from rmaudit.records import Key


class ScoreTokens(NamedTuple):
    """A conversation as the model reads it."""

    key: Key
    ids: list[int]


class RewardHead(WritesNothing, ABC):
    """A folder with a reward head behind the protocol of scores, but for what runs it.

    context: tokens of a conversation at most, None where the config does not say. batch_size: so
    many conversations are handed over at once; what is finished is kept at a stop.
    """

    def __init__(self, path: Path, *, context: int | None, batch_size: int) -> None:
        self.path = path
        self.context = context
        self.batch_size = batch_size
        self._tokenizer: Any = None
        self._chat: Chat | None = None
        self._described: dict[str, Any] = {"context": context}

    def describe(self) -> dict[str, Any]:
        """Versions, device, dtype, context, as far as known."""
        return self._described

    def score(self, requests: Iterable[ScoreRequest]) -> Iterator[Scored]:
        """Longest conversations first, a batch at a time; see the protocol.

        Raises:
            InputError: the model cannot be loaded, or its template refuses a conversation.
            RmauditError: it stopped while working, or gives no raw scores.
        """
        fitting, too_long = self._encoded(requests)
        yield from too_long
        if fitting:
            self._start(len(fitting[0].ids))
        for start in range(0, len(fitting), self.batch_size):
            yield from self._batch(fitting[start : start + self.batch_size])

    @abstractmethod
    def _start(self, longest: int) -> None:
        """Loads the model if it is not there; `longest`: tokens of a conversation."""

    @abstractmethod
    def _batch(self, batch: Sequence[ScoreTokens]) -> Iterator[Scored]:
        """The scores of some conversations."""

    def _encoded(self, requests: Iterable[ScoreRequest]) -> tuple[list[ScoreTokens], list[Scored]]:
        """Conversations that fit, longest first, and those that do not.

        The checkpoint's own chat template renders a conversation that is over: nothing follows the
        response. There is one BOS where its template or tokenizer has one.
        """
        fitting: list[ScoreTokens] = []
        too_long: list[Scored] = []
        for request in requests:
            if self._chat is None:
                self._tokenizer = load_tokenizer(self.path)
                self._chat = Chat(self._tokenizer, self.path, opens=False)
            ids = self._chat.encode(request.messages)
            if self.context is not None and len(ids) > self.context:
                too_long.append(Scored(request.key, None, len(ids), TOO_LONG))
            else:
                fitting.append(ScoreTokens(request.key, ids))
        fitting.sort(key=lambda one: -len(one.ids))
        return fitting, too_long
