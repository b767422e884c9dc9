"""R-Align's files of judgments (arXiv 2602.06763): one answer a pair, and what a meta-judge said.

    the fields of the benchmark data, and model_judgment (the answer), model_pred (A, B or null),
    metarm_verdict (Correct, Incorrect, SkippedLabelMismatch, CallFail, ParseFail),
    meta {model_name}

The pairs were shown in one order, as Assistant A and Assistant B. The gold judgments come along, so
that a labeller here can decide again whether the reasons are theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers import r_align
from rmaudit.checklists.importers.base import import_rows, read_rows
from rmaudit.checklists.importers.fields import BadField, optional_text
from rmaudit.checklists.importers.kind import ImportContext
from rmaudit.checklists.schema import Item
from rmaudit.parsing.sides import Names
from rmaudit.recordings.recording import Recording
from rmaudit.records import Generation, Key, Verdict

FIELDS = r_align.FIELDS | {"model_judgment"}
NAMES = Names(("Assistant", "Answer", "Response"))
_PREDICTED: dict[object, Verdict] = {"A": "a", "B": "b", None: None}
_FAILED = ("CallFail", "ParseFail")


def read_r_align(path: Path, *, skip_bad: bool) -> Recording:
    """Reads answers with the file's pairs as items.

    Raises:
        InputError: the file cannot be read, or a row is bad and `skip_bad` is off.
    """
    context = ImportContext(file=path.name)
    answers: dict[str, str] = {}
    decisions: dict[str, Verdict] = {}
    verdicts: dict[str, object] = {}
    models: set[str] = set()

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        one = context.for_row(0)
        (item,) = r_align.KIND.items_of(row, one)
        predicted = row.get("model_pred")
        if predicted not in ("A", "B", None):
            raise BadField("model_pred", "must be A, B or null")
        answer = optional_text(row, "model_judgment")
        if item.id not in verdicts:  # of an id that comes twice the first row is kept
            if answer is not None:
                answers[item.id] = answer
                if "model_pred" in row:
                    decisions[item.id] = _PREDICTED[predicted]
            verdicts[item.id] = row.get("metarm_verdict")
        meta = row.get("meta")
        models.add(str(meta.get("model_name") or "") if isinstance(meta, dict) else "")
        context.merge(one)
        return [item]

    card = r_align.KIND.card.model_copy(update={"name": path.stem})
    items = import_rows(read_rows(path), items_of, file=str(path), card=card, skip_bad=skip_bad)
    kept = {item.id: item for item in items.items}
    keys = {name: Key(name, order="ab") for name in kept}
    right = sum(decisions.get(name) == item.label for name, item in kept.items())
    return Recording(
        "R-Align judgments",
        generations={
            key: Generation(key, answers[name]) for name, key in keys.items() if name in answers
        },
        items=items,
        orders=("ab",),
        decisions={key: decisions[name] for name, key in keys.items() if name in decisions},
        names=NAMES,
        own_prompts=True,
        name=next(iter(models)).replace("/", "-") if len(models) == 1 else "",
        facts={
            "judge_model": ", ".join(sorted(models - {""})),
            "not_recorded": len(kept) - sum(name in answers for name in kept),
            "published": published(
                Counter(str(verdicts[name]) for name in kept), right=right, n=len(kept)
            ),
            "counted": dict(context.counts),
        },
    )


def published(verdicts: Counter[str], *, right: int, n: int) -> list[str]:
    """The benchmark's own scores by its own arithmetic; none where no meta-judge spoke.

    L-Acc = right / N, S-Corr = I / (C + I), F-Score = C / (N - f), with f calls or readings of the
    meta-judge that failed: their denominators differ, and f is taken for neither.
    """
    correct, incorrect = verdicts["Correct"], verdicts["Incorrect"]
    failed = sum(verdicts[name] for name in _FAILED)
    if not correct + incorrect:
        return []
    return [
        f"scores    L-Acc {100 * right / n:.2f} %, S-Corr "
        f"{100 * incorrect / (correct + incorrect):.2f} %, F-Score "
        f"{100 * correct / (n - failed):.2f} % of {n} rows, {failed} failed"
    ]
