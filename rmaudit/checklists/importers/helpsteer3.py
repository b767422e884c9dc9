"""HelpSteer3-Preference (arXiv 2505.11475): pairs with up to three annotators and their reasons.

    domain, language, context [{role, content}], response1, response2, overall_preference,
    individual_preference [{score, reasoning, feedback1, feedback2}]

A preference is from -3 to 3 and negative where response 1 is better. What annotators wrote is
prose, kept as their rationale; a model can split it into atomic reasons afterwards.
"""

from __future__ import annotations

from typing import Any

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    field,
    kept,
    make_item,
    objects_field,
    optional_text,
    text_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, content_id, lettered
from rmaudit.checklists.importers.labels import by_scale
from rmaudit.checklists.schema import Item, SetCard

CARD = SetCard(
    name="helpsteer3",
    licence="CC-BY-4.0",
    origin="HelpSteer3-Preference (arXiv 2505.11475), imported",
    purpose="Human preferences over five domains with what each annotator wrote.",
    not_for="Rationale metrics as it is: what annotators wrote is prose, not atomic reasons.",
)


def _items(row: Row, context: ImportContext) -> list[Item]:
    verdict = by_scale(field(row, "overall_preference"), "overall_preference", "negative-is-a")
    prompt = turns_field(row, "context")
    first, second = text_field(row, "response1"), text_field(row, "response2")
    annotators, feedback = [], []
    individual = objects_field(row, "individual_preference") if _has(row) else []
    for place, one in enumerate(individual):
        where = f"individual_preference[{place}]"
        if one.get("score") is None:
            context.count("annotators without a score, left out")
            continue
        rationale = _prose(one, "reasoning", where)
        context.count("annotators without a reasoning", rationale is None)
        label = by_scale(one["score"], f"{where}.score", "negative-is-a").label
        annotators.append({"label": label, "rationale": rationale})
        feedback.append({"a": one.get("feedback1"), "b": one.get("feedback2")})
    context.count("rows without annotators", not annotators)
    labels = {annotator["label"] for annotator in annotators}
    context.count("rows whose annotators prefer opposite responses", {"a", "b"} <= labels)
    context.count(
        "rows whose label no annotator gave", bool(labels) and verdict.label not in labels
    )
    meta: dict[str, Any] = kept(row, "language")
    if any(text for one in feedback for text in one.values()):
        meta["feedback"] = feedback
    return [
        make_item(
            id=content_id(prompt, first, second),
            domain=optional_text(row, "domain") or "general",
            prompt=prompt,
            response_a=first,
            response_b=second,
            label=verdict.label,
            strength=verdict.strength,
            annotators=annotators or None,
            source="helpsteer3",
            meta=meta,
        )
    ]


def _has(row: Row) -> bool:
    return row.get("individual_preference") is not None


def _prose(one: dict[str, Any], name: str, where: str) -> str | None:
    try:
        text = optional_text(one, name)
    except BadField as error:
        raise BadField(f"{where}.{name}", error.what) from error
    return None if text is None else lettered(text)


KIND = SetKind(
    "helpsteer3",
    CARD,
    frozenset({"context", "response1", "response2", "overall_preference"}),
    _items,
    config="preference",
)
