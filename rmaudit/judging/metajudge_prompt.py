"""What an LLM judge is asked: which reasons state which references, as JSON of a bounded schema.

The part that a match and a label call of one answer share (request, responses, the reasons) comes
first, the references and the task after it, so that a server computes the shared part once.
Everything speaks in item coordinates: Response A is response_a, whatever the target saw first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.parsing.sides import reason_about
from rmaudit.prompts import Prompt, Template, flatten, load_template, neutralise, render
from rmaudit.records import About, ModelReason
from rmaudit.taxonomy import CLAIMS

View = Literal["full", "lists"]
Sided = tuple[str, About]

ITEM, TASK = "judge_item", "metajudge"
SIDES = {"a": "Response A", "b": "Response B", "both": "both responses", None: "not stated"}
MARKS = re.compile(
    # The prompt's own delimiters, in the spellings that a model would take for them,
    r"[\[［【]\s*(?:begin|end)\s+(?:request|response\s+[ab]|reasons|references|gold\s+judgment)\s*[\]］】]"
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
    item: Item,
    references: Sequence[Sided],
    reasons: Sequence[ModelReason],
    *,
    view: View,
    claims: bool = False,
) -> Prompt:
    """The prompt for one answer's reasons S1..Sm against the references R1..Rn.

    Args:
        item: whose request and responses are shown; not used in the view `lists`.
        references: text and side, in item coordinates, as the reasons are.
        reasons: the most important first.
        view: `full`, or `lists` for the two lists alone.
        claims: ask as well whether each reason is true of the responses.
    """
    shared = item_part(item, reasons, view=view)
    entries, count = sided_entries(references)
    full = view == "full"
    task = render(TASK, full=full, references=entries, claims=claims, count=len(reasons))
    return shared.followed_by(task, count)


class SharedPrefix(NamedTuple):
    """The text that all calls about one answer begin with, and its neutralised delimiters."""

    text: str
    neutralised: int

    def followed_by(self, task: str, neutralised: int = 0) -> Prompt:
        """The whole prompt of one call."""
        content = f"{self.text}\n\n{task}"
        return Prompt(({"role": "user", "content": content},), self.neutralised + neutralised)


def item_part(item: Item, reasons: Sequence[ModelReason], *, view: View) -> SharedPrefix:
    """Request, responses and reasons S1..Sm; in the view `lists` the reasons alone."""
    full = view == "full"
    texts = [clean(text) for text in (flatten(item.prompt), item.response_a, item.response_b)]
    entries, count = sided_entries([(reason.text, reason.about) for reason in reasons])
    shown = [text for text, _ in texts] if full else ["", "", ""]
    text = render(
        ITEM,
        full=full,
        request=shown[0],
        response_a=shown[1],
        response_b=shown[2],
        reasons=entries,
    )
    return SharedPrefix(text, count + sum(found for _, found in texts) * full)


def sided_entries(sided: Sequence[Sided]) -> tuple[list[dict[str, str]], int]:
    """Entries of a list, one line each: no text can pose as another entry."""
    cleaned = [(about, clean(" ".join(text.split()))) for text, about in sided]
    entries = [{"about": SIDES[about], "text": text} for about, (text, _) in cleaned]
    return entries, sum(found for _, (_, found) in cleaned)


def clean(text: str) -> tuple[str, int]:
    """Text by others with its delimiters made harmless, and how many it had."""
    return neutralise(text, MARKS)


def match_schema(n_refs: int, n_reasons: int, *, claims: bool = False) -> dict[str, Any]:
    """JSON schema of the answer. 0 is among the scores: who starts a pair may still refuse it."""
    pair = {
        "r": {"type": "integer", "minimum": 1, "maximum": n_refs},
        "s": {"type": "integer", "minimum": 1, "maximum": n_reasons},
        "score": {"enum": [0, 0.25, 0.5, 0.75, 1]},
    }
    fields: dict[str, Any] = {
        "pairs": {"type": "array", "maxItems": n_refs * n_reasons, "items": closed(pair)}
    }
    if claims:
        fields["claims"] = {
            "type": "array",
            "minItems": n_reasons,
            "maxItems": n_reasons,
            "items": closed({"s": pair["s"], "claim": {"enum": list(CLAIMS)}}),
        }
    return closed(fields)


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
