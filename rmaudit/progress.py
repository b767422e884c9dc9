"""Who is told how the work goes. Stages can run at once, each in a thread of its own."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A stage is named in every call."""

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """A stage starts; `done` of its `total` steps were there already."""
        ...

    def expect(self, stage: str, *, total: int) -> None:
        """The stage turns out to have so many steps."""
        ...

    def step(self, stage: str, *, unreadable: bool = False) -> None:
        """One step of the stage is done."""
        ...

    def end(self, stage: str) -> None:
        """The stage is over."""
        ...

    def note(self, text: str) -> None:
        """Something worth a line between two stages."""
        ...
