"""`rmaudit compare`: what changed between runs, and how surely."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def compare(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN RUN...", help="Run directories; the first leads.")
    ],
    curve: Annotated[
        bool,
        typer.Option(
            "--curve",
            help="Checkpoints of one training run, by the steps in their names; found by itself "
            "from three on.",
        ),
    ] = False,
    margin: Annotated[
        float,
        typer.Option(min=0, max=1, help="A fall of accuracy below this counts as held (--curve)."),
    ] = 0.02,
    seed: Annotated[int, typer.Option(help="Of resampling.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show every metric.")] = False,
) -> None:
    """Compare runs on the items that they share: paired changes, checkpoint curves, ranks."""
    from rmaudit.cli.soundness import checked, tell_first
    from rmaudit.compare.compare import compare as compare_runs
    from rmaudit.run.directory import RunDir
    from rmaudit.run.integrity import unsound
    from rmaudit.terminal.compare import CompareScreen

    states = checked([RunDir.open(path) for path in runs])
    if not json_:
        tell_first(states)
    with unsound(states):
        found = compare_runs(runs, as_curve=curve, margin=margin, seed=seed)
        CompareScreen(json_mode=json_, verbose=verbose).show(found)
