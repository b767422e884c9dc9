"""What a chat-completions server answers, read into a `Generation`.

Pure: bodies in, records out. What a server adds, leaves out or writes in another type is no reason
to lose an answer that was paid for: only a body without any message is no completion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rmaudit.engines.providers import finish_of
from rmaudit.records import FILTERED, TOO_LONG, AnswerKind, Generation, Key, ServerSaid

REASONING_ONLY = "bad answer: reasoning only"
_LONGEST_NAME = 200
_THINKING = ("thinking", "reasoning", "reasoning_content")
_MOST_TOKENS = 10**9


@dataclass(frozen=True, slots=True)
class Completion:
    """The body of a chat completion, as far as it is used.

    text: the answer. null: there was no content at all, which is less than an empty one. refusal:
    what the model says in the field of refusals. reasoning: what the server hands over apart from
    the answer, by any of its names. calls: tool calls as JSON, '' without any. finish_reason,
    model: as the server wrote them, None where it did not. first_tokens: the likeliest first tokens
    with their log-probabilities, None where none were told.
    """

    text: str = ""
    null: bool = False
    refusal: str = ""
    reasoning: str = ""
    calls: str = ""
    finish_reason: str | None = None
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    first_tokens: tuple[tuple[str, float], ...] | None = None

    def generation(
        self,
        key: Key,
        *,
        budget: int,
        seconds: float,
        status: int = 200,
        not_sent: tuple[str, ...] = (),
    ) -> Generation:
        """The completion as a row.

        An answer whose tokens are just the budget was cut, whatever the server says of it. One
        that repeats the reasoning word for word is a draft which the server put in the place of an
        answer. Where the text is missing though the model wrote one, nobody can tell what it says:
        that is no answer, not a wrong one.

        Args:
            key: of the row.
            budget: tokens that the answer was allowed to take.
            seconds: that it took.
            status: of the HTTP response.
            not_sent: options that were left out.
        """
        kind = self._kind(budget)
        cut = finish_of(self.finish_reason) == "length" or kind == "draft"
        error = self._lost() if kind == "empty" and not cut else None
        if kind == "filtered":
            error = FILTERED
        return Generation(
            key=key,
            text=self.text or self.refusal or self.calls,
            finish_reason="error" if error else "length" if cut else "stop",
            thinking=self.reasoning or None,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            seconds=round(seconds, 4),
            error=error,
            server=ServerSaid(kind, self.finish_reason, self.model, status, not_sent=not_sent),
        )

    def _kind(self, budget: int) -> AnswerKind:
        finish = finish_of(self.finish_reason)
        if finish == "filtered":
            return "filtered"
        if not self.text.strip():
            if self.refusal:
                return "refusal"
            return "tool_calls" if self.calls else "empty"
        at_the_cap = self.tokens_out == budget and finish != "length"
        if at_the_cap or self.text.strip() == self.reasoning.strip():
            return "draft"
        return "answer"

    def _lost(self) -> str | None:
        """Why an empty answer that was not cut is none; None where the model said nothing.

        A model that ends at once writes its end token and no more.
        """
        if self.reasoning.strip():
            return REASONING_ONLY
        if self.null and (self.tokens_out is None or self.tokens_out > 1):
            return "bad answer: no content"
        return None


class Incomplete(ValueError):
    """A body that is no finished completion; the text is a short reason."""


def read_completion(body: bytes) -> Completion:
    """The completion that a body holds.

    Raises:
        Incomplete: it is not JSON, has no message, or was broken off by the server.
    """
    try:
        return _completion(json.loads(body))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise Incomplete("bad answer: not JSON") from None


def _completion(found: Any) -> Completion:
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list):
        raise Incomplete("bad answer: no choices")
    choice = choices[0] if choices else None
    if not isinstance(choice, dict):
        raise Incomplete("bad answer: no message")
    reason, message = _name(choice.get("finish_reason")), choice.get("message")
    finish = finish_of(reason)
    if finish == "broken":
        raise Incomplete(f"bad answer: finish_reason {reason}")
    if not isinstance(message, dict):
        if finish != "filtered":
            raise Incomplete("bad answer: no message")
        message = {}
    content = list(_pieces(message.get("content")))
    apart = next((text for name in _THINKING[1:] if (text := _text(message.get(name)))), "")
    usage = found.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        text="".join(text for kind, text in content if kind == "text"),
        null=message.get("content") is None,
        refusal=_text(message.get("refusal"))
        or "".join(text for kind, text in content if kind == "refusal"),
        reasoning=apart or "".join(text for kind, text in content if kind in _THINKING),
        calls=_calls(message),
        finish_reason=reason,
        model=_name(found.get("model")),
        tokens_in=_tokens(usage.get("prompt_tokens")),
        tokens_out=_tokens(usage.get("completion_tokens")),
        first_tokens=_first_tokens(choice.get("logprobs")),
    )


def without_room(generation: Generation, budget: int, context: int | None) -> Generation:
    """Too long where the server cut the answer below its budget; vLLM does so without a word."""
    if generation.finish_reason != "length" or context is None or generation.tokens_in is None:
        return generation
    if generation.tokens_in + budget <= context:
        return generation
    return replace(generation, text="", thinking=None, finish_reason="error", error=TOO_LONG)


def _pieces(content: Any) -> Iterator[tuple[str, str]]:
    """(kind, text) of a content: a text, or a list of parts such as {"type": "text", "text"}."""
    if isinstance(content, str):
        yield "text", content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, str):
                yield "text", part
            elif isinstance(part, dict):
                kind = part.get("type")
                kind = kind if kind in ("refusal", *_THINKING) else "text"
                yield kind, _text(part.get(kind, part.get("text")))


def _text(value: Any) -> str:
    """A text, or the texts of a list of parts; '' of anything else."""
    return "".join(text for _, text in _pieces(value))


def _calls(message: dict[Any, Any]) -> str:
    """Tool calls as JSON, in the server's own fields."""
    calls = message.get("tool_calls") or message.get("function_call")
    return json.dumps(calls, ensure_ascii=False) if isinstance(calls, list | dict) else ""


def _first_tokens(logprobs: Any) -> tuple[tuple[str, float], ...] | None:
    """`top_logprobs` of the first token, {"token", "logprob"} each; others are left out."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    first = content[0] if isinstance(content, list) and content else None
    top = first.get("top_logprobs") if isinstance(first, dict) else None
    if not isinstance(top, list) or not top:
        return None
    return tuple(
        (one["token"], float(one["logprob"]))
        for one in top
        if isinstance(one, dict)
        and isinstance(one.get("token"), str)
        and type(one.get("logprob")) in (int, float)
    )


def _tokens(value: Any) -> int | None:
    """A count that some servers write as 12.0 or "12"; None where it is no count."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value) if len(value) < len(str(_MOST_TOKENS)) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _MOST_TOKENS and value == int(value) else None


def _name(value: Any) -> str | None:
    """A short text on one line."""
    if not isinstance(value, str):
        return None
    return "".join(one if one.isprintable() else "?" for one in value[:_LONGEST_NAME]) or None
