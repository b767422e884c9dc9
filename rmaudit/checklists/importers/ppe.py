"""PPE Human Preference V1 (arXiv 2410.14872): votes of people on two models' answers.

    question_id, model_a, model_b, winner, prompt, response_1, response_2, language,
    is_code, is_refusal, category_tag, hard_prompt, easy_prompt, if_prompt, math_prompt

`winner` is model_a (response_1), model_b (response_2), or a tie, also where both are bad.
"""

from __future__ import annotations

from rmaudit.checklists.importers.fields import (
    Row,
    field,
    kept,
    make_item,
    name_of,
    optional_text,
    text_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind
from rmaudit.checklists.importers.labels import by_word
from rmaudit.checklists.schema import Item, SetCard

_FLAGS = ("is_code", "is_refusal", "hard_prompt", "easy_prompt", "if_prompt", "math_prompt")


def _items(row: Row, context: ImportContext) -> list[Item]:
    winner = field(row, "winner")
    label = by_word(winner, "winner").label
    context.count("ties where both responses are bad", "bad" in str(winner).casefold())
    first, second = text_field(row, "response_1"), text_field(row, "response_2")
    models = "/".join(str(row[name]) for name in ("model_a", "model_b") if row.get(name))
    question = name_of(row, "question_id")
    return [
        make_item(
            id=f"{question}/{models}" if models else question,
            group=question,
            domain=_domain(row),
            prompt=turns_field(row, "prompt"),
            response_a=first,
            response_b=second,
            label=label,
            source="ppe-human-preference-v1",
            meta=kept(row, "language", "model_a", "model_b", *_FLAGS),
        )
    ]


def _domain(row: Row) -> str:
    if row.get("is_code") is True:
        return "code"
    if row.get("math_prompt") is True:
        return "math"
    language = optional_text(row, "language") or "english"
    return "general" if language.casefold() in ("english", "en") else "multilingual"


KIND = SetKind(
    "ppe",
    SetCard(
        name="ppe",
        licence="prompts CC-BY-4.0, responses under the terms of their providers",
        origin="PPE Human Preference V1 (arXiv 2410.14872), imported",
        purpose="Votes of people: outcome accuracy, length and style.",
        not_for="Training, which its licence excludes. Rationale metrics: it holds no reasons.",
    ),
    frozenset({"winner", "prompt", "response_1", "response_2"}),
    _items,
)
