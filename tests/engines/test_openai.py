"""The openai engine against a real server: what is sent, what is read, what is refused; the bridge
from its loop to a plain generator; and how endpoints and keys are named.
"""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fault_server import FaultServer

from rmaudit.engines.async_bridge import stream
from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.completions import Incomplete, read_completion
from rmaudit.engines.endpoints import (
    endpoint_of,
    parse_spec,
    read_key,
    served_as,
    without_credentials,
)
from rmaudit.engines.error_body import read_error
from rmaudit.engines.openai import OpenAIEngine
from rmaudit.errors import InputError, Interrupted
from rmaudit.records import Generation, Key

pytestmark = pytest.mark.slow
SCHEMA = {"type": "object", "properties": {"matches": {"type": "array"}}, "required": ["matches"]}


def request(number: int = 0, schema: dict[str, Any] | None = None) -> Request:
    messages = ({"role": "user", "content": f"prompt {number}"},)
    return Request(Key(f"i{number}"), messages, seed=number, schema=schema)


def one(server: FaultServer, fault: str | None = None, **more: Any) -> Generation:
    server.fault = lambda prompt, nth: fault
    engine = OpenAIEngine("judge", (server.url,), max_retries=0)
    (generation,) = engine.complete([request(**more)], Sampling())
    return generation


def test_what_an_answer_can_look_like() -> None:
    with FaultServer(lambda prompt: "yes") as server:
        plain = one(server)
        assert (plain.text, plain.finish_reason, plain.thinking) == ("yes", "stop", None)
        assert (plain.tokens_in, plain.tokens_out) == (len("prompt 0"), 3)
        assert plain.seconds is not None
        assert plain.seconds > 0
        for name in ("reasoning", "reasoning_content"):
            assert one(server, name).thinking == "hm"
            assert one(server, name).text == "yes"
        cut = one(server, "length")
        assert (cut.text, cut.finish_reason) == ("yes", "length")
        empty = one(server, "null, length")
        assert (empty.text, empty.finish_reason, empty.error) == ("", "length", None)
        assert one(server, "refusal").text == "I cannot."
        kept_back = one(server, "content_filter")
        assert (kept_back.text, kept_back.finish_reason) == ("I cannot", "error")
        assert kept_back.error == one(server, "filtered prompt").error == "filtered"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", "RateLimitError 429"),
        ("500", "InternalServerError 500"),
        ("bad schema", "BadRequestError 400 invalid_request_error"),
        ("garbage", "bad answer: not JSON"),
        ("half as a whole", "bad answer: not JSON"),
        ("no choices", "bad answer: no message"),
        ("abort", "bad answer: finish_reason abort"),
        ("half, then closed", "APIConnectionError RemoteProtocolError"),
    ],
)
def test_a_failure_is_a_row_with_a_short_reason(fault: str, error: str) -> None:
    with FaultServer() as server:
        failed = one(server, fault)
    assert failed.server is not None
    assert failed == Generation(
        Key("i0"), "", "error", seconds=failed.seconds, error=error, server=failed.server
    )


def test_retry_after_is_kept_to() -> None:
    with FaultServer(fault=lambda prompt, nth: "429 Retry-After" if nth < 2 else None) as server:
        engine = OpenAIEngine("judge", (server.url,))
        (done,) = engine.complete([request()], Sampling())
    first, second, third = server.times["prompt 0"]
    assert done.text == "fine"
    assert engine.describe()["retries"] == 2
    assert second - first >= 0.7
    assert third - second >= 0.7


def test_what_is_sent() -> None:
    with FaultServer(owned_by="vllm", context=100) as server:
        engine = OpenAIEngine("judge", (server.url,))
        list(engine.complete([request(7)], Sampling(0.5, 0.9, 20, 1024)))
        (sent,) = server.bodies
        messages = [{"role": "user", "content": "prompt 7"}]
        assert sent == {
            "model": "judge", "messages": messages, "temperature": 0.5, "top_p": 0.9, "seed": 7,
            "max_tokens": 50, "top_k": 20, "min_p": 0.0, "repetition_penalty": 1.0,
        }  # fmt: skip
        assert engine.describe()["context"] == 100
        assert engine.describe()["max_tokens"] == 50
    with FaultServer() as server:
        engine = OpenAIEngine("judge", (server.url,))
        list(engine.complete([request(7)], Sampling()))
        assert server.bodies[0].keys() == {
            "model", "messages", "temperature", "top_p", "seed", "max_tokens"
        }  # fmt: skip
        lone = Request(Key("s"), ({"role": "user", "content": "a\ud800b"},), seed=0)
        list(engine.complete([lone], Sampling()))
        assert server.bodies[1]["messages"][0]["content"] == "a?b"


def test_refused_options_are_worded_otherwise_or_left_out_and_recorded() -> None:
    with FaultServer(refuses=("max_tokens", "temperature", "top_k")) as server:
        engine = OpenAIEngine("judge", (server.url,), concurrency=4)
        found = list(engine.complete(map(request, range(20)), Sampling(top_k=5)))
    assert {one.text for one in found} == {"fine"}
    assert engine.describe()["budget_option"] == "max_completion_tokens"
    assert engine.describe()["not_sent"] == ["temperature", "top_k"]
    assert server.bodies[-1]["max_completion_tokens"] == 1024
    assert len(server.bodies) <= 20 + 3 * 4
    with FaultServer(refuses=("max_tokens", "max_completion_tokens")) as server:
        assert one(server).error == "BadRequestError 400 unsupported_parameter"


@pytest.mark.parametrize(
    ("takes", "refuses", "chosen"),
    [
        ("response_format", (), "json_schema"),
        ("structured_outputs", ("response_format",), "structured_outputs"),
        ("structured_outputs", (), "structured_outputs"),
        ("guided_json", ("structured_outputs",), "guided_json"),
        (None, (), "prompt"),
        (None, ("response_format", "structured_outputs", "guided_json"), "prompt"),
    ],
)
def test_structured_output(takes: str | None, refuses: tuple[str, ...], chosen: str) -> None:
    """A server that ignores a field is found out as well as one that refuses it."""
    with FaultServer(structured=takes, refuses=refuses) as server:
        engine = OpenAIEngine("judge", (server.url,), concurrency=4)
        found = list(engine.complete([request(n, SCHEMA) for n in range(8)], Sampling()))
        assert len(found) == 8
        assert engine.describe()["structured_output"] == chosen
        last = server.bodies[-1]
        probes = sum("colour" in body["messages"][0]["content"] for body in server.bodies)
        assert probes <= 3
        assert len(server.bodies) == 8 + probes
        if takes:
            assert {one.text for one in found} == {'{"matches": []}'}
            assert takes in last
        else:
            assert '"required": ["matches"]' in last["messages"][0]["content"]
        list(engine.complete([request(0, SCHEMA)], Sampling()))
        assert len(server.bodies) == 9 + probes


def test_a_schema_that_the_server_refuses_is_asked_in_words() -> None:
    def too_hard(prompt: str, nth: int) -> str | None:
        return None if "colour" in prompt or "JSON schema" in prompt else "bad schema"

    with FaultServer(structured="response_format", fault=too_hard) as server:
        engine = OpenAIEngine("judge", (server.url,))
        (found,) = engine.complete([request(0, SCHEMA)], Sampling())
    assert found.text == "fine"
    assert engine.describe()["structured_output"] == "prompt"


def test_context_errors_are_too_long() -> None:
    with FaultServer(context=4) as server:
        found = one(server)
    assert (found.error, found.tokens_in, found.finish_reason) == ("too_long", 8, "error")
    # The prompt of 8 leaves 12 of 20 to an answer of at most 10; of 12 it leaves 4 to one of 6.
    for context, error in ((20, None), (12, "too_long")):
        with FaultServer(context=context) as server:
            cut = one(server, "length")
        assert (cut.error, cut.text, cut.tokens_in) == (error, "" if error else "fine", 8)
    told = [
        "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens",
        "context_length_exceeded",
        "Input length (700) exceeds model's maximum context length (512).",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size",
        "input length and max_tokens exceed context limit: 1 + 2 > 3",
    ]
    for text in told:
        assert read_error(400, text.encode()).means == "too_long"
        assert read_error(500, text.encode()).means == "unknown"
    larger = b"max_tokens is too large: this model supports 4096 of them"
    assert read_error(400, larger).means == "unknown"


@settings(max_examples=60, deadline=None)
@given(st.binary() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr))
def test_no_body_breaks_the_reader(body: bytes | str) -> None:
    with pytest.raises(Incomplete, match=r"^bad answer: "):
        read_completion(body if isinstance(body, bytes) else body.encode("utf-8", "replace"))


def test_models_that_are_not_served() -> None:
    with FaultServer() as server:
        with pytest.raises(InputError, match="does not serve 'other'") as caught:
            OpenAIEngine("other", (server.url,)).connect()
        assert caught.value.hint == "it serves: judge"
        with pytest.raises(InputError, match="/models is not there"):
            OpenAIEngine("judge", (server.url.removesuffix("/v1"),)).connect()
    with FaultServer(model="judge:latest") as server:
        (served,) = OpenAIEngine("judge", (server.url,)).connect()
        assert served.card is not None
        assert served.card.id == "judge:latest"
    ids = ["models/gemini", "openai/*", "a"]
    assert served_as("gemini", ids) == "models/gemini"
    assert served_as("openai/gpt", ids) == "openai/gpt"
    assert served_as("b", ids) is None


def test_endpoint_specs() -> None:
    assert parse_spec("openai:m") == ("m", ())
    assert parse_spec("openai:org/m@2@http://h:1/v1,https://u:p@g/v1") == (
        "org/m@2", ("http://h:1/v1", "https://u:p@g/v1"),
    )  # fmt: skip
    assert parse_spec("openai:claude@20250101") == ("claude@20250101", ())
    for bad in ("openai:", "openai:@http://h/v1", "openai:m@localhost:8000/v1"):
        with pytest.raises(InputError):
            parse_spec(bad)
    assert endpoint_of("http://h:8000/v1/").url == "http://h:8000/v1"
    assert endpoint_of("http://[::1]:8000/v1").url == "http://[::1]:8000/v1"
    secret = endpoint_of("https://me:pass%40word@h/v1")
    assert secret.url == "https://h/v1"
    assert secret.authorization == "Basic bWU6cGFzc0B3b3Jk"  # base64 of me:pass@word
    assert "bWU6" not in repr(secret)
    for bad in ("http://u:se/cret@h/v1", "http://h/v1?key=secret", "ftp://secret", "http://"):
        with pytest.raises(InputError) as caught:
            endpoint_of(bad)
        assert "secret" not in caught.value.message + caught.value.hint
        assert "se/cret" not in caught.value.message
    shown = without_credentials("openai:m@http://u:p@ss@h/v1,http://g/v1,https://k@i/v1")
    assert shown == "openai:m@http://***@h/v1,http://g/v1,https://***@i/v1"


def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_key("OPENAI_API_KEY", needed=False) == "EMPTY"
    for name, needed in (("OPENAI_API_KEY", True), ("MY_KEY", False)):
        with pytest.raises(InputError, match=f"environment variable {name} is not set"):
            read_key(name, needed=needed)
    with pytest.raises(InputError) as caught:
        read_key("sk-secret", needed=False)
    assert "sk-secret" not in caught.value.message + caught.value.hint
    monkeypatch.setenv("MY_KEY", " k1\n")
    assert read_key("MY_KEY", needed=True) == "k1"
    monkeypatch.setenv("MY_KEY", "gar\u00e7on")
    with pytest.raises(InputError) as caught:
        read_key("MY_KEY", needed=True)
    assert "gar" not in caught.value.message
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        OpenAIEngine("gpt")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert OpenAIEngine("gpt").endpoints[0].url == "http://127.0.0.1:1/v1"


Session = Callable[[Any], Awaitable[Any]]


@asynccontextmanager
async def doubling() -> AsyncIterator[Session]:
    async def work(number: int) -> int:
        if number < 0:
            raise ValueError(f"no {number}")
        return 2 * number

    yield work


def test_bridge_yields_all_and_reads_no_further_than_it_must() -> None:
    read: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(200):
            read.append(number)
            yield number

    results = stream(numbers(), doubling, concurrency=3)
    first = next(results)
    time.sleep(0.2)
    assert len(read) <= 2 * 3 + 1
    assert sorted([first, *results]) == [2 * number for number in range(200)]


def test_bridge_takes_a_stream_that_blocks() -> None:
    """Each number is known only once the result of the one before is here."""
    more = threading.Semaphore(1)

    def numbers() -> Iterator[int]:
        for number in range(5):
            assert more.acquire(timeout=10)
            yield number

    found = []
    for result in stream(numbers(), doubling, concurrency=4):
        found.append(result)
        more.release()
    assert found == [0, 2, 4, 6, 8]


def test_bridge_hands_errors_over() -> None:
    with pytest.raises(ValueError, match="no -1"):
        list(stream([1, -1, 2], doubling, concurrency=2))

    def broken() -> Iterator[int]:
        yield 1
        raise Interrupted("stopped", "", 143)

    with pytest.raises(Interrupted):
        list(stream(broken(), doubling, concurrency=2))


def test_closing_cancels_what_is_in_flight() -> None:
    before = set(threading.enumerate())
    with FaultServer(seconds=0.02) as server:
        server.answer = lambda prompt: time.sleep(0 if prompt == "prompt 0" else 5) or "late"
        engine = OpenAIEngine("judge", (server.url,), concurrency=4)
        answers = engine.complete(map(request, range(100)), Sampling())
        next(answers)
        started = time.monotonic()
        engine.close()
        assert time.monotonic() - started < 2
        left = {thread.name for thread in set(threading.enumerate()) - before}
        assert not left & {"endpoint", "requests"}
        assert len(server.bodies) <= 2 * 4 + 1
        assert list(answers) == []


@pytest.mark.parametrize(("owner", "continues"), [("vllm", True), ("sglang", True), (None, False)])
def test_a_given_beginning_is_sent_as_the_last_message(owner: str | None, continues: bool) -> None:
    with FaultServer(lambda prompt: " A", owned_by=owner) as server:
        engine = OpenAIEngine("judge", (server.url,))
        assert not engine.continues  # nothing is known before the servers were asked
        engine.connect()
        assert engine.continues is continues
        begun = Request(Key("i"), request().messages, 0, prefill="1. x\nVerdict:")
        (generation,) = engine.complete([begun], Sampling())
        body = server.bodies[-1]
        assert body["messages"][-1] == {"role": "assistant", "content": "1. x\nVerdict:"}
        assert (body["continue_final_message"], body["add_generation_prompt"]) == (True, False)
        assert generation.text == " A"
        list(engine.complete([request(1)], Sampling()))
        assert "continue_final_message" not in server.bodies[-1]
