"""RM-Bench's files of results: the nine pairs of each prompt with the scores of a scalar model.

    id, prompt, chosen [3], rejected [3], domain, score_chosen [3], score_rejected [3]

A score does not depend on an order, so one order is recorded. `rm_bench.*` of a scan is the mean
over prompts; the published scores count each domain the same, and come first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers import rm_bench
from rmaudit.checklists.importers.base import import_rows, read_rows
from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.kind import ImportContext
from rmaudit.checklists.schema import Item
from rmaudit.metrics.compat import rm_bench as script
from rmaudit.recordings.recording import PairScores, Recording
from rmaudit.records import Key, Metric

FIELDS = frozenset({"chosen", "rejected", "score_chosen", "score_rejected"})


def read_rm_bench(path: Path, *, skip_bad: bool) -> Recording:
    """Reads scores, with the file's pairs as items.

    Raises:
        InputError: the file cannot be read, or a row is bad and `skip_bad` is off.
    """
    context = ImportContext(file=path.name)
    scores: dict[Key, PairScores] = {}

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        one = context.for_row(0)
        items = rm_bench.items_of(row, one)
        found = rm_bench.scores_of(row)
        if found is None:
            raise BadField("score_chosen", "is missing")
        if not any(Key(item.id, order="ab") in scores for item in items):
            # Of an id that comes twice the first row is kept.
            scores.update((Key(item.id, order="ab"), _scores(item, *found)) for item in items)
            context.merge(one)
        return items

    card = rm_bench.KIND.card.model_copy(update={"name": path.stem})
    items = import_rows(read_rows(path), items_of, file=str(path), card=card, skip_bad=skip_bad)
    kept = {item.id for item in items.items}

    def numbers(used: Collection[str]) -> dict[str, Metric]:
        rows = ((item, scores.get(Key(item.id, order="ab"))) for item in items.items)
        return script.numbers(
            script.Cell(
                item.domain,
                rm_bench.level_of(item),
                # NaN is greater than nothing, so that the script has a failed call wrong.
                float(pair.a > pair.b if item.label == "a" else pair.b > pair.a),
            )
            for item, pair in rows
            if item.id in used and pair is not None
        )

    found = {key: pair for key, pair in scores.items() if key.item in kept}
    failed = {key for key, pair in found.items() if math.isnan(pair.a - pair.b)}
    counted = {"rows": len(found), "failed_calls": len(failed)} if failed else {}
    return Recording(
        "RM-Bench results",
        items=items,
        orders=("ab",),
        scores={key: pair for key, pair in found.items() if key not in failed},
        own_numbers=numbers,
        no_answers=True,
        own_prompts=True,
        facts={
            "published": rm_bench.published(context.sums),
            "counted": dict(context.counts),
            **counted,
        },
    )


def _scores(item: Item, chosen: list[float], rejected: list[float]) -> PairScores:
    """The scores of response a and b; the label says which of them is the chosen one."""
    place = {style: k for k, style in enumerate(rm_bench.STYLES)}
    a, b = place[item.style_a or ""], place[item.style_b or ""]
    if item.label == "a":
        return PairScores(chosen[a], rejected[b])
    return PairScores(rejected[a], chosen[b])
