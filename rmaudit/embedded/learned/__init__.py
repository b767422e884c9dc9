"""The learned judge: how far a reason says what a reference says, in whatever words.

Each text is encoded once; a small head compares the tokens of a pair and the facts that code knows
of it. `examples/embedded_judge` trains it.
"""

from __future__ import annotations

from rmaudit.embedded.learned.judge import matrix
from rmaudit.embedded.learned.measure import MEASURED, measured

__all__ = ["MEASURED", "matrix", "measured"]
