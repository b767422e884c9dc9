"""`rmaudit report`: a run as one self-contained HTML file, as Markdown, JSON or a model card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RUN]...",
            help="Run directories, or the folder of a repair. Default: runs/latest.",
        ),
    ] = None,
    html: Annotated[bool, typer.Option("--html", help="Write one HTML file.")] = False,
    md: Annotated[
        bool, typer.Option("--md", help="Markdown, for a pull request or a release checklist.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="All numbers as one JSON object.")] = False,
    card: Annotated[
        bool, typer.Option("--model-card", help="model-index metadata for a model card.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="The file. Default: report.html in the first run; the others: stdout."),
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
    from rmaudit.cli.soundness import checked, tell_first
    from rmaudit.errors import InputError
    from rmaudit.report.html import write_html, write_repair
    from rmaudit.report.repair import is_repair, runs_of
    from rmaudit.report.text import as_json, markdown, model_card
    from rmaudit.report.view import report_view
    from rmaudit.run.directory import RunDir
    from rmaudit.run.disk import write_atomic
    from rmaudit.run.integrity import unsound
    from rmaudit.scan.plan import LATEST
    from rmaudit.terminal.lines import show_line

    if html + md + json_ + card != 1:
        raise InputError(
            "give one format: --html, --md, --json or --model-card", "rmaudit report --html"
        )
    if not runs and not LATEST.exists():
        raise InputError("no run given, and runs/latest is not there", "rmaudit report RUN --html")
    if runs and len(runs) == 1 and is_repair(runs[0]):
        if html:
            tell_first(checked(runs_of(runs[0])))
            place = out or runs[0] / "report.html"
            show_line(str(write_repair(runs[0], place, with_text=not no_text)))
            return
        runs = [one.path for one in runs_of(runs[0])]
    opened = [RunDir.open(path) for path in runs or [LATEST.resolve()]]
    if not runs:
        typer.echo(f"newest run: {opened[0].path}", err=True)
    before = None if baseline is None else RunDir.open(baseline)
    states = checked([*opened, *([before] if before is not None else [])])
    if html or out is not None:
        tell_first(states)  # else the document itself begins with it
    if card and len(opened) > 1:
        raise InputError("a model card is of one model", "name one run")
    with unsound(states):
        if html:
            place = out or opened[0].path / "report.html"
            show_line(str(write_html(opened, place, baseline=before, with_text=not no_text)))
            return
        if card:
            text = model_card(opened[0])
        else:
            view = report_view(opened, baseline=before, with_text=False)
            text = markdown(view) if md else as_json(view, opened)
    if out is None:
        print(text, end="")
    elif not out.parent.is_dir():
        raise InputError(f"no folder {out.parent}", "make it, or name another file with --out")
    else:
        write_atomic(out, text)
        show_line(str(out))
