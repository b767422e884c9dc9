"""A stand-in for servers that score: reply shapes of vLLM, SGLang and OpenRLHF, and faults.

Every conversation has a score of its own, made of all that is sent of it, so that a score which is
given to another row shows.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any, Self

from support.fault_server import _Server

MODEL = "rm"
Fault = Callable[[Any, dict[str, Any], list[str]], None]
"""Sends a reply of its own in the place of the whole one, given the conversations asked for."""


def score_of(text: str) -> float:
    """A raw score between -10 and 10."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") / 2**48 * 20 - 10


def sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-score))


class ScoreServer:
    """One of the four kinds, on a port of its own.

    fault: from the conversations of a request, and how often just these came before, to the name
    of a fault or None. activates: what it makes of a raw score, given whether an activation was
    asked for. scores: the raw score of what a conversation is sent as.
    """

    def __init__(
        self,
        kind: str,
        *,
        fault: Callable[[list[str], int], str | None] = lambda texts, nth: None,
        activates: Callable[[float, bool], float] = lambda raw, asked: (
            sigmoid(raw) if asked else raw
        ),
        scores: Callable[[str], float] = score_of,
        context: int | None = None,
        most: int | None = None,
        port: int = 0,
        seconds: float = 0.0,
        says: str = MODEL,
    ) -> None:
        self.kind, self.fault, self.activates, self.scores = kind, fault, activates, scores
        self.context, self.most, self.seconds, self.says = context, most, seconds, says
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.at_once = self.most_at_once = 0
        self.tries: Counter[tuple[str, ...]] = Counter()
        self.faults: Counter[str] = Counter()
        self.lock, self.ended = threading.Lock(), threading.Event()
        handler = type("Handler", (_Handler,), {"served": self})
        self.http = _Server(("127.0.0.1", port), handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def target(self) -> str:
        place = self.url if self.kind == "get-reward" else f"{MODEL}@{self.url}"
        return f"{self.kind}:{place}"

    def __enter__(self) -> Self:
        return self

    def stop(self) -> None:
        """Closes the port."""
        self.ended.set()
        self.http.shutdown()
        self.http.server_close()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: ScoreServer

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def send(self, status: int, found: Any, **headers: str) -> None:
        data = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        if self.path == "/health":
            return self.send(200, b"")
        if self.path != "/v1/models" or self.served.kind == "get-reward":
            return self.send(404, {"detail": "Not Found"})
        card = {"id": MODEL, "object": "model", "owned_by": "stand-in", "root": "/models/rm"}
        card |= {"max_model_len": self.served.context} if self.served.context else {}
        return self.send(200, {"object": "list", "data": [card]})

    def do_POST(self) -> None:
        served = self.served
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = {"pooling": "/pooling", "get-reward": "/get_reward"}.get(served.kind, "/classify")
        if self.path != path:
            return self.send(404, {"detail": "Not Found"})
        try:
            with served.lock:
                served.at_once += 1
                served.most_at_once = max(served.most_at_once, served.at_once)
            self.reply(body)
        finally:
            with served.lock:
                served.at_once -= 1

    def reply(self, body: dict[str, Any]) -> None:
        served, texts = self.served, conversations(body)
        with served.lock:
            served.paths.append(self.path)
            served.bodies.append(body)
            nth = served.tries[tuple(texts)]
            served.tries[tuple(texts)] += 1
        time.sleep(served.seconds)
        if served.most is not None and any(len(text) > served.most for text in texts):
            error = (
                f"maximum context length is {served.most} tokens, of {len(texts[0])} input tokens"
            )
            return self.send(400, {"error": {"message": error, "code": 400}})
        fault = served.fault(texts, nth)
        if fault is not None:
            with served.lock:
                served.faults[fault] += 1
            return FAULTS[fault](self, body, texts)
        return self.send(200, self.whole(body, texts))

    def whole(self, body: dict[str, Any], texts: list[str]) -> Any:
        active = bool(body.get("use_activation", True)) and self.served.kind in (
            "classify",
            "pooling",
        )
        found = [self.served.activates(self.served.scores(text), active) for text in texts]
        usage = {"prompt_tokens": sum(map(len, texts)), "total_tokens": sum(map(len, texts))}
        match self.served.kind:
            case "classify":
                data: list[Any] = [
                    {"index": n, "label": "LABEL_0", "probs": [one], "num_classes": 1}
                    for n, one in enumerate(found)
                ]
            case "pooling":
                data = [
                    {"index": n, "object": "pooling", "data": [*[[0.5]] * (len(text) - 1), [one]]}
                    for n, (text, one) in enumerate(zip(texts, found, strict=True))
                ]
            case "sglang":
                told = [{"id": "x", "prompt_tokens": len(text)} for text in texts]
                return [
                    {"embedding": [one], "meta_info": meta}
                    for one, meta in zip(found, told, strict=True)
                ]
            case _:
                return {"rewards": found}
        return {
            "id": "x",
            "object": "list",
            "created": 0,
            "model": self.served.says,
            "data": data,
            "usage": usage,
        }


def conversations(body: Mapping[str, Any]) -> list[str]:
    """What a request holds, a text for each conversation; token ids as the bytes that they are."""
    if "messages" in body:
        return ["".join(f"<|{one['role']}|>{one['content']}" for one in body["messages"])]
    if "input" in body:
        return ["".join(map(chr, ids)) for ids in body["input"]]
    return list(body["text"] if "text" in body else body["query"])


def _results(found: Any) -> list[Any]:
    """The list of results of a whole reply, to be spoiled in place."""
    if isinstance(found, list):
        return found
    listed: list[Any] = found["rewards"] if "rewards" in found else found["data"]
    return listed


def _spoiled(spoil: Callable[[list[Any]], None]) -> Fault:
    def fault(handler: Any, body: dict[str, Any], texts: list[str]) -> None:
        whole = handler.whole(body, texts)
        spoil(_results(whole))
        handler.send(200, whole)

    return fault


def _instead(value: Any) -> Fault:
    """The first result has another value than a number."""

    def spoil(results: list[Any]) -> None:
        one = results[0]
        if not isinstance(one, dict):
            results[0] = value
        elif "probs" in one:
            one["probs"] = [value]
        elif "embedding" in one:
            one["embedding"] = [value]
        else:
            one["data"][-1] = [value]

    return _spoiled(spoil)


def _silent(handler: Any, body: dict[str, Any], texts: list[str]) -> None:
    handler.served.ended.wait(30)
    handler.close_connection = True


def _gone(handler: Any, body: dict[str, Any], texts: list[str]) -> None:
    """As a process that ended: nothing more is answered, and nobody listens."""
    handler.close_connection = True
    with handler.served.lock:
        if not handler.served.ended.is_set():
            handler.served.ended.set()
            threading.Thread(target=handler.served.stop, daemon=True).start()


FAULTS: dict[str, Fault] = {
    "429 Retry-After": lambda h, *_: h.send(429, {"error": {"message": "slow"}}, Retry_After="0.2"),
    "503 html": lambda h, *_: h.send(503, b"<html>starting</html>"),
    "500": lambda h, *_: h.send(500, b"oops"),
    "error as success": lambda h, *_: h.send(200, {"error": {"message": "no", "code": 503}}),
    "empty": lambda h, *_: h.send(200, b""),
    "half": lambda h, body, texts: h.send(200, json.dumps(h.whole(body, texts)).encode()[:-9]),
    "silent": _silent,
    "gone": _gone,
    "one short": _spoiled(lambda results: results.pop() and None),
    "one more": _spoiled(lambda results: results.append(results[0])),
    "turned": _spoiled(lambda results: results.reverse()),
    "index twice": _spoiled(lambda results: results[-1].update(index=0)),
    "null": _instead(None),
    "NaN": _instead(math.nan),
    "infinite": _instead(math.inf),
    "text": _instead("1.5"),
    "true": _instead(True),
}
