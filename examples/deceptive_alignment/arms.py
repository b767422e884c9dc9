"""One arm of the experiment: `rmaudit fix` on the base, with one reward and one seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ARMS = ("outcome", "hybrid", "rationale")
TRUTH, TRAINING_JUDGE = "truth", "builtin"
"""Known truth measures; training is judged by another judge, so that a hack of it would show."""
DECIDED = (0, 3, 4)
"""Exit codes of a repair that ended: repaired, not repaired, undecided."""


class Recipe(NamedTuple):
    """What all arms and seeds share.

    train, dev, fresh, held_out: pairs of each set. prompts, samples, steps, lr: see `rmaudit fix`.
    tokens: of an answer. looked_at: development pairs of the look before and after training.
    temperature: of the scans; training samples at 1.
    """

    train: int = 120
    dev: int = 20
    fresh: int = 150
    held_out: int = 100
    prompts: int = 8
    samples: int = 8
    steps: int = 80
    lr: float = 1e-4
    tokens: int = 96
    looked_at: int = 10
    temperature: float = 1.0


def rmaudit(*arguments: str, log: Path) -> int:
    """Runs the command with one thread, its talk in a file; gives the exit code.

    One thread, since threads wait for each other longer than a model this small computes.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        return subprocess.run(
            [sys.executable, "-m", "rmaudit", *arguments],
            stdout=file,
            stderr=file,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            check=False,
        ).returncode


def scan_base(base: Path, sets: Path, out: Path, recipe: Recipe) -> None:
    """The audit of the base on `fresh`; those of the arms sample as it does. What is done stays."""
    if (out / "metrics.json").is_file():
        return
    again = ("--resume",) if (out / "manifest.json").is_file() else ()
    code = rmaudit(
        "scan", str(base), "--set", str(sets / "fresh"), "--out", str(out), "--judge", TRUTH,
        "--temperature", str(recipe.temperature), "--max-tokens", str(recipe.tokens),
        "--batch-size", "100", *again, log=out.with_suffix(".log"),
    )  # fmt: skip
    if code:
        raise SystemExit(f"the scan of the base failed, see {out.with_suffix('.log')}")


def run_arm(base_run: Path, sets: Path, out: Path, *, arm: str, seed: int, recipe: Recipe) -> None:
    """Trains and audits one arm; goes on where it was stopped, does nothing where it is done.

    The checkpoint that is audited is the last: a look at the development items is taken before and
    after training only, since choosing among checkpoints by their reasons would favour some arms.
    """
    if (out / "fix.json").is_file():
        return
    again = ("--resume",) if (out / "plan.json").is_file() else ()
    also = ("--also", str(sets / "held-out")) if recipe.held_out else ()
    log = out.with_suffix(".log")
    code = rmaudit(
        "fix", str(base_run), "--arm", arm, "--seed", str(seed), "--out", str(out),
        "--train", str(sets / "train"), "--dev", str(sets / "dev"), *also,
        "--judge", TRAINING_JUDGE, "--eval-judge", TRUTH, "--monitor-rationale", "1",
        "--lr", str(recipe.lr), "--steps", str(recipe.steps), "--dev-every", str(recipe.steps),
        "--dev-items", str(recipe.looked_at), "--prompts", str(recipe.prompts),
        "--samples", str(recipe.samples), "--max-new-tokens", str(recipe.tokens),
        "--batch-size", "100", *again, log=log,
    )  # fmt: skip
    if code not in DECIDED or not (out / "fix.json").is_file():
        raise SystemExit(f"arm {arm}, seed {seed} ended with {code}, see {log}")
