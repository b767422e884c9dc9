"""RationaleRM's files (arXiv 2602.04649): what a model answered, and the judge's matching of it.

answers     the fields of the set, and {model}-generated_text, {model}-checklist, {model}-label
matchings   prompt, samples [{generated_text}], status, metadata (a row of the above)

The checklist is the model's rationale as a list; it counts where it is there, else the text is
read. A file with several models needs `--format rationalerm:MODEL`; `,label=FIELD` after it names
the field of the gold label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.checklists.importers import rationalerm
from rmaudit.checklists.importers.base import import_rows, read_rows
from rmaudit.checklists.importers.fields import (
    BadField,
    number_of,
    text_field,
    texts_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, ImportOptions, content_id, lettered
from rmaudit.checklists.importers.labels import by_scale, by_word
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.metrics.compat import rationalerm as script
from rmaudit.recordings.document import list_at, object_at
from rmaudit.recordings.failures import error_text, is_blank
from rmaudit.recordings.recording import RecordedMatching, Recording
from rmaudit.records import Generation, Key, Metric, Verdict

FIELDS = frozenset({"context", "response1", "response2", "human-checklist"})
_ENDS = ("-generated_text", "-checklist", "-label")
_HUMAN = "human"


@dataclass
class _Read:
    """What the rows gave, by item."""

    generations: dict[Key, Generation] = field(default_factory=dict)
    decisions: dict[Key, Verdict] = field(default_factory=dict)
    reasons: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    matchings: dict[Key, RecordedMatching] = field(default_factory=dict)
    failed: int = 0
    labels_of_another_type: int = 0
    repeated: int = 0
    texts: int = 0


class _Asked(NamedTuple):
    """MODEL and FIELD of `--format rationalerm:MODEL,label=FIELD`."""

    model: str
    label: str | None


def read_rationalerm(path: Path, *, skip_bad: bool, which: str = "") -> Recording:
    """Reads answers or matchings, with the file's pairs as items.

    Raises:
        InputError: the file cannot be read, a row is bad and `skip_bad` is off, it holds several
            models and none was named, or the named one is not there.
    """
    rows = list(read_rows(path))
    good = [row for _, row in rows if not isinstance(row, BadField)]
    matched = any("samples" in row for row in good)
    model, _, option = which.partition(",")
    asked = _Asked(model, option.removeprefix("label=") or None)
    inner = [row.get("metadata") if matched else row for row in good]
    model = _model(path, [row for row in inner if isinstance(row, dict)], asked.model)
    context = ImportContext(ImportOptions(label_field=asked.label), file=path.name)
    read = _Read()

    def items_of(row: Mapping[str, Any]) -> list[Item]:
        one = context.for_row(0)
        pair = object_at(row.get("metadata"), "metadata") if matched else row
        (item,) = rationalerm.KIND.items_of(pair, one)
        _take_answer(read, item, pair, model)
        key = Key(item.id, order="ab")
        if matched and key not in read.matchings:
            read.matchings[key] = matching_in(
                _said(row), len(item.reasons), len(read.reasons.get(key, ()))
            )
        context.merge(one)
        return [item]

    card = rationalerm.CARD.model_copy(update={"name": path.stem})
    kept = _last_of_each(rows, read) if matched else iter(rows)
    items = import_rows(kept, items_of, file=str(path), card=card, skip_bad=skip_bad)
    known = {item.id for item in items.items}
    facts = {
        "judge_model": model,
        "failed_calls": read.failed,
        "labels_of_another_type": read.labels_of_another_type,
        "rows_of_a_key_that_came_before": read.repeated,
        "rows": len(rows),
        "counted": dict(context.counts),
    }
    own = _judged(good, model) if matched else []
    return Recording(
        "RationaleRM matchings" if matched else "RationaleRM answers",
        generations={k: v for k, v in read.generations.items() if k.item in known},
        items=items,
        orders=("ab",),
        decisions={k: v for k, v in read.decisions.items() if k.item in known},
        apart=not read.texts,
        reasons={k: v for k, v in read.reasons.items() if k.item in known},
        matchings={k: v for k, v in read.matchings.items() if k.item in known},
        own_numbers=_numbers(own) if matched else None,
        own_prompts=True,
        name=re.sub(r"[^\w.-]+", "-", model),
        facts={name: value for name, value in facts.items() if value},
    )


def _numbers(own: list[script.JudgedRow]) -> Callable[[Collection[str]], dict[str, Metric]]:
    def numbers(items: Collection[str]) -> dict[str, Metric]:
        return script.numbers(row for row in own if row.item in items)

    return numbers


def _model(path: Path, rows: list[dict[str, Any]], wanted: str) -> str:
    """The model whose answers count."""
    found = sorted(
        {
            name.removesuffix(end)
            for row in rows
            for name in row
            for end in _ENDS
            if name.endswith(end) and name.removesuffix(end) != _HUMAN
        }
    )
    # A gold label may be called so too: it has no text and no list.
    found = [
        name for name in found if any(f"{name}{end}" in row for row in rows for end in _ENDS[:2])
    ]
    if wanted:
        if wanted not in found:
            raise InputError(
                f"{path} holds no answers of {wanted}", f"it holds those of: {', '.join(found)}"
            )
        return wanted
    if len(found) > 1:
        raise InputError(
            f"{path} holds the answers of several models: {', '.join(found)}",
            f"name one: --format rationalerm:{found[0]}",
        )
    if not found:
        raise InputError(
            f"{path} holds pairs and no answers (no field MODEL-checklist or MODEL-generated_text)",
            f"import it as a set: rmaudit checklist import rationalerm {path} --out DIR",
        )
    return found[0]


def _take_answer(read: _Read, item: Item, row: Mapping[str, Any], model: str) -> None:
    key = Key(item.id, order="ab")
    if key in read.generations:  # of a pair that comes twice the first row is kept
        return
    text = row.get(f"{model}-generated_text")
    if not is_blank(text) and not isinstance(text, str):
        raise BadField(f"{model}-generated_text", "must be text")
    said = "" if is_blank(text) else str(text)
    read.texts += bool(said)
    failure = error_text(said)
    points = row.get(f"{model}-checklist")
    if points is not None:
        listed = texts_field(row, f"{model}-checklist")
        read.reasons[key] = tuple(lettered(point) for point in listed)
    label = row.get(f"{model}-label")
    if not said and points is None and is_blank(label):
        failure = "recorded as null: the call failed"
    if not is_blank(label) and failure is None:
        verdict, known = _label(label, row)
        read.labels_of_another_type += not known
        if known:
            read.decisions[key] = verdict
        elif not said:
            failure = f"recorded with the label {str(label)[:40]}, which names no side"
    elif not said and failure is None:
        # A list without text and label says nothing of the verdict.
        failure = "recorded without a verdict"
    read.failed += failure is not None
    read.generations[key] = Generation(
        key, said, "error" if failure is not None else "stop", error=failure
    )


def _label(label: object, row: Mapping[str, Any]) -> tuple[Verdict, bool]:
    """A model's label: a word, or a number on the scale of the gold label of HelpSteer3."""
    try:
        if number_of(label) is not None and rationalerm.SCALED in row:
            return by_scale(label, "label", "negative-is-a").label, True
        return by_word(label, "label").label, True
    except BadField:
        return None, False


def _last_of_each(rows: list[NumberedRow], read: _Read) -> Iterator[NumberedRow]:
    """One row a prompt: the last that succeeded, else the last; a repeat appends to the file."""
    chosen: dict[str, int] = {}
    for place, (_, row) in enumerate(rows):
        if isinstance(row, BadField) or not isinstance(row.get("prompt"), str):
            continue
        before = chosen.get(row["prompt"])
        if before is None or row.get("status") == "success" or not _succeeded(rows[before]):
            chosen[row["prompt"]] = place
            read.repeated += before is not None
        else:
            read.repeated += 1
    kept = set(chosen.values())
    for place, one in enumerate(rows):
        if (
            place in kept
            or isinstance(one.row, BadField)
            or not isinstance(one.row.get("prompt"), str)
        ):
            yield one


def _succeeded(row: NumberedRow) -> bool:
    return not isinstance(row.row, BadField) and row.row.get("status") == "success"


def _said(row: Mapping[str, Any]) -> str | None:
    """The judge's answer of a row, the first sample as the scripts take it."""
    samples = list_at(row.get("samples"), "samples")
    text = object_at(samples[0], "samples[0]").get("generated_text") if samples else None
    return text if isinstance(text, str) and text.strip() else None


def _judged(rows: Iterable[dict[str, Any]], model: str) -> list[script.JudgedRow]:
    """All rows as the analysis script reads them, repeated ones too."""
    found = []
    for row in rows:
        pair = row.get("metadata")
        if not isinstance(pair, dict):
            continue
        points, references = pair.get(f"{model}-checklist"), pair.get("human-checklist")
        try:
            prompt = turns_field(pair, "context")
            name = content_id(prompt, text_field(pair, "response1"), text_field(pair, "response2"))
            said = _said(row)
        except BadField:
            continue
        lengths = [len(one) if isinstance(one, list) else 0 for one in (references, points)]
        found.append(script.JudgedRow(name, said, *lengths))
    return found


_BLOCK = re.compile(r"<RESULT_START>(.*?)<RESULT_END>", re.DOTALL)
_LINE = re.compile(r"R\s?(\d{1,4})\s?@\s?S\s?(\d{1,4})\s?:\s?(-?\d{0,4}\.?\d{1,8})")


def matching_in(answer: str | None, references: int, reasons: int) -> RecordedMatching:
    """The lines `R1@S2: 0.75` of the last block of results, S0 meaning no reason.

    A block that lacks a reference, or names one, or a reason, or a score that there cannot be, is a
    failure of the judge.
    """
    if answer is None:
        return RecordedMatching((), failure="recorded as null: the call failed")
    blocks = _BLOCK.findall(answer)
    if not blocks:
        return RecordedMatching((), answer, "no block of results")
    edges = [(int(r), int(s), float(x)) for r, s, x in _LINE.findall(blocks[-1])]
    if {r for r, _, _ in edges} != set(range(1, references + 1)):
        return RecordedMatching((), answer, f"not one line for each of {references} references")
    if not all(0 <= s <= reasons and 0 <= score <= 1 for _, s, score in edges):
        return RecordedMatching((), answer, "a reason or a score that there cannot be")
    kept = tuple((r - 1, s - 1, score) for r, s, score in edges if s)
    return RecordedMatching(kept, answer)
