"""`rmaudit policy`: check release policies before they are relied on."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Check release policies.")


@app.callback()
def _policy() -> None:
    """Check release policies."""


@app.command()
def lint(
    policies: Annotated[
        list[str], typer.Argument(metavar="NAME|FILE...", help="Policies to check.")
    ],
) -> int:
    """Check keys, metrics and thresholds, and find rules that cannot block; 2 on a finding."""
    from rmaudit.errors import EXIT_OK, EXIT_USAGE
    from rmaudit.gate.lint import findings, remarks, summary
    from rmaudit.gate.policy import load_policy
    from rmaudit.terminal import plain

    found = False
    for spec in policies:
        policy = load_policy(spec)
        print(plain(summary(policy)))
        for finding in findings(policy):
            found = True
            print(plain(f"  {finding}"))
        for remark in remarks(policy):
            print(plain(f"  remark: {remark}"))
    return EXIT_USAGE if found else EXIT_OK
