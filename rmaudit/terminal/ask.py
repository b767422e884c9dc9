"""Asks before work whose model calls may cost money."""

from __future__ import annotations

import sys

from rmaudit.errors import InputError

ASK_ABOVE = 1000
"""Work with more calls of an endpoint than this is started on a terminal only after a yes."""


def agree(calls: int, cost: str, *, smaller: str = "--limit makes it smaller") -> None:
    """Asks on a terminal whether to make many calls; elsewhere --max-calls is the limit.

    Args:
        calls: of an endpoint, at most.
        cost: the calls in words.
        smaller: which option reduces them, for the hint.

    Raises:
        InputError: the answer is no.
    """
    if calls <= ASK_ABOVE or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    import typer

    try:
        agreed = typer.confirm(f"{cost}. Start?", err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise InputError("not started", f"--yes starts without asking, {smaller}")


def confirmed(question: str, *, yes: bool, otherwise: str) -> None:
    """Asks on a terminal before something that needs a yes; elsewhere only --yes is one.

    Args:
        question: what is asked.
        yes: that --yes was given.
        otherwise: what is said to be so without a yes.

    Raises:
        InputError: there was none.
    """
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(f"{otherwise}: there is nobody to ask", "--yes answers the question")
    import typer

    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise InputError(otherwise, "--yes does it without asking")
