"""What a model that scores is shown: each response of an item alone, and edits of it."""

from __future__ import annotations

from collections.abc import Iterable

from rmaudit.checklists.schema import Item
from rmaudit.engines.base import Request
from rmaudit.engines.scores import ScoreRequest
from rmaudit.records import Key, Side
from rmaudit.run.sensitivity import SIDES, base_key, edits
from rmaudit.scan.target import Target


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


def prompts_of(
    target: Target, items: Iterable[Item], requests: Iterable[Request], *, edited: bool = True
) -> list[ScoreRequest]:
    """What a model that scores is asked: conversations as they are, or prompts about them."""
    if target.scores_pairs:
        return [ScoreRequest(request.key, request.messages) for request in requests]
    alone = score_requests(known := list(items), edited=edited)
    if not target.prompted:
        return alone
    item_of = {item.id: item for item in known}
    return [_prompt(target, item_of[one.key.item], one) for one in alone]


def _prompt(target: Target, item: Item, request: ScoreRequest) -> ScoreRequest:
    side: Side = "b" if request.key.slot == "b" else "a"
    edited = item.model_copy(update={f"response_{side}": request.messages[-1]["content"]})
    prompt = target.profile.render_alone(edited, side, max_reasons=0)
    return ScoreRequest(request.key, prompt.messages)


def _request(item: Item, key: Key, text: str) -> ScoreRequest:
    turns = ({"role": turn.role, "content": turn.content} for turn in item.prompt)
    return ScoreRequest(key, (*turns, {"role": "assistant", "content": text}))
