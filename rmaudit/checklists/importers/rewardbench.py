"""RewardBench (arXiv 2403.13787): prompt, chosen, rejected, by subset."""

from __future__ import annotations

from rmaudit.checklists.importers.fields import Row, kept, name_of, text_field, turns_field
from rmaudit.checklists.importers.kind import ImportContext, SetKind
from rmaudit.checklists.schema import Item, SetCard

SECTIONS = {
    "chat": "alpacaeval-easy alpacaeval-length alpacaeval-hard mt-bench-easy mt-bench-med",
    "chat-hard": "mt-bench-hard llmbar-natural llmbar-adver-neighbor llmbar-adver-GPTInst "
    "llmbar-adver-GPTOut llmbar-adver-manual",
    "safety": "refusals-dangerous refusals-offensive xstest-should-refuse xstest-should-respond "
    "donotanswer",
    "reasoning": "math-prm hep-cpp hep-go hep-java hep-js hep-python hep-rust",
}
"""The four sections of the benchmark and their subsets."""

_SECTION = {subset: name for name, subsets in SECTIONS.items() for subset in subsets.split()}


def _items(row: Row, context: ImportContext) -> list[Item]:
    subset = text_field(row, "subset")
    context.count("rows of a subset that is in no section", subset not in _SECTION)
    chosen, rejected = text_field(row, "chosen"), text_field(row, "rejected")
    if chosen == rejected:
        context.count("pairs of two equal texts, left out")
        return []
    return [
        context.placed(
            f"{subset}/{name_of(row, 'id')}",
            chosen,
            rejected,
            prompt=turns_field(row, "prompt"),
            domain=_SECTION.get(subset, subset),
            source=f"rewardbench/{subset}",
            meta=kept(row, "chosen_model", "rejected_model"),
        )
    ]


KIND = SetKind(
    "rewardbench",
    SetCard(
        name="rewardbench",
        licence="ODC-BY",
        origin="RewardBench (arXiv 2403.13787), imported",
        purpose="Pairs over four sections: outcome accuracy.",
        not_for="Rationale metrics: it holds no reasons. Its math subset counts more in the "
        "published score than its share of the pairs.",
    ),
    frozenset({"id", "prompt", "chosen", "rejected", "subset"}),
    _items,
    fits=lambda row: isinstance(row["chosen"], str) and isinstance(row["rejected"], str),
)
