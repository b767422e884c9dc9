"""Synthetic runs for the self-test of a gate: rows of models that are good or bad in one way.

A persona says what it answers to an item, as rows of verdicts and matchings; the rows go the way
of any run, from there to results, table and decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from rmaudit.checklists.schema import GoldJudgment, Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.nulls.lists import NULLS
from rmaudit.records import (
    ANSWERED,
    Judgment,
    Key,
    LabelSet,
    MatchSet,
    ModelReason,
    Outcome,
    ReasonLabel,
    Side,
    Verdict,
)
from rmaudit.run.null_rows import null_key
from rmaudit.run.rows import LabelRow, MatchRow, NullRow, VerdictRow
from rmaudit.taxonomy import FLAW_NAMES, TESTED

ORDERS: tuple[Literal["ab", "ba"], ...] = ("ab", "ba")
PATTERNS = 24
"""So many items are made; the others are their copies under other names."""


@dataclass(frozen=True, slots=True)
class PersonaAnswer:
    """One answer: what it decides, and what the judge makes of its reasons.

    hits: score of each reason against the reference of the same rank; reasons beyond the
    references match none. chance: score of every reason against another item's references.
    good: whether the labeller finds the reasons grounded, without flaws, and those of the gold
    judgment; else it finds every flaw.
    """

    verdict: Verdict
    hits: tuple[float, ...] = (1.0,) * 9
    chance: float = 0.0
    outcome: Outcome = "ok"
    flags: tuple[str, ...] = ()
    judged: bool = True
    broad: bool = False
    good: bool = True


Persona = Callable[[Item, str], PersonaAnswer]


def _right(item: Item) -> Side:
    return "b" if item.label == "b" else "a"


def _wrong(item: Item) -> Side:
    return "a" if item.label == "b" else "b"


def _ideal(item: Item, order: str) -> PersonaAnswer:
    return PersonaAnswer(_right(item), hits=(1.0,) * len(item.reasons))


def _mostly(item: Item, order: str) -> bool:
    """Nine answers in ten."""
    return order == "ab" or not item.id.endswith(("1", "5"))


def _failing(outcome: Outcome) -> Persona:
    bad = PersonaAnswer(None, hits=(), outcome=outcome, flags=("no_reasons",))
    return lambda item, order: bad if _mostly(item, order) else _ideal(item, order)


def _flagged(flag: str) -> Persona:
    return lambda item, order: replace(_ideal(item, order), flags=(flag,))


def _by_length(*, longer: bool) -> Persona:
    def answer(item: Item, order: str) -> PersonaAnswer:
        a_wins = (len(item.response_a) > len(item.response_b)) == longer
        return replace(_ideal(item, order), verdict="a" if a_wins else "b")

    return answer


def _by_slot(first: bool) -> Persona:
    shown: tuple[Side, Side] = ("a", "b") if first else ("b", "a")
    return lambda item, order: replace(
        _ideal(item, order), verdict=shown[0] if order == "ab" else shown[1]
    )


_FAILURES: tuple[Outcome, ...] = (
    "unparsed",
    "truncated",
    "refused",
    "too_long",
    "filtered",
    "error",
)

PERSONAS: dict[str, Persona] = {
    "ideal": _ideal,
    "always wrong": lambda item, order: PersonaAnswer(_wrong(item), hits=(0.0,)),
    "right for no reason": lambda item, order: PersonaAnswer(
        _right(item), hits=(0.0,) * 4, good=False
    ),
    "right and vague": lambda item, order: PersonaAnswer(
        _right(item), hits=(0.0,) * 4, chance=1.0, good=False
    ),
    "right reasons, wrong verdict": lambda item, order: replace(
        _ideal(item, order), verdict=_wrong(item)
    ),
    "half right": lambda item, order: PersonaAnswer(_right(item), hits=(0.25,)),
    "all in one reason": lambda item, order: PersonaAnswer(_right(item), hits=(1.0,), broad=True),
    "picks the first": _by_slot(True),
    "picks the second": _by_slot(False),
    "always a tie": lambda item, order: PersonaAnswer("tie", outcome="tie", hits=(0.0,)),
    "reasons in one order only": lambda item, order: (
        _ideal(item, order) if order == "ab" else PersonaAnswer(_right(item), hits=(0.0,))
    ),
    "reasons in the other order only": lambda item, order: (
        _ideal(item, order) if order == "ba" else PersonaAnswer(_right(item), hits=(0.0,))
    ),
    "no reasons": lambda item, order: PersonaAnswer(_right(item), hits=(), flags=("no_reasons",)),
    "the judge mostly fails": lambda item, order: replace(
        _ideal(item, order), judged=not _mostly(item, order)
    ),
    "picks the longer": _by_length(longer=True),
    "picks the shorter": _by_length(longer=False),
    **{f"mostly {outcome}": _failing(outcome) for outcome in _FAILURES},
    **{
        f"flag {flag}": _flagged(flag)
        for flag in ("conflict", "over_max_reasons", "ambiguous_side", "copied")
    },
}


def make(n: int, domains: Sequence[str]) -> list[Item]:
    """`n` items, spread over the domains; one in ten is a tie, one in ten has no references."""
    patterns = make_items(choose(("slogan",)), n=PATTERNS, seed=0)
    items = []
    for number in range(n):
        item = patterns[number % PATTERNS].model_copy(
            update={
                "id": f"item-{number}",
                "group": f"item-{number}",
                "domain": domains[number % len(domains)],
                "repairs": None,
                "controls": None,
                "gold_judgment": GoldJudgment(text="The faults decide.", origin="program"),
            }
        )
        if number % 10 == 3:
            item = item.model_copy(update={"label": "tie"})
        if number % 10 == 7:
            item = item.model_copy(update={"reasons": []})
        items.append(item)
    return items


def null_rows(items: Sequence[Item]) -> list[NullRow]:
    """What lists that read nothing earn: each names one reference by a quarter, in one reason."""
    reason = ModelReason("Response A says nothing where Response B says something.", "a")
    return [
        NullRow(
            null_key(item.id, name),
            (reason,),
            MatchSet(((0.25,), *((0.0,),) * (len(item.reasons) - 1)), ()),
        )
        for item in items
        if item.reasons
        for name in NULLS
    ]


class PersonaRows(NamedTuple):
    """What a persona answers, and what judge and labeller say of that."""

    verdicts: list[VerdictRow]
    matches: list[MatchRow]
    labels: list[LabelRow]


def rows(persona: Persona, items: Sequence[Item], partners: dict[str, Item]) -> PersonaRows:
    """Its answers to all items in both orders."""
    found = PersonaRows([], [], [])
    for item in items:
        for order in ORDERS:
            key = Key(item.id, order=order)
            said = persona(item, order)
            reasons = tuple(
                ModelReason(f"Response {_wrong(item).upper()} has fault {rank}.", _wrong(item))
                for rank in range(len(said.hits))
            )
            answered = said.outcome in ANSWERED
            judgment = Judgment(
                said.verdict, said.outcome, reasons if answered else (), 1, said.flags
            )
            found.verdicts.append(VerdictRow(key, judgment))
            if answered:
                found.labels.append(LabelRow(key, _labels(said)))
            if answered and item.reasons:
                found.matches.append(_match(key, item, said, partners.get(item.id)))
    return found


def _labels(said: PersonaAnswer) -> LabelSet:
    label = ReasonLabel("EG" if said.good else "GS", () if said.good else FLAW_NAMES)
    return LabelSet((label,) * len(said.hits), TESTED, "correct" if said.good else "incorrect")


def _match(key: Key, item: Item, said: PersonaAnswer, partner: Item | None) -> MatchRow:
    if not said.judged:
        return MatchRow(key, MatchSet((), (), failure="cut"))
    matrix = tuple(
        tuple(
            score if said.broad or reason == reference else 0.0
            for reason, score in enumerate(said.hits)
        )
        for reference in range(len(item.reasons))
    )
    if partner is None:
        return MatchRow(key, MatchSet(matrix, ()))
    chance = tuple((said.chance,) * len(said.hits) for _ in partner.reasons)
    return MatchRow(key, MatchSet(matrix, ()), partner.id, chance)
