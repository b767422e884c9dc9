"""What rmaudit itself costs at scale: a scan of recorded answers, a gate, a report, a comparison.

Items, answers, matches and labels are made by this script from a seed: 5 reasons each, responses of
some 200 tokens, both orders. The judge and the labeller are `replay:`, so that none of the time is
theirs. Each command runs in a process of its own on one core; CPU seconds and the peak of resident
memory are those of that process.

    python benchmarks/own_cost.py [--items 22116] [--profile scan|gate|report|compare]

Exits 1 when a bar is missed (bars hold for 22,116 items): scan 60 s of CPU and 0.8 GB, gate and
report 15 s and 0.5 GB each.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

BARS = {"scan": (60.0, 0.8e9), "gate": (15.0, 0.5e9), "report": (15.0, 0.5e9)}
REASONS, CITES = 5, 0.3
WORDS = (
    "river stone window answer number garden silent copper letter market winter engine carbon "
    "signal planet forest memory silver method bridge island mirror record shadow theory village"
).split()
LABELS = [
    {"category": "EG", "flaws": []},
    {"category": "CG", "flaws": ["F1"]},
    {"category": "GS", "flaws": ["F4", "F5"]},
]
TESTED = ["category", "F1", "F2", "F3", "F4", "F5", "F6", "F7"]
DOMAINS = ("code", "general", "stem", "creative")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=22_116)
    parser.add_argument("--profile", choices=("scan", "gate", "report", "compare"))
    options = parser.parse_args()
    print(f"load of this machine before the start: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_inputs(options.items)
        return 0 if measure(options.profile) else 1


def measure(profiled: str | None) -> bool:
    """Runs the commands and prints what each takes; whether all are within their bars."""
    common = ["--set", "items.jsonl", "--judge", "replay:matches.jsonl", "--labeler"]
    commands = {
        "scan": ["scan", "replay:one.jsonl", *common, "replay:flaws.jsonl", "--out", "one", "-q"],
        "scan again": [
            "scan",
            "replay:two.jsonl",
            *common,
            "replay:flaws.jsonl",
            "--out",
            "two",
            "-q",
        ],
        "gate": ["gate", "one", "--policy", "pr", "--baseline", "two", "-q"],
        "report": ["report", "one", "--html", "--out", "one.html"],
        "compare": ["compare", "one", "two", "--json"],
    }
    good = True
    print(f"{'':<10} {'CPU':>8} {'peak':>9}   bars")
    for name, command in commands.items():
        seconds, peak, code = run(command, profile=name == profiled)
        if code not in (0, 3, 4, 5):
            print(f"{name} ended with exit code {code}")
            return False
        bars = BARS.get(name.removesuffix(" again"))
        met = bars is None or (seconds <= bars[0] and peak <= bars[1])
        said = ""
        if bars is not None:
            told = "met" if met else "MISSED"
            said = f"<= {bars[0]:.0f} s, {bars[1] / 1e9:.1f} GB: {told}"
        print(f"{name:<10} {seconds:6.1f} s {peak / 1e9:6.2f} GB   {said}", flush=True)
        good &= met
    return good


def run(command: list[str], *, profile: bool) -> tuple[float, float, int]:
    """CPU seconds, peak bytes and exit code of `rmaudit COMMAND`, on one core."""
    words = [sys.executable, *(["-m", "cProfile", "-s", "tottime"] if profile else [])]
    words += ["-m", "rmaudit", *command]
    pid = os.posix_spawn(
        sys.executable,
        words,
        _environment(),
        file_actions=[] if profile else [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)],
    )
    _, status, used = os.wait4(pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, os.waitstatus_to_exitcode(status)


def _environment() -> dict[str, str]:
    """One thread, and modules compiled once, as in an installed package."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def write_inputs(count: int) -> None:
    """Items, two files of answers, and what a judge and a labeller said of the first."""
    rng = random.Random(14)
    files: dict[str, Callable[[int], Iterator[dict[str, Any]]]] = {
        "items": lambda n: _item(rng, n),
        "one": lambda n: _answers(rng, n, right=0.9),
        "two": lambda n: _answers(rng, n, right=0.88),
        "matches": lambda n: _matches(rng, n),
        "flaws": lambda n: _flaws(n),
    }
    for name, rows in files.items():
        with Path(f"{name}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for n in range(count) for row in rows(n))


def _prose(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words))


def _item(rng: random.Random, n: int) -> Iterator[dict[str, Any]]:
    label, loser = "ab"[n % 2], "ba"[n % 2]
    responses = {side: _prose(rng, 150) for side in "ab"}
    yield {
        "id": f"item-{n:06d}",
        "domain": DOMAINS[n % len(DOMAINS)],
        "prompt": [{"role": "user", "content": _prose(rng, 60)}],
        "response_a": responses["a"],
        "response_b": responses["b"],
        "label": label,
        "reasons": [
            {"id": f"r{k}", "text": _reason(rng, loser, responses[loser]), "about": loser}
            for k in range(REASONS)
        ],
        "reference_origin": "human",
    }


def _reason(rng: random.Random, side: str, response: str) -> str:
    """A reason of some 15 words; three in ten quote the response."""
    text = f"Response {side.upper()} {_prose(rng, 14)}"
    if rng.random() < CITES:
        start = rng.randrange(100)
        text += f' where it says "{" ".join(response.split()[start : start + 4])}"'
    return f"{text}."


def _answers(rng: random.Random, n: int, *, right: float) -> Iterator[dict[str, Any]]:
    for order in ("ab", "ba"):
        first_wins = ("ab"[n % 2] == order[0]) == (rng.random() < right)
        loser = "B" if first_wins else "A"
        lines = [f"{k + 1}. {_reason(rng, loser, _prose(rng, 150))}" for k in range(REASONS)]
        verdict = "A>B" if first_wins else "B>A"
        text = "\n".join([*lines, f"\\boxed{{{verdict}}}"])
        yield {"item": f"item-{n:06d}", "order": order, "text": text}


def _key(n: int, order: str) -> dict[str, Any]:
    return {"item": f"item-{n:06d}", "variant": "base", "slot": "pair", "order": order, "sample": 0}


def _matches(rng: random.Random, n: int) -> Iterator[dict[str, Any]]:
    for order in ("ab", "ba"):
        matrix = [[0.0] * REASONS for _ in range(REASONS)]
        for k in range(REASONS):
            if rng.random() < 0.5:
                matrix[k][rng.randrange(REASONS)] = rng.choice([0.25, 0.5, 0.75, 1.0])
        yield _key(n, order) | {
            "matrix": matrix, "assignment": [], "raw": "recorded", "failure": None,
            "chance_item": None, "chance_matrix": None,
        }  # fmt: skip


def _flaws(n: int) -> Iterator[dict[str, Any]]:
    for order in ("ab", "ba"):
        yield _key(n, order) | {
            "labels": [LABELS[(n + k) % len(LABELS)] for k in range(REASONS)],
            "tested": TESTED, "gold": None, "raw": None, "failure": None,
        }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
