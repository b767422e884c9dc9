"""Writes a decision where CI looks for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rmaudit.checklists.load import ITEMS_FILE
from rmaudit.errors import InputError
from rmaudit.gate.decision import Decision
from rmaudit.gate.emit.github import commands, summary
from rmaudit.gate.emit.junit import junit as to_junit
from rmaudit.gate.emit.located import item_findings, item_rules
from rmaudit.gate.emit.sarif import sarif as to_sarif
from rmaudit.run.directory import RunDir
from rmaudit.run.disk import write_atomic

SUMMARY = "GITHUB_STEP_SUMMARY"


def write_files(
    decision: Decision,
    run: RunDir,
    *,
    junit: Path | None = None,
    sarif: Path | None = None,
    github: bool = False,
) -> None:
    """Writes what was asked for; annotations go to stderr, where a runner reads them as well.

    Raises:
        InputError: a folder is not there.
        RmauditError: the disk.
    """
    for path in (junit, sarif):
        if path is not None and not path.parent.is_dir():
            raise InputError(f"no folder {path.parent}", "make it, or name another file")
    if junit is not None:
        write_atomic(junit, to_junit(decision))
    if sarif is not None:
        items = os.path.relpath(run.path / "checklist" / ITEMS_FILE)
        text = to_sarif(
            decision, items_file=items, item_rules=item_rules(run), findings=item_findings(run)
        )
        write_atomic(sarif, text)
    if github:
        for line in commands(decision):
            print(line, file=sys.stderr)
        place = os.environ.get(SUMMARY)
        if place:
            with Path(place).open("a", encoding="utf-8") as file:
                file.write(summary(decision))
