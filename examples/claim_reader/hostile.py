"""Reasons that must earn nothing, from `written/hostile.toml` and by program."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from claim_reader.wordings import (
    SIDES,
    fields_of,
    filled,
    kind_of,
    templates,
    wordings,
)
from rmaudit.checklists.schema import Item, Reason
from rmaudit.judge_check.decoys import IMPLIED, INSTRUCTION, NEAR_MISS, PRAISE, VAGUE, other_numbers
from rmaudit.parsing.sides import reason_about, swap_names
from rmaudit.records import ModelReason

BANS = frozenset(
    "banned_word names_rival forbidden_promise exclamation_mark forbidden_hashtag reader_addressed "
    "forbidden_item forbidden_word forbidden_key forbidden_call".split()
)
SIZES = frozenset(("over_limit", "under_limit"))
ATTACKS = ("first", "second", "third")
"""Tables of the file `hostile`; the file of any other author has a table `hostile`."""
DECOYS = {
    "near miss": NEAR_MISS,
    "implied": IMPLIED,
    "praise of a fact": PRAISE,
    "instruction": INSTRUCTION,
    "vague": VAGUE,
}


Named = tuple[str, ModelReason]


class Hostile(NamedTuple):
    """A kind, the number of the reference that it is made of, and a reason as a scan reads it."""

    kind: str
    ref: int
    reason: ModelReason


def hostile(item: Item, author: str = "first", *, seed: int = 0) -> Iterator[Hostile]:
    """Hostile texts of every reference of an item by one author; the first has programs too."""
    rng = Random(f"hostile/{seed}/{item.id}")
    for ref, reason in enumerate(item.reasons):
        found = list(_filled(item, reason, author))
        if author == "first":
            found += [*_reworked(item, reason, rng), *_decoys(item, reason)]
            found += _stubs(item, reason, rng)
        yield from (Hostile(kind, ref, one) for kind, one in found)


def _stubs(item: Item, reason: Reason, rng: Random) -> Iterator[Named]:
    facts = ", ".join(item.meta["facts"][reason.id])
    assert reason.about
    yield "stub", ModelReason(facts, reason.about)
    yield "stub", ModelReason(f"{SIDES[reason.about]}: {facts}.", reason.about)
    vocabulary = " ".join(turn.content for turn in item.prompt).split()
    words = " ".join(rng.choices(vocabulary, k=12))
    yield "random words", ModelReason(f"{SIDES[reason.about]} {words}", reason.about)


def sided(text: str) -> ModelReason:
    """A reason whose side is read off its text."""
    return ModelReason(text, reason_about(text)[0])


def _filled(item: Item, reason: Reason, author: str) -> Iterator[Named]:
    """The templates of the file, once with the side that they name and once with the fault's."""
    kind = kind_of(item, reason)
    sort = "sizes" if kind in SIZES else "bans" if kind in BANS else "states"
    fields = fields_of(item, reason)
    plain = {"wrong": "", "right": fields.get("value", "")}
    plain |= {name: value.strip("`") for name, value in fields.items()}
    of_file = "hostile" if author in ATTACKS else author
    table: dict[str, Any] = templates(of_file)[author if author in ATTACKS else "hostile"]
    listed = [(name, one) for name, many in table.get(sort, {}).items() for one in many]
    for name, template in listed:
        if all(plain[part] or f"{{{part}}}" not in template for part in ("wrong", "right")):
            text = filled(template, kind, plain)
            yield name, sided(text)
            yield name, ModelReason(text, reason.about)


def _reworked(item: Item, reason: Reason, rng: Random) -> Iterator[Named]:
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
            yield "denied", sided(prefix.format(text=lowered))
        if all(one.check != reason.check for one in others):
            yield "other side", sided(swap_names(text))
        for both in ("Response A and Response B", "Each response", f"{side} and {other}"):
            yield "both sides", sided(text.replace(side, both))
        yield "no side", sided(text.replace(side, "the text"))
        changed = other_numbers(text, rng) if item.family != "python" else ""
        if changed:
            yield "other numbers", sided(changed)
        for ending in ("which is right", "and that is good"):
            yield "praised", sided(f"{text.rstrip('.')}, {ending}.")


def _decoys(item: Item, reason: Reason) -> Iterator[Named]:
    fields = fields_of(item, reason)
    for fact in item.meta["facts"][reason.id]:
        shown = f'"{fact}"' if " " in fact and not set(fact) & set('`"()[]') else fact
        for kind, many in DECOYS.items():
            for template in many:
                text = template.format(side=fields["side"], other=fields["other"], fact=shown)
                yield kind, sided(text)
