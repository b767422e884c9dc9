"""`rmaudit policy`: check release policies before they are relied on."""

from __future__ import annotations

from pathlib import Path
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
    from rmaudit.terminal.lines import show_line

    found = False
    for spec in policies:
        policy = load_policy(spec)
        show_line(summary(policy))
        for finding in findings(policy):
            found = True
            show_line(f"  {finding}")
        for remark in remarks(policy):
            show_line(f"  remark: {remark}")
    return EXIT_USAGE if found else EXIT_OK


@app.command()
def calibrate(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Runs of past models that were good.")
    ],
    name: Annotated[str, typer.Option(help="Name of the policy.")] = "calibrated",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it. Default: stdout.")
    ] = None,
) -> None:
    """Propose thresholds from the runs of your own past models, as a policy file."""
    from rmaudit.errors import InputError
    from rmaudit.gate.calibrate import as_policy, propose
    from rmaudit.gate.evidence import read_evidence
    from rmaudit.metrics.registry import shown_in
    from rmaudit.run.directory import RunDir
    from rmaudit.run.disk import write_atomic
    from rmaudit.terminal.lines import show_line

    found = [read_evidence(RunDir.open(path)) for path in runs]
    proposals = propose(found)
    approximate = {one.approximate(metric) for one in found for metric in shown_in("calibrate")}
    builtin = approximate != {None}
    text = as_policy(proposals, name=name, builtin=builtin)
    if out is None:
        print(text, end="")
    elif not out.parent.is_dir():
        raise InputError(f"no folder {out.parent}", "make it, or name another file with --out")
    else:
        write_atomic(out, text)
        show_line(str(out))
        for metric, why in proposals.left_out:
            show_line(f"  no rule for {metric}: {why}")
