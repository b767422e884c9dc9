"""NeMo RL preference data: ranked completions of a conversation, rank 0 the best.

context [{role, content}], completions [{rank, completion [{role, content}]}], task_name
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    field,
    name_of,
    objects_field,
    optional_text,
    text_of,
    turns_field,
    turns_of,
    whole_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, content_id
from rmaudit.checklists.schema import Item, SetCard


def _items(row: Row, context: ImportContext) -> list[Item]:
    prompt = turns_field(row, "context")
    ranked = [
        _ranked(one, f"completions[{k}]") for k, one in enumerate(objects_field(row, "completions"))
    ]
    context.count("rows with fewer than two completions", len(ranked) < 2)
    task = optional_text(row, "task_name")
    name = name_of(row, "id") if row.get("id") is not None else content_id(prompt, *ranked)
    items = []
    for i, j in combinations(range(len(ranked)), 2):
        (rank, text), (rank2, text2) = sorted((ranked[i], ranked[j]), key=lambda one: one[0])
        if text == text2:
            context.count("pairs of two equal texts, left out")
            continue
        items.append(
            context.placed(
                f"{name}/{i}-{j}",
                text,
                text2,
                tie=rank == rank2,
                group=name,
                prompt=prompt,
                domain=task or "general",
                tuple={"id": name, "rank": rank2},
                source="nemo-rl" + (f"/{task}" if task else ""),
            )
        )
    return items


def _ranked(one: dict[str, Any], where: str) -> tuple[int, str]:
    try:
        rank = whole_field(one, "rank")
        completion = field(one, "completion")
        if isinstance(completion, str):
            return rank, text_of(completion, "completion")
        turns = turns_of(completion, "completion")
        if len(turns) != 1 or turns[0]["role"] != "assistant":
            raise BadField("completion", "must be one message of the assistant")
        return rank, text_of(turns[0]["content"], "completion")
    except BadField as error:
        raise BadField(f"{where}.{error.field}", error.what) from error


KIND = SetKind(
    "nemo-rl",
    SetCard(
        name="nemo-rl",
        origin="preference data in the format of NeMo RL, imported",
        purpose="Ranked completions as pairs of one tuple: outcome accuracy.",
        not_for="Rationale metrics: the format holds no reasons.",
    ),
    frozenset({"context", "completions"}),
    _items,
)
