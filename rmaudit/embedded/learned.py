"""The learned half of the embedded judge: for references that people or models wrote.

Each pair of a reference and a reason is read together by a small encoder (`scorer`). A reason that
speaks of the other response alone states no fault of this one, and is not read.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.embedded.pairs import paired
from rmaudit.embedded.scorer import PairScorer, level, shipped
from rmaudit.records import About, ModelReason


def matrix(
    references: Sequence[tuple[str, About]],
    reasons: Sequence[ModelReason],
    scorer: PairScorer | None = None,
) -> tuple[tuple[float, ...], ...]:
    """The full n x m matrix of one item on the grid; as `embedded.judge.matrix`.

    Args:
        references: each with the response that it is about.
        reasons: in item coordinates.
        scorer: another than the shipped one.
    """
    pairs = [paired(one, (told.text, told.about)) for one in references for told in reasons]
    outputs = iter((scorer or shipped()).outputs([pair for pair in pairs if not pair.apart]))
    scores = [0.0 if pair.apart else level(next(outputs)) for pair in pairs]
    width = len(reasons)
    return tuple(tuple(scores[row * width : (row + 1) * width]) for row in range(len(references)))
