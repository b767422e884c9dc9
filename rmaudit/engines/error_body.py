"""The error in the body of a response, whatever its shape: codes, words, the field it is about.

Seen shapes, each also inside a list, or as text inside another one's `message` or `detail`:

    {"error": {"message", "type", "param", "code", ...}}   OpenAI, Azure, vLLM, llama.cpp, ...
    {"error": "words", "error_type": "validation"}         TGI
    {"object": "error", "message", "type", "param", ...}   SGLang, Mistral, older vLLM
    {"message": "words"}                                   Cohere
    {"detail": "words"}                                    gateways of Bedrock
    {"detail": [{"type", "loc": ["body", "seed"], ...}]}   pydantic's list, in many servers
    plain text                                             proxies
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rmaudit.engines.providers import Means, is_known, meaning_of

_CODE_FIELDS = ("code", "type", "error_type", "status", "reason")
_INSIDE = ("error", "innererror", "provider_specific_fields", "metadata", "message", "detail")
_DEPTH, _LONGEST = 6, 20_000
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{1,60}")
_PRINTED = re.compile(r"'type': '(?P<type>[\w.]+)', 'loc': [(\[]'body', '(?P<field>\w+)'[)\]]")
_NO_CODE = frozenset({"none", "null", "error", "object"})


@dataclass(frozen=True, slots=True)
class ServerError:
    """An error response.

    means: what it says. code: the most telling of its codes, None where it has none; short, and
    never a text that the server made up. message: its words, for nobody but the person who runs
    this. field: the option that it names as a field, not in its words. tokens: of the prompt,
    where it tells them.
    """

    status: int
    means: Means
    code: str | None = None
    message: str = ""
    field: str | None = None
    tokens: int | None = None


def read_error(status: int, body: bytes) -> ServerError:
    """The error that a response with this status and body holds. Never raises."""
    text = body[:_LONGEST].decode("utf-8", "replace")
    parsed = _loaded(body)
    parts = list(_parts(text if parsed is None else parsed, _DEPTH))
    objects = [part for part in parts if isinstance(part, dict)]
    words = [part for part in parts if isinstance(part, str)]
    codes = list(dict.fromkeys(code for one in objects for code in _codes(one)))
    message = " ".join(words) or ("" if objects else text)
    means, tokens = meaning_of(status, codes, message)
    told = next((one["n_prompt_tokens"] for one in objects if _count(one)), None)
    return ServerError(
        status,
        means,
        code=_telling(codes),
        message=message,
        field=_field(objects),
        tokens=told if means == "too_long" and told is not None else tokens,
    )


def error_status(body: bytes) -> int | None:
    """The HTTP status that an error sent as a success should have had; None of anything else.

    Gateways answer 200 and put the status into the error, as `code`.
    """
    found = _loaded(body)
    if not isinstance(found, dict) or not found.get("error") or found.get("choices"):
        return None
    error = found["error"]
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        code = int(code)
    return code if type(code) is int and 400 <= code < 600 else 502


def _loaded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _parts(value: Any, depth: int) -> Iterator[Any]:
    """Every object of an error, the outer one first, and every text that says what is wrong."""
    if depth == 0:
        return
    if isinstance(value, list):
        for one in value[:20]:
            yield from _parts(one, depth - 1)
    elif isinstance(value, dict):
        yield value
        for name in _INSIDE:
            if name in value:
                yield from _parts(value[name], depth - 1)
        if isinstance(value.get("msg"), str):
            yield value["msg"]
    elif isinstance(value, str):
        inner = _as_object(value)
        if inner is None:
            yield value
        else:
            yield from _parts(inner, depth - 1)


def _as_object(text: str) -> Any:
    """An error that stands as text inside another: JSON, or pydantic's list as Python prints it."""
    if len(text) > _LONGEST or not text.lstrip().startswith(("{", "[{")):
        return None
    found = _loaded(text.encode("utf-8", "replace"))
    if found is None:
        found = [
            {"type": printed["type"], "loc": ["body", printed["field"]], "msg": text}
            for printed in _PRINTED.finditer(text)
        ]
    return found or None


def _codes(one: dict[Any, Any]) -> Iterator[str]:
    for name in _CODE_FIELDS:
        value = one.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            continue
        code = str(value)
        if _CODE.fullmatch(code) and code.lower() not in _NO_CODE:
            yield code


def _telling(codes: list[str]) -> str | None:
    """A code of the table, else a name, else a number: many repeat the HTTP status as code."""
    named = [code for code in codes if not code.isdigit()]
    return next((code for code in named if is_known(code)), next(iter(named or codes), None))


def _field(objects: list[dict[Any, Any]]) -> str | None:
    """The field that an error is about: `param`, or the end of pydantic's `loc`."""
    for one in objects:
        if isinstance(one.get("param"), str):
            return str(one["param"])
        place = one.get("loc")
        if isinstance(place, list | tuple) and len(place) == 2 and place[0] == "body":
            return str(place[1])
    return None


def _count(one: dict[Any, Any]) -> bool:
    value = one.get("n_prompt_tokens")
    return isinstance(value, int) and not isinstance(value, bool)
