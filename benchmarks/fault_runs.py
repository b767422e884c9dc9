"""Scans through every fault that a server can have, each compared with a scan without faults.

    python benchmarks/fault_runs.py [--items N]

A server on loopback (`tests/support/fault_server.py`) fails on every third prompt, dies, or is
stopped for; `rmaudit scan openai:...` runs as a user runs it. For each fault the table tells how
often it struck, how many completions the run holds, how many are lost (missing, or kept as an
error) and how many come twice, and whether all row files (times left out, sorted) and metrics.json
are equal.
Exits 1 when something is lost, twice or unequal.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.fault_server import FaultServer, answers, sometimes

from rmaudit.checklists.sets import load_set

ROW_FILES = ("generations.jsonl", "verdicts.jsonl", "matches.jsonl", "results.jsonl")
FAULTS = (
    "429 Retry-After", "429", "500", "503 html", "garbage", "not http", "empty",
    "half, then closed", "half as a whole", "closed", "silent for 60 s", "abort", "no choices",
)  # fmt: skip


class Row(NamedTuple):
    """One line of the table."""

    fault: str
    times: int
    completions: int
    lost: int
    twice: int
    equal: bool


class Bench:
    """The set, the server's answers, and the run without faults."""

    def __init__(self, folder: Path, items: int) -> None:
        self.spec = f"synth:3:{items}:slogan"
        self.folder = folder
        self.reply = answers(load_set(self.spec).items)
        with FaultServer(self.reply) as server:
            self.scan(server.target, "clean")
        self.clean = content(folder / "clean")
        self.keys = {key_of(row) for row in self.clean["generations.jsonl"]}

    def start(self, target: str, out: str, *more: str) -> subprocess.Popen[bytes]:
        """A scan in a process of its own."""
        words = ["scan", target, "--set", self.spec, "--out", out, "--concurrency", "16", *more]
        return subprocess.Popen(
            [sys.executable, "-m", "rmaudit", *words],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def scan(self, target: str, out: str, *more: str, code: int = 0) -> None:
        """A scan to its end, which must have this exit code."""
        found = self.start(target, out, *more).wait()
        if found != code:
            raise SystemExit(f"{out}: exit code {found}, not {code}")

    def row(self, fault: str, times: int, out: str) -> Row:
        """The line of a finished run."""
        found = content(self.folder / out)
        keys = [key_of(row) for row in found["generations.jsonl"] if row["error"] is None]
        return Row(
            fault,
            times,
            len(keys),
            len(self.keys - set(keys)),
            len(keys) - len(set(keys)),
            found == self.clean,
        )


def key_of(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["item"], row["variant"], row["slot"], row["order"], row["sample"]


def content(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"metrics": json.loads((run / "metrics.json").read_text())}
    for name in ROW_FILES:
        rows = [json.loads(line) for line in (run / name).read_text().splitlines()]
        for row in rows:
            row.pop("seconds", None)
        found[name] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
    return found


def transient(bench: Bench, fault: str) -> Row:
    """The fault strikes once on every third prompt."""
    out = fault.replace(" ", "-")
    with FaultServer(bench.reply, fault=sometimes(fault)) as server:
        slow = ["--request-timeout", "1"] if fault.startswith("silent") else []
        bench.scan(server.target, out, *slow)
        return bench.row(fault, server.faults[fault], out)


def for_good(bench: Bench) -> Row:
    """Every third prompt fails whatever is tried; later a resume asks again."""
    with FaultServer(bench.reply, fault=sometimes("500", times=99)) as server:
        bench.scan(server.target, "for-good", "--request-retries", "1")
        server.fault = lambda prompt, nth: None
        bench.scan(server.target, "for-good", "--request-retries", "1", "--resume")
        return bench.row("500 for good, then resumed", server.faults["500"], "for-good")


def killed(bench: Bench) -> Row:
    """The server is gone in the middle, and is back for the resume."""
    half = len(bench.keys) // 2
    with FaultServer(bench.reply, seconds=0.02, die_after=half) as server:
        bench.scan(server.target, "killed", "--request-retries", "1", code=1)
        server.start()
        bench.scan(server.target, "killed", "--resume", "--request-retries", "1")
    return bench.row("server killed, restarted, resumed", 1, "killed")


def one_of_two(bench: Bench) -> Row:
    """One of two servers is gone for good."""
    quarter = len(bench.keys) // 4
    with (
        FaultServer(bench.reply, seconds=0.02, die_after=quarter) as first,
        FaultServer(bench.reply, seconds=0.02) as second,
    ):
        bench.scan(f"{first.target},{second.url}", "two")
    return bench.row("one of two servers dies", 1, "two")


def signalled(bench: Bench, number: signal.Signals, code: int) -> Row:
    """The scan itself is stopped in the middle, and resumed."""
    out, half = number.name, len(bench.keys) // 2
    with FaultServer(bench.reply, seconds=0.1) as server:
        process = bench.start(server.target, out, "--concurrency", "4")
        while server.answered.total() < half:
            time.sleep(0.005)
        process.send_signal(number)
        if process.wait() != code:
            raise SystemExit(f"{out}: exit code {process.returncode}, not {code}")
        bench.scan(server.target, out, "--resume")
    return bench.row(f"{number.name} to the scan, resumed", 1, out)


def main() -> int:
    """Prints the table; 1 when something is lost, twice or unequal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=100)
    items = parser.parse_args().items
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), items)
        cases: list[Callable[[], Row]] = [
            *((lambda fault=fault: transient(bench, fault)) for fault in FAULTS),
            lambda: for_good(bench),
            lambda: killed(bench),
            lambda: one_of_two(bench),
            lambda: signalled(bench, signal.SIGTERM, 143),
            lambda: signalled(bench, signal.SIGINT, 130),
            lambda: signalled(bench, signal.SIGKILL, -signal.SIGKILL),
        ]
        print(f"{items} items in both orders, {len(bench.keys)} completions\n")
        print("| fault | struck | completions | lost | twice | equal result |")
        print("|---|---|---|---|---|---|")
        bad = False
        for case in cases:
            row = case()
            bad |= bool(row.lost or row.twice or not row.equal)
            told = [*row[:5], "yes" if row.equal else "NO"]
            print("| " + " | ".join(map(str, told)) + " |", flush=True)
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
