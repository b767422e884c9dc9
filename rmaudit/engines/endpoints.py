"""How endpoints are named on the command line, and how their secrets stay out of every output.

    openai:MODEL                      OPENAI_BASE_URL, else the openai package's own default
    openai:MODEL@URL                  one server
    openai:MODEL@URL1,URL2            several servers of the same model, which share the load

A URL is a base URL, `/v1` included: http://127.0.0.1:8000/v1. A user and password in it are sent
as Basic authorization; they are part of no text that `rmaudit` shows or stores.
"""

from __future__ import annotations

import base64
import fnmatch
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from rmaudit.engines.options import KEY_ENV
from rmaudit.errors import InputError

PREFIX = "openai:"
URL_ENV = "OPENAI_BASE_URL"
DEFAULT_URL = "https://api.openai.com/v1"
NO_KEY = "EMPTY"
_USERINFO = re.compile(r"(https?://)[^/\s]*@")
_EXAMPLE = "e.g. openai:my-model@http://127.0.0.1:8000/v1"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One base URL without credentials; `authorization` is the header that they become."""

    url: str
    authorization: str | None = field(default=None, repr=False)


def parse_spec(spec: str, *, prefix: str = PREFIX) -> tuple[str, tuple[str, ...]]:
    """Model and base URLs of `openai:MODEL[@URL[,URL]]`, as written; no URL where none is named.

    prefix: what the target begins with, where it is no `openai:`.

    Raises:
        InputError: no model, or something after @ that is no http URL.
    """
    example = _EXAMPLE.replace(PREFIX, prefix)
    model, at, urls = _split(spec.removeprefix(prefix), prefix, example)
    if not model:
        raise InputError(f"{without_credentials(spec)} names no model", example)
    if not at:
        return model, ()
    return model, tuple(re.split(r",(?=https?://)", urls))


def _split(text: str, prefix: str, example: str) -> tuple[str, str, str]:
    """A model name may hold an @ of its own: the URL starts at the first `@http`."""
    found = re.search(r"@(?=https?://)", text)
    if found:
        return text[: found.start()], "@", text[found.end() :]
    model, at, rest = text.partition("@")
    if "/" in rest or ":" in rest:
        raise InputError(
            f"the base URL of {prefix}{model} does not start with http:// or https://", example
        )
    return model + at + rest, "", ""


def endpoint_of(url: str) -> Endpoint:
    """The endpoint that a base URL names.

    Raises:
        InputError: it is no base URL. The message does not repeat it: it may hold a password.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise InputError("a base URL of the endpoint cannot be read", _EXAMPLE) from error
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s,]", url):
        raise InputError("a base URL of the endpoint cannot be read", _EXAMPLE)
    if parts.query or parts.fragment:
        raise InputError(f"the base URL of {host} has a query", f"leave it out, {_EXAMPLE}")
    place = f"[{host}]" if ":" in host else host
    clean = f"{parts.scheme}://{place}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
    if parts.username is None and parts.password is None:
        return Endpoint(clean)
    pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return Endpoint(clean, f"Basic {base64.b64encode(pair.encode()).decode()}")


def endpoints_of(urls: Iterable[str]) -> tuple[Endpoint, ...]:
    """The endpoints of all base URLs, or of the environment where there are none.

    Raises:
        InputError: one of them cannot be read, or comes twice.
    """
    found = tuple(
        endpoint_of(url) for url in tuple(urls) or (os.environ.get(URL_ENV, DEFAULT_URL),)
    )
    for number, endpoint in enumerate(found):
        if endpoint.url in [other.url for other in found[:number]]:
            raise InputError(f"the base URL {endpoint.url} comes twice", "name each server once")
    return found


def read_key(name: str, *, needed: bool) -> str:
    """The key in an environment variable; `EMPTY`, as local servers want it, where none is needed.

    Raises:
        InputError: the variable is not set though it was named or a key is needed, or its content
            cannot be sent. No message holds the content.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise InputError(
            "the name of a key's environment variable cannot be read",
            f"give the variable's name, e.g. {KEY_ENV}, not the key itself",
        )
    key = os.environ.get(name, "").strip()
    if not key:
        if needed or name != KEY_ENV:
            raise InputError(
                f"no key: the environment variable {name} is not set", f"export {name}"
            )
        return NO_KEY
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError(
            f"the key in {name} holds characters that no HTTP header can carry", "copy it again"
        )
    return key


def refused_key(endpoints: Sequence[Endpoint], status: int, key_env: str) -> InputError:
    """The error of credentials that a server does not take."""
    places = " or ".join(endpoint.url for endpoint in endpoints)
    if all(endpoint.authorization for endpoint in endpoints):
        return InputError(
            f"{places} refuses the user and password of its URL (status {status})",
            "mend them in the base URL; characters such as / and @ are written as %2F and %40",
        )
    return InputError(
        f"{places} refuses the key in {key_env} (status {status})",
        f"set {key_env} to a key of this endpoint, or name another: --target-key-env NAME",
    )


def other_model(asked: str, said: str) -> InputError:
    """The error of an endpoint that answers with another model than was asked for."""
    return InputError(
        f"the endpoint answers with the model '{said}', asked was '{asked}'",
        f"ask for it by that name ({said}@URL), or take its answers: --allow-other-model",
    )


def without_credentials(text: str) -> str:
    """`text` with `***` in place of user and password in every URL."""
    return _USERINFO.sub(r"\1***@", text)


def served_as(model: str, listed: Iterable[str]) -> str | None:
    """The listed id that a server means by `model`; None where it does not serve it.

    Besides the very name: `model:latest` (Ollama), `models/model` (Gemini), and a list with a
    pattern (`openai/*`, LiteLLM), which names no ids of its own.
    """
    ids = tuple(listed)
    for name in (model, f"{model}:latest", f"models/{model}"):
        if name in ids:
            return name
    if any("*" in pattern and fnmatch.fnmatchcase(model, pattern) for pattern in ids):
        return model
    return None
