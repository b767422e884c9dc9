"""`rmaudit merge-runs`: runs of one model on parts of a set, as one run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def merge_runs(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN RUN...", help="Finished runs of one target, without overlap."),
    ],
    out: Annotated[Path, typer.Option(help="The new run directory.")],
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Merge runs of one model on parts of a set into one run; no model is called."""
    import json

    from rmaudit.scan.merge_runs import merge_runs as merge
    from rmaudit.terminal.lines import show_line

    merged = merge(runs, out)
    if json_:
        found = {"run": str(merged.path), "items": merged.manifest().n_items}
        print(json.dumps(found))
    else:
        show_line(str(merged.path))
    if merged.manifest().chance_drawn is not None:
        print(
            "note: rc.chance stays as the parts drew it, each among its own items: their judge is "
            "not asked again here",
            file=sys.stderr,
        )
