"""What the readers of files of loose rows share: one row or many of a line, bad lines named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.errors import InputError
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.recordings.loose import LooseRow
from rmaudit.recordings.recording import ORDERS, Recording

RowsOf = Callable[[int, dict[str, Any]], Iterable[LooseRow]]


def loose_recording(
    path: Path,
    rows: Iterable[NumberedRow],
    rows_of: RowsOf,
    *,
    kind: str,
    skip_bad: bool,
    apart: bool = False,
    no_answers: bool = False,
    names: Names = DEFAULT_NAMES,
    facts: dict[str, Any] | None = None,
) -> Recording:
    """The recording of a file whose rows wait for a set.

    Raises:
        InputError: a line is bad and `skip_bad` is off, or none is left.
    """
    bad: list[tuple[int, BadField]] = []
    found = tuple(_read(rows, rows_of, bad))
    if bad and not skip_bad:
        line, error = bad[0]
        where = f", field {error.field}" if error.field else ""
        more = f" ({len(bad)} bad lines)" if len(bad) > 1 else ""
        raise InputError(
            f"{path}, line {line}{where}: {error.what}{more}",
            "mend these lines, or leave them out with --skip-bad",
        )
    if not found:
        raise InputError(f"{path} holds no recorded answer of {kind}", "give a file that holds any")
    told = {**(facts or {})}
    if bad:
        told["bad_lines_left_out"] = len(bad)
    orders = tuple(order for order in ORDERS if any(row.order in (order, None) for row in found))
    return Recording(
        kind,
        loose=found,
        orders=orders,
        apart=apart,
        no_answers=no_answers,
        names=names,
        own_prompts=True,
        facts=told,
    )


def _read(
    rows: Iterable[NumberedRow], rows_of: RowsOf, bad: list[tuple[int, BadField]]
) -> Iterator[LooseRow]:
    for line, row in rows:
        if isinstance(row, BadField):
            bad.append((line, row))
            continue
        try:
            yield from list(rows_of(line, row))
        except BadField as error:
            bad.append((line, error))


def joined(values: Iterable[object]) -> str:
    """Each value once, sorted, in one text."""
    return ", ".join(sorted({str(value) for value in values if value}))
