"""What an LLM judge is asked: which reasons state which references, as JSON of a bounded schema.

The part that a match and a label call of one answer share (request, responses, the reasons) comes
first, the references and the task after it, so that a server computes the shared part once.
Everything speaks in item coordinates: Response A is response_a, whatever the target saw first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from rmaudit.checklists.schema import Item
from rmaudit.judging.prompts import Prompt, Template, flatten, load_template, neutralise, render
from rmaudit.judging.sides import reason_about
from rmaudit.records import About, ModelReason

View = Literal["full", "lists"]
Sided = tuple[str, About]

ITEM, TASK = "judge_item", "metajudge"
_SIDES = {"a": "Response A", "b": "Response B", "both": "both responses", None: "not stated"}
_MARKS = re.compile(
    # The prompt's own delimiters, in the spellings that a model would take for them,
    r"[\[［【]\s*(?:begin|end)\s+(?:request|response\s+[ab]|reasons|references)\s*[\]］】]"
    # and the control tokens of chat templates, which a server may read as such.
    r"|<[|｜][^<>\n]{1,40}[|｜]>|<(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>",
    re.IGNORECASE,
)


def templates() -> tuple[Template, Template]:
    """The two templates that make up the prompt."""
    return load_template(ITEM), load_template(TASK)


def sided_references(item: Item) -> list[Sided]:
    """Text and side of each reference; the side is read off the text where it is not given."""
    return [(reason.text, reason.about or reason_about(reason.text)[0]) for reason in item.reasons]


def match_prompt(
    item: Item, references: Sequence[Sided], reasons: Sequence[ModelReason], *, view: View
) -> Prompt:
    """The prompt for one answer's reasons S1..Sm against the references R1..Rn.

    Args:
        item: whose request and responses are shown; not used in the view `lists`.
        references: text and side, in item coordinates, as the reasons are.
        reasons: the most important first.
        view: `full`, or `lists` for the two lists alone.
    """
    count = 0

    def clean(text: str) -> str:
        nonlocal count
        text, found = neutralise(text, _MARKS)
        count += found
        return text

    def entries(sided: Sequence[Sided]) -> list[dict[str, str]]:
        # One line each: no text can pose as another entry of its list.
        return [
            {"about": _SIDES[about], "text": clean(" ".join(text.split()))} for text, about in sided
        ]

    full = view == "full"
    shared = render(
        ITEM,
        full=full,
        request=clean(flatten(item.prompt)) if full else "",
        response_a=clean(item.response_a) if full else "",
        response_b=clean(item.response_b) if full else "",
        reasons=entries([(reason.text, reason.about) for reason in reasons]),
    )
    task = render(TASK, full=full, references=entries(references))
    return Prompt(({"role": "user", "content": f"{shared}\n\n{task}"},), count)


def match_schema(n_refs: int, n_reasons: int) -> dict[str, Any]:
    """JSON schema of the answer. 0 is among the scores: who starts a pair may still refuse it."""
    pair = {
        "r": {"type": "integer", "minimum": 1, "maximum": n_refs},
        "s": {"type": "integer", "minimum": 1, "maximum": n_reasons},
        "score": {"enum": [0, 0.25, 0.5, 0.75, 1]},
    }
    pairs = {"type": "array", "maxItems": n_refs * n_reasons, "items": _closed(pair)}
    return _closed({"pairs": pairs})


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
