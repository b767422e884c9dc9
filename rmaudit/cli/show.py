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

    from rmaudit.cli.soundness import as_json, checked, tell_first
    from rmaudit.run.directory import RunDir
    from rmaudit.run.integrity import unsound
    from rmaudit.run.item import gather, lines
    from rmaudit.terminal.lines import show_lines

    opened = RunDir.open(run)
    states = checked([opened])
    if not json_:
        tell_first(states)
    with unsound(states):
        found = gather(opened, item)
        if json_:
            shown = {"integrity": as_json(states), **found.as_dict()}
            print(json.dumps(shown, ensure_ascii=True, indent=1))
        else:
            show_lines(lines(found))
