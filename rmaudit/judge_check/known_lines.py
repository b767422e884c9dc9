"""The lines of a file of known truth, checked one by one; `checklists/known_truth/README.md`."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, ValidationError

from rmaudit.checklists.cross_check import LineProblem
from rmaudit.checklists.load import first_fault
from rmaudit.checklists.schema import Item, Strict, Text
from rmaudit.errors import InputError
from rmaudit.judging.metajudge import Matrix
from rmaudit.metrics.matching import GRID
from rmaudit.parsing.sides import reason_about
from rmaudit.records import Category, Flaw, ModelReason

HINT = "correct this line; checklists/known_truth/README.md of rmaudit says what one holds"


class KnownReason(Strict):
    """A written reason; `about` is the response that it faults or praises.

    claim: whether what it says of the responses is so; None where the author does not tell.
    """

    text: Text
    about: Literal["a", "b", "both"] | None = None
    kind: str = ""
    aims: tuple[str, ...] = ()
    category: Category | None = None
    flaws: tuple[Flaw, ...] = ()
    claim: Literal["true", "false", "undecidable"] | None = None

    def as_given(self) -> ModelReason:
        """The reason as a scan reads it; its written side stands for the heading above it.

        A form that only some prompts define (`Assistant A`, `the first answer`) names no side here.
        """
        about, ambiguous = reason_about(self.text)
        if about is None and self.about is not None:
            return ModelReason(self.text, self.about)
        return ModelReason(self.text, about, ambiguous)


class KnownList(Strict):
    """A list of reasons and the true score of every pair, [n references, m reasons]."""

    reasons: list[KnownReason]
    matrix: list[list[float]]


class KnownLine(Strict):
    """One line: an item with one list, or with one list for each wording."""

    item: Item
    reasons: list[KnownReason] | None = None
    matrix: list[list[float]] | None = None
    lists: (
        Annotated[dict[Annotated[str, Field(pattern=r"^[\w-]+$")], KnownList], Field(min_length=1)]
        | None
    ) = None
    split: str = ""


class WrittenList(NamedTuple):
    """One list of a line; `wording` is '' where the line has but one list."""

    item: Item
    wording: str
    reasons: tuple[ModelReason, ...]
    kinds: tuple[str, ...]
    claims: tuple[str | None, ...]
    matrix: Matrix


class _Fault(ValueError):
    """What is wrong with one field of a line."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(what)
        self.field, self.what = field, what


def read_known(data: bytes, *, file: str) -> list[WrittenList]:
    """The lists of a file, in its order.

    Args:
        data: the bytes of the file.
        file: how errors name it.

    Raises:
        InputError: the file holds no line, an item comes twice, or a line is not what README.md
            says; the error names line and field.
    """
    found: list[WrittenList] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(data.removeprefix(BOM_UTF8).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = KnownLine.model_validate_json(line)
            json.loads(line, object_pairs_hook=_once)
            if row.item.id in lines:
                raise _Fault(
                    "item.id", f"the id '{row.item.id}' is already on line {lines[row.item.id]}"
                )
            lines[row.item.id] = number
            found += _lists(row)
        except ValidationError as error:
            raise InputError(str(LineProblem(file, number, *first_fault(error))), HINT) from error
        except _Fault as error:
            problem = LineProblem(file, number, error.field, error.what)
            raise InputError(str(problem), HINT) from error
    if not found:
        raise InputError(f"{file} holds no known truth", HINT)
    return found


def _once(pairs: list[tuple[str, object]]) -> None:
    """Refuses an object with one key twice: nobody knows which of the two was meant.

    Raises:
        _Fault: it has.
    """
    counts = Counter(name for name, _ in pairs)
    for name, count in counts.items():
        if count > 1:
            raise _Fault(name, "stands twice in one object")


def _lists(row: KnownLine) -> Iterator[WrittenList]:
    """The lists of a line.

    Raises:
        _Fault: fields do not go together.
    """
    if not row.item.reasons:
        raise _Fault("item.reasons", "is empty: there is nothing to compare reasons with")
    if row.lists is not None:
        for field in ("reasons", "matrix"):
            if getattr(row, field) is not None:
                raise _Fault(field, "stands beside `lists`; a line has one or the other")
        for wording, one in row.lists.items():
            yield _list(row.item, wording, one.reasons, one.matrix)
        return
    if row.reasons is None or row.matrix is None:
        raise _Fault("reasons" if row.reasons is None else "matrix", "is missing")
    yield _list(row.item, "", row.reasons, row.matrix)


def _list(
    item: Item, wording: str, reasons: Sequence[KnownReason], matrix: Sequence[Sequence[float]]
) -> WrittenList:
    field = f"lists.{wording}.matrix" if wording else "matrix"
    if len(matrix) != len(item.reasons):
        raise _Fault(field, f"has {len(matrix)} rows for {len(item.reasons)} references")
    for row, scores in enumerate(matrix):
        if len(scores) != len(reasons):
            raise _Fault(f"{field}.{row}", f"has {len(scores)} scores for {len(reasons)} reasons")
        for column, score in enumerate(scores):
            if score not in GRID:
                what = f"{score} is not one of 0, 0.25, 0.5, 0.75, 1"
                raise _Fault(f"{field}.{row}.{column}", what)
    return WrittenList(
        item,
        wording,
        tuple(reason.as_given() for reason in reasons),
        tuple(reason.kind for reason in reasons),
        tuple(reason.claim for reason in reasons),
        tuple(map(tuple, matrix)),
    )


def meta_text(meta: Mapping[str, object], name: str, default: str) -> str:
    """A text of an item's free `meta`, or the default where there is none."""
    found = meta.get(name)
    return found if isinstance(found, str) and found.strip() else default
