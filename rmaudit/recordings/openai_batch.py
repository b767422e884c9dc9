"""Results of the OpenAI batch API, which `vllm run-batch` writes too: one response a line.

    id, custom_id, response {status_code, request_id, body}, error {code, message}
    body of chat completions: model, choices [{message {content, refusal, reasoning_content},
    finish_reason}], usage; of the responses API: model, status, output [{type, content, summary}]

`custom_id` is the item's id, `ITEM/ORDER` or `ITEM/ORDER/SAMPLE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.base import read_rows
from rmaudit.checklists.importers.fields import BadField, name_of
from rmaudit.recordings.document import list_at, object_at
from rmaudit.recordings.failures import error_text
from rmaudit.recordings.loose import LooseRow
from rmaudit.recordings.loose_file import joined, loose_recording
from rmaudit.recordings.recording import Recording
from rmaudit.records import FILTERED, FinishReason

NAME = "OpenAI batch results"
FIELDS = frozenset({"custom_id", "response"})
_OK = 200


def read_openai_batch(path: Path, *, skip_bad: bool) -> Recording:
    """Reads answers that wait for a set.

    Raises:
        InputError: the file cannot be read, or a line is bad and `skip_bad` is off.
    """
    models: set[str] = set()

    def rows_of(line: int, row: dict[str, Any]) -> Iterator[LooseRow]:
        name = name_of(row, "custom_id")
        body, failure = _answered(row)
        if body is None:
            yield LooseRow(line, name, error=failure)
            return
        models.add(str(body.get("model") or ""))
        for sample, (text, thinking, finish) in enumerate(_answers(body)):
            said = FILTERED if finish == "content_filter" else error_text(text)
            yield LooseRow(
                line,
                name,
                sample=sample,
                text=text,
                finish_reason=_FINISH.get(finish, "stop"),
                thinking=thinking,
                error=said,
            )

    found = loose_recording(path, read_rows(path), rows_of, kind=NAME, skip_bad=skip_bad)
    return _named(found, models)


def _named(found: Recording, models: set[str]) -> Recording:
    from dataclasses import replace

    return replace(found, facts={**found.facts, "judge_model": joined(models)})


_FINISH: dict[object, FinishReason] = {
    "length": "length",
    "max_output_tokens": "length",
    "incomplete": "length",
}


def _answered(row: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """The body of a response, or what failed."""
    if row.get("error") is not None:
        error = row["error"]
        said = error.get("message") or error.get("code") if isinstance(error, dict) else error
        return None, f"recorded error: {said}"
    response = row.get("response")
    if response is None:
        return None, "recorded error: no response"
    status = object_at(response, "response").get("status_code")
    body = response.get("body")
    if status is not None and status != _OK:
        return None, f"recorded error: status {status}"
    found = object_at(body, "response.body")
    if "choices" not in found and "output" not in found:
        raise BadField("response.body", "holds neither choices nor output")
    if not (found.get("choices") or found.get("output")):
        return None, "recorded error: an empty answer"
    return found, ""


def _answers(body: Mapping[str, Any]) -> Iterator[tuple[str, str | None, object]]:
    """Text, thinking and finish reason of each answer."""
    if "choices" in body:
        for k, choice in enumerate(list_at(body["choices"], "response.body.choices")):
            where = f"response.body.choices[{k}]"
            message = object_at(object_at(choice, where).get("message"), f"{where}.message")
            text = _text(message.get("content"), f"{where}.message.content")
            thinking = message.get("reasoning_content") or message.get("reasoning")
            said = text or str(message.get("refusal") or "")
            yield said, thinking if isinstance(thinking, str) else None, choice.get("finish_reason")
        return
    reasoning, texts = [], []
    for k, part in enumerate(list_at(body["output"], "response.body.output")):
        where = f"response.body.output[{k}]"
        kind = object_at(part, where).get("type")
        if kind == "message":
            texts.append(_text(part.get("content"), f"{where}.content"))
        elif kind == "reasoning":
            reasoning.append(_text(part.get("summary") or "", f"{where}.summary"))
    yield "".join(texts), "".join(reasoning) or None, body.get("status")


def _text(content: object, where: str) -> str:
    """The text of a message, also where it is a list of parts; null is an empty one."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [
        part.get("text") if isinstance(part, dict) else part for part in list_at(content, where)
    ]
    return "".join(part for part in parts if isinstance(part, str))
