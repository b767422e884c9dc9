"""What does the judge `truth` make of true faults in other words, and of texts that claim none?

    python benchmarks/truth_claims.py [N] [SEED] [AUTHOR]

N items of the generator, its families in turn (default 300, seed 83); texts of all authors, or of
one (`unseen`). Prints the mean score by family: of the references themselves, of each author's
wordings (`examples/claim_reader/written`; `unseen` trained nothing), and of each kind of hostile
text and all of them, for which the best cell of its column counts. A third table says how often
claims are decided, and how many are false. Exits 1 where a bar is missed on the references or on
`unseen`: references and close wordings at least .90, free ones .75, hostile texts at most .02.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from claim_reader.hostile import hostile
from claim_reader.lessons import ATTACKS as TRAINED_ATTACKS
from claim_reader.lessons import SETS as TRAINED
from claim_reader.wordings import TAUGHT, templates, wordings

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.records import ModelReason
from rmaudit.truth.score import decide

SETS = (*TRAINED, "unseen")
HOSTILE = (*TRAINED_ATTACKS, "unseen")
BARS = {"close": 0.90, "free": 0.75}
MOST = 0.02

Means = dict[str, dict[str, float]]


def references(items: Sequence[Item]) -> Means:
    scores: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for item in items:
        told = [ModelReason(reason.text, reason.about) for reason in item.reasons]
        found = decide(item, told).matrix
        scores["references", item.family] += [row[at] for at, row in enumerate(found)]
    return means(scores)


def reworded(items: Sequence[Item], author: str) -> Means:
    scores: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for name in [author] if author else SETS:
        for table in templates(name).keys() & BARS:
            for item in items:
                made = list(wordings(item, name, table))
                found = decide(item, [one.reason for one in made]).matrix
                scores[f"{table}, {name}", item.family] += [
                    found[one.ref][at] for at, one in enumerate(made)
                ]
    return means(scores)


def attacked(items: Sequence[Item], only: str) -> tuple[Means, dict[str, Counter[bool | None]]]:
    scores: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    claims: defaultdict[str, Counter[bool | None]] = defaultdict(Counter)
    for item in items:
        authors = [only] if only else HOSTILE
        made = [(author, one) for author in authors for one in hostile(item, author)]
        found = decide(item, [one.reason for _, one in made])
        for at, (author, one) in enumerate(made):
            seen = "unseen" if author == "unseen" else "seen"
            name = f"{one.kind}, {seen}"
            for row_name in (name, f"all, {seen}"):
                scores[row_name, item.family].append(max(row[at] for row in found.matrix))
            claims[name][found.claims[at]] += 1
    return means(scores), dict(claims)


def means(scores: Mapping[tuple[str, str], Sequence[float]]) -> Means:
    found: Means = {}
    for (kind, family), values in scores.items():
        found.setdefault(kind, {})[family] = sum(values) / len(values)
    return found


def show(title: str, table: Means) -> None:
    print(f"\n| {title} | {' | '.join(TAUGHT)} |\n|{'---|' * (len(TAUGHT) + 1)}")
    for kind, row in table.items():
        print(f"| {kind} | {' | '.join(f'{row.get(name, 0):.3f}' for name in TAUGHT)} |")


def main(arguments: Iterable[str]) -> int:
    given = [*arguments]
    n, seed = int((given or ["300"])[0]), int((given[1:] or ["83"])[0])
    author = (given[2:] or [""])[0]
    items = make_items(choose(TAUGHT), n=n, seed=seed)
    own, others = references(items), reworded(items, author)
    lies, claims = attacked(items[: max(len(TAUGHT), n // 3)], author)
    show("true", own | others)
    show("hostile", lies)
    print("\n| claims | true | false | undecided |\n|---|---|---|---|")
    for kind, counts in claims.items():
        shares = [counts[state] / counts.total() for state in (True, False, None)]
        print(f"| {kind} | {' | '.join(f'{share:.2f}' for share in shares)} |")
    missed = [
        f"{kind}, {family}"
        for kind, row in lies.items()
        for family in row
        if row[family] > MOST and "unseen" in kind
    ]
    for kind, row in (own | others).items():
        if kind != "references" and "unseen" not in kind:
            continue
        bar = BARS.get(kind.split(",")[0], 0.90)
        missed += [f"{kind}, {family}" for family, mean in row.items() if mean < bar]
    for name in missed:
        print(f"missed: {name}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
