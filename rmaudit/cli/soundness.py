"""What every command says first of the runs that it reads: that they are no evidence, or less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rmaudit.run.directory import RunDir
    from rmaudit.run.integrity import Integrity

    Checked = tuple[RunDir, Integrity]


def checked(runs: Sequence[RunDir]) -> list[Checked]:
    """Each run with what the integrity check finds.

    Raises:
        InputError: a manifest cannot be read.
    """
    from rmaudit.run.integrity import check

    return [(run, check(run)) for run in runs]


def tell_first(found: Sequence[Checked]) -> None:
    """One line for each run that is not as its scan left it, or cannot be checked in full."""
    from rmaudit.terminal.lines import show_line

    for run, state in found:
        line = state.line(run)
        if line:
            show_line(line)


def as_json(found: Sequence[Checked]) -> dict[str, Any]:
    """The same for --json, by run."""
    return {str(run.path): state.as_dict() for run, state in found}
