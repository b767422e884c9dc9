"""What a model that scores is shown: each response of an item alone, and edits of it."""

from __future__ import annotations

from collections.abc import Iterable

from rmaudit.checklists.schema import Item
from rmaudit.engines.scores import ScoreRequest
from rmaudit.records import Key
from rmaudit.run.sensitivity import SIDES, base_key, edits


def score_requests(items: Iterable[Item], *, edited: bool = True) -> list[ScoreRequest]:
    """The conversation with each response of each item; nothing is said around it.

    edited: also with each repair and neutral edit of a response, where items have repairs.
    """
    return [
        _request(item, key, text)
        for item in items
        for key, text in (
            *((base_key(item, side), item.response(side)) for side in SIDES),
            *((key, text) for key, _, text in (edits(item) if edited else ())),
        )
    ]


def _request(item: Item, key: Key, text: str) -> ScoreRequest:
    turns = ({"role": turn.role, "content": turn.content} for turn in item.prompt)
    return ScoreRequest(key, (*turns, {"role": "assistant", "content": text}))
