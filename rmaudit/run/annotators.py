"""The human ceiling: how well annotators match each other, and the model on the same references.

Each annotator of an item is scored against each other one, and so is the model: what a person
reaches is the most that can be asked of a model. The reasons of the others stand together in one
row; each annotator's are scored apart, so that people who agree reach 1 however many they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rmaudit.checklists.schema import Item, Reason
from rmaudit.metrics.scores import Matrix, RowKey, score_matrices
from rmaudit.records import Key, ModelReason
from rmaudit.run.rows import MatchRow

LEFT_OUT = "annotator:"
"""A row with this variant holds the reasons of that annotator against those of all others."""


class Panel(NamedTuple):
    """An item with at least two annotators who gave reasons, and the reasons of each."""

    item: Item
    reasons: tuple[tuple[Reason, ...], ...]

    @property
    def owners(self) -> list[int]:
        """Whose each reason of `everybody` is."""
        return [k for k, reasons in enumerate(self.reasons) for _ in reasons]

    @property
    def everybody(self) -> Item:
        """The item with the reasons of all annotators as its references."""
        return self._referring(range(len(self.reasons)))

    def others(self, left_out: int) -> Item:
        """The item with the reasons of all annotators but one as its references."""
        return self._referring(k for k in range(len(self.reasons)) if k != left_out)

    def said_by(self, annotator: int, *, most: int) -> tuple[ModelReason, ...]:
        """The first reasons of one annotator, cut like a model's list."""
        return tuple(ModelReason(one.text, one.about) for one in self.reasons[annotator][:most])

    def _referring(self, annotators: Iterable[int]) -> Item:
        reasons = [
            reason.model_copy(update={"id": f"{k}:{reason.id}"})
            for k in annotators
            for reason in self.reasons[k]
        ]
        return self.item.model_copy(update={"reasons": reasons})


def panels(items: Iterable[Item], *, most: int | None = None) -> dict[str, Panel]:
    """The panels of a run by item, in its seeded order; `most`: so many at most."""
    found: dict[str, Panel] = {}
    for item in items:
        reasons = tuple(tuple(one.reasons) for one in item.annotators or () if one.reasons)
        if len(reasons) > 1 and (most is None or len(found) < most):
            found[item.id] = Panel(item, reasons)
    return found


class Ceilings(NamedTuple):
    """Rationale consistency on the reasons of one annotator at a time, the mean of all.

    human: by item. model: by row. None where a judge failed.
    """

    human: dict[str, float | None]
    model: dict[RowKey, float | None]


NO_CEILINGS = Ceilings({}, {})


def ceilings(panel_of: dict[str, Panel], rows: Iterable[MatchRow]) -> Ceilings:
    """What the rows of ceilings.jsonl say; an annotator without a row failed."""
    human: dict[str, list[float | None]] = {}
    model: dict[RowKey, float | None] = {}
    for row in rows:
        panel = panel_of.get(row.key.item)
        if panel is None:
            continue
        matrix = row.matches.matrix if row.matches.failure is None else None
        if row.key.variant.startswith(LEFT_OUT):
            left_out = int(row.key.variant.removeprefix(LEFT_OUT))
            others = [owner for owner in panel.owners if owner != left_out]
            score = None if matrix is None else _mean_rc(_parts(matrix, others))
            human.setdefault(row.key.item, []).append(score)
        else:
            key = row.key.item, row.key.order, row.key.sample
            model[key] = None if matrix is None else _mean_rc(_parts(matrix, panel.owners))
    return Ceilings(
        {item: _mean(scores, len(panel_of[item].reasons)) for item, scores in human.items()},
        model,
    )


def _mean(scores: Sequence[float | None], people: int) -> float | None:
    """None where one of them has no score."""
    known = [score for score in scores if score is not None]
    return sum(known) / people if len(known) == len(scores) == people else None


def _parts(matrix: Matrix, owners: Sequence[int]) -> list[Matrix]:
    """The lines of the matrix on the references of each annotator."""
    return [
        tuple(line for line, owner in zip(matrix, owners, strict=True) if owner == one)
        for one in dict.fromkeys(owners)
    ]


def _mean_rc(matrices: Sequence[Matrix]) -> float:
    scores = [one.rc for one in score_matrices(matrices)]
    return sum(scores) / len(scores)


def left_out_key(item: str, annotator: int) -> Key:
    """The key of an annotator's row."""
    return Key(item, f"{LEFT_OUT}{annotator}", "pair", None, 0)
