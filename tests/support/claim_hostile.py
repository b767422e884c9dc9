"""Reasons that must earn nothing, from `benchmarks/claim_wordings/hostile.toml` and by program."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from rmaudit.checklists.schema import Item, Reason
from rmaudit.judge_check.decoys import IMPLIED, INSTRUCTION, NEAR_MISS, PRAISE, VAGUE, other_numbers
from rmaudit.parsing.sides import reason_about, swap_names
from rmaudit.records import ModelReason
from support.claim_wordings import (
    SIDES,
    fields_of,
    filled,
    kind_of,
    templates,
    wordings,
)

BANS = frozenset(
    "banned_word names_rival forbidden_promise exclamation_mark forbidden_hashtag reader_addressed "
    "forbidden_item forbidden_word forbidden_key forbidden_call".split()
)
SIZES = frozenset(("over_limit", "under_limit"))
DECOYS = {
    "near miss": NEAR_MISS,
    "implied": IMPLIED,
    "praise of a fact": PRAISE,
    "instruction": INSTRUCTION,
    "vague": VAGUE,
}


class Hostile(NamedTuple):
    """A kind, and a reason as a scan would read it."""

    kind: str
    reason: ModelReason


def hostile(item: Item, *, seed: int = 0) -> Iterator[Hostile]:
    """Every hostile text of every reference of an item."""
    rng = Random(f"hostile/{seed}/{item.id}")
    for reason in item.reasons:
        yield from _filled(item, reason)
        yield from _reworked(item, reason, rng)
        yield from _decoys(item, reason)
        facts = ", ".join(item.meta["facts"][reason.id])
        assert reason.about
        yield Hostile("stub", ModelReason(facts, reason.about))
        yield Hostile("stub", ModelReason(f"{SIDES[reason.about]}: {facts}.", reason.about))
        vocabulary = " ".join(turn.content for turn in item.prompt).split()
        words = " ".join(rng.choices(vocabulary, k=12))
        text = f"{SIDES[reason.about]} {words}"
        yield Hostile("random words", ModelReason(text, reason.about))


def sided(text: str) -> ModelReason:
    """A reason whose side is read off its text."""
    return ModelReason(text, reason_about(text)[0])


def _filled(item: Item, reason: Reason) -> Iterator[Hostile]:
    """The templates of the file, once with the side that they name and once with the fault's."""
    kind = kind_of(item, reason)
    sort = "sizes" if kind in SIZES else "bans" if kind in BANS else "states"
    fields = fields_of(item, reason)
    plain = {"wrong": "", "right": fields.get("value", "")}
    plain |= {name: value.strip("`") for name, value in fields.items()}
    table: dict[str, Any] = templates("hostile")
    listed = [(name, one) for name, many in table["first"][sort].items() for one in many]
    listed += [(f"{name} attack", one) for name in ("second", "third") for one in table[name][sort]]
    for name, template in listed:
        if all(plain[part] or f"{{{part}}}" not in template for part in ("wrong", "right")):
            text = filled(template, kind, plain)
            yield Hostile(name, sided(text))
            yield Hostile(name, ModelReason(text, reason.about))


def _reworked(item: Item, reason: Reason, rng: Random) -> Iterator[Hostile]:
    """The reference and its close rewordings, turned into what is false or claims nothing."""
    ref = item.reasons.index(reason)
    texts = [reason.text]
    texts += [one.reason.text for one in wordings(item, "first", "close") if one.ref == ref]
    others = [one for one in item.reasons if one.about != reason.about]
    side, other = (SIDES["a"], SIDES["b"])[:: 1 if reason.about == "a" else -1]
    denied: dict[str, Any] = templates("hostile")
    for text in texts:
        lowered = text if text.startswith("Response") else text[:1].lower() + text[1:]
        for prefix in denied["denied"]["prefixes"]:
            yield Hostile("denied", sided(prefix.format(text=lowered)))
        if all(one.check != reason.check for one in others):
            yield Hostile("other side", sided(swap_names(text)))
        for both in ("Response A and Response B", "Each response", f"{side} and {other}"):
            yield Hostile("both sides", sided(text.replace(side, both)))
        yield Hostile("no side", sided(text.replace(side, "the text")))
        changed = other_numbers(text, rng) if item.family != "python" else ""
        if changed:
            yield Hostile("other numbers", sided(changed))
        for ending in ("which is right", "and that is good"):
            yield Hostile("praised", sided(f"{text.rstrip('.')}, {ending}."))


def _decoys(item: Item, reason: Reason) -> Iterator[Hostile]:
    fields = fields_of(item, reason)
    for fact in item.meta["facts"][reason.id]:
        shown = f'"{fact}"' if " " in fact and not set(fact) & set('`"()[]') else fact
        for kind, many in DECOYS.items():
            for template in many:
                text = template.format(side=fields["side"], other=fields["other"], fact=shown)
                yield Hostile(kind, sided(text))
