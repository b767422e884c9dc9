"""A stand-in for a judge's model: a server that compares letter by letter.

It scores 1 where two texts are the same. As labeller it finds evidence in a reason with a digit or
a quotation mark and F4 in one that says "clear"; a gold judgment is met by a reason that it holds.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

from support.fault_server import Fault, FaultServer

ENTRY = re.compile(r"^([RS])(\d+) \([^)]*\): (.*)$", re.MULTILINE)


def entries(prompt: str, letter: str) -> list[str]:
    """The texts of the list R or S in a judge's prompt."""
    return [text for which, _, text in ENTRY.findall(prompt) if which == letter]


def same_text(prompt: str) -> str:
    """The answer of a judge that compares letter by letter; also obeys the engine's probe."""
    if "Name one colour" in prompt:
        return '{"colour": "green"}'
    if "Label every reason" in prompt:
        return labels(prompt)
    pairs = [
        {"r": ref, "s": reason, "score": 1}
        for ref, reference in enumerate(entries(prompt, "R"), start=1)
        for reason, said in enumerate(entries(prompt, "S"), start=1)
        if said == reference
    ]
    return json.dumps({"pairs": pairs})


def labels(prompt: str) -> str:
    """The answer of a labeller."""
    reasons = entries(prompt, "S")
    found: dict[str, object] = {
        "labels": [
            {
                "s": number,
                "category": "EG" if re.search('[0-9"]', text) else "GS",
                "flaws": ["F4"] if "clear" in text else [],
            }
            for number, text in enumerate(reasons, start=1)
        ]
    }
    if gold := re.search(r"\[begin Gold judgment\]\n(.*?)\n\[end", prompt, re.DOTALL):
        met = any(text in gold[1] for text in reasons)
        found |= {"decisive": [], "gold": "correct" if met else "incorrect"}
    return json.dumps(found)


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
    """The prompts that were answered, the engine's probe left out.

    An answer counts once it is sent: a caller that has it already may be ahead of the server.
    """
    while server.at_once:
        time.sleep(0.001)
    return [prompt for prompt in server.answered.elements() if "Name one colour" not in prompt]
