"""Lazier than a judge, cleverer than a diff: what lists earn that look values up by string alone.

    python benchmarks/strong_nulls.py --n 60 --seed 4021 --max-reasons 5

Each list knows the request, the two responses and the verdict, nothing of the references. The
judge is `truth`. Cells: rationale consistency / precision, as in `nulls.py`; `-` where a list is
empty on all items. Exits 1 where a list is above .30, or above .40 in precision, on any family but
`slogan`, whose few differences are its faults.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import StatisticsError

sys.path.insert(0, str(Path(__file__).parent))

from nulls import SIDED_PRECISION, SIDED_RC, Earned, earned

from rmaudit.checklists.controls import losing_side
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.nulls.lists import NULLS, NullList, demands
from rmaudit.parsing.sides import reason_about
from rmaudit.records import ModelReason, Side
from rmaudit.text.differences import word_runs

_VALUE = re.compile(
    r'"([^"\n]+)"|`([^`\n]+)`|(#\w+)|([$€£]?\d[\d,.:]*\d|\d)%?'
    r"|(?<=[a-z,] )([A-Z]\w+(?: [A-Z]\w+)*)"
)
_NUMBER = re.compile(r"\d[\d,.:]*\d|\d")
_BANS = re.compile(r"(?i)\b(?:never|not|avoid|without|no)\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_AROUND = " .,;:!?\"'`"
_SIDES: dict[Side, str] = {"a": "Response A", "b": "Response B"}


def values(text: str) -> list[str]:
    """Quotations, code, hashtags, numbers and names, each once."""
    found = (match[match.lastindex or 0] for match in _VALUE.finditer(text))
    return list(dict.fromkeys(found))


def has(text: str, value: str) -> bool:
    """Whether a value stands in a text, whole."""
    return re.search(rf"(?i)(?<!\w){re.escape(value)}(?!\w)", text) is not None


def request(item: Item) -> str:
    """All turns in one text."""
    return " ".join(turn.content for turn in item.prompt)


def sides(item: Item) -> tuple[Side, str, str]:
    """The loser, what it says, what the other says."""
    loser = losing_side(item) or "a"
    return loser, item.response(loser), item.response("b" if loser == "a" else "a")


def listed(texts: Iterable[str]) -> NullList:
    """Each text once, about the side that it names."""
    return [ModelReason(text, *reason_about(text)) for text in dict.fromkeys(texts)]


def missing_values(item: Item) -> NullList:
    """Values of the request that the loser does not have."""
    loser, text, _ = sides(item)
    told = (value for value in values(request(item)) if not has(text, value))
    return listed(f'{_SIDES[loser]} does not mention "{value}".' for value in told)


def missing_anywhere(item: Item) -> NullList:
    """The same of either response."""
    return listed(
        f'{_SIDES[side]} does not mention "{value}".'
        for value in values(request(item))
        for side in _SIDES
        if not has(item.response(side), value)
    )


def all_missing(item: Item) -> NullList:
    """Every value of the request, looked up nowhere."""
    loser = sides(item)[0]
    return listed(
        f'{_SIDES[loser]} leaves out "{value}", which was required.'
        for value in values(request(item))
    )


def bans(item: Item) -> NullList:
    """Every value in a sentence that forbids something."""

    def told() -> Iterator[str]:
        for sentence in filter(_BANS.search, _SENTENCE.split(request(item))):
            for value in (*values(sentence), *re.findall(r"the word (\w+)", sentence)):
                yield f'{_SIDES[sides(item)[0]]} uses the forbidden "{value}".'

    return listed(told())


def others_values(item: Item) -> NullList:
    """Values of the request that only the winner has."""
    loser, text, other = sides(item)
    asked = request(item)
    return listed(
        f"{_SIDES[loser]} never says {value}, as the request asks."
        for value in values(other)
        if has(asked, value) and not has(text, value)
    )


def number_pairs(item: Item) -> NullList:
    """The numbers in which the responses differ, in pairs."""
    loser, *texts = sides(item)
    own, other = (list(dict.fromkeys(_NUMBER.findall(text))) for text in texts)
    pairs = zip(
        [one for one in own if one not in other],
        [one for one in other if one not in own],
        strict=False,
    )
    return listed(f"{_SIDES[loser]} gives {one} instead of {right}." for one, right in pairs)


def runs_in_request(item: Item) -> NullList:
    """Differences where the winner's words stand in the request."""
    asked, loser = request(item), sides(item)[0]

    def told() -> Iterator[str]:
        for run in word_runs(item.response_a, item.response_b):
            own, right = (
                part.strip(_AROUND)
                for part in ((run.first, run.second) if loser == "a" else (run.second, run.first))
            )
            if own and right and has(asked, right):
                yield f'{_SIDES[loser]} says "{own}" instead of "{right}".'

    return listed(told())


def demands_of_both(item: Item) -> NullList:
    """Every demand laid to each response."""
    return listed(
        f"{name} does not meet this demand: {one}."
        for one in demands(item)
        for name in _SIDES.values()
    )


def names(item: Item) -> NullList:
    """Every function, key and part of the loser, said to be wrong."""
    loser, text, _ = sides(item)
    name = _SIDES[loser]
    kinds = {
        r"def (\w+)\(": "`{0}` of {name} returns the wrong result.",
        r'"([\w ]+)":': '{name} has the wrong value for "{0}".',
        r"\(([a-f])\)": "{name} gets part ({0}) wrong.",
    }
    return listed(
        told.format(one, name=name)
        for kind, told in kinds.items()
        for one in re.findall(kind, text)
    )


LISTS: tuple[Callable[[Item], NullList], ...] = (
    missing_values,
    missing_anywhere,
    all_missing,
    bans,
    others_values,
    number_pairs,
    runs_in_request,
    demands_of_both,
    names,
)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=4021)
    parser.add_argument("--max-reasons", type=int, default=5)
    options = parser.parse_args()
    NULLS.update({one.__name__: one for one in LISTS})
    print("| family |", " | ".join(one.__name__ for one in LISTS), "|")
    print("|---|", "---|" * len(LISTS), sep="")
    above = False
    for name, family in FAMILIES.items():
        items = make_items([family], n=options.n, seed=options.seed)
        cells = []
        for one in LISTS:
            found: Earned | None
            try:
                found = earned(
                    items, one.__name__, max_reasons=options.max_reasons, seed=options.seed
                )
            except StatisticsError:  # empty on every item
                found = None
            cells.append(f"{found.rc:.3f} / {found.precision:.3f}" if found else "-")
            above |= name != "slogan" and bool(
                found and (found.rc > SIDED_RC or found.precision > SIDED_PRECISION)
            )
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return int(above)


if __name__ == "__main__":
    sys.exit(main())
