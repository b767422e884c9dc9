"""The row files of a run directory: which record each holds, and how a line is read and written.

A line is JSON, checked against its record by pydantic. Reading a line straight into its record
takes 0.6 to 0.9 of the time of `json.loads` and checks by hand.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from rmaudit.errors import InputError
from rmaudit.parsing.decisions import Difference
from rmaudit.records import Generation, ItemResult, ModelReason, ReasonLabel
from rmaudit.run.faults import fault_of
from rmaudit.run.grade_lines import SPARSE, LabelLine, MatchLine, NullLine
from rmaudit.run.lines import (
    DifferenceLine,
    GenerationLine,
    ProbeLine,
    ResultLine,
    ScoreLine,
    VerdictLine,
)
from rmaudit.run.rows import LabelRow, MatchRow, NullRow, ProbeRow, ScoreRow, VerdictRow

R = TypeVar("R")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Line(Protocol[R]):
    """The record of a line, made from a row and giving it back."""

    @classmethod
    def of(cls, row: R) -> Self:
        """The line of a row."""
        ...

    def row(self) -> R:
        """The row of a line."""
        ...


class BadLine(ValueError):
    """A line holds no row; `field` is '' where it is no JSON."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(what)
        self.field, self.what = field, what

    @property
    def where(self) -> str:
        """`, field NAME`, or nothing."""
        return f", field {self.field}" if self.field else ""


class RowFile(Generic[R]):
    """A row file of a run: its name, and the record of its lines."""

    def __init__(self, name: str, line: type[Line[R]]) -> None:
        self.name = name
        self.line = line

    def decode(self, line: bytes) -> R:
        """The row of a line.

        Raises:
            BadLine: it is no JSON, or a field is missing or holds what it cannot hold.
        """
        try:
            return self._adapter.validate_json(line, strict=True).row()
        except ValidationError as error:
            if error.errors(include_url=False)[0]["type"] != "json_invalid":
                raise BadLine(*fault_of(error)) from error
        # UTF-8 has no lone surrogates, which models write and only Python's reader takes.
        try:
            return self._adapter.validate_python(json.loads(line)).row()
        except ValidationError as error:
            raise BadLine(*fault_of(error)) from error
        except (ValueError, RecursionError) as error:
            raise BadLine("", str(error)) from error

    def encode(self, row: R) -> str:
        """The line of a row; a lone surrogate, which UTF-8 cannot hold, is kept as an escape."""
        fields = _fields(self.line.of(row))
        text = _ENCODER.encode(fields)
        if not text.isascii() and _SURROGATE.search(text):
            text = _ASCII_ENCODER.encode(fields)
        return text + "\n"

    def as_dict(self, row: R) -> dict[str, Any]:
        """What the line of a row holds, for output as JSON."""
        found: dict[str, Any] = json.loads(self.encode(row))
        return found

    @cached_property
    def _adapter(self) -> TypeAdapter[Line[R]]:
        return TypeAdapter(self.line)


GENERATIONS: RowFile[Generation] = RowFile("generations.jsonl", GenerationLine)
SCORES: RowFile[ScoreRow] = RowFile("scores.jsonl", ScoreLine)
VERDICTS: RowFile[VerdictRow] = RowFile("verdicts.jsonl", VerdictLine)
MATCHES: RowFile[MatchRow] = RowFile("matches.jsonl", MatchLine)
FLAWS: RowFile[LabelRow] = RowFile("flaws.jsonl", LabelLine)
CEILINGS: RowFile[MatchRow] = RowFile("ceilings.jsonl", MatchLine)
NULL_LISTS: RowFile[NullRow] = RowFile("nulls.jsonl", NullLine)
PROBES: RowFile[ProbeRow] = RowFile("probes.jsonl", ProbeLine)
RESULTS: RowFile[ItemResult] = RowFile("results.jsonl", ResultLine)
DIFFERENCES: RowFile[Difference] = RowFile("recorded_differences.jsonl", DifferenceLine)

ROW_FILES: tuple[RowFile[Any], ...] = (
    GENERATIONS,
    SCORES,
    VERDICTS,
    MATCHES,
    FLAWS,
    CEILINGS,
    NULL_LISTS,
    PROBES,
    RESULTS,
)
"""Those that a finished run is checked by; the differences are made from the others."""


def read_lines(path: Path, file: RowFile[R]) -> Iterator[tuple[int, R]]:
    """The rows of a file that stands anywhere, each with the number of its line.

    Args:
        path: of the file.
        file: what its lines hold.

    Raises:
        InputError: the file or a line of it is not what such a file holds.
    """
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", f"give a {file.name}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = file.decode(line.encode())
        except BadLine as error:
            raise InputError(
                f"{path}, line {number}{error.where}: {error.what}",
                f"a line must be one of a {file.name}: correct it, or take it out",
            ) from error
        yield number, row


def _fields(record: Any) -> dict[str, Any]:
    """The fields of a line or of a record in it."""
    kind: type = type(record)
    names, values, sparse = _layout(kind)
    found = dict(zip(names, values(record), strict=True))
    for name in sparse:
        if not found[name]:
            del found[name]
    return found


@cache
def _layout(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]], list[str]]:
    """Names of a record's fields, what reads their values, and those left out where empty."""
    names = tuple(field.name for field in dataclasses.fields(kind))
    return names, attrgetter(*names), [name for name in names if name in SPARSE.get(kind, ())]


def _part(record: Any) -> dict[str, Any]:
    """A record inside a line; reasons and their labels, of which there are most, by short ways."""
    if type(record) is ModelReason:
        found: dict[str, Any] = {"text": record.text, "about": record.about}
        return found | {"ambiguous": True} if record.ambiguous else found
    if type(record) is ReasonLabel:
        return {"category": record.category, "flaws": record.flaws}
    return _fields(record)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_part)
_ASCII_ENCODER = json.JSONEncoder(allow_nan=False, default=_part)
