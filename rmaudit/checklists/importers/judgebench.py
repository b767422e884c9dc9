"""JudgeBench (arXiv 2410.12784): pairs of one right and one wrong answer, as items.

The label follows from checked answers and comes without reasons, so that accuracy and order can
be measured and rationale metrics do not apply. Rows of a judge's output file hold the same fields
and import too.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from rmaudit.checklists.importers.fields import BadField, Row, field, kept, make_item, text_field
from rmaudit.checklists.importers.kind import ImportContext, SetKind
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


def item_of(row: Row) -> Item:
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
        meta=kept(row, "original_id", "response_model"),
    )


def domain_of(source: str) -> str:
    """The slice of a source: the part of the benchmark, or the source where it is none of them."""
    return _DOMAINS.get("mmlu-pro" if source.startswith("mmlu-pro") else source, source)


def _original(row: Row, question: str) -> str:
    """What tells a question from the others: its id in its source, else its text."""
    original: Any = row.get("original_id")
    if original is None:
        return hashlib.sha256(question.encode(errors="replace")).hexdigest()[:16]
    if isinstance(original, bool) or not isinstance(original, (int, str)):
        raise BadField("original_id", "must be text, a whole number or null")
    return str(original)


def _items(row: Row, context: ImportContext) -> list[Item]:
    if "judgments" in row:
        context.count("rows with a judge's answers; scan replay:FILE reads them")
    return [item_of(row)]


KIND = SetKind("judgebench", CARD, frozenset(FIELDS), _items)
