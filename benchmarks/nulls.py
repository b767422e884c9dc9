"""What lists that judge nothing earn on program-made items, family by family.

A null knows the request, the two responses and the verdict, nothing else (`rmaudit/nulls`). The
judge is `truth`. Printed for each family: the places where the two responses of an item differ, and
for each null its rationale consistency and precision, as a scan has them. Exit code 1 where a bar
is missed. Run from the checkout:

    python benchmarks/nulls.py --n 200 --seed 31 --max-reasons 5
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES, choose
from rmaudit.judging.metajudge import JudgeRequest
from rmaudit.judging.truth_judge import TruthJudge
from rmaudit.metrics.matching import match
from rmaudit.nulls.lists import NULLS, SIDED, cut
from rmaudit.records import Key, ModelReason
from rmaudit.text.differences import count_differences

FEWEST_DIFFERENCES = 13
NEUTRAL_RC, SIDED_RC, SIDED_PRECISION = 0.20, 0.30, 0.40


class Earned(NamedTuple):
    """Mean share of the references, and mean share of the reasons of lists that are not empty."""

    rc: float
    precision: float


def earned(items: Sequence[Item], null: str, *, max_reasons: int, seed: int) -> Earned:
    """What one null earns on items with references."""
    lists = [
        cut(NULLS[null](item), max_reasons=max_reasons, seed=seed, item=item.id) for item in items
    ]
    totals = list(_totals(items, lists))
    return Earned(
        mean(total / len(item.reasons) for total, item in zip(totals, items, strict=True)),
        mean(total / len(one) for total, one in zip(totals, lists, strict=True) if one),
    )


def _totals(items: Sequence[Item], lists: Sequence[list[ModelReason]]) -> Iterator[float]:
    """The matched scores of each list, summed."""
    requests = [
        JudgeRequest(Key(item.id), item, item, tuple(reasons))
        for item, reasons in zip(items, lists, strict=True)
    ]
    for answer, item, reasons in zip(TruthJudge().judge(requests), items, lists, strict=True):
        edges = match(answer.matrix, n_refs=len(item.reasons), n_reasons=len(reasons))
        yield sum(edge.score for edge in edges)


def main() -> int:
    """Prints the table, and whether each figure is within its bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--max-reasons", type=int, default=5)
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    options = parser.parse_args()
    print("| family | differences |", " | ".join(NULLS), "| within the bars |")
    print("|---|---|", "---|" * (len(NULLS) + 1), sep="")
    missed = False
    for family in choose(options.family or ()):
        items = make_items([family], n=options.n, seed=options.seed)
        differences = mean(count_differences(item.response_a, item.response_b) for item in items)
        found = {
            null: earned(items, null, max_reasons=options.max_reasons, seed=options.seed)
            for null in NULLS
        }
        held = differences >= FEWEST_DIFFERENCES and all(
            one.rc <= (SIDED_RC if null in SIDED else NEUTRAL_RC)
            and (null not in SIDED or one.precision <= SIDED_PRECISION)
            for null, one in found.items()
        )
        missed |= not held
        cells = " | ".join(f"{one.rc:.3f} / {one.precision:.3f}" for one in found.values())
        print(f"| {family.name} | {differences:.1f} | {cells} | {'yes' if held else 'no'} |")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
