"""What a language model is asked as labeller: category and flaws of each reason, and gold verdict.

The prompt begins as the match call of the same answer does, so that a server computes that part
once. The verdict on a gold judgment is one more field of the same answer, asked for only where the
item has one (the question of the MetaRM of arXiv 2602.06763, in our words).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rmaudit.checklists.schema import Item
from rmaudit.judging.metajudge_prompt import ITEM, View, clean, closed, item_part
from rmaudit.parsing.thinking import answer_span
from rmaudit.prompts import Prompt, Template, load_template, render
from rmaudit.records import ModelReason
from rmaudit.taxonomy import CATEGORIES, FLAWS

TASK = "labeler"
MOST_POINTS = 6


def templates() -> tuple[Template, Template]:
    """The two templates that make up the prompt."""
    return load_template(ITEM), load_template(TASK)


def gold_text(item: Item) -> str | None:
    """The gold judgment of an item without the thinking before it; None where it has none."""
    if item.gold_judgment is None:
        return None
    text = item.gold_judgment.text
    span = answer_span(text)
    return text[span.start : span.end].strip() or text.strip()


def label_prompt(item: Item, reasons: Sequence[ModelReason], *, view: View) -> Prompt:
    """The prompt for the reasons S1..Sm of one answer, m > 0.

    Args:
        item: whose request and responses are shown; in the view `lists` only its gold judgment.
        reasons: in item coordinates, the most important first.
        view: `full`, or `lists` for the reasons alone.
    """
    shared = item_part(item, reasons, view=view)
    gold, neutralised = clean(gold_text(item) or "")
    task = render(
        TASK,
        full=view == "full",
        gold=gold,
        categories=CATEGORIES,
        flaws=FLAWS,
        count=len(reasons),
    )
    return shared.followed_by(task, neutralised)


def label_schema(n_reasons: int, *, gold: bool) -> dict[str, Any]:
    """JSON schema of the answer: one entry a reason."""
    label = {
        "s": {"type": "integer", "minimum": 1, "maximum": n_reasons},
        "category": {"enum": list(CATEGORIES)},
        "flaws": {"type": "array", "maxItems": len(FLAWS), "items": {"enum": list(FLAWS)}},
    }
    fields: dict[str, Any] = {
        "labels": {
            "type": "array",
            "minItems": n_reasons,
            "maxItems": n_reasons,
            "items": closed(label),
        }
    }
    if gold:
        points = {"type": "string", "maxLength": 300}
        fields["decisive"] = {"type": "array", "maxItems": MOST_POINTS, "items": points}
        fields["gold"] = {"enum": ["correct", "incorrect"]}
    return closed(fields)
