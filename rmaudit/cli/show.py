"""`rmaudit show`: everything about one item of a run, raw texts included."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    item: Annotated[str, typer.Argument(metavar="ITEM", help="The id of an item.")],
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show everything about one item: request, responses, raw answers, verdicts, matches."""
    import json

    from rmaudit.run.directory import RunDir
    from rmaudit.run.item import gather, lines
    from rmaudit.terminal.lines import show_lines

    found = gather(RunDir.open(run), item)
    if json_:
        print(json.dumps(found.as_dict(), ensure_ascii=True, indent=1))
    else:
        show_lines(lines(found))
