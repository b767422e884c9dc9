"""What each provider answers, sent by a stand-in server: what becomes of the row, and of the next
request."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fault_server import FaultServer

from rmaudit.engines.answered_by import same_model
from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.completions import Incomplete, read_completion
from rmaudit.engines.error_body import error_status, read_error
from rmaudit.engines.openai import OpenAIEngine
from rmaudit.engines.providers import TABLE, finish_of
from rmaudit.errors import InputError
from rmaudit.parsing.generations import judge_generation
from rmaudit.records import Generation, Key
from rmaudit.run.files import GENERATIONS

REPLIES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("provider_replies.toml").read_text(encoding="utf-8")
)["reply"]
BUDGET = 64


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with FaultServer() as started:
        yield started


def ask(server: FaultServer, *, prompt: str, **options: Any) -> tuple[Generation, OpenAIEngine]:
    """One completion, with two tries."""
    engine = OpenAIEngine("judge", (server.url,), **{"max_retries": 1} | options)
    request = Request(Key("i"), ({"role": "user", "content": prompt},), seed=1)
    (generation,) = engine.complete([request], Sampling(max_tokens=BUDGET))
    return generation, engine


@pytest.mark.parametrize("reply", REPLIES, ids=[reply["name"] for reply in REPLIES])
def test_a_reply(server: FaultServer, reply: dict[str, Any]) -> None:
    server.given, prompt = (reply["status"], reply["body"].encode()), reply["name"]
    server.fault = lambda prompt, nth: "given"
    found, engine = ask(server, prompt=prompt)
    assert found.server is not None
    assert judge_generation(found, max_reasons=5).outcome == reply["outcome"]
    assert found.server.code == reply.get("code")
    assert found.server.finish_reason == reply.get("finish")
    if reply["status"] != 200:
        assert found.server.status == reply["status"]
    if "thinking" in reply:
        assert found.thinking == reply["thinking"]
    if reply["outcome"] != "error" or "tokens_in" in reply:
        assert found.tokens_in == reply.get("tokens_in", found.tokens_in)
    left_out = reply.get("not_sent", [])
    assert engine.describe()["not_sent"] == left_out
    assert server.tries[prompt] == reply.get("tries", 1) + len(left_out)


def test_options_go_one_at_a_time_and_each_row_says_which() -> None:
    with FaultServer(refuses=("temperature", "seed")) as server:
        found, engine = ask(server, prompt="hm")
    assert found.server is not None
    assert found.server.not_sent == ("temperature", "seed")
    assert engine.describe()["not_sent"] == ["temperature", "seed"]
    left = [{"temperature", "top_p", "seed"} & body.keys() for body in server.bodies]
    assert [len(before - after) for before, after in pairwise(left)] == [1, 1]
    assert left[-1] == {"top_p"}


def test_a_row_keeps_what_is_not_read() -> None:
    """Text that was let through, and a call, are there for a person to see."""
    replies = {reply["name"]: reply["body"].encode() for reply in REPLIES}
    with FaultServer(fault=lambda prompt, nth: "given") as server:
        server.given = (200, replies["Anthropic gateway: a classifier stopped the answer"])
        assert ask(server, prompt="a")[0].text == "1. B"
        server.given = (200, replies["tool calls in place of a text"])
        assert '"name": "decide"' in ask(server, prompt="b")[0].text


def test_a_request_that_drips_ends_at_its_deadline() -> None:
    with FaultServer(fault=lambda prompt, nth: "drips") as server:
        found, _ = ask(server, prompt="a", deadline=0.4)
        assert found.error == "no answer within 0.4 s"
        assert found.seconds is not None
        assert found.seconds < 2
        # Each try ends by its own limit, and the next one may be luckier.
        server.fault = lambda prompt, nth: None if nth else "drips"
        assert ask(server, prompt="b", timeout=0.4)[0].text == "fine"


def test_a_wait_is_cut_at_our_own_limit() -> None:
    def once(prompt: str, nth: int) -> str | None:
        return None if nth else "Retry-After an hour"

    with FaultServer(fault=once) as server:
        found, _ = ask(server, prompt="a", retry_after_limit=0.3)
    first, second = server.times["a"]
    assert found.text == "fine"
    assert 0.3 <= second - first < 2


def test_another_model_than_asked() -> None:
    with FaultServer(says="gpt-cheap") as server:
        with pytest.raises(InputError, match="answers with the model 'gpt-cheap', asked was") as no:
            ask(server, prompt="a")
        assert "--allow-other-model" in no.value.hint
        found, engine = ask(server, prompt="a", allow_other_model=True)
        assert found.server is not None
        assert found.server.model == "gpt-cheap"
        assert engine.describe()["answered_by"] == ["gpt-cheap"]
        # A router that falls back to another model later: its answers are no answers of this one.
        names = ["judge", "gpt-cheap", "judge-2026-01-01"]
        engine = OpenAIEngine("judge", (server.url,), concurrency=1, max_retries=0)
        prompts = [({"role": "user", "content": str(n)},) for n in range(3)]
        server.fault = lambda prompt, nth: setattr(server, "says", names[int(prompt)])
        rows = list(
            engine.complete((Request(Key(str(n)), p, 0) for n, p in enumerate(prompts)), Sampling())
        )
    assert [row.error for row in rows] == [None, "answered by another model", None]


@pytest.mark.parametrize(
    ("asked", "said", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4o", "GPT-4o", True),
        ("gpt-4", "gpt-4-0613", True),
        ("openai/gpt-4o", "gpt-4o-2024-08-06", True),
        ("mistral-large-latest", "mistral-large-2411", True),
        ("llama3", "llama3:latest", True),
        ("claude", "claude-20250514", True),
        ("models/gemini", "gemini", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4o", "gpt-4o-mini-2024-07-18", False),
        ("gpt-4-0613", "gpt-4-0314", False),
        ("gpt-4-0613", "gpt-4", False),
        ("meta/llama", "other/llama", False),
        ("qwen-7b", "qwen-72b", False),
        ("m", "", False),
    ],
)
def test_names_of_one_model(asked: str, said: str, same: bool) -> None:
    assert same_model(asked, said) is same
    assert same_model("served", said, (asked,)) is same


def test_the_table_names_each_code_once() -> None:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    codes = [name for code in table["code"] for name in code["names"]]
    reasons = [name for names in table["finish"].values() for name in names]
    assert len(codes) == len(set(codes))
    assert len(reasons) == len(set(reasons))
    assert finish_of("STOP") == finish_of(None) == finish_of("anything") == "stop"


FIELDS = (
    "error message detail code type loc param content text choices usage finish_reason model "
    "tool_calls completion_tokens"
).split()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)
    ),
    max_leaves=12,
)
BODIES = st.binary() | JSON.map(repr) | JSON.map(json.dumps)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([200, 400, 403, 422, 429, 500]), BODIES)
def test_no_body_breaks_the_reader_of_errors(status: int, body: bytes | str) -> None:
    raw = body if isinstance(body, bytes) else body.encode("utf-8", "replace")
    found = read_error(status, raw)
    assert found.code is None or (len(found.code) <= 61 and found.code.isascii())
    assert error_status(raw) in (None, *range(400, 600))


@settings(max_examples=60, deadline=None)
@given(JSON, JSON, st.sampled_from(["stop", "length", "content_filter", "", None, 3]))
def test_no_message_breaks_the_reader_of_answers(message: Any, usage: Any, finish: Any) -> None:
    choice = {"message": message, "finish_reason": finish}
    body = json.dumps({"model": message, "choices": [choice], "usage": usage})
    try:
        found = read_completion(body.encode()).generation(Key("i"), budget=BUDGET, seconds=0.1)
    except Incomplete:
        return
    row = GENERATIONS.decode(GENERATIONS.encode(found).encode())
    assert row == found


def test_a_message_of_endless_parts_is_no_answer() -> None:
    part = '{"type": "text", "text": ['
    body = f'{{"choices": [{{"message": {{"content": [{part * 400}{"]}" * 400}]}}}}]}}'
    with pytest.raises(Incomplete, match="not JSON"):
        read_completion(body.encode())
