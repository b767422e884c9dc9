"""`rmaudit power`: how many items a question needs, and what so many items can show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def power(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RUN [RUN]]",
            help="Take the spread from this run, and the correlation from two. Without: assumed.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="A metric; repeatable.")
    ] = None,
    delta: Annotated[
        list[str] | None,
        typer.Option(
            "--delta",
            metavar="SHARE|POINTSpt",
            help="A difference to be shown, 0.05 or 5pt; repeatable.",
        ),
    ] = None,
    n: Annotated[
        list[int] | None, typer.Option("--n", help="A number of items; repeatable.")
    ] = None,
    power_: Annotated[float, typer.Option("--power", help="Chance to show it.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="Level of the test.")] = 0.05,
    sd: Annotated[float | None, typer.Option(help="Standard deviation of an item.")] = None,
    rho: Annotated[float | None, typer.Option(help="Correlation of two runs.")] = None,
    cluster_size: Annotated[
        float, typer.Option(help="Items a cluster (same prompt), without a run.")
    ] = 1.0,
    icc: Annotated[
        float, typer.Option(help="Correlation of items in a cluster, without a run.")
    ] = 0.0,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say how many items a difference needs, and what so many items can show."""
    import json

    from rmaudit.compare.deltas import as_delta, check_deltas
    from rmaudit.compare.power import as_json, lines, plans
    from rmaudit.compare.read import read_for_comparison
    from rmaudit.errors import InputError
    from rmaudit.metrics.power import Goal, design_effect
    from rmaudit.terminal.lines import show_lines

    told = [as_delta(text) for text in delta or ["0.02", "0.03", "0.05", "0.1"]]
    deltas, sizes = [one.value for one in told], n or [100, 200, 500, 1000, 2000]
    _within("--power", power_, 0, 1)
    _within("--alpha", alpha, 0, 1)
    _within("--icc", icc, -1e-9, 1)
    for count in sizes:
        if count < 2:
            raise InputError(f"--n is {count}", "give a whole number from 2")
    if sd is not None and sd <= 0:
        raise InputError(f"--sd is {sd:g}", "give a number above 0")
    if rho is not None:
        _within("--rho", rho, -1, 1)
    if cluster_size < 1:
        raise InputError(f"--cluster-size is {cluster_size:g}", "give a number from 1")
    paths = runs or []
    if len(paths) > 2:
        raise InputError(f"{len(paths)} runs given", "give one run, or two for their correlation")
    goal = Goal(power_, alpha)
    found = plans(
        [read_for_comparison(path, number=k) for k, path in enumerate(paths, start=1)],
        metrics=metric or (),
        sd=sd,
        rho=rho,
        effect=design_effect(cluster_size, icc),
    )
    check_deltas(told, found)
    if json_:
        print(json.dumps(as_json(found, deltas, sizes, goal), allow_nan=False))
    else:
        show_lines(lines(found, deltas, sizes, goal))


def _within(option: str, value: float, low: float, high: float) -> None:
    from rmaudit.errors import InputError

    if not low < value < high:
        raise InputError(f"{option} is {value:g}", f"give a number between {low:g} and {high:g}")
