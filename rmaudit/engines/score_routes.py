"""The endpoints that score: how each is named as a target, what it is sent, how it is read.

    classify:MODEL@URL     vLLM /classify, a head on the sequence (`...ForSequenceClassification`)
    pooling:MODEL@URL      vLLM /pooling, a head on every token: the last token's number counts
    sglang:MODEL@URL       SGLang /classify (`--is-embedding`)
    get-reward:URL         OpenRLHF /get_reward (`serve_rm`)

A URL is that of the server, with or without `/v1`; several of one model share the load. The server
of vLLM renders a conversation with its own chat template, or is sent token ids where a tokenizer's
folder is given; the other two take rendered text only, so that they need one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rmaudit.engines.endpoints import Endpoint, endpoint_of, parse_spec, without_credentials
from rmaudit.engines.score_replies import (
    Reader,
    read_classify,
    read_get_reward,
    read_pooling,
    read_sglang,
)
from rmaudit.errors import InputError

Sends = Literal["messages", "ids", "text"]
_RAW = {"use_activation": False}


class SentAs(NamedTuple):
    """A conversation as it is sent. ids, text: rendered here, empty where the server renders."""

    messages: tuple[dict[str, str], ...]
    ids: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """One kind of endpoint.

    path: below the server's URL. read: its replies. body: of a request to score conversations
    raw. adds_bos: whether the server's tokenizer adds a BOS to a text. switch: whether a request
    says if an activation is applied. raw_hint: how to start the server so that
    its scores are raw. other: what to do where the server has no such path. head: what the model
    is taken for.
    """

    prefix: str
    path: str
    read: Reader
    body: Callable[[str, Sequence[SentAs]], dict[str, Any]]
    needs_tokenizer: bool
    adds_bos: bool
    switch: bool
    raw_hint: str
    other: str
    head: str = "scalar-seqcls"
    has_model: bool = True

    def sends(self, *, rendered: bool) -> Sends:
        """In which form conversations are sent."""
        if self.needs_tokenizer:
            return "text"
        return "ids" if rendered else "messages"


def _vllm(model: str, shown: Sequence[SentAs]) -> dict[str, Any]:
    if shown[0].ids:
        return {"model": model, "input": [list(one.ids) for one in shown]}
    (one,) = shown
    return {
        "model": model,
        "messages": list(one.messages),
        "add_generation_prompt": False,
        "add_special_tokens": False,
    }


def _classify(model: str, shown: Sequence[SentAs]) -> dict[str, Any]:
    return {**_vllm(model, shown), **_RAW}


def _pooling(model: str, shown: Sequence[SentAs]) -> dict[str, Any]:
    return {**_vllm(model, shown), "task": "token_classify", **_RAW}


def _sglang(model: str, shown: Sequence[SentAs]) -> dict[str, Any]:
    return {"model": model, "text": [one.text for one in shown]}


def _get_reward(model: str, shown: Sequence[SentAs]) -> dict[str, Any]:
    return {"query": [one.text for one in shown], "prompts": [_prompt(one) for one in shown]}


def _prompt(shown: SentAs) -> str:
    return "\n".join(turn["content"] for turn in shown.messages[:-1])


_VLLM_RAW = "start vLLM with --pooler-config '{\"use_activation\": false}'"
ROUTES = (
    Route(
        "classify:",
        "/classify",
        read_classify,
        _classify,
        needs_tokenizer=False,
        adds_bos=False,
        switch=True,
        raw_hint=_VLLM_RAW,
        other="start vLLM with --runner pooling; a head on every token is asked as "
        "pooling:MODEL@URL, a model that writes answers as openai:MODEL@URL/v1",
    ),
    Route(
        "pooling:",
        "/pooling",
        read_pooling,
        _pooling,
        needs_tokenizer=False,
        adds_bos=False,
        switch=True,
        raw_hint=_VLLM_RAW,
        other="start vLLM with --runner pooling; a head on the sequence "
        "(...ForSequenceClassification) is asked as classify:MODEL@URL",
        head="scalar-tokenhead",
    ),
    Route(
        "sglang:",
        "/classify",
        read_sglang,
        _sglang,
        needs_tokenizer=True,
        adds_bos=True,
        switch=False,
        raw_hint="serve the checkpoint so that its head's own number comes, without a sigmoid",
        other="start SGLang with --is-embedding",
    ),
    Route(
        "get-reward:",
        "/get_reward",
        read_get_reward,
        _get_reward,
        needs_tokenizer=True,
        adds_bos=False,
        switch=False,
        raw_hint="serve the model so that its head's own number comes, without a sigmoid",
        other="give the URL of OpenRLHF's serve_rm, or of a server with its interface",
        has_model=False,
    ),
)
_NO_ROUTE = "score:"


def route_of(spec: str) -> Route | None:
    """The kind of endpoint that a target names; None where it names another target.

    Raises:
        InputError: it names `/score`, whose number means nothing for a reward model.
    """
    if spec.startswith(_NO_ROUTE):
        raise _no_score(spec)
    return next((route for route in ROUTES if spec.startswith(route.prefix)), None)


def parse_target(route: Route, spec: str) -> tuple[str, tuple[Endpoint, ...]]:
    """Model ('' where the kind has none) and servers of a target.

    Raises:
        InputError: one is missing, cannot be read, or comes twice.
    """
    if route.has_model:
        model, urls = parse_spec(spec, prefix=route.prefix)
    else:
        model, urls = "", tuple(re.split(r",(?=https?://)", spec.removeprefix(route.prefix)))
    if not any(urls):
        raise InputError(
            f"{without_credentials(spec)} names no server",
            f"e.g. {route.prefix}{'my-model@' if route.has_model else ''}http://127.0.0.1:8000",
        )
    servers = tuple(_server(route, spec, endpoint_of(url)) for url in urls)
    for number, one in enumerate(servers):
        if one.url in [other.url for other in servers[:number]]:
            raise InputError(f"the server {one.url} comes twice", "name each server once")
    return model, servers


def _server(route: Route, spec: str, endpoint: Endpoint) -> Endpoint:
    """The root that `route.path` and `/v1/models` stand below, from any URL of the server."""
    if endpoint.url.endswith("/score"):
        raise _no_score(spec)
    url = endpoint.url.removesuffix(route.path).removesuffix("/v1")
    return Endpoint(url, endpoint.authorization)


def _no_score(spec: str) -> InputError:
    return InputError(
        f"{without_credentials(spec)}: /score compares two texts; for a reward model it answers "
        "with a number without meaning",
        "ask vLLM for the reward itself: classify:MODEL@URL",
    )
