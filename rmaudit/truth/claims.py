"""Whether a reason's claims hold of an item, and which fault they state.

Each claim is looked up: a value that a response is said to have stands in it or not, one that it is
said to lack is not there, one that the request is said to want is in the request or in the repair.
A false claim decides the reason. A true one states a fault if it says that the response has what it
must not have, or lacks what it must have, and does not call that right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.truth import lexicon as lex
from rmaudit.truth import patterns as pat
from rmaudit.truth.clauses import Clause
from rmaudit.truth.language import Reading, Role
from rmaudit.truth.lexicon import V
from rmaudit.truth.sizes import SizeClaims, size_claims
from rmaudit.truth.slots import Part, Slot, is_amount, normal, same
from rmaudit.truth.values import Value, folded, holds

_FALSE: dict[Part, tuple[Role, ...]] = {
    "wrong": ("lacks", "wanted"),
    "right": ("has", "unwanted"),
    "context": (),
}


@dataclass(frozen=True, slots=True)
class Texts:
    """What claims are looked up in, without case: both responses, and what the request wants.

    plain: any known value can be looked for in the texts as it is written. numbers: limits, which
    the slots compare. sections: parts of the response by what names them.
    """

    own: str
    other: str
    wanted: str
    plain: bool
    numbers: frozenset[str] = frozenset()
    differences: frozenset[str] = frozenset()
    sections: tuple[tuple[re.Pattern[str], str], ...] = ()

    def section(self, reading: Reading) -> str:
        """The part of the response that a reason names, else all of it."""
        named = [part for name, part in self.sections if name.search(reading.text)]
        return named[0] if len(named) == 1 else self.own


class Verdict(NamedTuple):
    """What a slot makes of a reason: its score, and whether a claim about it is false or true."""

    score: float
    false: bool
    true: bool


def refuted(reading: Reading, texts: Texts, slots: Sequence[Slot]) -> tuple[bool, bool]:
    """Whether a claim about any value is false by the texts, and whether any was decided.

    Values at issue in a slot are left to the slot, which knows more of them.
    """
    false = decided = False
    own = texts.section(reading)
    for value in reading.values:
        clause = reading.clause_at(value.at)
        at_issue = any(slot.part_of(value.text) in ("wrong", "right") for slot in slots)
        if value.text in texts.numbers or clause.frame == "void" or at_issue:
            continue
        found = [_looked_up(value, role, texts, own, clause) for role in _roles(reading, value)]
        if value.kind == "number" and normal(value.text) not in texts.differences:
            found.append(None if _anywhere(texts, value.text) else False)
        decided |= any(one is not None for one in found)
        false |= False in found
    return false, decided


def _anywhere(texts: Texts, number: str) -> bool:
    return any(holds(text, number) for text in (texts.own, texts.wanted, texts.other))


def _looked_up(value: Value, role: Role, texts: Texts, own: str, clause: Clause) -> bool | None:
    """Whether the texts say so; None where they do not decide, or the clause may mean another."""
    known = value.kind == "known"
    found: bool | None = None
    amount = bool(texts.sections) and is_amount(value.text)
    if role == "has" and (texts.plain or amount or not known):
        found = holds(own, value.text) or (
            value.kind == "number" and holds(texts.wanted, value.text) and own is texts.own
        )
    elif role == "lacks" and (texts.plain if known else value.kind == "quoted"):
        said = lex.SAYS.search(clause.text) or lex.LACKS.search(clause.text)
        found = not holds(own, value.text) if said else None
    elif role == "other_has" and (texts.plain or not known):
        found = holds(texts.other, value.text)
    elif role == "wanted" and not known:
        found = holds(texts.wanted, value.text)
    return None if found is False and not clause.sure else found


def stated(reading: Reading, slot: Slot) -> Verdict:
    """How far a reason states the fault of a slot."""
    if slot.topic and not slot.topic.search(reading.masked):
        return Verdict(0.0, False, False)
    if slot.place and _elsewhere(reading, slot):
        return Verdict(0.0, False, False)
    claims = list(_claims(reading, slot))
    sized = size_claims(reading, slot.size) if slot.size else SizeClaims(False, False)
    about = {claim.part for claim in claims}
    if slot.size and not about and not slot.size.unit.search(reading.masked):
        return Verdict(0.0, False, False)
    if not about & {"wrong", "right"} and not sized.fault and not sized.false:
        return Verdict(0.0, False, False)
    false = sized.false or any(claim.role in _FALSE[claim.part] for claim in claims)
    if false or reading.praised:
        return Verdict(0.0, True, False)
    true = {(claim.part, claim.role) for claim in claims if claim.role is not None}
    fault = sized.fault or _faulted(reading, slot, claims, true)
    denied = any(one.denied for one in reading.clauses)
    if denied or not fault:
        return Verdict(0.0, False, bool(true))
    met = sum(1 for fact, _ in slot.facts if _names(reading, slot, fact))
    return Verdict(1.0 if met == len(slot.facts) else 0.5, False, True)


class Claim(NamedTuple):
    """What is said of one mention of a value of a slot; `word`: it is a word that stands for it."""

    part: Part
    role: Role
    start: int
    end: int
    sure: bool
    word: bool = False


def _faulted(
    reading: Reading, slot: Slot, claims: list[Claim], true: Set[tuple[Part, Role]]
) -> bool:
    """Whether true claims amount to the fault."""
    if any(claim.part == "right" and _lacking(reading, slot, claim) for claim in claims):
        return True
    wanted = ("right", "wanted") in true or ("right", "other_has") in true
    unwanted = ("wrong", "unwanted") in true
    # Words in a row claim nothing.
    if not (lex.SAYS.search(reading.masked) or pat.FINITE.search(reading.masked)):
        unwanted, claims = False, [claim for claim in claims if claim.role is not None]
    named = {claim.part for claim in claims}
    if reading.errs and (wanted or unwanted or named >= {"wrong", "right"}):
        return True
    has = [
        claim for claim in claims if claim.part == "wrong" and claim.role == "has" and claim.sure
    ]
    blamed = reading.errs or reading.demands or unwanted or ("right", "wanted") in true
    blamed |= any("wanted" in reading.roles(value.at) for value in reading.values)
    possible = not reading.errs and not reading.demands
    if possible and all(pat.POSSIBLE.search(reading.clause_at(one.start).text) for one in has):
        return False
    return any(
        blamed or (slot.telling and claim.word) or (slot.ban and _plainly(reading, claim))
        or (slot.tells and _telling(reading, slot, claim))
        for claim in has
    )  # fmt: skip


def _proves(clause: Clause) -> bool:
    """Whether a clause is said of the response, if only by its sentence."""
    speaks = lex.SAYS.search(clause.text) or pat.FINITE.search(clause.text)
    listed = len(re.findall(V, clause.text[: clause.tail])) > 1
    return (
        clause.sure
        or bool(lex.SAYS.search(clause.text))
        or (clause.ours and not (listed and not speaks))
    )


def _lacking(reading: Reading, slot: Slot, claim: Claim) -> bool:
    """Whether a clause says in so many words that the value is not there."""
    clause = reading.clause_at(claim.start)
    if claim.role != "lacks" or not claim.sure:
        return False
    later = clause.frame == "demand"
    direct = claim.word or (slot.topic and slot.topic.search(clause.text))
    return bool(later or direct or lex.LACKS.search(clause.text) or lex.SAYS.search(clause.text))


def _telling(reading: Reading, slot: Slot, claim: Claim) -> bool:
    """Whether a value that is a fault by itself is said to be there, in a sentence."""
    named = [value for value in reading.values if value.at == claim.start]
    says = lex.SAYS.search(reading.masked) or re.search(r"\b(?:is|stops?)\b", reading.masked)
    return bool(says and named and normal(named[0].text) == slot.tells)


def _claims(reading: Reading, slot: Slot) -> Iterator[Claim]:
    """Every mention of the slot's values with what is said of it."""
    marked = {normal(value.text) for value in reading.values if value.marked}
    for value in reading.values:
        part = slot.part_of(value.text)
        if reading.clause_at(value.at).frame == "void" or pat.OPERAND.search(
            reading.masked[max(0, value.at - 2) : value.at + 3]
        ):
            continue
        if part is None or (not value.marked and normal(value.text) in marked):
            continue
        clause = reading.clause_at(value.at)
        sure = _proves(clause)
        for role in reading.roles(value.at):
            role = _allowed(reading, slot, part, role, value.at)
            yield Claim(part, role, value.at, value.at + 1, sure)
        for role in _later(reading, value.at):
            yield Claim(part, role, value.at, value.at + 1, sure=True)
    patterns: tuple[tuple[Part, re.Pattern[str] | None], ...] = (
        ("wrong", slot.wrong_words),
        ("right", slot.right_words),
    )
    for part, words in patterns:
        for found in words.finditer(reading.masked) if words else ():
            clause = reading.clause_at(found.start())
            if clause.frame == "void":
                continue
            if part == "right" and slot.telling and _has_word(slot, reading):
                continue
            sure = _proves(clause)
            for role in reading.roles(found.start()):
                known = role not in _FALSE[part] or clause.sure
                yield Claim(part, role if known else None, *found.span(), sure, word=True)
            for role in _later(reading, found.start(), slot):
                yield Claim(part, role, *found.span(), sure=True, word=True)


def _has_word(slot: Slot, reading: Reading) -> bool:
    return slot.wrong_words is not None and slot.wrong_words.search(reading.masked) is not None


def _allowed(reading: Reading, slot: Slot, part: Part, role: Role, place: int) -> Role:
    """The role, unless the response may have the right value in this sense."""
    clause = reading.clause_at(place)
    if role in _FALSE[part] and not clause.sure:
        role = None
    if role not in ("has", None):
        return role
    named = [one for one in reading.values if clause.start <= one.at < clause.end]
    alone = sum(slot.part_of(one.text) in ("wrong", "right") for one in named) == 1
    if slot.anywhere and slot.anywhere.search(clause.text) and alone:
        # The working may have the right value, not the wrong one.
        return "wanted" if part == "right" else "lacks" if role == "has" and clause.sure else None
    elsewhere = slot.topic is not None and not slot.topic.search(clause.text)
    return None if part == "right" and (elsewhere or slot.size) else role


def _roles(reading: Reading, value: Value) -> list[Role]:
    """The roles of a value, also by what a later `it` says of it."""
    return [*reading.roles(value.at), *_later(reading, value.at)]


def _later(reading: Reading, place: int, slot: Slot | None = None) -> list[Role]:
    """What a later pronoun says of something that the request demands or forbids."""
    own = reading.clause_at(place)
    if own.frame != "demand" and "unwanted" not in reading.roles(place):
        return []
    found: list[Role] = []
    for clause in reading.clauses:
        if clause.start <= own.start:
            continue
        if re.search(V, clause.text) and not pat.OBJECT.search(clause.text):
            break
        words = (slot.wrong_words, slot.right_words) if slot else ()
        if any(one.search(clause.text) for one in words if one):
            continue
        if clause.frame in ("own", "open") and _refers(clause):
            found.append("lacks" if clause.odd != clause.denied else "has")
    return found


def _refers(clause: Clause) -> bool:
    if re.search(r"\bit (?:as|to|at|on)\b", clause.text):
        return False
    if pat.OBJECT.search(clause.text) or pat.NOT_DONE.search(clause.text):
        return True
    if lex.OWN in clause.text and pat.SUBJECTLESS.match(clause.text):
        return True
    return bool(pat.PRONOUN.search(clause.text) and pat.PRESENT.search(clause.text))


def _plainly(reading: Reading, claim: Claim) -> bool:
    """Whether a clause says that the response has the value and nothing else of it."""
    clause = reading.clause_at(claim.start)
    if clause.frame not in ("own", "open") or any(one.frame == "other" for one in reading.clauses):
        return False
    if pat.UNREAL.search(clause.text):
        return False
    after = clause.text[claim.end - clause.start :]
    before = clause.text[: claim.start - clause.start]
    if lex.OWN in before:
        said = list(lex.SAYS.finditer(before.partition(lex.OWN)[2]))
        near = said and len(said[-1].string[said[-1].end() :].split()) <= 4
        return bool(near and pat.PLAIN_REST.match(after))
    return bool(lex.OWN in after and lex.SAYS.search(after.partition(lex.OWN)[0]))


def _elsewhere(reading: Reading, slot: Slot) -> bool:
    """Whether the reason speaks of another part, key or function, and not of this one."""
    assert slot.place is not None
    if slot.place.search(reading.text):
        return False
    return slot.placed or bool(slot.places and slot.places.search(reading.text))


def _names(reading: Reading, slot: Slot, fact: str) -> bool:
    if any(same(value.text, fact, cased=slot.cased) for value in reading.values):
        return True
    texts = [reading.masked]
    if not fact[:1].isdigit():
        texts += [folded(value.text) for value in reading.values]
    return any(holds(text, fact) for text in texts)
