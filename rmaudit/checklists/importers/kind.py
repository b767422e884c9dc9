"""What the importers of all sets share: options, counts, placement, and what a kind is."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rmaudit.checklists.importers.fields import Row, make_item
from rmaudit.checklists.importers.labels import NO_VALUES, LabelValues, Scale
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.parsing.sides import Names, places_named
from rmaudit.records import Side

NUMBERED = Names(("Response", "Assistant", "Answer"), "1", "2")


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a user can say about an import.

    Attributes:
        seed: of the placement of chosen and rejected responses, and of `pairs_per_prompt`.
        label_field: where the gold label stands, if the importer cannot know.
        label_scale: the sign of a number as label.
        label_values: what values of the label mean.
        fields: of kind `pairs`, which field is what.
        pairs_per_prompt: at most so many pairs of one row; None for all.
    """

    seed: int = 0
    label_field: str | None = None
    label_scale: Scale | None = None
    label_values: LabelValues = NO_VALUES
    fields: Mapping[str, str] = field(default_factory=dict)
    pairs_per_prompt: int | None = None

    @property
    def labelled(self) -> bool:
        """Whether anything is said about the label."""
        said = (self.label_field, self.label_scale)
        return self.label_values.given or any(one is not None for one in said)


@dataclass
class ImportContext:
    """One file as it is imported.

    Attributes:
        options: see `ImportOptions`.
        file: how the file is named.
        line: of the row at hand.
        rows: how many were imported before it.
        counts: what rows lack or contradict, in words.
        sums: numbers that a kind adds up, for its `summary`.
        taken: which field was taken for what, where the importer had a choice.
    """

    options: ImportOptions = ImportOptions()
    file: str = ""
    line: int = 0
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    taken: dict[str, str] = field(default_factory=dict)

    def for_row(self, line: int) -> ImportContext:
        """The context of one row, with counts of its own: those of a bad row do not count."""
        return replace(self, line=line, counts=Counter(), sums=Counter())

    def merge(self, row: ImportContext) -> None:
        """Takes over the counts of a row that was imported."""
        self.rows += 1
        self.counts += row.counts
        self.sums.update(row.sums)

    def count(self, what: str, n: int = 1) -> None:
        """Counts something that a row lacks or contradicts."""
        if n:
            self.counts[what] += n

    def side_of_chosen(self, key: str) -> Side:
        """Which response the chosen one becomes: a seeded coin by `key`, the same everywhere."""
        digest = hashlib.sha256(f"{self.options.seed}/{key}".encode(errors="replace"))
        return "a" if digest.digest()[0] & 1 else "b"

    def placed(
        self, name: str, chosen: str, rejected: str, *, tie: bool = False, **fields: Any
    ) -> Item:
        """An item of a chosen and a rejected response (or two equal ones), placed by its id.

        The placement is kept in `meta.placement`: the seed, and the side of the first text.

        Raises:
            BadField: the schema refuses a field.
        """
        side = self.side_of_chosen(name)
        meta = {**fields.pop("meta", {}), "placement": {"seed": self.options.seed, "first": side}}
        a, b = (chosen, rejected) if side == "a" else (rejected, chosen)
        label = "tie" if tie else side
        return make_item(id=name, response_a=a, response_b=b, label=label, meta=meta, **fields)


@dataclass(frozen=True, slots=True)
class SetKind:
    """A format of public sets.

    Attributes:
        name: on the command line.
        card: of the sets that are made, `name` and provenance to be filled in.
        needs: fields that a row of this format has.
        items_of: the items of a row.
        fits: tells the format from others with the same fields.
        config: the part of a hub repository that holds it.
        summary: lines about `ImportContext.sums`, at the end.
        asks_label, asks_fields: whether it reads those options.
    """

    name: str
    card: SetCard
    needs: frozenset[str]
    items_of: Callable[[Row, ImportContext], Iterable[Item]]
    fits: Callable[[Row], bool] = lambda row: True
    config: str | None = None
    summary: Callable[[Counter[str]], list[str]] = lambda sums: []
    asks_label: bool = False
    asks_fields: bool = False


def content_id(*texts: object) -> str:
    """An id for a row without one, by its content."""
    return hashlib.sha256("\0".join(map(str, texts)).encode(errors="replace")).hexdigest()[:16]


def lettered(text: str) -> str:
    """The text with Response 1 and 2 as Response A and B, outside quotations."""
    letters = list(text)
    for place in places_named(text, names=NUMBERED):
        letters[place] = "A" if letters[place] in "1１" else "B"
    return "".join(letters)


def other(side: Side) -> Side:
    """The other side."""
    return "b" if side == "a" else "a"
