"""The options that a chat-completions server takes, learned from what it refuses.

OpenAI's reasoning models want `max_completion_tokens` and refuse a temperature; strict servers
refuse what only vLLM knows. Each refusal is learned once, and recorded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.error_body import ServerError

Structured = Literal["json_schema", "structured_outputs", "guided_json", "prompt"]
STRUCTURED: tuple[Structured, ...] = ("json_schema", "structured_outputs", "guided_json", "prompt")
"""Ways to ask for JSON of a schema, best first: the standard field, vLLM's, older vLLM's, words."""
CONTINUING = ("vllm", "sglang")
"""Servers, by the `owned_by` of what they serve, that go on from the last assistant message."""
_BUDGET = ("max_tokens", "max_completion_tokens")
_OPTIONAL = ("temperature", "top_p", "seed", "top_k", "min_p", "repetition_penalty")
_NEUTRAL = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}


@dataclass(slots=True)
class Dialect:
    """How requests to one model's endpoint are worded.

    extra: fields beyond the standard, set so that no default of the checkpoint changes sampling.
    """

    model: str
    sampling: Sampling
    extra: dict[str, float] = field(default_factory=dict)
    budget: str = "max_tokens"
    not_sent: list[str] = field(default_factory=list)

    def arguments(self, request: Request, structured: Structured | None) -> dict[str, Any]:
        """Arguments of `chat.completions.create` for a request."""
        sampling = self.sampling
        options: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": request.seed,
            self.budget: sampling.max_tokens,
        }
        extra: dict[str, Any] = dict(self.extra)
        if sampling.top_k:
            extra["top_k"] = sampling.top_k
        messages = [{**one, "content": _sendable(one["content"])} for one in request.messages]
        if request.prefill:
            messages.append({"role": "assistant", "content": _sendable(request.prefill)})
            extra |= {"continue_final_message": True, "add_generation_prompt": False}
        schema = request.schema
        if schema is not None:
            if structured == "json_schema":
                asked = {"name": "answer", "strict": True, "schema": schema}
                options["response_format"] = {"type": "json_schema", "json_schema": asked}
            elif structured == "structured_outputs":
                extra["structured_outputs"] = {"json": schema}
            elif structured == "guided_json":
                extra["guided_json"] = schema
            else:
                messages = _ask_in_words(messages, schema)
        for name in self.not_sent:
            options.pop(name, None)
            extra.pop(name, None)
        return {"model": self.model, "messages": messages, **options, "extra_body": extra}

    def learn(self, refused: str) -> bool:
        """Words later requests without a refused option; False where that cannot be done."""
        if refused in _BUDGET:
            # Only from the old name to the new: an answer without a budget is never asked for.
            self.budget = "max_completion_tokens"
            return refused == "max_tokens"
        if refused not in self.not_sent:
            self.not_sent.append(refused)
        return True


def refused_option(error: ServerError, arguments: dict[str, Any]) -> str | None:
    """The option of a request that a server refuses, None where it refuses none.

    The error names it as a field. Its words are read only where its code says that an option is
    what is refused: a text may hold the name of any option. Of several that it names, one is taken:
    one that changes nothing, else the first.
    """
    sent = {**arguments, **arguments["extra_body"]}
    options = [name for name in (*_OPTIONAL, *_BUDGET) if name in sent]
    if error.means not in ("option", "unknown") or error.status not in (400, 422):
        return None
    if error.field in options:
        return error.field
    if error.means != "option" or error.field is not None:
        return None
    places = {name: re.search(rf"\b{name}\b", error.message) for name in options}
    named = {name: found.start() for name, found in places.items() if found}
    return min(
        named, key=lambda name: (_NEUTRAL.get(name) != sent[name], named[name]), default=None
    )


def _ask_in_words(
    messages: Sequence[dict[str, str]], schema: dict[str, Any]
) -> list[dict[str, str]]:
    last = messages[-1]
    words = (
        "Answer with one JSON object that follows this JSON schema, and nothing else:\n"
        + json.dumps(schema)
    )
    return [*messages[:-1], {**last, "content": f"{last['content']}\n\n{words}"}]


def _sendable(text: str) -> str:
    """UTF-8 has no form for a lone surrogate, which a model can write."""
    return text.encode("utf-8", "replace").decode("utf-8")
