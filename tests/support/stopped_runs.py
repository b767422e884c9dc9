"""Runs that a signal stops, and what two runs must have in common."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

ROW_FILES = (
    "generations.jsonl",
    "verdicts.jsonl",
    "matches.jsonl",
    "flaws.jsonl",
    "results.jsonl",
)


def content(run: Path) -> dict[str, Any]:
    """Row files sorted by key, times dropped, and the metrics."""
    found: dict[str, Any] = {"metrics": json.loads((run / "metrics.json").read_text())}
    for name in ROW_FILES:
        rows = [json.loads(line) for line in (run / name).read_text().splitlines()]
        for row in rows:
            row.pop("seconds", None)
        found[name] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
    return found


def stop_when(
    process: subprocess.Popen[bytes], file: Path, lines: int, number: int, *, seconds: float = 60
) -> None:
    """Sends the signal as soon as the file holds so many lines."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        if file.is_file() and file.read_bytes().count(b"\n") >= lines:
            process.send_signal(number)
            process.wait(30)
            return
        time.sleep(0.001)
    code = process.poll()
    process.kill()
    process.wait(30)
    raise AssertionError(f"{file.name} never reached {lines} lines, exit {code}")
