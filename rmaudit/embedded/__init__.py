"""The embedded judge and labeller: they read text alone and need no model; approximate.

What stands here is all that the rest of rmaudit uses of this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rmaudit.embedded import judge as rules
from rmaudit.embedded import learned, lexical
from rmaudit.embedded.fault_or_merit import polarity
from rmaudit.embedded.fault_phrases import CLAIMS
from rmaudit.embedded.judge import NAME, VERSION
from rmaudit.embedded.labeller import DECIDES, label_reasons
from rmaudit.embedded.learned import MEASURED, measured
from rmaudit.embedded.reading import Context
from rmaudit.records import About, ModelReason

FOLDER = Path(__file__).parent
PROGRAM = "program"
"""The origin of references that a program made: their faults are simple, and rules read them."""
CARD = FOLDER / "builtin_card.json"
"""What `judge check` measured of this judge."""

__all__ = [
    "CARD",
    "DECIDES",
    "FOLDER",
    "MEASURED",
    "NAME",
    "PROGRAM",
    "VERSION",
    "Context",
    "label_reasons",
    "lexical",
    "measured",
    "polarity",
    "score_matrix",
    "words_a_fault",
]


def score_matrix(
    references: Sequence[tuple[str, About]],
    reasons: Sequence[ModelReason],
    context: Context,
    *,
    origin: str = PROGRAM,
) -> tuple[tuple[float, ...], ...]:
    """The full n x m matrix of one item: reference i against model reason j, item coordinates.

    Args:
        references: each with the response that it is about.
        reasons: of the model.
        context: what is seen of the item.
        origin: who wrote the references; those of a program are read by rules, others by what was
            learned of ordinary text.
    """
    read = rules.matrix if origin == PROGRAM else learned.matrix
    return read(references, reasons, context)


def words_a_fault(kind: str, text: str) -> bool:
    """Whether a text in lower case words a fault of this kind: `missing`, `extra` or `wrong`."""
    return bool(CLAIMS[kind].search(text))
