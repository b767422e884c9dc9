"""What endpoints that score answer, read into numbers. Pure.

A reply that is whole but for one number keeps the others: each result has its number, or why there
is none. Numbers are taken as JSON numbers only: a text, null, true or NaN is no score.

    vLLM /classify          {"model", "data": [{"index", "probs": [x]}], "usage": {"prompt_tokens"}}
    vLLM /pooling           {"model", "data": [{"index", "data": [[x], ...]}], ...}, one row a token
    SGLang /classify        [{"embedding": [x], "meta_info": {"prompt_tokens"}}], or one such object
    OpenRLHF /get_reward    {"rewards": [x, ...]}
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rmaudit.engines.completions import Incomplete

NO_NUMBER = "bad answer: no number"


class ScoreResult(NamedTuple):
    """The score of one conversation, or why there is none.

    rows: of how many tokens there are numbers, None where the reply has one for the whole.
    """

    score: float | None
    error: str | None = None
    tokens: int | None = None
    rows: int | None = None


class ScoreReply(NamedTuple):
    """The results in the order of the request; `model` as the server names it."""

    results: tuple[ScoreResult, ...]
    model: str | None = None


Reader = Callable[[bytes], ScoreReply]


def read_classify(body: bytes) -> ScoreReply:
    """The reply of vLLM's `/classify`.

    Raises:
        Incomplete: it is none.
    """
    return _listed(_loaded(body), lambda one: _only(one.get("probs")))


def read_pooling(body: bytes) -> ScoreReply:
    """The reply of vLLM's `/pooling` for a head over tokens: the number of the last one counts.

    Raises:
        Incomplete: it is none.
    """
    return _listed(_loaded(body), lambda one: _last_token(one.get("data")))


def read_sglang(body: bytes) -> ScoreReply:
    """The reply of SGLang's `/classify`; its results have no index, and stand as they were asked.

    Raises:
        Incomplete: it is none.
    """
    found = _loaded(body)
    found = [found] if isinstance(found, dict) else found
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Incomplete("bad answer: no list of results")
    if not all("embedding" in one for one in found):
        raise Incomplete("bad answer: no embedding")
    return ScoreReply(tuple(_sglang(one) for one in found))


def read_get_reward(body: bytes) -> ScoreReply:
    """The reply of OpenRLHF's `/get_reward`.

    Raises:
        Incomplete: it is none.
    """
    found = _loaded(body)
    rewards = found.get("rewards") if isinstance(found, dict) else None
    if not isinstance(rewards, list):
        raise Incomplete("bad answer: no rewards")
    return ScoreReply(tuple(_only(one if isinstance(one, list) else [one]) for one in rewards))


def in_order(reply: ScoreReply, asked: int) -> ScoreReply:
    """The reply, if it has one result for each of `asked` conversations.

    Raises:
        Incomplete: it has more or fewer, so that nobody knows which is whose.
    """
    if len(reply.results) != asked:
        raise Incomplete(f"bad answer: {len(reply.results)} results for {asked}")
    return reply


def _loaded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Incomplete("bad answer: not JSON") from None


def _listed(found: Any, read: Callable[[dict[str, Any]], ScoreResult]) -> ScoreReply:
    """Results that say by `index` whose they are."""
    data = found.get("data") if isinstance(found, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise Incomplete("bad answer: no list of results")
    places = [one.get("index") for one in data]
    if not all(type(place) is int for place in places) or sorted(places) != [*range(len(data))]:
        raise Incomplete("bad answer: results without an index each")
    results = [read(one) for one in sorted(data, key=lambda one: int(one["index"]))]
    usage = found.get("usage")
    told = _count(usage.get("prompt_tokens")) if isinstance(usage, dict) else None
    if len(results) == 1:
        results = [results[0]._replace(tokens=told)]
    model = found.get("model")
    return ScoreReply(tuple(results), model if isinstance(model, str) and model else None)


def _sglang(one: dict[str, Any]) -> ScoreResult:
    told = one.get("meta_info")
    tokens = _count(told.get("prompt_tokens")) if isinstance(told, dict) else None
    return _only(one["embedding"])._replace(tokens=tokens)


def _only(values: Any) -> ScoreResult:
    """The one number of a list of one."""
    if not isinstance(values, list):
        return ScoreResult(None, NO_NUMBER)
    if len(values) != 1:
        return ScoreResult(
            None, f"bad answer: {len(values)} numbers where a reward model gives one"
        )
    return _number(values[0])


def _last_token(rows: Any) -> ScoreResult:
    """The number of the last of the tokens, each of which has a list of one.

    A flat list of several could be one vector as well as the numbers of tokens: it is not guessed.
    """
    if not isinstance(rows, list) or not rows:
        return ScoreResult(None, NO_NUMBER)
    if not isinstance(rows[-1], list):
        return _only(rows)
    return _only(rows[-1])._replace(rows=len(rows))


def _number(value: Any) -> ScoreResult:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ScoreResult(None, NO_NUMBER)
    try:
        score = float(value)
    except OverflowError:
        score = math.inf
    return (
        ScoreResult(score)
        if math.isfinite(score)
        else ScoreResult(None, "bad answer: no finite number")
    )


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def several_numbers(results: Sequence[ScoreResult]) -> bool:
    """Whether the results say that the model gives more than one number."""
    return any(one.error is not None and "numbers where" in one.error for one in results)
