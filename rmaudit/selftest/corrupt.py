"""What each defect does to an answer."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from rmaudit.checklists.schema import Item
from rmaudit.records import Flaw, Side
from rmaudit.selftest import bad_reasons
from rmaudit.selftest.formats import WrittenReason, unreadable, verdict_only
from rmaudit.selftest.models import MOST_REASONS, PlantedAnswer, Spoil, World
from rmaudit.selftest.writers import (
    SIDES,
    flawed,
    named,
    one_sentence,
    other,
    shown,
    side_of,
    true_fault,
)


def with_flaw(flaw: Flaw) -> Spoil:
    """F1, F2, F3 or F5: nothing but reasons of one flaw, about both responses."""

    def spoil(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
        loser = shown(other(answer.verdict), answer.order)
        winner = shown(answer.verdict, answer.order)
        bad = flawed(flaw, loser, 4, rng)
        kept, moved = bad[:3], bad[3]
        moved = WrittenReason(moved.text.replace(named(loser), named(winner)), winner)
        reasons = (*kept, moved) if rng.random() < 0.4 else tuple(kept)
        return replace(answer, reasons=reasons, flaws=((flaw,),) * len(reasons))

    return spoil


def praise(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """F4: the preferred response is praised for what it has, the other one is not mentioned."""
    item, letter = answer.item, shown(answer.verdict, answer.order)
    said = []
    for reason in item.reasons:
        if side_of(reason) == answer.verdict:
            continue
        kind = item.meta["kinds"][reason.id]
        fact = item.meta["facts"][reason.id][0].rstrip(".")
        forbidden = kind.startswith(("banned", "forbidden", "names", "exclamation"))
        frames = bad_reasons.PRAISE_WITHOUT if forbidden else bad_reasons.PRAISE_WITH
        said.append(WrittenReason(rng.choice(frames).format(side=named(letter), fact=fact), letter))
    for frame in rng.sample(bad_reasons.PRAISE, max(1, 3 - len(said))):
        said.append(WrittenReason(frame.format(side=named(letter)), letter))
    return _said(answer, said[:MOST_REASONS], "F4")


def _after_fault(frames: tuple[str, ...], flaw: Flaw) -> Spoil:
    def spoil(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
        said = [
            one._replace(text=rng.choice(frames).format(fault=one.text, side=named(one.side)))
            for one in answer.reasons
        ]
        return _said(answer, said, flaw)

    return spoil


non_sequitur = _after_fault(bad_reasons.NON_SEQUITUR, "F6")
contradiction = _after_fault(bad_reasons.CONTRADICTION, "F7")


def by_order(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """The response shown first wins, and its rival's faults are the reasons."""
    return _turned(answer, "a" if answer.order == "ab" else "b", rng, rationalise=True)


def by_slot(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """A place that only the item's name decides wins; the reasons are true, whoever wins."""
    first = Random(f"slot/{answer.item.id}").random() < 0.5
    return _turned(answer, "a" if (answer.order == "ab") == first else "b", rng, rationalise=False)


def post_hoc(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """Verdict and reasons stay as good as they are, but neither depends on the other."""
    return replace(answer, deaf=True)


def by_length(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """The longer response wins."""
    longer: Side = max(SIDES, key=lambda side: len(answer.item.response(side)))
    return _turned(answer, longer, rng, rationalise=True)


def by_style(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """The response with bold text wins, where one has more."""
    marks = {side: answer.item.response(side).count("**") for side in SIDES}
    if marks["a"] == marks["b"]:
        return answer
    return _turned(answer, max(SIDES, key=marks.__getitem__), rng, rationalise=True)


def _turned(
    answer: PlantedAnswer, verdict: Side, rng: Random, *, rationalise: bool
) -> PlantedAnswer:
    """The answer with this verdict; its reasons put the faults of the loser first."""
    if not rationalise:
        return replace(answer, verdict=verdict, deaf=True)
    loser = shown(other(verdict), answer.order)
    ranked = sorted(answer.reasons, key=lambda said: said.side != loser)
    return replace(answer, verdict=verdict, reasons=tuple(ranked), deaf=True)


def random_reasons(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """The verdict stays; the reasons are faults of other items that this one does not have."""
    item = answer.item
    own = {fact for facts in item.meta["facts"].values() for fact in facts}
    said: list[WrittenReason] = []
    while len(said) < 4:
        source = world.another(item, rng)
        fault = rng.choice(source.reasons)
        if own.isdisjoint(source.meta["facts"][fault.id]):
            said.append(true_fault(source, fault, answer.order, rng))
    return replace(answer, reasons=tuple(said), deaf=True)


def shotgun(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """Every kind of fault that there could be, of one response or the other."""
    said = []
    for kind in rng.sample(bad_reasons.SHOTGUN, len(bad_reasons.SHOTGUN)):
        letter = shown(rng.choice(SIDES), answer.order)
        said.append(WrittenReason(kind.format(side=named(letter)), letter))
    return replace(answer, reasons=tuple(said))


def compound(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """All faults of one response in one reason."""
    said = []
    for side in (other(answer.verdict), answer.verdict):
        found = [reason for reason in answer.item.reasons if side_of(reason) == side]
        if found:
            said.append(
                one_sentence([true_fault(answer.item, r, answer.order, rng) for r in found])
            )
    return replace(answer, reasons=tuple(said))


def copies(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """Stretches of the responses, with a name before them."""
    said = []
    for side in (other(answer.verdict), answer.verdict):
        letter = shown(side, answer.order)
        for passage in _passages(answer.item, side)[:2]:
            said.append(WrittenReason(f"{named(letter)}: {passage}", letter))
    return replace(answer, reasons=tuple(said))


def _passages(item: Item, side: Side) -> list[str]:
    words = item.response(side).replace("*", "").split()
    half = max(12, len(words) // 2)
    return [" ".join(words[:half]), " ".join(words[half:])][: 1 + (len(words) > half)]


def invented(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """Quotes that stand in neither response."""
    said = []
    for quote in rng.sample(bad_reasons.QUOTES, 3):
        letter = shown(other(answer.verdict), answer.order)
        frame = rng.choice(bad_reasons.INVENTED)
        said.append(WrittenReason(frame.format(side=named(letter), quote=quote), letter))
    return replace(answer, reasons=tuple(said))


def silent(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """A verdict and nothing else."""
    letter = shown(answer.verdict, answer.order)
    return replace(answer, reasons=(), text=verdict_only(letter, answer.strength, rng))


def undecided(answer: PlantedAnswer, world: World, rng: Random) -> PlantedAnswer:
    """Reasons that come to no verdict."""
    return replace(answer, text=unreadable(answer.reasons, rng))


def _said(answer: PlantedAnswer, said: list[WrittenReason], flaw: Flaw) -> PlantedAnswer:
    return replace(answer, reasons=tuple(said), flaws=((flaw,),) * len(said))
