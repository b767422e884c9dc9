"""The embedded judge and labeller: they read text alone and need no model; approximate.

What stands here is all that the rest of rmaudit uses of this package.
"""

from __future__ import annotations

from pathlib import Path

from rmaudit.embedded.fault_or_merit import polarity
from rmaudit.embedded.fault_phrases import CLAIMS
from rmaudit.embedded.judge import NAME, VERSION
from rmaudit.embedded.judge import matrix as score_matrix
from rmaudit.embedded.labeller import DECIDES, label_reasons
from rmaudit.embedded.reading import Context

FOLDER = Path(__file__).parent
CARD = FOLDER / "builtin_card.json"
"""What `judge check` measured of this judge."""

__all__ = [
    "CARD",
    "DECIDES",
    "FOLDER",
    "NAME",
    "VERSION",
    "Context",
    "label_reasons",
    "polarity",
    "score_matrix",
    "words_a_fault",
]


def words_a_fault(kind: str, text: str) -> bool:
    """Whether a text in lower case words a fault of this kind: `missing`, `extra` or `wrong`."""
    return bool(CLAIMS[kind].search(text))
