"""RewardBench 2's files of results (arXiv 2506.01937): a score for each completion of a prompt.

    id, subset, text [conversations, the right ones first], scores, num_correct, results, model;
    one object whose fields are columns, or a row a line

Each right completion is paired with each wrong one, in Ties right ones with each other too, as the
importer of the set does. Ratings are whole numbers from 1, and -1 where the call failed. Results
of one call for all four completions hold no scores: they say nothing of pairs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers import rewardbench2
from rmaudit.checklists.importers.base import import_rows
from rmaudit.checklists.importers.fields import (
    BadField,
    field,
    list_field,
    name_of,
    text_field,
    text_of,
    turns_of,
    whole_field,
)
from rmaudit.checklists.importers.kind import ImportContext
from rmaudit.checklists.schema import Item
from rmaudit.metrics.compat import rewardbench as script
from rmaudit.recordings.document import rows_of, shared_start
from rmaudit.recordings.failures import score_of
from rmaudit.recordings.recording import PairScores, Recording
from rmaudit.records import Key, Metric

FIELDS = frozenset({"scores", "num_correct", "subset", "id"})
FAILED_CALL = -1.0


def read_rewardbench2(path: Path, *, skip_bad: bool) -> Recording:
    """Reads scores, with the pairs of the file as items.

    Raises:
        InputError: the file cannot be read, or a row is bad and `skip_bad` is off.
    """
    rows = list(rows_of(path, "id"))
    good = [row for _, row in rows if not isinstance(row, BadField)]
    sentinel = FAILED_CALL if _rated(good) else None
    context = ImportContext(file=path.name)
    scores: dict[Key, PairScores] = {}
    own: list[script.RatedRow] = []
    models: set[str] = set()
    failed: set[str] = set()

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        pair, values = _as_set_row(row, sentinel)
        models.add(str(row.get("model") or ""))
        items = list(rewardbench2.KIND.items_of(pair, context))
        place = f"{pair['subset']}/{pair['id']}"
        raw = [number if (number := score_of(one)) is not None else 0.0 for one in row["scores"]]
        own.append(script.RatedRow(place, pair["subset"], place, tuple(raw), len(pair["chosen"])))
        for item in items:
            first, _, second = item.id.rpartition("/")[2].partition("-")
            one, other = values[int(first)], values[int(second)]
            if one is None or other is None:
                failed.add(item.id)
            elif item.meta["placement"]["first"] == "a":
                scores[Key(item.id, order="ab")] = PairScores(one, other)
            else:
                scores[Key(item.id, order="ab")] = PairScores(other, one)
        return items

    card = rewardbench2.KIND.card.model_copy(update={"name": path.stem})
    items = import_rows(rows, items_of, file=str(path), card=card, skip_bad=skip_bad)
    kept = {item.id for item in items.items}

    def numbers(used: Collection[str]) -> dict[str, Metric]:
        prompts = {name.rpartition("/")[0] for name in used}
        return script.rewardbench2(row for row in own if row.item in prompts)

    return Recording(
        "RewardBench 2 results",
        items=items,
        orders=("ab",),
        scores={key: pair for key, pair in scores.items() if key.item in kept},
        no_answers=True,
        own_numbers=numbers,
        own_prompts=True,
        facts={
            "judge_model": ", ".join(sorted(models - {""})),
            "rows": len(items.items),
            **({"failed_calls": len(failed & kept)} if failed & kept else {}),
            "counted": dict(context.counts),
        },
    )


def _rated(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether all scores are ratings: whole numbers from 1, or -1."""
    values = chain.from_iterable(
        row["scores"] for row in rows if isinstance(row.get("scores"), list)
    )
    numbers = {score_of(value) for value in values} - {None}
    return all(number == FAILED_CALL or (number or 0) in range(1, 101) for number in numbers)


def _as_set_row(
    row: Mapping[str, Any], sentinel: float | None
) -> tuple[dict[str, Any], list[float | None]]:
    """The row as the set has it, and the scores of its completions."""
    subset, name = text_field(row, "subset"), name_of(row, "id")
    if row.get("scores") is None:
        raise BadField("scores", "is missing: a result of best of four says nothing of its pairs")
    found = list_field(row, "scores")
    right = whole_field(row, "num_correct")
    if not 0 < right < len(found):
        raise BadField("num_correct", f"is {right}, but there are {len(found)} scores")
    prompt, texts = _texts(row, len(found))
    return (
        {
            "id": name,
            "subset": subset,
            "prompt": prompt,
            "chosen": texts[:right],
            "rejected": texts[right:],
            "num_correct": right,
        },
        [score_of(one, sentinel=sentinel) for one in found],
    )


def _texts(row: Mapping[str, Any], count: int) -> tuple[Any, list[str]]:
    """The prompt and the completions: of messages, or of texts by a chat template."""
    both = "texts_chosen" in row and "texts_rejected" in row
    values = (
        [*list_field(row, "texts_chosen"), *list_field(row, "texts_rejected")]
        if both
        else field(row, "text")
    )
    where = "texts_chosen" if both else "text"
    if not isinstance(values, list) or len(values) != count:
        raise BadField(where, f"must hold {count} completions, one a score")
    if all(isinstance(one, list) for one in values):
        turns = [turns_of(one, f"{where}[{k}]") for k, one in enumerate(values)]
        if any(len(one) < 2 or one[:-1] != turns[0][:-1] for one in turns):
            raise BadField(where, "must answer the same turns")
        return turns[0][:-1], [one[-1]["content"] for one in turns]
    return _templated([text_of(one, f"{where}[{k}]") for k, one in enumerate(values)], where)


def _templated(texts: list[str], where: str) -> tuple[str, list[str]]:
    common = shared_start(texts)
    if not common.strip():
        raise BadField(where, "shows no prompt: the texts share no beginning")
    return common, [text.removeprefix(common) for text in texts]
