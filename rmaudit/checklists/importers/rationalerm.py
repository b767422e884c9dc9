"""RationaleRM (arXiv 2602.04649): pairs of HelpSteer3 with the human's reasons as atomic points.

    domain, context [{role, content}], response1, response2, human-checklist [text],
    and in the test file {model}-checklist, {model}-label, {model}-generated_text

The field of the gold label is not documented. The likely names are tried in order, the one taken is
reported, and `ImportOptions.label_field` names another.
"""

from __future__ import annotations

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    field,
    kept,
    make_item,
    number_of,
    optional_text,
    text_field,
    texts_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, content_id, lettered
from rmaudit.checklists.importers.labels import SCALES, Preference, by_scale, by_word
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.errors import InputError
from rmaudit.parsing.sides import reason_about

SCALED = "overall_preference"
"""The field of HelpSteer3, whose sign is documented: negative means response 1 is better."""

LIKELY = (
    SCALED, "human-label", "human_label", "gold-label", "gold_label", "gt_label",
    "human_preference", "human-preference", "preference", "winner", "label",
)  # fmt: skip
CARD = SetCard(
    name="rationalerm",
    licence="CC-BY-4.0",
    origin="RationaleRM (arXiv 2602.04649): HelpSteer3, human reasons split into points by a model",
    purpose="Pairs with the reasons that people gave: rationale consistency.",
    not_for="What speaks for a response: the reasons are faults only.",
)


def _items(row: Row, context: ImportContext) -> list[Item]:
    verdict = label_of(row, context)
    prompt = turns_field(row, "context")
    first, second = text_field(row, "response1"), text_field(row, "response2")
    reasons = []
    for place, point in enumerate(texts_field(row, "human-checklist"), start=1):
        text = lettered(point)
        about, ambiguous = reason_about(text)
        context.count("reasons that name no response", about is None and not ambiguous)
        context.count("reasons that name a response in no defined form", ambiguous)
        reasons.append({"id": f"h{place}", "text": text, "about": about})
    context.count("rows without reasons", not reasons)
    models = [name for name in row if name.endswith("-checklist") and name != "human-checklist"]
    context.count("lists of reasons by a model, left out", len(models))
    return [
        make_item(
            id=content_id(prompt, first, second),
            domain=optional_text(row, "domain") or "general",
            prompt=prompt,
            response_a=first,
            response_b=second,
            label=verdict.label,
            strength=verdict.strength,
            reasons=reasons,
            source="rationalerm",
            meta=kept(row, "language"),
        )
    ]


def label_of(row: Row, context: ImportContext) -> Preference:
    """The gold label of a row.

    Raises:
        BadField: the field of the label holds none.
        InputError: no field of the file can be taken, or nothing says what a number means.
    """
    options = context.options
    name = options.label_field or context.taken.get("label") or _likely(row)
    context.taken["label"] = name
    value = field(row, name)
    told = options.label_values.find(value)
    if told is not None:
        return Preference(told)
    if options.label_values.given:
        raise BadField(name, "is none of the values given")
    scale = options.label_scale or ("negative-is-a" if name == SCALED else None)
    if number_of(value) is None and options.label_scale is None:
        return by_word(value, name)
    if scale is None:
        raise InputError(
            f"{context.file}, line {context.line}, field {name}: nothing says what the number "
            f"{value} means",
            f"give --label-scale {' or '.join(SCALES)}, or --label-a VALUE --label-b VALUE",
        )
    return by_scale(value, name, scale)


def _likely(row: Row) -> str:
    found = next((name for name in LIKELY if row.get(name) is not None), None)
    if found is None:
        raise InputError(
            f"no field has a known name of the gold label; the fields are {', '.join(row)}",
            "name it: --label-field NAME",
        )
    return found


KIND = SetKind(
    "rationalerm",
    CARD,
    frozenset({"context", "response1", "response2", "human-checklist"}),
    _items,
    asks_label=True,
)
