"""JudgeBench (arXiv 2410.12784): pairs of one right and one wrong answer, as items.

The label follows from checked answers and comes without reasons, so that accuracy and order can
be measured and rationale metrics do not apply. Rows of a judge's output file hold the same fields
and import too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal

from rmaudit.checklists.importers.base import BadField, field, make_item, text_field
from rmaudit.checklists.schema import Item, SetCard

FIELDS = ("pair_id", "source", "question", "response_A", "response_B", "label")
COMPARISONS: dict[str, Literal["a", "b", "tie"]] = {"A>B": "a", "B>A": "b", "A=B": "tie"}
CARD = SetCard(
    name="judgebench",
    origin="JudgeBench (arXiv 2410.12784), imported",
    purpose="Pairs of a right and a wrong answer to hard questions: outcome accuracy and order.",
    not_for="Rationale metrics: it holds no reasons.",
)
# The four parts of the benchmark; their sources have a name each.
_DOMAINS = {
    "mmlu-pro": "knowledge",
    "livebench-reasoning": "reasoning",
    "livebench-math": "math",
    "livecodebench": "code",
}


def item_of(row: Mapping[str, Any]) -> Item:
    """The item of a row.

    Raises:
        BadField: a field is missing or holds what it cannot hold.
    """
    source, question = text_field(row, "source"), text_field(row, "question")
    label = field(row, "label")
    if not isinstance(label, str) or label not in COMPARISONS:
        raise BadField("label", f"must be one of {', '.join(COMPARISONS)}")
    return make_item(
        id=text_field(row, "pair_id"),
        group=f"{source}/{_original(row, question)}",
        domain=domain_of(source),
        prompt=[{"role": "user", "content": question}],
        response_a=text_field(row, "response_A"),
        response_b=text_field(row, "response_B"),
        label=COMPARISONS[label],
        reference_origin="program",
        source=f"judgebench/{source}",
        meta={name: row[name] for name in ("original_id", "response_model") if name in row},
    )


def domain_of(source: str) -> str:
    """The slice of a source: the part of the benchmark, or the source where it is none of them."""
    return _DOMAINS.get("mmlu-pro" if source.startswith("mmlu-pro") else source, source)


def _original(row: Mapping[str, Any], question: str) -> str:
    """What tells a question from the others: its id in its source, else its text."""
    original = row.get("original_id")
    if original is None:
        return hashlib.sha256(question.encode(errors="replace")).hexdigest()[:16]
    if isinstance(original, bool) or not isinstance(original, (int, str)):
        raise BadField("original_id", "must be text, a whole number or null")
    return str(original)
