"""RewardBench 2 (arXiv 2506.01937): best of four, and prompts with many equally right answers.

    id, prompt, chosen [text], rejected [text], num_correct, num_incorrect, total_completions,
    models, subset, additional_metadata

Every right answer is paired with every wrong one; the pairs of a row are one tuple. In the subset
Ties (ids `ref:N` and `tied:N` of one question N) right answers are also paired with each other,
with the label `tie`.
"""

from __future__ import annotations

from itertools import combinations, product

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    kept,
    name_of,
    text_field,
    texts_field,
    turns_field,
    whole_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind
from rmaudit.checklists.schema import Item, SetCard

TIES = "ties"


def _items(row: Row, context: ImportContext) -> list[Item]:
    subset, name = text_field(row, "subset"), name_of(row, "id")
    chosen = texts_field(row, "chosen", least=1)
    rejected = texts_field(row, "rejected", least=1)
    for count, number in (
        ("num_correct", len(chosen)),
        ("num_incorrect", len(rejected)),
        ("total_completions", len(chosen) + len(rejected)),
    ):
        if row.get(count) is not None and whole_field(row, count) != number:
            raise BadField(count, f"is {row[count]}, but the row holds {number}")
    tied = subset.casefold() == TIES
    place = f"{subset}/{name}"
    texts = [*chosen, *rejected]
    right = range(len(chosen))
    pairs = [*product(right, range(len(chosen), len(texts)))]
    equal = [*combinations(right, 2)] if tied else []
    items = []
    for first, second in [*pairs, *equal]:
        if texts[first] == texts[second]:
            context.count("pairs of two equal texts, left out")
            continue
        tie = second < len(chosen)
        items.append(
            context.placed(
                f"{place}/{first}-{second}",
                texts[first],
                texts[second],
                tie=tie,
                group=f"{subset}/{name.rpartition(':')[2]}" if tied else place,
                prompt=turns_field(row, "prompt"),
                domain=subset.casefold().replace(" ", "-"),
                tuple={"id": place, "rank": second},
                source=f"rewardbench2/{subset}",
                meta=_meta(row, name, tied),
            )
        )
    return items


def _meta(row: Row, name: str, tied: bool) -> dict[str, object]:
    return kept(row, "num_correct") | ({"sample_type": name.partition(":")[0]} if tied else {})


KIND = SetKind(
    "rewardbench2",
    SetCard(
        name="rewardbench2",
        licence="ODC-BY",
        origin="RewardBench 2 (arXiv 2506.01937), imported",
        purpose="Right against wrong answers in tuples, and equally right ones as ties.",
        not_for="Rationale metrics: it holds no reasons. Its published score is best of four, not "
        "the accuracy over pairs.",
    ),
    frozenset({"id", "prompt", "chosen", "rejected", "num_correct", "subset"}),
    _items,
)
