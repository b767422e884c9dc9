"""Answer formats: how a model lays out its reasons and its verdict.

Each takes the reasons as written, the side of each as shown, the verdict and its strength, and
gives the raw text of the whole answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, NamedTuple

Shown = Literal["A", "B"]


class WrittenReason(NamedTuple):
    """One reason as written, and the response as shown that it speaks of."""

    text: str
    side: Shown


Envelope = Callable[[Sequence[WrittenReason], Shown, int, Random], str]


def _other(side: Shown) -> Shown:
    return "B" if side == "A" else "A"


def _relation(verdict: Shown, strength: int) -> str:
    sign = ">>" if strength > 1 else ">"
    return f"{verdict}{sign}{_other(verdict)}"


def _numbered(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    lines = [f"{number}. {said.text}" for number, said in enumerate(reasons, start=1)]
    return "\n".join([*lines, "", rf"\boxed{{{_relation(verdict, strength)}}}"])


def _bullets(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    opening = rng.choice(["Here is my comparison.", "Reasons:", "Faults that I found:"])
    return "\n".join([opening, "", *(f"- {said.text}" for said in reasons), "", f"[[{verdict}]]"])


def _captioned(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    caption = rng.choice(["Verdict", "Final verdict", "**Verdict**"])
    lines = [f"{number}) {said.text}" for number, said in enumerate(reasons, start=1)]
    return "\n".join([*lines, "", f"{caption}: {_relation(verdict, strength)}"])


def _json(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    answer = {
        "reasons": [{"text": said.text, "about": f"Response {said.side}"} for said in reasons],
        "verdict": _relation(verdict, strength),
    }
    body = json.dumps(answer, ensure_ascii=False, indent=rng.choice([None, 2]))
    return f"```json\n{body}\n```" if rng.random() < 0.5 else body


def _thinking(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    musing = rng.choice(
        [
            "The user wants a comparison. I check each requirement in turn.",
            "Let me go through the request and see what each response does with it.",
        ]
    )
    return f"<think>\n{musing}\n</think>\n\n" + _numbered(reasons, verdict, strength, rng)


def _headed(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    lines = ["### Reasons", ""]
    lines += [f"{number}. **{said.text}**" for number, said in enumerate(reasons, start=1)]
    return "\n".join([*lines, "", "### Verdict", "", f"Response {verdict} is better."])


def _tagged(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    lines = [f"Reason {number}: {said.text}" for number, said in enumerate(reasons, start=1)]
    return "\n".join([*lines, "", f"<answer>{verdict}</answer>"])


def _prose(reasons: Sequence[WrittenReason], verdict: Shown, strength: int, rng: Random) -> str:
    return " ".join(said.text for said in reasons) + f"\n\n[[{_relation(verdict, strength)}]]"


ENVELOPES: dict[str, Envelope] = {
    "numbered": _numbered,
    "bullets": _bullets,
    "captioned": _captioned,
    "json": _json,
    "thinking": _thinking,
    "headed": _headed,
    "tagged": _tagged,
    "prose": _prose,
}


def verdict_only(verdict: Shown, strength: int, rng: Random) -> str:
    """An answer that decides and says nothing else."""
    relation = _relation(verdict, strength)
    return rng.choice([rf"\boxed{{{relation}}}", f"[[{verdict}]]", f"Verdict: {relation}"])


def unreadable(reasons: Sequence[WrittenReason], rng: Random) -> str:
    """Reasons that come to no verdict."""
    ending = rng.choice(
        [
            "It is hard to choose between the two.",
            "I leave the decision to the reader.",
            r"\boxed{}",
            "Verdict: see above",
        ]
    )
    lines = [f"{number}. {said.text}" for number, said in enumerate(reasons, start=1)]
    return "\n".join([*lines, "", ending])
