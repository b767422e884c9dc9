"""Which kind a file is, told by the fields of its first rows."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.kind import SetKind
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.errors import InputError

LOOKED_AT = 20
_SHOWN = 12


def detect(rows: Sequence[NumberedRow], kinds: Sequence[SetKind], file: str) -> SetKind:
    """The first kind, in the order given, whose fields half of the rows that can be read have.

    A kind with fields of its own stands before one whose fields it also has, so that a bad row
    among the first does not make a file one of the simpler kind.

    Raises:
        InputError: there is none, or no row can be read.
    """
    read = [row for _, row in rows if not isinstance(row, BadField)]
    if not read:
        raise InputError(
            f"{file} holds no row that can be read",
            "give one JSON object a line, or one JSON array of objects",
        )
    for kind in kinds:
        fitting = sum(row.keys() >= kind.needs and kind.fits(row) for row in read)
        if 2 * fitting >= len(read):
            return kind
    raise InputError(
        f"{file}: no known kind has these fields: {', '.join([*read[0]][:_SHOWN])}",
        f"name the kind before the file: {', '.join(kind.name for kind in kinds)}; `pairs` takes "
        "any file, with --prompt-field and its like",
    )
