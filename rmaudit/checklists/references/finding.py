"""One place where the references of a set contradict its labels, its texts or each other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["side", "quote", "gold", "preferred", "near_pair", "repeated"]

KINDS: dict[Kind, str] = {
    "side": "the text of a reason names one response, `about` the other",
    "quote": "a reason quotes of one response what only the other holds",
    "gold": "the gold judgment decides against the label",
    "preferred": "all reasons of an item are about the preferred response",
    "near_pair": "a pair comes again, nearly identical, with another label",
    "repeated": "a reason is repeated",
}
"""Every kind in the order of reports, in words."""


def words_for(kind: str) -> str:
    """A kind in words; one that this version does not know as it is."""
    return next((words for known, words in KINDS.items() if known == kind), kind)


@dataclass(frozen=True, slots=True)
class ReferenceFinding:
    """What was found.

    Attributes:
        kind: a key of `KINDS`.
        item: id of the item.
        field: the field in the item, such as `reasons.0.about`.
        what: one sentence part.
        file: the items file, '' where the items come from none.
        line: its line, counted from 1; 0 where it is not known.
    """

    kind: Kind
    item: str
    field: str
    what: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}, " if self.file and self.line else ""
        return f"{where}item '{self.item}', field {self.field}: {self.what}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)
