"""Results of NeMo Gym's genrm_compare: what /compare was asked and what it gave back, one a line.

    conversation_history [{role, content}], response_objs [{output [...]}], principle,
    rewards, comparison_results [{response_i, response_j, judge_idx, score_1, score_2, ranking}]
    or the same as {request: {...}, response: {...}}

The judge's text is not kept, so there are scores and no reasons. Equal scores are decided by the
ranking, as there: below 3.5 for the response shown first. An answer that could not be read is
written there as the defaults, 3, 3 and 3.5; no ranking of an answer is 3.5, so that it is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.base import read_rows
from rmaudit.checklists.importers.fields import BadField, whole_field
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.recordings.document import list_at, object_at, read_document
from rmaudit.recordings.failures import score_of
from rmaudit.recordings.loose import LooseRow
from rmaudit.recordings.loose_file import loose_recording
from rmaudit.recordings.recording import Recording
from rmaudit.records import Verdict

NAME = "genrm_compare scores"
FIELDS = frozenset({"response_objs", "comparison_results"})
MIDDLE = 3.5
_FAILED = "recorded as a default: the answer could not be read"


def read_genrm_compare(path: Path, *, skip_bad: bool) -> Recording:
    """Reads scores that wait for a set whose items hold the same two responses.

    Raises:
        InputError: the file cannot be read, or a line is bad and `skip_bad` is off.
    """
    document = read_document(path)
    rows = read_rows(path) if document is None else iter([NumberedRow(1, document)])
    return loose_recording(
        path, rows, _rows_of, kind=NAME, skip_bad=skip_bad, apart=True, no_answers=True
    )


def is_compare(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of this format."""
    return merged(row).keys() >= FIELDS


def merged(row: Mapping[str, Any]) -> dict[str, Any]:
    """Request and response in one object."""
    found = dict(row)
    for name in ("request", "response"):
        inner = row.get(name)
        found |= inner if isinstance(inner, dict) else {}
    return found


def _rows_of(line: int, row: dict[str, Any]) -> Iterator[LooseRow]:
    found = merged(row)
    texts = [
        _text(one, f"response_objs[{k}]")
        for k, one in enumerate(list_at(found.get("response_objs"), "response_objs"))
    ]
    for k, entry in enumerate(list_at(found.get("comparison_results"), "comparison_results")):
        where = f"comparison_results[{k}]"
        one = object_at(entry, where)
        i, j = (_place(one, name, where, len(texts)) for name in ("response_i", "response_j"))
        loose = LooseRow(
            line,
            "",
            sample=whole_field(one, "judge_idx") if one.get("judge_idx") is not None else 0,
            shown=(texts[i], texts[j]),
        )
        scores = score_of(one.get("score_1")), score_of(one.get("score_2"))
        ranking = score_of(one.get("ranking"))
        if scores[0] is None or scores[1] is None or ranking in (None, MIDDLE):
            yield loose._replace(error=_FAILED)
        else:
            both = scores[0], scores[1]
            yield loose._replace(
                scores=both, decision=_decided(*both, ranking or MIDDLE), decided=True
            )


def _decided(first: float, second: float, ranking: float) -> Verdict:
    if first != second:
        return "a" if first > second else "b"
    return "a" if ranking < MIDDLE else "b"


def _place(row: Mapping[str, Any], name: str, where: str, count: int) -> int:
    place = whole_field(row, name)
    if not 0 <= place < count:
        raise BadField(f"{where}.{name}", f"is {place}, but there are {count} responses")
    return place


def _text(response: object, where: str) -> str:
    """The answer of a response object; its reasoning is no part of what was compared."""
    parts = []
    for item in list_at(object_at(response, where).get("output"), f"{where}.output"):
        if isinstance(item, dict) and item.get("type") == "message":
            content = item.get("content")
            inner = content if isinstance(content, list) else [{"text": content}]
            parts += [str(one.get("text") or "") for one in inner if isinstance(one, dict)]
    return "".join(parts)
