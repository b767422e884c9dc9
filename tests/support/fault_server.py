"""A small OpenAI-compatible server on loopback that fails as servers do, on demand.

It knows the items of a set and answers each prompt with a fixed text, so that a run through faults
can be compared with a run without any: nothing lost, nothing twice, equal result.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from rmaudit.checklists.schema import Item
from support.answers import answer, ideal_answer, swap_names

Fault = Callable[[str, int], str | None]
"""From the prompt and how often it has come before to the name of a fault, or None."""


def answers(items: Iterable[Item]) -> Callable[[str], str]:
    """A judge of mixed quality: by turns right, wrong with right reasons, and of no use."""
    known = list(items)

    def text(prompt: str) -> str:
        for number, item in enumerate(known):
            first, second = prompt.rfind(item.response_a), prompt.rfind(item.response_b)
            if min(first, second) >= 0:
                order = "ab" if first < second else "ba"
                ideal = ideal_answer(item, order)
                if number % 4 == 1:
                    reasons, _, verdict = ideal.rpartition("\n")
                    return f"{reasons}\n{swap_names(verdict).translate(str.maketrans('AB', 'BA'))}"
                return answer(["Both are fine."], "A=B") if number % 4 == 3 else ideal
        return "I do not know these responses."

    return text


def sometimes(name: str, times: int = 1) -> Fault:
    """Every third prompt, by its length, fails so often before it is answered."""
    return lambda prompt, nth: name if len(prompt) % 3 == 0 and nth < times else None


class FaultServer:
    """Serves on a port of its own, in threads of this process; `kill` drops every connection."""

    def __init__(
        self,
        answer: Callable[[str], str] = lambda prompt: "fine",
        *,
        model: str = "judge",
        fault: Fault = lambda prompt, nth: None,
        context: int | None = None,
        key: str | None = None,
        seconds: float = 0.0,
        die_after: int | None = None,
        refuses: Iterable[str] = (),
        structured: str | None = None,
        owned_by: str | None = None,
        says: str | None = None,
        tops: Callable[[str], list[tuple[str, float]]] | None = None,
    ) -> None:
        """Nothing of it is known to the client but what it answers.

        says: the model that answers name, where it is another than `model`. tops: the likeliest
        first tokens of the answer to a prompt, where log-probabilities are asked for.
        """
        self.tops = tops
        self.says = says or model
        self.given: tuple[int, bytes] = (200, b"")
        self.answer, self.model, self.fault, self.context = answer, model, fault, context
        self.key, self.seconds, self.die_after, self.owned_by = key, seconds, die_after, owned_by
        self.refuses, self.structured = tuple(refuses), structured
        self.port = 0
        self.lock = threading.Lock()
        self.tries: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.authorizations: set[str | None] = set()
        self.times: dict[str, list[float]] = {}
        self.at_once = self.most_at_once = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def target(self) -> str:
        return f"openai:{self.model}@{self.url}"

    def start(self) -> None:
        """Starts, or starts again on the same port."""
        self.connections: set[socket.socket] = set()
        self.ended = threading.Event()
        self.alive = True
        handler = type("Handler", (_Handler,), {"faults": self})
        self.http = _Server(("127.0.0.1", self.port), handler)
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def kill(self) -> None:
        """As a killed process: the port is closed, what is in flight is cut off."""
        with self.lock:
            if not self.alive:
                return
            self.alive = False
        self.ended.set()
        self.http.shutdown()
        self.http.server_close()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone away is none of the server's errors."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    faults: FaultServer

    def setup(self) -> None:
        super().setup()
        self.faults.connections.add(self.connection)

    def finish(self) -> None:
        self.faults.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status: int, message: str, **more: Any) -> None:
        error = {"message": message, "type": "invalid_request_error", **more}
        self.send(status, json.dumps({"error": error}).encode())

    def key_is_right(self) -> bool:
        given = self.headers.get("Authorization")
        self.faults.authorizations.add(given)
        if self.faults.key is None or given == f"Bearer {self.faults.key}":
            return True
        self.refuse(401, f"wrong key: {given}")
        return False

    def do_GET(self) -> None:
        server = self.faults
        if not self.key_is_right():
            return
        if self.path != "/v1/models":
            return self.refuse(404, "Not Found")
        card = {"id": server.model, "object": "model"}
        told: dict[str, Any] = {
            "max_model_len": server.context,
            "owned_by": server.owned_by,
            "root": "/m",
        }
        card |= {name: value for name, value in told.items() if value is not None}
        return self.send(200, json.dumps({"object": "list", "data": [card]}).encode())

    def do_POST(self) -> None:
        server = self.faults
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = "\n".join(message["content"] for message in body["messages"])
        with server.lock:
            server.bodies.append(body)
            nth = server.tries[prompt]
            server.tries[prompt] += 1
            server.times.setdefault(prompt, []).append(time.monotonic())
            server.at_once += 1
            server.most_at_once = max(server.most_at_once, server.at_once)
        try:
            if self.key_is_right():
                self.reply(body, prompt, nth)
        finally:
            with server.lock:
                server.at_once -= 1

    def reply(self, body: dict[str, Any], prompt: str, nth: int) -> None:
        server = self.faults
        time.sleep(server.seconds)
        if body["model"] != server.model:
            return self.refuse(404, f"no model {body['model']}", code="model_not_found")
        for name in server.refuses:
            if name in body:
                message = f"Unsupported parameter: '{name}' is not supported with this model."
                return self.refuse(400, message, param=name, code="unsupported_parameter")
        if server.context is not None and len(prompt) > server.context:
            message = (
                f"This model's maximum context length is {server.context} tokens. However, your "
                f"prompt contains {len(prompt)} input tokens. Please reduce its max_tokens."
            )
            return self.refuse(400, message)
        fault = server.fault(prompt, nth)
        whole = self.completion(prompt, self.content(body, prompt))
        if fault is not None:
            with server.lock:
                server.faults[fault] += 1
            return FAULTS[fault](self, whole)
        if server.tops is not None and body.get("logprobs"):
            top = [{"token": t, "logprob": p, "bytes": None} for t, p in server.tops(prompt)]
            first = {"token": top[0]["token"], "logprob": top[0]["logprob"], "top_logprobs": top}
            whole["choices"][0]["logprobs"] = {"content": [first]}
        self.send(200, json.dumps(whole).encode())
        with server.lock:
            server.answered[prompt] += 1
            dying = (
                server.die_after is not None and sum(server.answered.values()) >= server.die_after
            )
        if dying:
            server.die_after = None
            server.kill()
        return None

    def content(self, body: dict[str, Any], prompt: str) -> str:
        """JSON where the request asks for it in the server's own way, else the fixed text."""
        if self.faults.structured is not None and self.faults.structured in body:
            return '{"colour": "green"}' if "Name one colour" in prompt else '{"matches": []}'
        return self.faults.answer(prompt)

    def completion(self, prompt: str, text: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": text}
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": self.faults.says,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": len(prompt), "completion_tokens": len(text)},
        }

    def raw(self, data: bytes) -> None:
        """Bytes as they are, then the end of the connection."""
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = True

    def half(self, whole: dict[str, Any]) -> None:
        data = json.dumps(whole).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.raw(data[: len(data) // 2])

    def cut(self, whole: dict[str, Any]) -> None:
        """Half of the JSON as if it were all of it."""
        data = json.dumps(whole).encode()
        self.send(200, data[: len(data) // 2])

    def drip(self, whole: dict[str, Any]) -> None:
        """A blank every 50 ms before the answer, as gateways do; the answer never comes."""
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.faults.ended.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.close_connection = True

    def silent(self) -> None:
        self.faults.ended.wait(60)
        self.close_connection = True

    def changed(self, whole: dict[str, Any], finish: str, **message: Any) -> None:
        whole["choices"][0]["finish_reason"] = finish
        whole["choices"][0]["message"] |= message
        self.send(200, json.dumps(whole).encode())


FAULTS: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    "429 Retry-After": lambda h, _: h.send(
        429, b'{"error": {"message": "slow"}}', Retry_After="0.7"
    ),
    "429": lambda h, _: h.send(429, b'{"error": {"message": "slow"}}'),
    "Retry-After an hour": lambda h, _: h.send(429, b"{}", Retry_After="3600"),
    "given": lambda h, _: h.send(*h.faults.given, Retry_After="0.01"),
    "drips": lambda h, whole: h.drip(whole),
    "500": lambda h, _: h.send(500, b"oops"),
    "503 html": lambda h, _: h.send(503, b"<html>starting</html>"),
    "garbage": lambda h, _: h.send(200, bytes(range(256))),
    "not http": lambda h, _: h.raw(bytes(range(256)) * 4),
    "empty": lambda h, _: h.send(200, b""),
    "half, then closed": lambda h, whole: h.half(whole),
    "half as a whole": lambda h, whole: h.cut(whole),
    "closed": lambda h, _: h.raw(b""),
    "silent for 60 s": lambda h, _: h.silent(),
    "abort": lambda h, whole: h.changed(whole, "abort", content="Response A is"),
    "no choices": lambda h, whole: h.send(200, json.dumps(whole | {"choices": []}).encode()),
    "length": lambda h, whole: h.changed(whole, "length"),
    "null, length": lambda h, whole: h.changed(whole, "length", content=None),
    "reasoning_content": lambda h, whole: h.changed(whole, "stop", reasoning_content="hm"),
    "reasoning": lambda h, whole: h.changed(whole, "stop", reasoning="hm"),
    "refusal": lambda h, whole: h.changed(whole, "stop", content=None, refusal="I cannot."),
    "content_filter": lambda h, whole: h.changed(whole, "content_filter", content="I cannot"),
    "bad schema": lambda h, _: h.refuse(400, "Invalid schema: no arrays"),
    "filtered prompt": lambda h, _: h.refuse(400, "filtered", code="content_filter"),
}
