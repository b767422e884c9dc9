"""JSON in a strict format: named keys, exact values, types, array lengths, a key to avoid.

Each field has exactly one requirement, so that a fault in one leaves the others met.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import zip_longest
from random import Random
from typing import NamedTuple

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth import formats_kinds as kinds
from rmaudit.checklists.synth import formats_notes as notes
from rmaudit.checklists.synth.base import Fault, moved, pick_style
from rmaudit.checklists.synth.formats_kinds import JSON_ASKS
from rmaudit.checklists.synth.formats_records import EXTRAS, RECORDS, Field, Record
from rmaudit.checklists.synth.formats_words import PLACES, namesakes
from rmaudit.checklists.synth.rules import (
    Break,
    FaultKind,
    Requirement,
    a_or_an,
    bullets_or_prose,
    good_values,
    with_faults,
)

FEWEST, MOST = 6, 9
# How many keys with free text an object has.
FEWEST_TEXTS, MOST_TEXTS = 6, 7
FIRST_DAY, DAYS = date(2024, 1, 1), 4 * 365


class Pair(NamedTuple):
    """A key and its value as rendered."""

    key: str
    value: str | int | bool


class Entries(NamedTuple):
    """A key and an array of `length` strings that the style takes from the pool."""

    key: str
    length: int
    pool: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JsonTask:
    """A record to encode. texts: keys with a sentence of the response's own, never left out."""

    title: str
    rules: tuple[Requirement, ...]
    texts: tuple[str, ...]
    prompt: str

    @property
    def requirements(self) -> Sequence[Check]:
        """One a rule, and one a text."""
        keys: list[Check] = [{"kind": "json_has_key", "value": key} for key in self.texts]
        return (*(rule.check for rule in self.rules), *keys)

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a rule, each broken in a way of its own."""
        return tuple(rule.fault(rng) for rule in self.rules)

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """The object, in a code block where a line precedes it.

        Its keys are in about the order of the request.
        """
        rng = pick_style(style, "json")
        values = with_faults(good_values(self.rules, rng), faults)
        seed, indent = rng.random(), rng.choice((2, 4))
        values |= {
            key: Pair(key, rng.choice(notes.TEXTS[key]).format(title=self.title))
            for key in self.texts
        }
        slots = moved([slot for slot in self._order if slot in values], rng)
        record: dict[str, object] = {}
        for slot in slots:
            value = values[slot]
            if isinstance(value, Entries):
                shuffled = Random(seed).sample(value.pool, len(value.pool))
                record[value.key] = shuffled[: value.length]
            elif isinstance(value, Pair):
                record[value.key] = value.value
        text = json.dumps(record, indent=indent, ensure_ascii=False)
        if "opening" not in values:
            return text
        gap = rng.choice(("\n", "\n\n"))
        return f"{values['opening']}{gap}```json\n{text}\n```"

    @property
    def _order(self) -> list[str]:
        """Slots and texts in turn, as far as both go."""
        slots = [rule.slot for rule in self.rules]
        return [
            part for pair in zip_longest(slots, self.texts) for part in pair if part is not None
        ]


def draw(rng: Random) -> JsonTask:
    """A random record with a random subset of its fields, an extra key and an opening line."""
    record = rng.choice(RECORDS)
    parts: list[Field | str] = [*record.fields, "extra", "opening"]
    chosen = rng.sample(parts, rng.randint(FEWEST, MOST))
    rules = [_rule_of(part, record, rng) for part in chosen]
    opening = rng.choice(kinds.JSON_PROMPTS).format(
        a_record=a_or_an(record.title), the_record=f"the {record.title}"
    )
    if "opening" not in chosen:
        opening += f" {rng.choice(kinds.ONLY_JSON)}"
    texts = rng.sample(list(notes.TEXTS), rng.randint(FEWEST_TEXTS, MOST_TEXTS))
    asks = [rule.ask for rule in rules]
    asks += [rng.choice(notes.TEXT_ASKS).format(key=key) for key in texts]
    rng.shuffle(asks)
    prompt = bullets_or_prose(opening, asks, bulleted=rng.random() < 0.6, lead="The details:")
    return JsonTask(record.title, tuple(rules), tuple(texts), prompt)


def _rule_of(part: Field | str, record: Record, rng: Random) -> Requirement:
    if part == "extra":
        return _extra(rng)
    if isinstance(part, str):
        return _opening(record, rng)
    return MAKERS[part.sort](part, rng)


def _rule(
    role: str,
    field: Field,
    key: str,
    check: Check,
    right: str,
    good: object,
    breaks: Sequence[Break],
    rng: Random,
    **names: str,
) -> Requirement:
    names = {"key": key, "label": field.label, **names}
    return Requirement(
        slot=field.sort,
        check=check,
        ask=rng.choice(JSON_ASKS[role]).format(right=right, **names),
        right=right,
        good=(good,),
        breaks=breaks,
        names=names,
    )


def _equals(
    role: str, kind: FaultKind, field: Field, pool: Sequence[str | int], rng: Random
) -> Requirement:
    """An exact value; the wrong ones come from the same pool."""
    key = rng.choice(field.names)
    right, *wrong = rng.sample(pool, 5)
    breaks = [Break(kind, Pair(key, value), str(value)) for value in wrong]
    check: Check = {"kind": "json_equals", "key": key, "value": right}
    return _rule(role, field, key, check, str(right), Pair(key, right), breaks, rng)


def _named(field: Field, value: str, rng: Random) -> Requirement:
    """A key with exactly this name."""
    key, alias = rng.sample(field.names, 2)
    breaks = [Break(kinds.MISSING_KEY, Pair(alias, value), alias)]
    check: Check = {"kind": "json_has_key", "value": key}
    return _rule("key", field, key, check, key, Pair(key, value), breaks, rng, value=value)


def _typed(field: Field, number: int, *, quoted: bool, rng: Random) -> Requirement:
    """A number as such, or as a string; the slip is the other one."""
    key = rng.choice(field.names)
    forms = (Pair(key, str(number)), Pair(key, number))
    good, bad = forms if quoted else forms[::-1]
    kind = kinds.STRING_BARE if quoted else kinds.NUMBER_QUOTED
    check: Check = {"kind": "json_type", "key": key, "value": "string" if quoted else "number"}
    role = "quoted" if quoted else "bare"
    breaks = [Break(kind, bad, str(number))]
    return _rule(role, field, key, check, key, good, breaks, rng, value=str(number))


def _text(field: Field, rng: Random) -> Requirement:
    """A person, a place or a choice: the key by name, or the value."""
    pools: dict[str, Sequence[str]] = {"person": namesakes(rng), "place": PLACES}
    pool = pools.get(field.sort, field.pool)
    if rng.random() < 0.4:
        return _named(field, rng.choice(pool), rng)
    return _equals("text", kinds.WRONG_VALUE, field, pool, rng)


def _count(field: Field, rng: Random) -> Requirement:
    pool = range(field.low, field.high + 1)
    if rng.random() < 0.5:
        return _typed(field, rng.choice(pool), quoted=False, rng=rng)
    return _equals("number", kinds.WRONG_NUMBER, field, pool, rng)


def _code(field: Field, rng: Random) -> Requirement:
    number = rng.randint(11000, 98999)
    if rng.random() < 0.5:
        return _typed(field, number, quoted=True, rng=rng)
    pool = [str(number + offset) for offset in (0, 9, 90, 900, 100, 10, 1, -9)]
    return _equals("code", kinds.WRONG_VALUE, field, pool, rng)


def _date(field: Field, rng: Random) -> Requirement:
    key = rng.choice(field.names)
    day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    others = [day + timedelta(days=offset) for offset in (-365, -30, -9, 1, 10, 61)]
    right = day.isoformat()
    forms = ("%d-%m-%Y", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y")
    reordered = [day.strftime(form) for form in forms for _ in range(len(others) // 3)]
    wrong = [other.isoformat() for other in others]
    breaks = [Break(kinds.WRONG_DATE, Pair(key, text), text) for text in wrong]
    breaks += [Break(kinds.DATE_FORMAT, Pair(key, text), text) for text in reordered]
    check: Check = {"kind": "json_equals", "key": key, "value": right}
    return _rule("date", field, key, check, right, Pair(key, right), breaks, rng)


def _flag(field: Field, rng: Random) -> Requirement:
    key, value = rng.choice(field.names), rng.random() < 0.5
    breaks = [Break(kinds.WRONG_FLAG, Pair(key, not value), "")]
    check: Check = {"kind": "json_equals", "key": key, "value": value}
    shown = {"value": json.dumps(value), "opposite": json.dumps(not value)}
    return _rule("flag", field, key, check, key, Pair(key, value), breaks, rng, **shown)


def _array(field: Field, rng: Random) -> Requirement:
    key, need = rng.choice(field.names), rng.randint(3, 7)
    breaks = [
        Break(
            kinds.ARRAY_TOO_LONG if length > need else kinds.ARRAY_TOO_SHORT,
            Entries(key, length, field.pool),
            str(length),
        )
        for length in (need - 2, need - 1, need + 1, need + 2)
    ]
    check: Check = {"kind": "json_length", "key": key, "value": need}
    good = Entries(key, need, field.pool)
    return _rule("array", field, key, check, key, good, breaks, rng, need=str(need))


def _extra(rng: Random) -> Requirement:
    """One key of the response's own choice, but not this one."""
    pairs = [Pair(*extra) for extra in EXTRAS]
    banned = rng.choice(pairs)
    return Requirement(
        slot="extra",
        check={"kind": "json_lacks_key", "value": banned.key},
        ask=rng.choice(JSON_ASKS["extra"]).format(right=banned.key),
        right=banned.key,
        good=[pair for pair in pairs if pair != banned],
        breaks=[Break(kinds.FORBIDDEN_KEY, banned, banned.key)],
    )


def _opening(record: Record, rng: Random) -> Requirement:
    """A line above the object."""
    number = rng.randint(2000, 8999)
    right = f"{record.prefix} {number}:"
    wrong = [f"{record.prefix} {number + offset}:" for offset in (-1000, -90, -1, 1, 9, 100)]
    return Requirement(
        slot="opening",
        check={"kind": "starts_with", "value": right},
        ask=rng.choice(JSON_ASKS["opening"]).format(right=right),
        right=right,
        good=(right,),
        breaks=[Break(kinds.WRONG_OPENING, line, line) for line in wrong],
    )


MAKERS: dict[str, Callable[[Field, Random], Requirement]] = {
    "person": _text,
    "place": _text,
    "choice": _text,
    "count": _count,
    "code": _code,
    "date": _date,
    "flag": _flag,
    "array": _array,
}
