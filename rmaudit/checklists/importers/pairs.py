"""Any file of pairs: prompt, chosen and rejected, or two responses and a label.

Which field is what can be named; the names that are common are known. Chosen and rejected may be
whole conversations: what they share in front is the prompt, their last message the response.
"""

from __future__ import annotations

from typing import Any

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    field,
    make_item,
    name_of,
    optional_text,
    text_of,
    texts_field,
    turns_field,
    turns_of,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, content_id, lettered
from rmaudit.checklists.importers.rationalerm import label_of
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.errors import InputError
from rmaudit.parsing.sides import reason_about

PARTS = {
    "prompt": ("prompt", "question", "instruction", "input", "context", "messages"),
    "chosen": ("chosen",),
    "rejected": ("rejected",),
    "a": ("response_a", "response_A", "response1", "response_1", "answer_a", "output_a"),
    "b": ("response_b", "response_B", "response2", "response_2", "answer_b", "output_b"),
    "id": ("id", "pair_id", "item_id", "uid"),
    "group": (),
    "domain": ("domain", "subset", "category"),
    "reasons": (),
}
"""The parts of a pair and the fields that are taken for them where none is named."""

CARD = SetCard(
    name="pairs",
    origin="a file of pairs, imported",
    purpose="Pairs of your own.",
    not_for="Rationale metrics, unless the file holds reasons.",
)


def _items(row: Row, context: ImportContext) -> list[Item]:
    chosen, rejected = _chosen(row, context)
    common: dict[str, Any] = {
        "domain": _optional(row, context, "domain") or "general",
        "group": _optional(row, context, "group") or "",
        "source": "pairs",
    }
    if chosen and rejected:
        prompt, better, worse = _conversations(row, context, chosen, rejected)
        if better == worse:
            context.count("pairs of two equal texts, left out")
            return []
        name = _id(row, context, prompt, better, worse)
        told = _reasons(row, context)
        context.count("reasons that name no response", len(told))
        reasons = [{"id": f"h{k}", "text": text} for k, text in enumerate(told, start=1)]
        return [context.placed(name, better, worse, prompt=prompt, reasons=reasons, **common)]
    a, b = (_named(row, context, part) for part in ("a", "b"))
    if not (a and b):
        if context.rows:
            raise BadField("", "holds neither chosen and rejected nor two responses")
        raise InputError(
            f"a row of {context.file} holds neither chosen and rejected nor two responses; its "
            f"fields are {', '.join(row)}",
            "name them: --chosen-field and --rejected-field, or --a-field and --b-field",
        )
    verdict = label_of(row, context)
    prompt = turns_field(row, _needed(row, context, "prompt"))
    first, second = (text_of(row[one], one) for one in (a, b))
    told = [lettered(text) for text in _reasons(row, context)]
    sided: list[dict[str, Any]] = [
        {"id": f"h{k}", "text": text, "about": reason_about(text)[0]}
        for k, text in enumerate(told, start=1)
    ]
    context.count("reasons that name no response", sum(not one["about"] for one in sided))
    return [
        make_item(
            id=_id(row, context, prompt, first, second),
            prompt=prompt,
            response_a=first,
            response_b=second,
            label=verdict.label,
            strength=verdict.strength,
            reasons=sided,
            **common,
        )
    ]


def _chosen(row: Row, context: ImportContext) -> tuple[str | None, str | None]:
    """The fields of chosen and rejected; none where the user names two responses or a label."""
    options = context.options
    if options.labelled or options.fields.keys() & {"a", "b"}:
        if options.fields.keys() & {"chosen", "rejected"}:
            raise InputError(
                "chosen and rejected responses are their own label",
                "name --chosen-field and --rejected-field, or two responses and a label",
            )
        return None, None
    return _named(row, context, "chosen"), _named(row, context, "rejected")


def _conversations(
    row: Row, context: ImportContext, chosen: str, rejected: str
) -> tuple[list[dict[str, str]], str, str]:
    """The prompt and the two responses."""
    both = row[chosen], row[rejected]
    if all(isinstance(one, str) for one in both):
        prompt = turns_field(row, _needed(row, context, "prompt"))
        return prompt, text_of(both[0], chosen), text_of(both[1], rejected)
    (*first, last), (*second, last2) = turns_of(both[0], chosen), turns_of(both[1], rejected)
    for turn, name in ((last, chosen), (last2, rejected)):
        if turn["role"] != "assistant":
            raise BadField(name, "must end with a message of the assistant")
    if first != second:
        raise BadField(rejected, f"does not answer the conversation of {chosen}")
    prompt = first or turns_field(row, _needed(row, context, "prompt"))
    return prompt, text_of(last["content"], chosen), text_of(last2["content"], rejected)


def _named(row: Row, context: ImportContext, part: str) -> str | None:
    """The field of a part; None where it is neither named nor known."""
    given = context.options.fields.get(part)
    if given is not None:
        field(row, given)
        context.taken[part] = given
        return given
    found = context.taken.get(part) or next((name for name in PARTS[part] if name in row), None)
    if found is not None:
        field(row, found)
        context.taken[part] = found
    return found


def _needed(row: Row, context: ImportContext, part: str) -> str:
    found = _named(row, context, part)
    if found is None and context.rows:
        raise BadField(part, "is missing")
    if found is None:
        raise InputError(
            f"no field of {context.file} has a known name for the {part}; the fields are "
            f"{', '.join(row)}",
            f"name it: --{part}-field NAME",
        )
    return found


def _optional(row: Row, context: ImportContext, part: str) -> str | None:
    given = context.options.fields.get(part)
    name = given or next((one for one in PARTS[part] if row.get(one) is not None), None)
    if name is None:
        return None
    value: Any = row.get(name)
    if value is None:
        context.count(f"rows without the field {name}")
        return None
    return optional_text({name: value if isinstance(value, str) else str(value)}, name)


def _id(row: Row, context: ImportContext, *content: object) -> str:
    found = _named(row, context, "id") if _has_id(row, context) else None
    if found is None:
        context.count("rows without an id, named by their content")
        return content_id(*content)
    return name_of(row, found)


def _has_id(row: Row, context: ImportContext) -> bool:
    given = context.options.fields.get("id")
    return given is not None or any(row.get(name) is not None for name in PARTS["id"])


def _reasons(row: Row, context: ImportContext) -> list[str]:
    name = context.options.fields.get("reasons")
    if name is None:
        return []
    if row.get(name) is None:
        context.count("rows without reasons")
        return []
    return texts_field(row, name)


KIND = SetKind(
    "pairs", CARD, frozenset({"chosen", "rejected"}), _items, asks_label=True, asks_fields=True
)
