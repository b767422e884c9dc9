"""Which format a file of recorded outputs has, told by its keys.

own lines            item, order, text; a run's generations.jsonl brings the run's items along
JudgeBench outputs   pair_id, question, ..., judgments: see `recordings.judgebench`
R-Align judgments    the benchmark's fields and model_judgment: see `recordings.r_align`
RM-Bench results     chosen, rejected, score_chosen, score_rejected: see `recordings.rm_bench`
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rmaudit.checklists.importers.base import read_rows
from rmaudit.checklists.importers.judgebench import FIELDS
from rmaudit.checklists.load import ITEMS_FILE, load_card, load_file
from rmaudit.errors import InputError
from rmaudit.recordings import r_align, rm_bench
from rmaudit.recordings.judgebench import read_judgebench
from rmaudit.recordings.recording import ORDERS, Recording
from rmaudit.recordings.replay_engine import read_recorded
from rmaudit.run.directory import MANIFEST, RunDir

SHOWN_KEYS = 12


def read_recording(path: Path, *, skip_bad: bool = False) -> Recording:
    """Reads a file of recorded outputs.

    Args:
        path: the file.
        skip_bad: leave bad lines of a file with items out, and count them in its set.

    Raises:
        InputError: the file cannot be read, is of no known format, or has a bad line (file, line,
            field and remedy).
    """
    line, first = _first_row(path)
    if not first or first.keys() & {"item", "text"}:
        return _own_lines(path)
    if "judgments" in first:
        return read_judgebench(path, skip_bad=skip_bad)
    if first.keys() >= r_align.FIELDS:
        return r_align.read_r_align(path, skip_bad=skip_bad)
    if first.keys() >= rm_bench.FIELDS:
        return rm_bench.read_rm_bench(path, skip_bad=skip_bad)
    if first.keys() >= set(FIELDS):
        raise InputError(
            f"{path}, line {line}: pairs without answers (no field judgments)",
            f"import them as a set: rmaudit checklist import judgebench {path} --out DIR",
        )
    raise InputError(
        f"{path}, line {line}: not a known format of recorded outputs; its keys are "
        f"{', '.join(list(first)[:SHOWN_KEYS])}",
        f"known are lines with item, order, text, JudgeBench outputs ({', '.join(FIELDS)}, "
        f"judgments), RM-Bench results ({', '.join(sorted(rm_bench.FIELDS))}) and R-Align "
        f"judgments ({', '.join(sorted(r_align.FIELDS))})",
    )


def _first_row(path: Path) -> tuple[int, dict[str, Any]]:
    """The first line that can be read: a broken line does not hide the format."""
    for line, row in read_rows(path):
        if isinstance(row, dict):
            return line, row
    return 0, {}


def _own_lines(path: Path) -> Recording:
    recorded = read_recorded(path)
    folder = path.parent / "checklist"
    if not ((path.parent / MANIFEST).is_file() and (folder / ITEMS_FILE).is_file()):
        return Recording("recorded answers", recorded)
    manifest = RunDir.open(path.parent).manifest()
    # A run holds its items in seeded order, maybe not all: the card's hash is not theirs.
    card = load_card(folder).model_copy(update={"sha256": ""})
    return Recording(
        "answers of a run",
        recorded,
        items=load_file(folder / ITEMS_FILE, card=card),
        orders=tuple(order for order in ORDERS if order in manifest.orders),
        name=manifest.target.name.replace("/", "-"),  # it names the run folder
    )
