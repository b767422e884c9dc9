"""Logs of inspect_ai as JSON: one object, an answer a sample and epoch.

    eval {model, task}, samples [{id, epoch, output {choices [{message {content}, stop_reason}]},
    error, metadata, scores {scorer: {value, answer, explanation}}}]

The id of a sample is the item's id, `ITEM/ORDER` or `ITEM/ORDER/SAMPLE`; `metadata.order` may give
the order. What a scorer took for the answer (`answer`: A, B, tie) is the recorded decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.fields import BadField, name_of
from rmaudit.checklists.importers.labels import by_word
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.errors import InputError
from rmaudit.recordings.document import list_at, object_at, read_document
from rmaudit.recordings.failures import error_text
from rmaudit.recordings.loose import LooseRow, ShownOrder
from rmaudit.recordings.loose_file import loose_recording
from rmaudit.recordings.recording import Recording
from rmaudit.records import FILTERED, FinishReason, Verdict

NAME = "inspect_ai log"
FIELDS = frozenset({"eval", "samples"})
_FINISH: dict[object, FinishReason] = {"max_tokens": "length", "model_length": "length"}


def read_inspect_log(path: Path, *, skip_bad: bool) -> Recording:
    """Reads answers that wait for a set; the number of a sample stands for a line.

    Raises:
        InputError: the file is no log with samples, or one of them is bad and `skip_bad` is off.
    """
    document = read_document(path)
    if document is None or not isinstance(document.get("samples"), list):
        raise InputError(
            f"{path} is no log of inspect_ai with samples",
            "a log is one JSON object: inspect log dump FILE.eval > log.json",
        )
    rows = (
        NumberedRow(k, one if isinstance(one, dict) else BadField("samples", "must be objects"))
        for k, one in enumerate(document["samples"], start=1)
    )
    spec = document.get("eval")
    model = spec.get("model") if isinstance(spec, dict) else None
    return loose_recording(
        path, rows, _rows_of, kind=NAME, skip_bad=skip_bad, facts={"judge_model": str(model or "")}
    )


def _rows_of(line: int, sample: dict[str, Any]) -> Iterator[LooseRow]:
    name, epoch = name_of(sample, "id"), sample.get("epoch")
    metadata = sample.get("metadata")
    order = metadata.get("order") if isinstance(metadata, dict) else None
    shown: ShownOrder | None = order if order in ("ab", "ba") else None
    row = LooseRow(line, name, shown, epoch - 1 if isinstance(epoch, int) and epoch > 0 else None)
    if sample.get("error") is not None:
        error = sample["error"]
        said = error.get("message") if isinstance(error, dict) else error
        yield row._replace(error=f"recorded error: {said}")
        return
    text, thinking, stop = _answer(sample)
    failure = FILTERED if stop == "content_filter" else error_text(text)
    if not text and stop is None:
        failure = "recorded error: no answer"
    decision, decided = _decision(sample.get("scores"))
    yield row._replace(
        text=text,
        thinking=thinking,
        finish_reason=_FINISH.get(stop, "stop"),
        error=failure,
        decision=decision,
        decided=decided,
    )


def _answer(sample: Mapping[str, Any]) -> tuple[str, str | None, object]:
    """Text, thinking and stop reason of a sample."""
    output = object_at(sample.get("output") or {}, "output")
    choices = list_at(output.get("choices") or [], "output.choices")
    if not choices:
        return str(output.get("completion") or ""), None, None
    choice = object_at(choices[0], "output.choices[0]")
    content = object_at(choice.get("message"), "output.choices[0].message").get("content")
    if isinstance(content, str):
        return content, None, choice.get("stop_reason")
    parts = [
        object_at(part, "output.choices[0].message.content")
        for part in list_at(content, "output.choices[0].message.content")
    ]
    text = "".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    thought = "".join(str(p.get("reasoning") or "") for p in parts if p.get("type") == "reasoning")
    return text, thought or None, choice.get("stop_reason")


def _decision(scores: object) -> tuple[Verdict, bool]:
    """What the scorers took for the answer; nothing where they say nothing, or differ."""
    found: set[Verdict] = set()
    for score in scores.values() if isinstance(scores, dict) else ():
        answer = score.get("answer") if isinstance(score, dict) else None
        if isinstance(answer, str):
            try:
                found.add(by_word(answer, "answer").label)
            except BadField:
                continue
    return (found.pop(), True) if len(found) == 1 else (None, False)
