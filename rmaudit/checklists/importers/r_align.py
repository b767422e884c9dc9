"""R-Align (arXiv 2602.06763): pairs with a gold judgment in prose, to test on and to train on.

    id, source {subset}, conversations [{role, content}], response_A, response_B, gt_label (A or B),
    gt_judgment, meta; the training data have neither id nor source

The gold judgment names the responses, so A and B stay where they are: exchanged responses would
need every name in it exchanged too, and not every form of a name can be told from other letters.
"""

from __future__ import annotations

from functools import partial

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    kept,
    make_item,
    name_of,
    optional_text,
    text_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, content_id
from rmaudit.checklists.schema import Item, SetCard

WRITER = "model:gemini-3-pro"
"""Who wrote the gold judgments, as the authors say; the prompt of their judge calls them human."""

FIELDS = frozenset({"conversations", "response_A", "response_B", "gt_label", "gt_judgment"})
"""What the benchmark and the training data have in common."""

_END_OF_THINKING = "</think>"


def _items(row: Row, context: ImportContext, *, name: str) -> list[Item]:
    label = text_field(row, "gt_label").strip()
    if label not in ("A", "B"):
        raise BadField("gt_label", "must be A or B")
    prompt = turns_field(row, "conversations")
    first, second = text_field(row, "response_A"), text_field(row, "response_B")
    gold = optional_text(row, "gt_judgment")
    if gold is not None and _END_OF_THINKING in gold:
        context.count("gold judgments whose thinking was left out")
        gold = gold.rpartition(_END_OF_THINKING)[2].strip() or None
    context.count("rows without a gold judgment", gold is None)
    source = row.get("source")
    subset = source.get("subset") if isinstance(source, dict) else source
    subset = subset if isinstance(subset, str) and subset.strip() else None
    context.count("rows that name no subset", subset is None)
    unnamed = row.get("id") is None
    return [
        make_item(
            id=content_id(prompt, first, second) if unnamed else _id(row, subset),
            domain=subset or "general",
            prompt=prompt,
            response_a=first,
            response_b=second,
            label="a" if label == "A" else "b",
            gold_judgment=None if gold is None else {"text": gold, "origin": WRITER},
            reference_origin=WRITER,
            source=name if subset is None else f"{name}/{subset}",
            meta=kept(row, "meta"),
        )
    ]


def _id(row: Row, subset: str | None) -> str:
    return name_of(row, "id") if subset is None else f"{subset}/{name_of(row, 'id')}"


KIND = SetKind(
    "r-align",
    SetCard(
        name="r-align",
        origin="R-Align benchmark data (arXiv 2602.06763), gold judgments by Gemini 3 Pro",
        purpose="L-Acc, S-Corr and F-Score: do the reasons name what decides.",
        not_for="Judges of the family that wrote the gold judgments: they agree with themselves.",
    ),
    FIELDS | {"id"},
    partial(_items, name="r-align"),
)
TRAINING = SetKind(
    "r-align-rl-data",
    SetCard(
        name="r-align-rl-data",
        licence="MIT",
        origin="R-Align-RL-Data (arXiv 2602.06763), gold judgments by Gemini 3 Pro",
        purpose="Training pairs with a gold judgment each.",
        not_for="Measuring a model that was trained on it.",
    ),
    FIELDS,
    partial(_items, name="r-align-rl-data"),
    fits=lambda row: row.get("id") is None,
)
