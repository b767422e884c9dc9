"""ScoreRecords, which judgekeeper reads and writes: one annotation a line.

    target_id, name, annotator_kind (LLM, HUMAN, CODE), label, score, explanation, run, input,
    output, evaluator {provider, model, ...}, created_at

The label of a pair is A, B or tie, the explanation its rationale. `target_id` is the item's id,
`ITEM/ORDER` or `ITEM/ORDER/SAMPLE`; without an order the pair was shown as the item has it. Only
the records of models are verdicts. A record without a label, or with one of another type (a
number, true), is a failed call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.base import read_rows
from rmaudit.checklists.importers.fields import BadField, name_of
from rmaudit.checklists.importers.labels import by_word
from rmaudit.errors import InputError
from rmaudit.recordings.failures import error_text, is_blank
from rmaudit.recordings.loose import LooseRow
from rmaudit.recordings.loose_file import joined, loose_recording
from rmaudit.recordings.recording import Recording

NAME = "ScoreRecords"
FIELDS = frozenset({"target_id", "annotator_kind"})
_MODELS = frozenset({"LLM", "LLM_JUDGE", "JUDGE"})


def read_score_records(path: Path, *, skip_bad: bool, which: str = "") -> Recording:
    """Reads verdicts and rationales that wait for a set.

    Args:
        path: the file.
        skip_bad: leave bad lines out, and count them.
        which: the annotations of this name; needed where the file has several.

    Raises:
        InputError: the file cannot be read, a line is bad and `skip_bad` is off, or it holds
            annotations of several names.
    """
    models: set[str] = set()
    names: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    runs: dict[str, int] = {}

    def rows_of(line: int, row: dict[str, Any]) -> Iterator[LooseRow]:
        kind = str(row.get("annotator_kind") or "LLM").strip().upper()
        name = str(row.get("name") or "judge")
        if kind not in _MODELS:
            counted["records_of_others_than_models"] += 1
            return
        names[name] += 1
        if which and name != which:
            counted["records_of_other_names"] += 1
            return
        evaluator = row.get("evaluator")
        models.add(str(evaluator.get("model") or "") if isinstance(evaluator, dict) else "")
        run = row.get("run")
        sample = None if is_blank(run) else runs.setdefault(str(run), len(runs))
        yield _record(row, LooseRow(line, name_of(row, "target_id"), sample=sample), counted)

    found = loose_recording(
        path, read_rows(path), rows_of, kind=NAME, skip_bad=skip_bad, apart=True
    )
    if len(names) > 1 and not which:
        raise InputError(
            f"{path} holds annotations of several names: {', '.join(sorted(names))}",
            f"name one: --format score-records:{min(names)}",
        )
    told = {name: count for name, count in counted.items() if count}
    return replace(found, facts={**found.facts, **told, "judge_model": joined(models)})


def _record(row: dict[str, Any], loose: LooseRow, counted: Counter[str]) -> LooseRow:
    explanation = row.get("explanation")
    text = "" if is_blank(explanation) else str(explanation)
    failure = error_text(text)
    label = row.get("label")
    if failure is None and is_blank(label):
        failure = "recorded without a label"
    if failure is None:
        try:
            verdict = by_word(label, "label").label
        except BadField:
            counted["labels_of_another_type"] += 1
            failure = f"recorded with the label {str(label)[:40]}, which names no side"
        else:
            return loose._replace(text=text, decision=verdict, decided=True)
    return loose._replace(text=text, error=failure)
