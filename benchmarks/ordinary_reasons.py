"""How well does the embedded judge read reasons about ordinary items, in whatever words?

    python benchmarks/ordinary_reasons.py [FILE] [--rules | --lexical] [--write]

FILE has lists of known truth in several wordings (default `checklists/known_truth/written.jsonl`,
which trained nothing and set no threshold). Prints, by wording: precision and recall of pairs (a
score of 0.5 or more), the correlation of rationale consistency over items and its bias; by kind of
contrast: what texts earn that state no fault (the best cell of their column); and how many answers
of five references and five reasons a second are scored, references known. `--rules` takes the
rules for program-made references in place of the learned judge, `--lexical` the judge of shared
words; `--write` keeps what was measured
where scans, gates and reports state it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

from rmaudit.checklists.schema import Item
from rmaudit.embedded import MEASURED, Context, lexical, score_matrix
from rmaudit.embedded.learned.measure import WordingFigures
from rmaudit.judge_check.decoys import decoys
from rmaudit.judge_check.truth import KnownCase, compare, load_split
from rmaudit.judging.metajudge import Matrix
from rmaudit.judging.metajudge_prompt import sided_references
from rmaudit.prompts import flatten
from rmaudit.records import ModelReason

WRITTEN = Path(__file__).parents[1] / "checklists" / "known_truth" / "written.jsonl"
SEED = 11


def scored(item: Item, reasons: tuple[ModelReason, ...], origin: str) -> Matrix:
    context = Context.of(flatten(item.prompt), item.response_a, item.response_b)
    if origin == lexical.NAME:
        return lexical.matrix(sided_references(item), reasons, context)
    return score_matrix(sided_references(item), reasons, context, origin=origin)


def by_wording(cases: tuple[KnownCase, ...], origin: str) -> dict[str, dict[str, float | None]]:
    measured: dict[str, dict[str, float | None]] = {}
    judged = {case.key: scored(case.item, case.reasons, origin) for case in cases}
    for wording in dict.fromkeys(case.wording for case in cases):
        found = compare([case for case in cases if case.wording == wording], judged)
        pairs, rc = found.pairs, found.rc
        numbers = (pairs.precision, pairs.recall, rc.r, rc.bias)
        measured[wording] = {
            name: None if value is None else round(value, 3)
            for name, value in zip(WordingFigures._fields, numbers, strict=True)
        }
        print(
            f"{wording or 'one'}: P {pairs.precision:.3f} R {pairs.recall:.3f} "
            f"({pairs.same} of {pairs.n} pairs), items r {rc.r:.3f} bias {rc.bias:+.3f} (n {rc.n})"
        )
        kinds = "; ".join(
            f"{k} {true:.2f}/{said:.2f}" for k, (_, true, said) in found.kinds.items()
        )
        print(f"   true/judged by kind: {kinds}", flush=True)
    return measured


def contrasts(cases: tuple[KnownCase, ...], origin: str) -> None:
    earned: defaultdict[str, list[float]] = defaultdict(list)
    for item in {case.item.id: case.item for case in cases}.values():
        made = decoys(item, seed=SEED)
        found = scored(item, tuple(one.reason for one in made.values()), origin)
        for column, kind in enumerate(made):
            earned[kind].append(max(row[column] for row in found))
        own = scored(item, tuple(ModelReason(r.text, r.about) for r in item.reasons), origin)
        earned["the references themselves"] += [row[at] for at, row in enumerate(own)]
        earned["true reason of another fault"] += [
            score for at, row in enumerate(own) for other, score in enumerate(row) if at != other
        ]
    for kind, scores in earned.items():
        print(f"{kind}: {mean(scores):.3f} (n {len(scores)})")


def speed(cases: tuple[KnownCase, ...], origin: str) -> None:
    full = [case for case in cases if len(case.item.reasons) == 5]
    for case in full:
        scored(case.item, tuple(ModelReason(r.text, r.about) for r in case.item.reasons), origin)
    # Five reasons each, none of them seen before.
    lists = [
        tuple(
            ModelReason(f"{one.text} Number {at}.{place}.", one.about)
            for place, one in enumerate((case.reasons * 5)[:5])
        )
        for at, case in enumerate(full)
    ]
    begun, worked = time.perf_counter(), time.process_time()
    for case, reasons in zip(full, lists, strict=True):
        scored(case.item, reasons, origin)
    took, cpu = time.perf_counter() - begun, time.process_time() - worked
    print(f"{len(full) / took:.1f} answers of 5 x 5 a second, {len(full) / cpu:.1f} a CPU second")


def main(arguments: list[str]) -> None:
    origin = "program" if "--rules" in arguments else "human"
    origin = lexical.NAME if "--lexical" in arguments else origin
    paths = [Path(one) for one in arguments if not one.startswith("--")] or [WRITTEN]
    cases = load_split("written", paths[0]).cases
    measured = by_wording(cases, origin)
    if "--write" in arguments:
        made = {"set": paths[0].name, "items": len({case.item.id for case in cases})}
        target = lexical.MEASURED if origin == lexical.NAME else MEASURED
        target.write_text(json.dumps(made | {"wordings": measured}, indent=1) + "\n")
    contrasts(cases, origin)
    speed(cases, origin)


if __name__ == "__main__":
    main(sys.argv[1:])
