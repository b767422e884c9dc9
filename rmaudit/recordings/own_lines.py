"""Our own lines: item, order, text; a run's generations.jsonl brings the run's items along."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rmaudit.checklists.load import ITEMS_FILE, load_card, load_file
from rmaudit.recordings.failures import error_text
from rmaudit.recordings.recording import ORDERS, Recording
from rmaudit.recordings.replay_engine import read_recorded
from rmaudit.run.directory import MANIFEST, RunDir


def read_own_lines(path: Path, *, skip_bad: bool) -> Recording:
    """Reads answers by key; a bad line is refused even with `skip_bad`, since a key would lack it.

    Raises:
        InputError: the file cannot be read, or a line of it is bad.
    """
    del skip_bad
    recorded = read_recorded(path)
    folder = path.parent / "checklist"
    if not ((path.parent / MANIFEST).is_file() and (folder / ITEMS_FILE).is_file()):
        failures = {key: error_text(row.text) for key, row in recorded.items()}
        failed = {key: said for key, said in failures.items() if said is not None}
        for key, said in failed.items():
            recorded[key] = replace(recorded[key], finish_reason="error", error=said)
        facts = {"rows": len(recorded), "failed_calls": len(failed)} if failed else {}
        return Recording("recorded answers", recorded, facts=facts)
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
