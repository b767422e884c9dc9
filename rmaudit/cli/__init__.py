"""The command line: one small file a command, each a thin skin over one call of the core.

Nothing heavy is imported here or at the top of a command's file: `rmaudit --help` stays instant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Callable


def command() -> Callable[..., object]:
    """The whole app as one command; call it with `args` and `standalone_mode`."""
    return typer.main.get_command(commands()).main


def commands() -> typer.Typer:
    """All commands."""
    from rmaudit.cli import (
        checklist,
        compare,
        doctor,
        fix,
        gate,
        judge,
        merge_runs,
        policy,
        power,
        profile,
        report,
        scan,
        selftest,
        show,
    )

    app = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        help="Audit a reward model's reasons before it steers RLHF.",
    )
    app.callback()(_root)
    app.command("scan")(scan.scan)
    app.command("report")(report.report)
    app.command("compare")(compare.compare)
    app.command("power")(power.power)
    app.command("merge-runs")(merge_runs.merge_runs)
    app.command("show")(show.show)
    app.command("gate")(gate.gate)
    app.command("fix")(fix.fix)
    app.command("doctor")(doctor.doctor)
    app.command("selftest")(selftest.selftest)
    app.add_typer(checklist.app, name="checklist")
    app.add_typer(profile.app, name="profile")
    app.add_typer(judge.app, name="judge")
    app.add_typer(policy.app, name="policy")
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from rmaudit import __version__

        print(f"rmaudit {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", help="Show the version.", callback=_version, is_eager=True
    ),
) -> None:
    """Audit a reward model's reasons before it steers RLHF."""
    if context.invoked_subcommand is None:
        print(context.get_help())
