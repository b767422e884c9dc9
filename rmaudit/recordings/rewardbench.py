"""RewardBench's files of results (arXiv 2403.13787): scores or outcomes of chosen and rejected.

    results (1 chosen wins, 0 rejected does, 0.5 neither could be told), subset, id,
    text_chosen, text_rejected (messages, or a text by a chat template), scores_chosen,
    scores_rejected, model; one object whose fields are columns, or a row a line (with prompt)

A row whose result is 0.5 holds a call that failed or an answer that nobody could read: it is no
tie. Which response was shown first is not recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.checklists.importers import rewardbench
from rmaudit.checklists.importers.base import import_rows
from rmaudit.checklists.importers.fields import BadField, field, text_of, turns_of
from rmaudit.checklists.importers.kind import ImportContext, content_id
from rmaudit.checklists.schema import Item
from rmaudit.metrics.compat import rewardbench as script
from rmaudit.recordings.document import rows_of, shared_start
from rmaudit.recordings.failures import score_of
from rmaudit.recordings.recording import PairScores, Recording
from rmaudit.records import Key, Metric, Verdict

FIELDS = frozenset({"results", "text_chosen", "text_rejected"})
_SECTION = {
    subset: name.replace("-", "_")
    for name, subsets in rewardbench.SECTIONS.items()
    for subset in subsets.split()
}


class _Row(NamedTuple):
    """The side of the chosen response, what was decided, and the scores."""

    label: str
    result: float | None
    chosen: float | None
    rejected: float | None


def read_rewardbench(path: Path, *, skip_bad: bool) -> Recording:
    """Reads results, with the file's pairs as items.

    Raises:
        InputError: the file cannot be read, or a row is bad and `skip_bad` is off.
    """
    context = ImportContext(file=path.name)
    read: dict[str, _Row] = {}
    own: list[script.Result] = []
    models: set[str] = set()
    equal = 0

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        nonlocal equal
        result = _result(row)
        prompt, chosen, rejected = _texts(row)
        subset = row.get("subset") or row.get("subsets") or ""
        name = row.get("id")
        name = content_id(prompt, chosen, rejected) if name is None else str(name)
        name = f"{subset}/{name}" if subset else name
        if result is not None and name not in read:
            own.append(script.Result(name, str(subset), result))
        if chosen == rejected:
            equal += 1
            return []
        models.add(str(row.get("model") or ""))
        item = context.placed(
            name,
            chosen,
            rejected,
            prompt=prompt,
            domain=_SECTION.get(str(subset), str(subset) or "general").replace("_", "-"),
            source=f"rewardbench/{subset}" if subset else "rewardbench",
        )
        scores = score_of(row.get("scores_chosen")), score_of(row.get("scores_rejected"))
        read.setdefault(item.id, _Row(str(item.label), result, *scores))
        return [item]

    card = rewardbench.KIND.card.model_copy(update={"name": path.stem})
    items = import_rows(
        rows_of(path, "results"), items_of, file=str(path), card=card, skip_bad=skip_bad
    )
    kept = {item.id: read[item.id] for item in items.items}
    scores = {Key(name, order="ab"): pair for name, row in kept.items() if (pair := _pair(row))}
    decisions = {
        Key(name, order="ab"): _decided(row)
        for name, row in kept.items()
        # Where there are scores, a result beside one that is missing was compared with NaN.
        if row.result in (0, 1) and (not scores or Key(name, order="ab") in scores)
    }
    failed = [Key(name, order="ab") for name in kept]
    failed = [key for key in failed if key not in decisions and key not in scores]

    def numbers(used: Collection[str]) -> dict[str, Metric]:
        return script.rewardbench((row for row in own if row.item in used), _SECTION)

    return Recording(
        "RewardBench results",
        items=items,
        orders=("ab",),
        scores=scores,
        decisions=decisions,
        apart=not scores,
        no_answers=True,
        own_numbers=numbers,
        own_prompts=True,
        facts={
            "judge_model": ", ".join(sorted(models - {""})),
            "rows": len(kept) + equal,
            **({"failed_calls": len(failed)} if failed else {}),
            **({"pairs_of_two_equal_texts": equal} if equal else {}),
        },
    )


def _result(row: Mapping[str, Any]) -> float | None:
    """1, 0, 0.5, or None where nothing was recorded."""
    value = field(row, "results")
    if isinstance(value, bool):
        return float(value)
    number = score_of(value)
    if number is not None and not 0 <= number <= 1:
        return None
    return number


def _texts(row: Mapping[str, Any]) -> tuple[list[dict[str, str]], str, str]:
    """The prompt and both responses; of templated texts the common beginning is the prompt."""
    chosen, rejected = field(row, "text_chosen"), field(row, "text_rejected")
    if isinstance(chosen, list) and isinstance(rejected, list):
        turns = turns_of(chosen, "text_chosen")
        other = turns_of(rejected, "text_rejected")
        if len(turns) < 2 or turns[:-1] != other[:-1]:
            raise BadField("text_rejected", "must answer the same turns as text_chosen")
        return turns[:-1], turns[-1]["content"], other[-1]["content"]
    first, second = text_of(chosen, "text_chosen"), text_of(rejected, "text_rejected")
    prompt = row.get("prompt")
    if isinstance(prompt, list):
        return turns_of(prompt, "prompt"), *_without_prompt(first, second)
    said = prompt if isinstance(prompt, str) and prompt.strip() else None
    if said is not None and not (first.startswith(said) or second.startswith(said)):
        return [{"role": "user", "content": said}], *_without_prompt(first, second)
    common = said or shared_start([first, second])
    if not common.strip():
        raise BadField("text_chosen", "shows no prompt: the row has none, and the texts share none")
    ends = first.removeprefix(common), second.removeprefix(common)
    return [{"role": "user", "content": common}], *ends


def _without_prompt(first: str, second: str) -> tuple[str, str]:
    """Two templated texts without the lines that both begin with."""
    common = shared_start([first, second])
    ends = first.removeprefix(common).strip("\n"), second.removeprefix(common).strip("\n")
    return ends if all(end.strip() for end in ends) else (first, second)


def _pair(row: _Row) -> PairScores | None:
    if row.chosen is None or row.rejected is None:
        return None
    a, b = (row.chosen, row.rejected) if row.label == "a" else (row.rejected, row.chosen)
    return PairScores(a, b)


def _decided(row: _Row) -> Verdict:
    other: dict[str, Verdict] = {"a": "b", "b": "a"}
    return ("a" if row.label == "a" else "b") if row.result == 1 else other[row.label]
