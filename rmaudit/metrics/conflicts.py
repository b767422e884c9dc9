"""Answers that state verdicts which disagree, and how far they could move accuracy.

Such an answer is read as one of its verdicts, or as none, so its row is the reader's choice as much
as the model's. Accuracy lies between the values with each of those rows wrong and each right.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rmaudit.metrics.formats import show
from rmaudit.records import ItemResult

WARNS_FROM = 0.02
"""A share of rows; below it the bounds are narrower than most intervals."""


class Conflicts(NamedTuple):
    """What contradictory answers do to a run.

    answers, rows: rows with the flag, and all rows. accuracy: as it is reported; None where no item
    is labelled a or b. low, high: with every such row wrong, and right.
    """

    answers: int
    rows: int
    accuracy: float | None
    low: float | None
    high: float | None

    @property
    def share(self) -> float:
        """Of all rows, as in `coverage.conflict`."""
        return self.answers / self.rows if self.rows else 0.0

    @property
    def warning(self) -> str:
        """A sentence from `WARNS_FROM` on, else ''."""
        if self.share < WARNS_FROM:
            return ""
        told = (
            f"{self.answers:,} of {self.rows:,} answers ({show('accuracy', self.share)}) state "
            "verdicts that disagree, and were read as one of them or as none"
        )
        if self.accuracy is None:
            return told
        return (
            f"{told}: accuracy is {show('accuracy', self.accuracy)}, and lies between "
            f"{show('accuracy', self.low)} and {show('accuracy', self.high)} however they are read"
        )


def conflicts(results: Iterable[ItemResult]) -> Conflicts:
    """Counts the contradictory answers of a run and bounds what they do to accuracy.

    Args:
        results: of the items that count.
    """
    flagged = rows = 0
    means: list[tuple[float, float, float]] = []
    for result in results:
        disputed = ["conflict" in row.flags for row in result.rows]
        rows += len(disputed)
        flagged += sum(disputed)
        answered = [
            (row.correct, row.correct and not other, row.correct or other)
            for row, other in zip(result.rows, disputed, strict=True)
            if row.correct is not None
        ]
        if result.label != "tie" and answered:
            as_read, least, most = (sum(map(bool, way)) for way in zip(*answered, strict=True))
            n = len(answered)
            means.append((as_read / n, least / n, most / n))
    if not means:
        return Conflicts(flagged, rows, None, None, None)
    accuracy, low, high = (sum(way) / len(means) for way in zip(*means, strict=True))
    return Conflicts(flagged, rows, accuracy, low, high)
