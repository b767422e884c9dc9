"""Lessons of the reader: a fault and a text, both masked, and whether the text states it.

Texts are the references of generated items, the wordings of several authors, and texts that claim
no fault or a false one. Seen from one fault all values are alike, so a few thousand lessons remain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Literal, NamedTuple

from claim_reader.hostile import hostile
from claim_reader.wordings import NOUNS, TAUGHT, fields_of, filled, kind_of, templates, wordings
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.records import ModelReason
from rmaudit.truth.masking import PARTS, seen_from, told
from rmaudit.truth.score import known_of
from rmaudit.truth.values import holds

AUTHORS = (
    "seventh eighth ninth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
    "twentieth"
).split()
SETS = ["first", "second", "third", "fourth", "fifth", "sixth", "tenth", *AUTHORS]
ATTACKS = ["first", "second", "third", "eleventh", "twelfth", "thirteenth", *AUTHORS]
Label = Literal["states", "denies", "neither", "not"]
"""`not`: it does not state the fault; whether it denies it is left open."""
DENIES = frozenset("negated swapped praise praised denied".split())
NEITHER = frozenset("neutral restated stub question instruction vague".split())


class Lesson(NamedTuple):
    """Masked reference, masked text, label; `source` is the set of wordings that it is from."""

    reference: str
    text: str
    label: Label
    source: str


def lessons_of(item: Item, sets: Sequence[str], attacks: Sequence[str]) -> Iterator[Lesson]:
    """All lessons of an item."""
    texts: list[tuple[int, ModelReason, str]] = [
        (at, ModelReason(reason.text, reason.about), "reference")
        for at, reason in enumerate(item.reasons)
    ]
    for name in sets:
        for table in templates(name):
            texts += [(one.ref, one.reason, name) for one in wordings(item, name, table)]
    known = known_of(item)
    texts += [
        (ref, reason, "half")
        for ref, reason, right in halves(item, sets)
        if not holds(known.slots[ref].own, right)
    ]
    for ref, reason, source in texts:
        if reason.about not in ("a", "b"):
            continue
        one = told(reason.text, reason.about, known.values)
        for at, slot in enumerate(known.slots):
            if slot.about != reason.about:
                continue
            seen, parts = seen_from(one, slot)
            if at == ref:
                yield Lesson(known.references[at], seen, "states", source)
                if parts >= {"wrong", "right"} or (source == "half" and slot.wrong):
                    turned = _exchanged(seen)
                    yield Lesson(known.references[at], turned, "denies", f"turned {source}")
            elif parts & {"wrong", "right"}:
                yield Lesson(known.references[at], seen, "not", source)
    for reason, reference in zip(item.reasons, known.references, strict=True):
        yield from terse(reference, kind_of(item, reason))
        yield from blamed(reference)
    for name in attacks:
        for hostile_one in hostile(item, name):
            reason, at = hostile_one.reason, hostile_one.ref
            slot = known.slots[at]
            if reason.about != slot.about or hostile_one.kind in ("both sides", "no side"):
                continue
            one = told(reason.text, slot.about, known.values)
            if one.shared:
                continue
            seen, _ = seen_from(one, slot)
            kind = hostile_one.kind
            # Where something is missing, what stands in its place is the claim's own business.
            if kind == "alien" and not slot.wrong:
                continue
            label: Label = "denies" if kind in DENIES else "neither" if kind in NEITHER else "not"
            yield Lesson(known.references[at], seen, label, f"hostile {name} {kind}")


TERSE = 6
"""Clipped statements are few; they count as so many sources."""


def terse(reference: str, kind: str) -> Iterator[Lesson]:
    """What small models say in so many words: `says X, not Y`, `uses the word X`."""
    wrong, right = PARTS["wrong"], PARTS["right"]
    lines: list[tuple[str, Label]] = []
    if wrong in reference and right not in reference:
        for verb in ("uses the word", "uses", "says", "contains", "has the word"):
            lines += [(f"{verb} {wrong}.", "states"), (f"never {verb} {wrong}.", "denies")]
    elif kind in ("missing_idea", "missing_phrase") or (wrong in reference and right in reference):
        for verb in ("says", "has", "writes", "gives"):
            lines += [(f"{verb} {wrong}, not {right}.", "states")]
            lines += [(f"{verb} {right}, not {wrong}.", "denies")]
            lines += [(f"{verb} {wrong} instead of {right}.", "states")]
        if wrong not in reference:
            for word in "silent wooden foldable handmade bright recyclable light warm".split():
                lines += [(f"says {word}, not {right}.", "states")]
                lines += [(f"says {right}, not {word}.", "denies")]
    for number in range(TERSE):
        for line, label in lines:
            yield Lesson(reference, f"[unused1] {line}", label, f"terse {number}")


BLAME = "wrongly incorrectly mistakenly falsely erroneously".split()
PRAISE = "correctly rightly properly".split()
ENDS = (", which is wrong", ", and that is a mistake", ", which is an error", ": that is wrong")
GOOD = (", which is right", ", and that is correct", ", as it should")


def blamed(reference: str) -> Iterator[Lesson]:
    """The barest words of blame and of praise around true statements and false ones.

    A word of blame makes no false statement of a true one: `wrongly says X instead of Y`. Each word
    is a source, so that no text outweighs the authors'.
    """
    wrong, right, other = PARTS["wrong"], PARTS["right"], PARTS[None]
    for adverb, end, verb in zip(
        [*BLAME, "", "", "", ""], ["", "", "", "", "", *ENDS], cycle(("says", "gives", "has")),
        strict=False,
    ):  # fmt: skip
        praise, good = PRAISE[len(adverb + end) % 3], GOOD[len(adverb + end) % 3]
        for label, line in _claims(reference, verb, (wrong, right, other)):
            said = f"[unused1] {adverb} {line}{end}.".replace("  ", " ")
            yield Lesson(reference, said, label, f"blamed {adverb or end}")
            if label == "states":
                lauded = f"[unused1] {praise} {line}." if adverb else f"[unused1] {line}{good}."
                yield Lesson(reference, lauded, "denies", f"lauded {adverb or end}")


def _claims(reference: str, verb: str, values: tuple[str, str, str]) -> Iterator[tuple[Label, str]]:
    """Statements without a word on whether that is wrong, and what they are for the reference."""
    wrong, right, other = values
    yield "neither", f"{verb} {other} instead of {other}"
    yield "neither", f"adds {other}"
    yield "neither", f"leaves out {other}"
    if right in reference:
        for given in (wrong, f"{wrong} {other}") if wrong in reference else (other,):
            for wanted in (right, f"{right} {other}"):
                yield "states", f"{verb} {given} instead of {wanted}"
                yield "denies", f"{verb} {wanted} instead of {given}"
            yield "states", f"{verb} {given}, not {right}"
            yield "denies", f"{verb} {right}, not {given}"
        yield "states", f"leaves out {right}"
        yield "states", f"leaves out {right} {other}"
        yield "denies", f"{verb} {right}"
        yield "denies", f"adds {right}"
    if wrong in reference:
        yield "states", f"{verb} {wrong}"
        yield "denies", f"leaves out {wrong}"
        if right not in reference:
            yield "states", f"uses {wrong}"
            yield "states", f"adds {wrong} {other}"
            yield "states", f"{verb} {wrong} instead of {other}"
            yield "denies", f"{verb} {other} instead of {wrong}"


def halves(item: Item, sets: Sequence[str]) -> Iterator[tuple[int, ModelReason, str]]:
    """Faults of two values told by one of them, and the right one.

    Every author's words for what is missing fit.
    """
    tables = templates("half")
    missing = [
        template
        for name in sets
        for table in templates(name).keys() & {"close", "free"}
        for template in templates(name)[table].get("missing_idea", ())
    ]
    for ref, reason in enumerate(item.reasons):
        kind, fields = kind_of(item, reason), fields_of(item, reason)
        if kind in NOUNS["pair"] and fields.get("right") and fields.get("wrong") and reason.about:
            for template in (*tables["right"], *tables["wrong"], *missing):
                text = filled(template, kind, fields)
                yield ref, ModelReason(text, reason.about), fields["right"]


def _exchanged(text: str) -> str:
    """The text with the wrong and the right value in each other's place: a false claim."""
    wrong, right = PARTS["wrong"], PARTS["right"]
    return right.join(part.replace(right, wrong) for part in text.split(wrong))


def lessons(
    n: int, seed: int, sets: Sequence[str], attacks: Sequence[str]
) -> tuple[list[Lesson], Counter[Lesson]]:
    """The distinct lessons of n generated items, and how often each occurred."""
    items = make_items(choose(TAUGHT), n=n, seed=seed)
    counted = Counter(one for item in items for one in lessons_of(item, sets, attacks))
    return list(counted), counted
