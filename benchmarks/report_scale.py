"""The report of a large run: 1,000 items, responses of 1,500 tokens, rationales of 800.

A run is made over recorded answers, then its report is written three times; the median counts. A
second run of 22,000 short items shows that the page stays small and says what it left out.

    python benchmarks/report_scale.py [--items 1000] [--many 22000]

Exits 1 when a bar is missed: 2 s to read, compute and render, 8 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from rmaudit.config import ScanConfig
from rmaudit.report.html import write_html
from rmaudit.run.directory import RunDir
from rmaudit.scan.plan import make_plan
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent

SECONDS, BYTES = 2.0, 8_000_000
TOKEN = 4  # letters, about
WORDS = (
    "river stone window answer number garden silent copper letter market winter engine carbon "
    "signal planet forest memory silver method bridge island mirror record shadow theory village"
).split()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--many", type=int, default=22_000)
    options = parser.parse_args()
    print(f"load of this machine before the start: {os.getloadavg()[0]:.1f}")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, n, response, rationale in (
            ("long", options.items, 1500, 800),
            ("many", options.many, 60, 60),
        ):
            if n:
                good &= measured(name, n, response, rationale)
    return 0 if good else 1


def measured(name: str, n: int, response: int, rationale: int) -> bool:
    """Makes the run and prints what its report takes; whether it is within its bars."""
    run = make_run(name, n, response, rationale)
    seconds = []
    for _ in range(3):
        started = perf_counter()
        path = write_html([run], Path(f"{name}.html"))
        seconds.append(perf_counter() - started)
    size, took = path.stat().st_size, statistics.median(seconds)
    timed = name == "long"
    good = size < BYTES and (took < SECONDS or not timed)
    bar = f"bars < {SECONDS:g} s, < {BYTES / 1e6:g} MB" if timed else f"bar < {BYTES / 1e6:g} MB"
    print(
        f"{n:>6,} items  {took:6.2f} s  {size / 1e6:5.2f} MB  {bar}: {'met' if good else 'MISSED'}"
    )
    return good


def make_run(name: str, n: int, response: int, rationale: int) -> RunDir:
    """A finished run over recorded answers; half of the verdicts are right."""
    rng = random.Random(5)

    def prose(tokens: int) -> str:
        words, length = [], 0
        while length < tokens * TOKEN:
            words.append(rng.choice(WORDS))
            length += len(words[-1]) + 1
        return " ".join(words)

    items, answers = [], []
    for number in range(n):
        names = rng.sample(WORDS, 3)
        items.append(
            {
                "id": f"{name}-{number:05d}",
                "prompt": [{"role": "user", "content": f"Case {number}: " + prose(40)}],
                "response_a": prose(response),
                "response_b": prose(response),
                "label": "ab"[number % 2],
                "domain": ("code", "stem", "general")[number % 3],
                "reference_origin": "program",
                "reasons": [
                    {"id": f"r{k}", "text": f'Response {"BA"[number % 2]} says "{word} {number}".'}
                    for k, word in enumerate(names)
                ],
            }
        )
        for order in ("ab", "ba"):
            told = [f"Response A {prose(rationale // 5)}." for _ in range(4)]
            told.append(f'Response B says "{names[0]} {number}".')
            listed = "\n".join(f"{k}. {text}" for k, text in enumerate(told, 1))
            text = f"{listed}\n\\boxed{{{rng.choice(['A>B', 'B>A'])}}}"
            answers.append({"item": items[-1]["id"], "order": order, "text": text})
    Path(f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in items))
    Path(f"{name}-answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    config = ScanConfig(
        target=f"replay:{name}-answers.jsonl", sets=(f"{name}.jsonl",), out=Path(f"run-{name}")
    )
    return scan(make_plan(config), Silent()).run


if __name__ == "__main__":
    sys.exit(main())
