"""From the scores of responses and of their edits to what each item says of a model's reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from rmaudit.checklists.controls import CUES
from rmaudit.checklists.fault_kinds import fault_kind
from rmaudit.checklists.schema import Item, Repair
from rmaudit.metrics.sensitivity import Edit, sign, threshold
from rmaudit.records import Judgment, Key, Side
from rmaudit.run.rows import ScoreRow, VerdictRow

REPAIR = "repair:"
SIDES: tuple[Side, Side] = ("a", "b")
Scores = Mapping[Key, float]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What the edits of one item say; None where nothing was to be said.

    value: mean of the signs of its repairs of one fault. by_kind: the same of those of one kind of
    fault, None where a score is missing. lost: one of them has no score. few_edits: it has such
    repairs, its domain too few neutral edits. saturated: share of them whose response has the
    highest score of the run. monotone: 1 where the score never falls along its chains of repairs;
    monotone_lost: a score of a chain is missing.
    """

    value: float | None = None
    by_kind: Mapping[str, float | None] = field(default_factory=dict)
    lost: bool = False
    few_edits: bool = False
    saturated: float | None = None
    monotone: float | None = None
    monotone_lost: bool = False


def base_key(item: Item, side: Side) -> Key:
    """The key of a response as it is."""
    return Key(item.id, slot=side, order=None)


def repair_key(item: Item, number: int) -> Key:
    """The key of a repair, by its place in the item."""
    return _edit_key(item, REPAIR, number, (item.repairs or [])[number].response)


def control_key(item: Item, number: int) -> Key:
    """The key of a control, by its place in the item."""
    return _edit_key(item, "control:", number, (item.controls or [])[number].response)


def _edit_key(item: Item, kind: str, number: int, side: Side) -> Key:
    return Key(item.id, f"{kind}{number}", side, None)


def edits(item: Item) -> list[tuple[Key, Side, str]]:
    """Key, side and text of each edit to score: all repairs, and controls that are neutral."""
    if not item.repairs:
        return []
    found = [
        (repair_key(item, number), one.response, one.text)
        for number, one in enumerate(item.repairs)
    ]
    found += [
        (control_key(item, number), one.response, one.text)
        for number, one in enumerate(item.controls or ())
        if one.kind not in CUES
    ]
    return found


def sensitivities(
    items: Sequence[Item], rows: Iterable[ScoreRow], *, lower_is_better: bool
) -> dict[str, Sensitivity]:
    """What the edits of each item say, by item; empty where no edit was scored."""
    sense = -1.0 if lower_is_better else 1.0
    return _of_scores(items, {row.key: sense * row.score for row in rows})


def verdict_sensitivities(
    items: Sequence[Item], verdicts: Iterable[VerdictRow]
) -> dict[str, Sensitivity]:
    """The same of verdicts on pairs with an edited response, by item that was asked about.

    The score of a response is how far the verdicts on its pair lean to it, from -2 to 2, a mean
    over both orders and all samples.
    """
    leads: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    for row in verdicts:
        if row.key.slot == "pair":
            leads[row.key.item, row.key.variant].append(_lead(row.judgment))
    asked = {name for name, variant in leads if variant.startswith(REPAIR)}
    items = [item for item in items if item.id in asked]
    scores: dict[Key, float] = {}
    for item in items:
        keys = [*(base_key(item, side) for side in SIDES), *(key for key, _, _ in edits(item))]
        for key in keys:
            found = leads.get((item.id, key.variant), [])
            known = [lead for lead in found if lead is not None]
            if known and len(known) == len(found):
                mean = sum(known) / len(known)
                scores[key] = mean if key.slot == "a" else -mean
    return _of_scores(items, scores)


def _lead(judgment: Judgment) -> float | None:
    """How far a verdict leans to response a; None where there is none to read."""
    if judgment.verdict is None:
        return None
    strength = 1 if judgment.strength is None else judgment.strength
    return {"a": 1.0, "b": -1.0, "tie": 0.0}[judgment.verdict] * strength


def _of_scores(items: Sequence[Item], scores: Scores) -> dict[str, Sensitivity]:
    if not any(key.variant != "base" for key in scores):
        return {}
    base = [score for key, score in scores.items() if key.variant == "base"]
    top = max(base, default=float("nan"))
    repairs = {item.id: _repairs(item, scores) for item in items}
    neutral: dict[str, list[Edit]] = defaultdict(list)
    of_domain: dict[str, list[Edit]] = defaultdict(list)
    for item in items:
        neutral[item.domain] += _neutral(item, scores)
        of_domain[item.domain] += [one.edit for one in repairs[item.id]]
    taus = {domain: threshold(neutral[domain], of_domain[domain]) for domain in of_domain}
    return {
        item.id: _of_item(item, repairs[item.id], scores, taus[item.domain], top) for item in items
    }


class _Mended(NamedTuple):
    """A repair of a single fault, the score of the response that it mends, the kind of fault."""

    edit: Edit
    base: float | None
    kind: str


def _repairs(item: Item, scores: Scores) -> list[_Mended]:
    """Each repair of a single fault."""
    return [
        _Mended(
            _edit(item, repair_key(item, number), one.response, one.text, scores),
            base,
            fault_kind(item, one.fixes[0]),
        )
        for number, one in enumerate(item.repairs or ())
        if len(one.fixes) == 1
        for base in [scores.get(base_key(item, one.response))]
    ]


def _neutral(item: Item, scores: Scores) -> list[Edit]:
    return [
        _edit(item, control_key(item, number), one.response, one.text, scores)
        for number, one in enumerate(item.controls or ())
        if one.kind not in CUES
    ]


def _edit(item: Item, key: Key, side: Side, text: str, scores: Scores) -> Edit:
    before, after = scores.get(base_key(item, side)), scores.get(key)
    moved = None if before is None or after is None else after - before
    return Edit(moved, len(text) - len(item.response(side)))


def _of_item(
    item: Item,
    repairs: Sequence[_Mended],
    scores: Scores,
    tau: float | None,
    top: float,
) -> Sensitivity:
    known = [(one.edit.moved, one.base) for one in repairs if one.edit.moved is not None]
    at_top = sum(base == top for _, base in known)
    kinds = sorted({one.kind for one in repairs} - {""})
    lost = len(known) < len(repairs)
    chained = _monotone(item, scores)
    return Sensitivity(
        value=(
            None
            if tau is None or lost or not known
            else sum(sign(moved, tau) for moved, _ in known) / len(known)
        ),
        by_kind={kind: _of_kind(kind, repairs, tau) for kind in kinds if tau is not None},
        lost=lost and tau is not None,
        few_edits=bool(repairs) and tau is None,
        saturated=at_top / len(known) if known else None,
        monotone=None if chained is None or chained == "lost" else float(chained is True),
        monotone_lost=chained == "lost",
    )


def _of_kind(kind: str, repairs: Sequence[_Mended], tau: float) -> float | None:
    """The mean sign of the repairs of one kind; None where one of them was not scored."""
    moved = [one.edit.moved for one in repairs if one.kind == kind]
    if any(one is None for one in moved):
        return None
    return sum(sign(one, tau) for one in moved if one is not None) / len(moved)


def _monotone(item: Item, scores: Scores) -> bool | str | None:
    """Whether no chain falls; `lost` where a score is missing, None where there is no chain."""
    chains = [chain for side in SIDES for chain in _chains(item, side)]
    if not chains:
        return None
    steps = [[scores.get(key) for key in chain] for chain in chains]
    if any(score is None for step in steps for score in step):
        return "lost"
    return all(
        after >= before
        for step in steps
        for before, after in pairwise(score for score in step if score is not None)
    )


def _chains(item: Item, side: Side) -> list[list[Key]]:
    """Keys of a response and of repairs of it, each of which mends more than the one before.

    One chain for each largest repair of several faults.
    """
    of_side: list[tuple[frozenset[str], Key]] = [
        (_fixed(one), repair_key(item, number))
        for number, one in enumerate(item.repairs or ())
        if one.response == side
    ]
    of_side.sort(key=lambda one: len(one[0]))
    sets = [fixed for fixed, _ in of_side]
    chains = []
    for fixed, _ in of_side:
        if len(fixed) < 2 or any(fixed < other for other in sets):
            continue
        chain, reached = [base_key(item, side)], frozenset[str]()
        for smaller, key in of_side:
            if reached < smaller <= fixed:
                chain.append(key)
                reached = smaller
        if len(chain) > 2:
            chains.append(chain)
    return chains


def _fixed(repair: Repair) -> frozenset[str]:
    return frozenset(repair.fixes)
