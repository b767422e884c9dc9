"""Who is told how a repair goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rmaudit.compare.pair import PairComparison
from rmaudit.fix.reward.attack import Attack
from rmaudit.fix.training.baseline import Baseline
from rmaudit.fix.training.watch import DevAudit
from rmaudit.progress import Progress


class Telling(Protocol):
    """Each step says what it found, as soon as it knows."""

    def stage(self, name: str) -> None:
        """A step begins."""
        ...

    def attacks(self, found: Sequence[Attack]) -> None:
        """What attacks on the reward earn."""
        ...

    def baseline(self, found: Baseline, samples: int) -> None:
        """What the baseline pass found."""
        ...

    def log(self, numbers: Mapping[str, float]) -> None:
        """One step of training; `step`, `of`, and what TRL logs."""
        ...

    def audit(self, found: DevAudit) -> None:
        """A look at the development items."""
        ...

    def warn(self, text: str) -> None:
        """A line that a reader should not miss."""
        ...

    def progress(self) -> Progress:
        """Of answering and judging, outside of training."""
        ...

    def result(self, fixed: Mapping[str, Any], pair: PairComparison) -> None:
        """What became of it; `fixed` is what fix.json holds."""
        ...
