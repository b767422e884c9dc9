"""RubricBench (arXiv 2603.01562): pairs with criteria that experts wrote for the request.

    case_id, instruction, response_a, response_b, label (0: response_a is better, 1: response_b),
    rubrics (a criterion a line), source, domain

A criterion says what the request needs, not which response fails it. So criteria are no reasons:
they stand in `meta.criteria`, marked as coverage, and rationale metrics do not apply.
"""

from __future__ import annotations

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    field,
    make_item,
    name_of,
    optional_text,
    text_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind
from rmaudit.checklists.schema import Item, SetCard


def _items(row: Row, context: ImportContext) -> list[Item]:
    label = field(row, "label")
    if isinstance(label, bool) or str(label) not in ("0", "1"):
        raise BadField("label", "must be 0 (response_a is better) or 1 (response_b)")
    rubrics = row.get("rubrics")
    if isinstance(rubrics, list):
        rubrics = "\n".join(str(one) for one in rubrics)
    lines = rubrics.splitlines() if isinstance(rubrics, str) else []
    criteria = [line.strip() for line in lines if line.strip()]
    context.count("rows without criteria", not criteria)
    context.count("criteria, kept as coverage and no reasons", len(criteria))
    source = optional_text(row, "source")
    return [
        make_item(
            id=name_of(row, "case_id"),
            domain=(optional_text(row, "domain") or "general").casefold(),
            prompt=turns_field(row, "instruction"),
            response_a=text_field(row, "response_a"),
            response_b=text_field(row, "response_b"),
            label="a" if str(label) == "0" else "b",
            source="rubricbench" + (f"/{source}" if source else ""),
            meta={"references": "coverage", "criteria": criteria} if criteria else {},
        )
    ]


KIND = SetKind(
    "rubricbench",
    SetCard(
        name="rubricbench",
        origin="RubricBench (arXiv 2603.01562), imported",
        purpose="Pairs with surface traps and criteria by experts, kept as coverage.",
        not_for="Rationale consistency: its criteria say what a request needs, not which response "
        "fails it.",
    ),
    frozenset({"instruction", "response_a", "response_b", "label", "rubrics"}),
    _items,
)
