"""What both engines for reward heads share: conversations to token ids, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.engines.base import TOO_LONG
from rmaudit.engines.chat import Chat
from rmaudit.engines.scores import Scored, ScoreRequest
from rmaudit.records import Key


class ScoreTokens(NamedTuple):
    """A conversation as the model reads it."""

    key: Key
    ids: list[int]


def encoded(
    tokenizer: Any, path: Path, requests: Iterable[ScoreRequest], *, context: int | None
) -> tuple[list[ScoreTokens], list[Scored]]:
    """Conversations that fit, longest first, and those that do not.

    The checkpoint's own chat template renders a conversation that is over: nothing follows the
    response. There is one BOS where its template or tokenizer has one.

    Raises:
        InputError: the template refuses a conversation.
    """
    chat = Chat(tokenizer, path, opens=False)
    fitting: list[ScoreTokens] = []
    too_long: list[Scored] = []
    for request in requests:
        ids = chat.encode(request.messages)
        if context is not None and len(ids) > context:
            too_long.append(Scored(request.key, None, len(ids), TOO_LONG))
        else:
            fitting.append(ScoreTokens(request.key, ids))
    fitting.sort(key=lambda one: -len(one.ids))
    return fitting, too_long
