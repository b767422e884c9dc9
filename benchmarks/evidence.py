"""What was tried on the files of a finished run, edit by edit, and what every command then did.

    python benchmarks/evidence.py > benchmarks/evidence.md

Prints one line for edits with the same outcome; exits 1 when a command believes an edited run, or
ends in a bug. The edits are those of `tests/support/edits.py`, which the tests run, too.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.command_line import Done
from support.damage import fresh
from support.edits import (
    CASES,
    RECORD,
    Edit,
    Outcome,
    commands,
    evidence_runs,
    field_edits,
    file_edits,
    outcomes,
    same_after,
)

import rmaudit.cli
from rmaudit.__main__ import run as main_of

NAMES = {
    "row_removed": "first row removed", "row_twice": "first row twice",
    "row_changed": "a value of the first row changed",
    "row_of_another_item": "first row given to another item", "blank_line": "a blank line added",
    "row_changed with its hash": "a row changed, and its hash in manifest.json",
    "last_byte_gone": "last two bytes gone", "windows_lines": "CRLF line ends",
    "byte_order_mark": "byte order mark", "other_encoding": "UTF-16",
    "duplicated_key": "a key twice in one object", "huge_number": "an integer of 5,000 digits",
    "half_a_character": "half a surrogate pair", "a_link_to_nothing": "a broken link",
    "a_link_to_itself": "a link to itself", "NaN": "NaN", "Infinity": "-Infinity",
    "cut": "cut in half", "empty": "0 bytes", "binary": "binary garbage", "zeros": "zero bytes",
    "deep": "objects 100,000 deep", "deep_list": "lists 100,000 deep", "other_kind": "a list",
    "null": "null", "nothing_in_it": "an empty object", "gone": "removed",
    "a_folder": "a folder in its place", "twice": "every line twice",
    "turned": "lines in the other order",
}  # fmt: skip
FIELDS = (RECORD, "metrics.json", "verdicts.jsonl", "matches.jsonl", "results.jsonl")
MOST_FIELDS = 400
HEAD = """# What was tried on a finished run

Written by `python benchmarks/evidence.py`; `tests/run/test_evidence.py` runs the same edits. Each
edit is made on a copy of a run that had passed its gate; then each command is run. Cells are exit
codes: 2 refused, 5 invalid evidence, 0 printed with what the run is (CHANGED, CONTRADICTORY,
DAMAGED RUN) in the first line. *As baseline*: another run is gated against it. *Then gate*: after
`scan --resume`, which makes again what is gone.

**The known limit.** The hashes and the seal find accidents, stale files and careless edits. Whoever
can write the folder, and makes every hash and the seal anew, gets a run that passes
(`test_the_known_limit_a_forger_makes_the_hashes_anew`): there is no secret in a seal. Where that
matters, run the gate where only the scan can write, or keep the `seal` of manifest.json (or the
hashes under `read` in gate.json) where the owner of the folder cannot write, and compare.
"""


def cli(*words: str | Path) -> Done:
    """A command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main_of([str(word) for word in words])
    return Done(code, out.getvalue(), err.getvalue())


def cell(found: Outcome) -> str:
    return f"**{found.code}: {found.fault}**" if found.fault else str(found.code)


def tried(edit: Edit, runs: tuple[Path, Path], *only: str) -> Mapping[str, Outcome] | None:
    """None where the edit leaves what the file says as it was."""
    run = fresh(runs[0], Path("spoilt"))
    edit.change(run)
    return None if same_after(runs[0], run) else outcomes(cli, run, runs[1], only=only)


def table(runs: tuple[Path, Path]) -> bool:
    """The edits of whole files and rows; whether all is as it must be."""
    columns = [*commands(*runs), "then gate"]
    print(f"\n## Files and rows\n\n| edit | of | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 2) + "|")
    told: dict[tuple[str, ...], list[str]] = defaultdict(list)
    fine = True
    for edit in file_edits():
        found = tried(edit, runs)
        if found is None:
            continue
        fine &= not any(one.fault for one in found.values())
        told[(NAMES[edit.name], *(cell(found[name]) for name in columns))].append(edit.file)
    for (name, *cells), files in sorted(told.items()):
        print(f"| {name} | {', '.join(files)} | {' | '.join(cells)} |")
    return fine


def fields(runs: tuple[Path, Path]) -> bool:
    """Fields of some files, by the gate: all of them, or every k-th where they are very many."""
    print("\n## Single fields, by `gate`\n\nOf rows: those of the first.\n")
    print("| file | fields changed, and left out | tried | exit codes |\n|---|---|---|---|")
    fine = True
    for file in FIELDS:
        codes: dict[str, int] = defaultdict(int)
        edits = [*field_edits(runs[0], file)]
        step = 1 + len(edits) // MOST_FIELDS
        for edit in edits[::step]:
            found = tried(edit, runs, "gate")
            if found is not None:
                fine &= not found["gate"].fault
                codes[cell(found["gate"])] += 1
        counts = ", ".join(f"{code}: {count:,}" for code, count in sorted(codes.items()))
        share = "all" if step == 1 else f"every {step}th"
        print(f"| {file} | {len(edits):,} | {share} | {counts} |")
    return fine


def cases() -> bool:
    """Decisions and baselines, each on runs of its own."""
    print("\n## Decisions and baselines\n\n| tried | command | exit code | it says |")
    print("|---|---|---|---|")
    fine = True
    for number, case in enumerate(CASES):
        place = Path(f"case-{number}").absolute()
        place.mkdir()
        with contextlib.chdir(place):
            words = case.prepare(cli, *evidence_runs(cli))
            done = cli(*words)
        held = done.code in case.codes and case.says.lower() in done.out.lower()
        fine &= held
        code = str(done.code) if held else f"**{done.code}**"
        print(f"| {case.name} | `{' '.join(map(str, words))}` | {code} | {case.says} |")
    return fine


def main() -> int:
    """Prints the page."""
    rmaudit.cli.command = cache(rmaudit.cli.command)
    print(HEAD.rstrip())
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        os.environ["RMAUDIT_CACHE"] = str(Path(place, "cache"))
        runs = evidence_runs(cli)
        found = [table(runs), fields(runs), cases()]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
