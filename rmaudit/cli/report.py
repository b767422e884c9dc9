"""`rmaudit report`: a run as one self-contained HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN]...", help="Run directories. Default: runs/latest."),
    ] = None,
    html: Annotated[bool, typer.Option("--html", help="Write one HTML file.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="The file. Default: report.html in the first run.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Show what changed from this run.")
    ] = None,
    no_text: Annotated[
        bool,
        typer.Option("--no-text", help="Leave out prompts, responses and answers, for filing."),
    ] = False,
) -> None:
    """Write the audit report of one or more runs."""
    from rmaudit.errors import InputError
    from rmaudit.plan import LATEST
    from rmaudit.report.html import write_html
    from rmaudit.rundir import RunDir

    if not html:
        raise InputError("no format given", "rmaudit report --html")
    if not runs and not LATEST.exists():
        raise InputError("no run given, and runs/latest is not there", "rmaudit report RUN --html")
    opened = [RunDir.open(path) for path in runs or [LATEST.resolve()]]
    if not runs:
        typer.echo(f"newest run: {opened[0].path}", err=True)
    before = None if baseline is None else RunDir.open(baseline)
    place = out or opened[0].path / "report.html"
    print(write_html(opened, place, baseline=before, with_text=not no_text))
