"""JudgeBench's files of judge outputs: answers or scores in both orders, with its own decisions.

    pair_id, source, question, response_A, response_B, label, judge_name,
    judgments [{judgment {judge_model, prompt, response, scores?}, decision}, the same swapped]

The second judgment shows the responses in swapped order; its decision and scores are as shown. An
entry or a score is null where the call failed, a decision where JudgeBench could not read the
answer.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.checklists.importers import judgebench
from rmaudit.checklists.importers.base import import_rows, read_rows
from rmaudit.checklists.importers.fields import BadField, field
from rmaudit.checklists.schema import Item
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.recordings.failures import is_blank
from rmaudit.recordings.recording import ORDERS, PairScores, Recording, ShownOrder
from rmaudit.records import Generation, Key, Verdict

_SWAPPED: dict[Verdict, Verdict] = {"a": "b", "b": "a", "tie": "tie", None: None}


class _Entry(NamedTuple):
    """One judgment in item coordinates.

    `response` and `scores` are None where they were not recorded; `decided` tells a decision that
    is null from a file without decisions.
    """

    response: str | None
    scores: PairScores | None
    decision: Verdict
    decided: bool
    judge_model: str
    prompt: str


def read_judgebench(path: Path, *, skip_bad: bool) -> Recording:
    """Reads answers, or the scores of a score-only model, with the file's pairs as items.

    Raises:
        InputError: the file cannot be read, or a line is bad and `skip_bad` is off.
    """
    rows = list(read_rows(path))
    scored = any(_holds_scores(row) for _, row in rows if isinstance(row, dict))

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        item = judgebench.item_of(row)
        _entries(row, scored=scored)  # a bad judgment is a fault of the row
        return [item]

    card = judgebench.CARD.model_copy(update={"name": path.stem})
    items = import_rows(rows, items_of, file=str(path), card=card, skip_bad=skip_bad)
    left_out = {problem.line for problem in items.skipped}
    kept = [row for line, row in rows if line not in left_out and isinstance(row, dict)]
    entries = {
        Key(row["pair_id"], order=order): entry
        for row in kept
        for order, entry in _entries(row, scored=scored)
    }
    recorded = {key: entry for key, entry in entries.items() if entry is not None}
    decisions = {key: entry.decision for key, entry in recorded.items() if entry.decided}
    names = _names(kept, recorded)
    orders = tuple(order for order in ORDERS if any(key.order == order for key in entries))
    return Recording(
        "JudgeBench scores" if scored else "JudgeBench outputs",
        generations={
            key: Generation(key, entry.response)
            for key, entry in recorded.items()
            if entry.response is not None and not scored
        },
        items=items,
        orders=orders or ORDERS,
        scores={key: entry.scores for key, entry in recorded.items() if entry.scores is not None},
        decisions=decisions,
        names=names,
        own_prompts=True,
        facts={
            "judge_name": _joined(row.get("judge_name") for row in kept),
            "judge_model": _joined(entry.judge_model for entry in recorded.values()),
            "responses_called": _joined(f"{noun} {names.a}" for noun in names.nouns),
            "not_recorded": len(kept) * len(orders or ORDERS) - len(recorded),
            "null_decisions": sum(decision is None for decision in decisions.values()),
        },
    )


def _holds_scores(row: Mapping[str, Any]) -> bool:
    judgments = row.get("judgments")
    entries = judgments if isinstance(judgments, list) else []
    inner = [entry.get("judgment") for entry in entries if isinstance(entry, dict)]
    return any(isinstance(judgment, dict) and "scores" in judgment for judgment in inner)


def _entries(row: Mapping[str, Any], *, scored: bool) -> list[tuple[ShownOrder, _Entry | None]]:
    """The judgments of a row by order, None where an entry is null.

    Raises:
        BadField: a field holds what it cannot hold.
    """
    judgments = field(row, "judgments")
    if judgments is None:
        return []
    if not isinstance(judgments, list) or len(judgments) > len(ORDERS):
        raise BadField("judgments", "must be a list of one or two, the second in swapped order")
    return [
        (order, _entry(entry, order=order, where=f"judgments[{place}]", scored=scored))
        for place, (order, entry) in enumerate(zip(ORDERS, judgments, strict=False))
    ]


def _entry(entry: object, *, order: ShownOrder, where: str, scored: bool) -> _Entry | None:
    if entry is None:
        return None
    if not isinstance(entry, dict):
        raise BadField(where, "must be an object or null")
    decision = _decision(entry.get("decision"), where=f"{where}.decision")
    judgment = entry.get("judgment")
    if judgment is None and decision is None:
        return None
    if judgment is None:
        judgment = {}
    if not isinstance(judgment, dict):
        raise BadField(f"{where}.judgment", "must be an object or null")
    response, prompt = judgment.get("response"), judgment.get("prompt")
    if response is not None and not isinstance(response, str):
        raise BadField(f"{where}.judgment.response", "must be text or null")
    scores = _scores(judgment, where=f"{where}.judgment.scores") if scored else None
    if scored and scores is None:  # a failed call
        return None
    swapped = order == "ba"
    return _Entry(
        response=response,
        scores=PairScores(scores.b, scores.a) if scores and swapped else scores,
        decision=_SWAPPED[decision] if swapped else decision,
        decided="decision" in entry,
        judge_model=str(judgment.get("judge_model") or ""),
        prompt=prompt if isinstance(prompt, str) else "",
    )


def _decision(decision: object, *, where: str) -> Verdict:
    if decision is None:
        return None
    if not isinstance(decision, str) or decision not in judgebench.COMPARISONS:
        raise BadField(where, f"must be one of {', '.join(judgebench.COMPARISONS)}, or null")
    return judgebench.COMPARISONS[decision]


def _scores(judgment: Mapping[str, Any], *, where: str) -> PairScores | None:
    """The scores in the order shown; None where one is null or NaN."""
    scores = judgment.get("scores")
    if is_blank(scores) or (isinstance(scores, list) and any(map(is_blank, scores))):
        return None
    if not isinstance(scores, list) or len(scores) != 2 or not all(map(_is_number, scores)):
        raise BadField(where, "must be two finite numbers, in the order shown")
    return PairScores(float(scores[0]), float(scores[1]))


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= sys.float_info.max  # False for NaN


_NAMED = re.compile(
    r"\b(assistant|response|answer|output|completion|model|candidate|option|reply)s?"
    r"[ _*(\[]{1,3}([AB12])(?!\w)",
    re.IGNORECASE,
)


def _names(rows: Sequence[Mapping[str, Any]], entries: Mapping[Key, _Entry]) -> Names:
    """What the judge's prompt calls the responses, read off its words around the data."""
    for row in rows:
        entry = entries.get(Key(row["pair_id"]))
        data = sorted((row["question"], row["response_A"], row["response_B"]), key=len)
        if entry is None or not all(text in entry.prompt for text in data):
            continue
        frame = entry.prompt
        for text in reversed(data):
            frame = frame.replace(text, "", 1)
        found = {(noun.capitalize(), label.upper()) for noun, label in _NAMED.findall(frame)}
        for a, b in (("A", "B"), ("1", "2")):
            nouns = sorted(noun for noun, label in found if label == a and (noun, b) in found)
            if nouns:
                return Names(tuple(nouns), a, b)
    return DEFAULT_NAMES


def _joined(values: Iterable[object]) -> str:
    return ", ".join(sorted({str(value) for value in values if value}))
