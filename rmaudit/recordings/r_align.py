"""R-Align's files of judgments (arXiv 2602.06763): one answer a pair, and what a meta-judge said.

    the fields of the benchmark data, and model_judgment (the answer), model_pred (A, B or null),
    metarm_verdict (Correct, Incorrect, SkippedLabelMismatch, CallFail, ParseFail), metarm_raw,
    meta {model_name}

The pairs were shown in one order, as Assistant A and Assistant B. The gold judgments come along, so
that a labeller here can decide again whether the reasons are theirs; without one the recorded
meta-judge counts. Its answer (`metarm_raw`) is read here again: the last verdict tag counts, with
or without a full stop or bold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers import r_align
from rmaudit.checklists.importers.base import import_rows, read_rows
from rmaudit.checklists.importers.fields import BadField, optional_text
from rmaudit.checklists.importers.kind import ImportContext
from rmaudit.checklists.schema import Item
from rmaudit.metrics.compat import r_align as script
from rmaudit.parsing.sides import Names
from rmaudit.recordings.failures import error_text
from rmaudit.recordings.recording import RecordedGold, Recording
from rmaudit.records import Generation, Key, Metric, Verdict

FIELDS = r_align.FIELDS | {"model_judgment"}
NAMES = Names(("Assistant", "Answer", "Response"))
_PREDICTED: dict[object, Verdict] = {"A": "a", "B": "b", None: None}


def read_r_align(path: Path, *, skip_bad: bool) -> Recording:
    """Reads answers with the file's pairs as items.

    Raises:
        InputError: the file cannot be read, or a row is bad and `skip_bad` is off.
    """
    context = ImportContext(file=path.name)
    answers: dict[str, str] = {}
    decisions: dict[str, Verdict] = {}
    said: dict[str, tuple[object, str | None]] = {}
    own: list[script.MetaVerdict] = []
    models: set[str] = set()

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        one = context.for_row(0)
        (item,) = r_align.KIND.items_of(row, one)
        predicted = row.get("model_pred")
        if predicted not in ("A", "B", None):
            raise BadField("model_pred", "must be A, B or null")
        answer = optional_text(row, "model_judgment")
        verdict, raw = row.get("metarm_verdict"), optional_text(row, "metarm_raw")
        right = predicted is not None and predicted == str(row.get("gt_label")).strip()
        own.append(script.MetaVerdict(item.id, right, str(verdict)))
        if item.id not in said:  # of an id that comes twice the first row is kept
            if answer is not None:
                answers[item.id] = answer
                if "model_pred" in row:
                    decisions[item.id] = _PREDICTED[predicted]
            said[item.id] = verdict, raw
        meta = row.get("meta")
        models.add(str(meta.get("model_name") or "") if isinstance(meta, dict) else "")
        context.merge(one)
        return [item]

    card = r_align.KIND.card.model_copy(update={"name": path.stem})
    items = import_rows(read_rows(path), items_of, file=str(path), card=card, skip_bad=skip_bad)
    kept = {item.id: item for item in items.items}
    keys = {name: Key(name, order="ab") for name in kept}
    judged = any(verdict not in (None, "SkippedLabelMismatch") for verdict, _ in said.values())
    failures = {name: error_text(answer) for name, answer in answers.items()}

    def numbers(used: Collection[str]) -> dict[str, Metric]:
        return script.numbers(row for row in own if row.item in used)

    return Recording(
        "R-Align judgments",
        generations={
            key: Generation(
                key,
                answers[name],
                "stop" if failures[name] is None else "error",
                error=failures[name],
            )
            for name, key in keys.items()
            if name in answers
        },
        items=items,
        orders=("ab",),
        decisions={key: decisions[name] for name, key in keys.items() if name in decisions},
        names=NAMES,
        gold={keys[name]: gold_in(*said[name]) for name in kept} if judged else {},
        own_numbers=numbers,
        own_prompts=True,
        name=next(iter(models)).replace("/", "-") if len(models) == 1 else "",
        facts={
            "judge_model": ", ".join(sorted(models - {""})),
            "not_recorded": len(kept) - sum(name in answers for name in kept),
            **_failed(failures.values()),
            "counted": dict(context.counts),
        },
    )


def _failed(failures: Collection[str | None]) -> dict[str, int]:
    count = sum(failure is not None for failure in failures)
    return {"rows": len(failures), "failed_calls": count} if count else {}


_TAG = re.compile(r"<final_verdict>\s*[*_`\"']*(\w+)[*_`\"'.!]*\s*</final_verdict>", re.IGNORECASE)
_FAILED = {
    "CallFail": "the recorded call failed",
    "ParseFail": "the recorded answer has no verdict",
    "SkippedLabelMismatch": "not asked: the label was read as wrong when it was recorded",
}


def gold_in(verdict: object, raw: str | None) -> RecordedGold:
    """What the meta-judge said: the last tag of its answer, else the recorded verdict."""
    words = [word.casefold() for word in _TAG.findall(raw or "")]
    if words and words[-1] == "correct":
        return RecordedGold("correct", raw)
    if words and words[-1] == "incorrect":
        return RecordedGold("incorrect", raw)
    if raw is None and verdict == "Correct":
        return RecordedGold("correct")
    if raw is None and verdict == "Incorrect":
        return RecordedGold("incorrect")
    return RecordedGold(None, raw, _FAILED.get(str(verdict), "no verdict is recorded"))
