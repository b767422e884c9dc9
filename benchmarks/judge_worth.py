"""What are the levels of the embedded judge's rules worth? The fit behind `judging/worth.py`.

`judge_cells.csv` holds five sets of known truth (checklists/known_truth/README.md), each with the
levels of the judge as it was before anybody read that set: fitted on what the rules had been
tuned on, a level would look better than it is. A row is a pair of a reference and a reason: its
true score, the level, the share of the fault's weight that is named, and whether the reason
blames the response without a sign of another complaint. Pairs without any of these are left out.

    python benchmarks/judge_worth.py

Prints r and bias of rc by item for the bare rules, for a fit on the other four sets (least squares;
what is added is then shifted until their bias is smallest), and for the numbers that ship.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rmaudit.embedded.calibration import BASE, LEVEL, SHARE, calibrated
from rmaudit.metrics.scores import score_matrices

CELLS = Path(__file__).with_name("judge_cells.csv")
SHIFTS = np.arange(0, 0.11, 0.01)

Numbers = tuple[float, float, float]


class Cell(NamedTuple):
    """A pair of a reference and a reason; `place`: their numbers, from 0."""

    item: str
    references: int
    place: tuple[int, int]
    truth: float
    level: float
    share: float
    blames: bool


def read() -> dict[str, list[Cell]]:
    sets: defaultdict[str, list[Cell]] = defaultdict(list)
    with CELLS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sets[row["set"]].append(
                Cell(
                    row["item"],
                    int(row["references"]),
                    (int(row["reference"]) - 1, int(row["reason"]) - 1),
                    float(row["truth"]),
                    float(row["level"]),
                    float(row["share"]),
                    row["blames"] == "1",
                )
            )
    return dict(sets)


def rc(cells: list[Cell], scores: list[float]) -> list[float]:
    """Rationale consistency by item; pairs that are not listed are 0."""
    items: defaultdict[str, list[tuple[Cell, float]]] = defaultdict(list)
    for cell, score in zip(cells, scores, strict=True):
        items[cell.item].append((cell, score))
    matrices = []
    for pairs in items.values():
        wide = 1 + max(cell.place[1] for cell, _ in pairs)
        matrix = np.zeros((pairs[0][0].references, wide))
        for cell, score in pairs:
            matrix[cell.place] = score
        matrices.append(tuple(tuple(map(float, row)) for row in matrix))
    return [found.rc for found in score_matrices(matrices)]


def scored(cells: list[Cell], numbers: Numbers) -> list[float]:
    return [
        calibrated(cell.level, cell.share, blames=cell.blames, numbers=numbers) for cell in cells
    ]


def against_truth(cells: list[Cell], scores: list[float]) -> tuple[float, float]:
    """Correlation and bias."""
    true, judged = rc(cells, [cell.truth for cell in cells]), rc(cells, scores)
    return float(np.corrcoef(true, judged)[0, 1]), float(np.mean(judged) - np.mean(true))


def fitted(cells: list[Cell]) -> Numbers:
    levelled = [cell for cell in cells if cell.level]
    design = np.array([(cell.level, cell.share, 1.0) for cell in levelled])
    (level, share, base), *_ = np.linalg.lstsq(
        design, np.array([cell.truth for cell in levelled]), rcond=None
    )
    bias = {
        shift: abs(against_truth(cells, scored(cells, (level, share, base + shift)))[1])
        for shift in SHIFTS
    }
    return float(level), float(share), float(base + min(bias, key=lambda shift: bias[shift]))


def together(sets: dict[str, list[Cell]]) -> list[Cell]:
    """The cells of several sets, items told apart."""
    return [
        cell._replace(item=f"{name} {cell.item}") for name, cells in sets.items() for cell in cells
    ]


def main() -> None:
    sets = read()
    print(f"{'set':8} {'items':>5}  {'rules':>13}  {'fit on the others':>17}  {'shipped':>13}")
    found = []
    for name, cells in sets.items():
        numbers = fitted(together({other: sets[other] for other in sets if other != name}))
        three = [
            against_truth(cells, [cell.level for cell in cells]),
            against_truth(cells, scored(cells, numbers)),
            against_truth(cells, scored(cells, (LEVEL, SHARE, BASE))),
        ]
        found.append(three)
        told = "  ".join(f"{r:.3f} {bias:+.3f}" for r, bias in three)
        print(f"{name:8} {len({cell.item for cell in cells}):5}  {told}   {np.round(numbers, 2)}")
    mean = np.mean(found, axis=0)
    print(f"{'mean':14}  " + "  ".join(f"{r:.3f} {bias:+.3f}" for r, bias in mean))
    print("fit on all five:", np.round(fitted(together(sets)), 3))


if __name__ == "__main__":
    main()
