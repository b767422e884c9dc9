"""A stand-in for a judge's model: a server that scores 1 where two texts are the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from fault_server import Fault, FaultServer

ENTRY = re.compile(r"^([RS])(\d+) \([^)]*\): (.*)$", re.MULTILINE)


def entries(prompt: str, letter: str) -> list[str]:
    """The texts of the list R or S in a judge's prompt."""
    return [text for which, _, text in ENTRY.findall(prompt) if which == letter]


def same_text(prompt: str) -> str:
    """The answer of a judge that compares letter by letter; also obeys the engine's probe."""
    if "Name one colour" in prompt:
        return '{"colour": "green"}'
    pairs = [
        {"r": ref, "s": reason, "score": 1}
        for ref, reference in enumerate(entries(prompt, "R"), start=1)
        for reason, said in enumerate(entries(prompt, "S"), start=1)
        if said == reference
    ]
    return json.dumps({"pairs": pairs})


def judge_server(
    answer: Callable[[str], str] = same_text,
    *,
    fault: Fault = lambda prompt, nth: None,
    seconds: float = 0.0,
    context: int | None = None,
) -> FaultServer:
    """Serves the model `judge`."""
    return FaultServer(answer, fault=fault, seconds=seconds, context=context)


def asked(server: FaultServer) -> list[str]:
    """The prompts that were answered, the engine's probe left out."""
    return [prompt for prompt in server.answered.elements() if "Name one colour" not in prompt]
