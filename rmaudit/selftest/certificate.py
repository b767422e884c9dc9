"""The certificate: which planted defects this installation names, and which it does not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit import __version__, embedded
from rmaudit.selftest.behaviour import behaviour, differing
from rmaudit.selftest.defects import DEFECTS, RATES
from rmaudit.selftest.run import (
    FALSE_ALARMS_ALLOWED,
    ITEM_SETS,
    ITEMS,
    DefectCell,
    Healthy,
    run_defects,
    run_healthy,
)

SCHEMA_VERSION = 2
"""2: `behaviour`, the scores of probes, in place of hashes of source."""
SHIPPED = Path(__file__).with_name("certificate.json")
RECORDED = (
    "Labels of defects marked with * are recorded answers of a labeller: for these the "
    "certificate says that the pipeline works, nothing about a labeller."
)


class Certificate(NamedTuple):
    """What the self-test found."""

    cells: list[DefectCell]
    healthy: list[Healthy]

    @property
    def false_alarms(self) -> int:
        """Claims that were named of models without a defect."""
        return sum(len(one.alarms) for one in self.healthy)

    @property
    def passed(self) -> bool:
        """Whether every cell is as required and healthy models are left alone."""
        return all(cell.ok for cell in self.cells) and self.false_alarms <= FALSE_ALARMS_ALLOWED


def certify(*, jobs: int = 1) -> Certificate:
    """Runs the whole self-test."""
    return Certificate(run_defects(jobs=jobs), run_healthy(jobs=jobs))


def to_json(certificate: Certificate) -> dict[str, Any]:
    """The certificate as a file: no times, so that equal installations write equal files."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "judge": embedded.NAME,
        "behaviour": behaviour(),
        "items": ITEMS,
        "item_sets": ITEM_SETS,
        "passed": certificate.passed,
        "false_alarms": certificate.false_alarms,
        "recorded": [defect.key for defect in DEFECTS if defect.recorded],
        "defects": [
            {
                "key": defect.key,
                "name": defect.name,
                "finding": defect.finding,
                "named_from": defect.named_from,
                "implied": list(defect.implied),
                "why": defect.why,
            }
            for defect in DEFECTS
        ],
        "cells": [cell._asdict() for cell in certificate.cells],
        "healthy": [one._asdict() for one in certificate.healthy],
    }


def shipped() -> dict[str, Any]:
    """The certificate that ships with the tool."""
    found: dict[str, Any] = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return found


def void(certificate: Mapping[str, Any]) -> str:
    """Why a certificate says nothing of this installation; '' where it holds.

    It holds where the judge and labeller here score its probes as those did that it was made with.
    """
    if certificate["tool_version"] != __version__:
        return f"it was made by rmaudit {certificate['tool_version']}, and this is {__version__}"
    before = certificate["behaviour"]
    differ = differing(before, behaviour())
    if differ:
        return (
            f"{len(differ)} of {len(before)} probes are scored otherwise here, the first one "
            f"{differ[0]}: judge, labeller or parser have changed"
        )
    return ""


def lines(certificate: Certificate) -> list[str]:
    """The certificate as a table: a defect a line, a rate a column."""
    cells = {(cell.defect, cell.rate): cell for cell in certificate.cells}
    width = max(len(_title(defect)) for defect in DEFECTS)
    head = "defect".ljust(width) + "".join(f"{rate:>13.0%}" for rate in RATES) + "  must be named"
    table = [head]
    for defect in DEFECTS:
        row = [cells[defect.key, rate] for rate in RATES if (defect.key, rate) in cells]
        if row:
            shown = "".join(f"{_outcome(cell):>13}" for cell in row)
            table.append(f"{_title(defect):{width}}{shown}  from {defect.named_from:.0%}")
    return [*table, "", *_notes(certificate)]


def _title(defect: Any) -> str:
    return f"{defect.key}{'*' if defect.recorded else ''}: {defect.name}"


def _outcome(cell: DefectCell) -> str:
    return f"({cell.outcome})" if cell.required == "either" else cell.outcome


def _notes(certificate: Certificate) -> list[str]:
    notes = ["In brackets: may be named or not. " + RECORDED]
    for cell in certificate.cells:
        if cell.alarms:
            notes.append(f"FALSE ALARM {cell.defect} at {cell.rate:.0%}: {', '.join(cell.alarms)}")
    for one in certificate.healthy:
        if one.alarms:
            notes.append(f"FALSE ALARM {one.model}: {', '.join(one.alarms)}")
    notes.append(
        f"{len(certificate.healthy)} models without a defect: {certificate.false_alarms} false "
        f"alarms, {FALSE_ALARMS_ALLOWED} allowed"
    )
    notes.append("passed" if certificate.passed else "FAILED")
    return notes
