"""What a chat-completions server answers, read into a `Generation`; and what its errors mean.

Pure: bodies and texts in, records out. Servers differ in the words of an error, not in its sense.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pydantic import BaseModel, Field, ValidationError

from rmaudit.engines.base import TOO_LONG
from rmaudit.records import FinishReason, Generation, Key

_TOO_LONG = re.compile(
    r"context[ _](length|size|window)|max(imum)?[ _]model[ _]len|prompt is too long"
    r"|input token count|`inputs` tokens",
    re.IGNORECASE,
)
_PROMPT_TOKENS = re.compile(r"(\d+) (?:input tokens|in the messages)|resulted in (\d+) tokens")
_CODE = re.compile(r"[a-z][a-z_]{2,40}")


class Message(BaseModel):
    """The answer. vLLM, DeepSeek and OpenRouter hand reasoning over apart, by two names."""

    content: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    reasoning_content: str | None = None


class ChoiceFields(BaseModel):
    """One choice; a request asks for one."""

    message: Message
    finish_reason: str


class Usage(BaseModel):
    """Tokens, where the server counts them."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(BaseModel):
    """The body of a chat completion, as far as it is used."""

    model: str | None = None
    choices: list[ChoiceFields] = Field(min_length=1)
    usage: Usage | None = None

    def generation(self, key: Key, *, seconds: float) -> Generation:
        """The completion as a row; a refusal that stands apart is the answer's text."""
        choice, usage = self.choices[0], self.usage or Usage()
        message = choice.message
        finish: FinishReason = "length" if choice.finish_reason == "length" else "stop"
        return Generation(
            key=key,
            text=message.content or message.refusal or "",
            finish_reason=finish,
            thinking=message.reasoning_content or message.reasoning or None,
            tokens_in=usage.prompt_tokens,
            tokens_out=usage.completion_tokens,
            seconds=round(seconds, 4),
        )


class Incomplete(ValueError):
    """A body that is no finished completion; the text is a short reason."""


def read_completion(body: bytes) -> Completion:
    """The completion that a body holds.

    Raises:
        Incomplete: it is not JSON, lacks a part, or was broken off by the server.
    """
    try:
        completion = Completion.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        what = f"{place} {first['type']}" if place else "not JSON"
        raise Incomplete(f"bad answer: {what}") from None
    # vLLM and SGLang say `abort` when they stop in the middle of an answer.
    if completion.choices[0].finish_reason in ("abort", "error"):
        raise Incomplete(f"bad answer: finish_reason {completion.choices[0].finish_reason}")
    return completion


def is_too_long(status: int, text: str) -> bool:
    """Whether an error says that the prompt does not fit the context."""
    return 400 <= status < 500 and _TOO_LONG.search(text) is not None


def too_long(key: Key, text: str, *, seconds: float) -> Generation:
    """The row of a prompt that does not fit, with its length where the error tells it."""
    found = _PROMPT_TOKENS.search(text)
    tokens = int(found[1] or found[2]) if found else None
    return Generation(key, "", "error", tokens_in=tokens, seconds=round(seconds, 4), error=TOO_LONG)


def without_room(generation: Generation, budget: int, context: int | None) -> Generation:
    """Too long where the server cut the answer below its budget; vLLM does so without a word."""
    if generation.finish_reason != "length" or context is None or generation.tokens_in is None:
        return generation
    if generation.tokens_in + budget <= context:
        return generation
    return Generation(
        generation.key,
        "",
        "error",
        tokens_in=generation.tokens_in,
        seconds=generation.seconds,
        error=TOO_LONG,
    )


def refused_option(text: str, param: str | None, sent: Collection[str]) -> str | None:
    """The sent option that an error complains about: the one it names first."""
    if param in sent:
        return param
    places = {name: re.search(rf"\b{name}\b", text) for name in sent}
    named = {name: found.start() for name, found in places.items() if found}
    return min(named, key=lambda name: named[name]) if named else None


def short_reason(kind: str, status: int | None, code: str | None) -> str:
    """`RateLimitError 429 insufficient_quota`: no text that a server made up."""
    parts = [kind, "" if status is None else str(status)]
    if code is not None and _CODE.fullmatch(code):
        parts.append(code)
    return " ".join(part for part in parts if part)
