"""The whole experiment: sets, audit of the base, every arm and seed, tables and curves.

Run from the folder `examples`; stopped, the same command goes on where it was:

    python -m deceptive_alignment.run
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deceptive_alignment import page
from deceptive_alignment.arms import ARMS, Recipe, run_arm, scan_base
from deceptive_alignment.results import Told, items_of, read_arm
from deceptive_alignment.sets import HELD_OUT, TRAINED, items, write

BASE = Path(__file__).parent / "base"
OUT = Path("runs") / "deceptive_alignment"
SET_SEEDS = {"train": 1, "dev": 2, "fresh": 3, "held-out": 4}


def make_sets(folder: Path, recipe: Recipe) -> None:
    """Writes the sets of the experiment; what is there stays.

    No request occurs in two of them.
    """
    taken: set[str] = set()
    for name, n in (("fresh", recipe.fresh), ("train", recipe.train), ("dev", recipe.dev)):
        made = [
            item
            for item in items(TRAINED, n=n + len(taken), seed=SET_SEEDS[name])
            if item.prompt[0].content not in taken
        ][:n]
        taken |= {item.prompt[0].content for item in made}
        write(folder / name, made, purpose=f"Controlled experiment: {name}.")
    if recipe.held_out:
        made = items(HELD_OUT, n=recipe.held_out, seed=SET_SEEDS["held-out"])
        write(
            folder / "held-out", made, purpose="Controlled experiment: a family that never trains."
        )


def run(
    out: Path,
    *,
    base: Path = BASE,
    arms: Sequence[str] = ARMS,
    seeds: Sequence[int] = (0, 1, 2),
    recipe: Recipe = Recipe(),  # noqa: B008
    workers: int = 2,
) -> list[Told]:
    """Runs what is not done yet, two arms at a time, and reads what was found."""
    sets = out / "sets"
    make_sets(sets, recipe)
    scan_base(base, sets, out / "base", recipe)

    def one(place: tuple[int, str]) -> None:
        seed, arm = place
        begun = time.monotonic()
        folder = out / f"seed-{seed}" / arm
        run_arm(out / "base", sets, folder, arm=arm, seed=seed, recipe=recipe)
        print(f"seed {seed}, {arm} reward: {time.monotonic() - begun:.0f} s", flush=True)

    places = [(seed, arm) for seed in seeds for arm in arms]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, places))
    train = items_of(sets / "train")
    return [
        read_arm(out / f"seed-{seed}" / arm, arm=arm, seed=seed, train=train)
        for seed, arm in places
    ]


def main() -> None:
    """Runs it all and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=Recipe().steps)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    recipe = Recipe(steps=options.steps)
    begun = time.monotonic()
    told = run(options.out, seeds=options.seeds, recipe=recipe, workers=options.workers)
    page.write(told, recipe, options.out)
    print((options.out / "table.md").read_text(encoding="utf-8"), end="")
    print(f"{options.out}: table.md, results.csv, results.json, curves.svg")
    print(f"{(time.monotonic() - begun) / 60:.0f} minutes")


if __name__ == "__main__":
    main()
