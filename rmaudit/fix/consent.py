"""Asks before a training whose judge calls may cost money."""

from __future__ import annotations

import sys

from rmaudit.errors import InputError
from rmaudit.scan.cost import ASK_ABOVE


def consent(calls: int, whose: str = "judge calls") -> None:
    """Asks on a terminal; elsewhere --max-calls is the limit.

    Raises:
        InputError: the answer is no.
    """
    if calls <= ASK_ABOVE or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    import typer

    try:
        agreed = typer.confirm(f"Up to {calls:,} {whose}. Start?", err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise InputError("not started", "--yes starts without asking, --steps makes it shorter")
