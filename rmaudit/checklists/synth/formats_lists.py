"""Lists in a strict format: so many bullets or lines, these entries, this heading, that last line.

A list keeps a few entries for itself: an anchor that stands in every response, so that a wrong
first or bold entry can be named, and spares that only faults use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import regex

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth import formats_kinds as kinds
from rmaudit.checklists.synth import formats_words as words
from rmaudit.checklists.synth.base import Fault, moved, near_order, pick_style
from rmaudit.checklists.synth.formats_kinds import LIST_ASKS, LIST_KINDS
from rmaudit.checklists.synth.formats_notes import NOTE_FORMS, NOTES, REMARK_ASKS, REMARKS
from rmaudit.checklists.synth.formats_words import Topic
from rmaudit.checklists.synth.rules import (
    Break,
    Limit,
    Requirement,
    Values,
    a_or_an,
    bullets_or_prose,
    good_values,
    others,
    upper_first,
    with_faults,
)

FEWEST, MOST = 7, 10
# How often an entry has a note.
NOTE_SHARE = 0.9
FEWEST_REMARKS, MOST_REMARKS = 2, 4
# The lines before the first bullet, for a check that looks at the first bullet only.
BEFORE_BULLETS = r"(?i)\A(?:(?![ \t]*[-*•][ \t])[^\n]*\n)*"
ITEM_SLOTS = ("item", "second_item", "third_item")
# Slots whose entry stands in the list, in the order in which a style gives them their places.
ENTRY_SLOTS = (*ITEM_SLOTS, "taboo", "first", "bold")


class Stock(NamedTuple):
    """The entries of one topic, dealt out so that no two uses want the same one.

    parts: all slots and free entries, in about the order in which they stand in a list.
    """

    topic: Topic
    anchor: str
    wanted: dict[str, str]
    spares: dict[str, str]
    harmless: tuple[str, ...]
    free: tuple[str, ...]
    parts: tuple[str, ...]

    @classmethod
    def deal(cls, topic: Topic, rng: Random) -> Stock:
        """A deal of the shuffled entries."""
        cards = rng.sample(topic.entries, len(topic.entries))
        take = iter(cards)
        anchor = next(take)
        wanted = {slot: next(take) for slot in ENTRY_SLOTS}
        spares = {slot: next(take) for slot in ITEM_SLOTS}
        harmless = next(take), next(take)
        free = tuple(take)
        parts = ["anchor", *ENTRY_SLOTS, *free]
        rng.shuffle(parts)
        return cls(topic, anchor, wanted, spares, harmless, free, tuple(parts))


@dataclass(frozen=True, slots=True)
class ListTask:
    """A list of about `count` entries, with its rules and the limit of length where it has one.

    remarks: phrases that the introduction has in every response.
    """

    stock: Stock
    count: int
    rules: tuple[Requirement, ...]
    remarks: tuple[str, ...]
    limit: Limit | None
    prompt: str

    @property
    def requirements(self) -> Sequence[Check]:
        """One a rule, and one a remark."""
        said: list[Check] = [{"kind": "contains", "value": remark} for remark in self.remarks]
        return (*(rule.check for rule in self.rules), *said)

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a rule, each broken in a way of its own."""
        return tuple(rule.fault(rng) for rule in self.rules)

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """Heading, introduction with filler, bullets, amount, last line, as far as asked for."""
        rng = pick_style(style, "list")
        free_count = rng.choice((-1, 0, 1))
        clean: Values = {"word": rng.choice(words.ADJECTIVES), "count": free_count, "limit": False}
        clean |= good_values(self.rules, rng)
        values = with_faults(clean, faults)
        looks = _Looks.draw(rng, self.stock, self.remarks)
        fillers = rng.sample(words.FILLERS, len(words.FILLERS))
        filler_count = rng.randint(0, 2)
        if self.limit is not None:
            core = self._text(clean, clean, looks, ())
            filler_count = self.limit.filler_count(core, fillers, broken=values["limit"], rng=rng)
        return self._text(clean, values, looks, fillers[:filler_count])

    def _text(self, clean: Values, values: Values, looks: _Looks, fillers: Sequence[str]) -> str:
        topic = self.stock.topic
        intro = looks.intro.format(word=values["word"], title=topic.title, purpose=topic.purpose)
        blocks = [
            values.get("heading", ""),
            " ".join([intro, *looks.remarks, *fillers]),
            "\n".join(self._bullets(clean, values, looks)),
            values.get("amount", ""),
            values.get("last", ""),
        ]
        return looks.gap.join(block for block in blocks if block)

    def _bullets(self, clean: Values, values: Values, looks: _Looks) -> list[str]:
        """The bullets; an entry that replaces another one takes its place."""
        stock, count = self.stock, self.count + values["count"]
        entries = {"anchor": stock.anchor}
        entries |= {slot: values[slot] for slot in ENTRY_SLOTS if slot in values}
        # Whatever stands first or in bold, the entry that should is in the list.
        entries |= {slot: clean[slot] for slot in ("first", "bold") if slot in clean}
        entries |= {entry: entry for entry in looks.free[: count - len(entries)]}
        order = [entries[part] for part in sorted(entries, key=looks.places.__getitem__)]
        notes = {entry: looks.notes[part] for part, entry in entries.items()}
        if "first" in clean:
            order.remove(clean["first"])
            order.insert(0, clean["first"])
            top = order.index(values["first"])
            order[0], order[top] = order[top], order[0]
        shown = {entry: entry for entry in order}
        if "bold" in values:
            bold = values["bold"]
            shown[bold] = f"**{shown[bold]}**"
        return [f"{looks.marker} {notes[entry].format(entry=shown[entry])}" for entry in order]


class _Looks(NamedTuple):
    """What a style decides about a list: words, marks, and places and notes of entries.

    places, notes: by slot, and by entry for the free ones; a note is a template for its entry.
    """

    intro: str
    remarks: tuple[str, ...]
    gap: str
    marker: str
    places: dict[str, float]
    notes: dict[str, str]
    free: list[str]

    @classmethod
    def draw(cls, rng: Random, stock: Stock, remarks: Sequence[str]) -> _Looks:
        form = rng.choice(NOTE_FORMS)
        notes = rng.sample(NOTES, len(NOTES))
        return cls(
            intro=rng.choice(kinds.INTROS),
            remarks=tuple(rng.choice(REMARKS[remark]) for remark in remarks),
            gap=rng.choice(("\n", "\n\n")),
            marker=rng.choice("-*•"),
            places=dict(zip(stock.parts, near_order(len(stock.parts), rng), strict=True)),
            notes={
                part: form.replace("{note}", note) if rng.random() < NOTE_SHARE else "{entry}"
                for part, note in zip(stock.parts, notes, strict=False)
            },
            free=moved(stock.free, rng),
        )


def draw(rng: Random) -> ListTask:
    """A list of a random topic with a random subset of the constraints."""
    topic = rng.choice(words.TOPICS)
    stock = Stock.deal(topic, rng)
    makers = rng.sample(MAKERS, rng.randint(FEWEST, MOST) - 1)
    rules = [make(stock, rng) for make in makers]
    slots = [rule.slot for rule in rules]
    fixed = 1 + sum(slot in ENTRY_SLOTS for slot in slots)
    count = fixed + rng.randint(2, len(stock.free) - 2)
    remarks = rng.sample(list(REMARKS), rng.randint(FEWEST_REMARKS, MOST_REMARKS))
    limit = None
    if rng.random() < 0.4:
        limit = Limit.draw(rng, _longest(stock, rules, remarks, count))
        rules.append(limit.rule(rng))
    else:
        around = 1 + sum(slot in ("heading", "amount", "last") for slot in slots)
        rules.append(_count(count, around, rng))
    rng.shuffle(rules)
    opening = rng.choice(kinds.LIST_PROMPTS).format(
        a_title=a_or_an(topic.title), purpose=topic.purpose
    )
    asks = [rule.ask for rule in rules]
    asks += [rng.choice(REMARK_ASKS).format(core=remark) for remark in remarks]
    rng.shuffle(asks)
    bulleted = rng.random() < 0.4
    prompt = bullets_or_prose(opening, asks, bulleted=bulleted, lead="Stick to these rules:")
    return ListTask(stock, count, tuple(rules), tuple(remarks), limit, prompt)


def _longest(stock: Stock, rules: Sequence[Requirement], remarks: Sequence[str], count: int) -> str:
    """A text at least as long as any style gives without filler."""
    topic = stock.topic
    longest_word, longest_intro = max(words.ADJECTIVES, key=len), max(kinds.INTROS, key=len)
    intro = longest_intro.format(word=longest_word, title=topic.title, purpose=topic.purpose)
    longest_note = max(NOTES, key=len)
    forms = [form.replace("{note}", longest_note) for form in NOTE_FORMS]
    form = max(forms, key=len)
    entries = [form.format(entry=entry) for entry in sorted(topic.entries, key=len)[-count - 1 :]]
    lines = [rule.good[0] for rule in rules if rule.slot in ("heading", "amount", "last")]
    intro = " ".join([intro, *(max(REMARKS[remark], key=len) for remark in remarks)])
    return "\n\n".join([intro, *lines, "\n".join(f"- {entry}" for entry in entries)]) + "****"


def _rule(
    slot: str,
    check: Check,
    right: str,
    wrong: Sequence[str],
    rng: Random,
    good: Sequence[str] = (),
) -> Requirement:
    return Requirement(
        slot=slot,
        check=check,
        ask=rng.choice(LIST_ASKS[slot]).format(right=right),
        right=right,
        good=good or (right,),
        breaks=[Break(LIST_KINDS[slot], value, value) for value in wrong],
    )


def _count(count: int, around: int, rng: Random) -> Requirement:
    """So many bullets, or so many lines of which `around` are no bullets."""
    lines = rng.random() < 0.5
    right = count + around if lines else count
    more, fewer = (
        (kinds.TOO_MANY_LINES, kinds.TOO_FEW_LINES)
        if lines
        else (kinds.TOO_MANY_BULLETS, kinds.TOO_FEW_BULLETS)
    )
    return Requirement(
        slot="count",
        check={"kind": "line_count" if lines else "bullet_count", "value": right},
        ask=rng.choice(LIST_ASKS["lines" if lines else "bullets"]).format(right=right),
        right=str(right),
        good=(0,),
        breaks=[
            Break(more if extra > 0 else fewer, extra, str(right + extra))
            for extra in (-2, -1, -1, 1, 1, 2)
        ],
    )


def _heading(stock: Stock, rng: Random) -> Requirement:
    template = rng.choice(kinds.HEADINGS)
    title = upper_first(stock.topic.title)
    right, *wrong = (
        template.format(title=title, place=place) for place in rng.sample(words.PLACES, 5)
    )
    return _rule("heading", {"kind": "starts_with", "value": right}, right, wrong, rng)


def _last(stock: Stock, rng: Random) -> Requirement:
    template = rng.choice(kinds.LAST_LINES)
    right, *wrong = (template.format(person=person) for person in words.namesakes(rng))
    return _rule("last", {"kind": "ends_with", "value": right}, right, wrong, rng)


def _amount(stock: Stock, rng: Random) -> Requirement:
    label, unit, low, high = rng.choice(stock.topic.amounts)
    right, *wrong = (f"{label}: {n} {unit}" for n in rng.sample(range(low, high + 1), 5))
    return _rule("amount", {"kind": "contains", "value": right}, right, wrong, rng)


def _item(slot: str) -> Callable[[Stock, Random], Requirement]:
    def make(stock: Stock, rng: Random) -> Requirement:
        right = stock.wanted[slot]
        check: Check = {"kind": "contains", "value": right, "ignore_case": True}
        return _rule(slot, check, right, (stock.spares[slot],), rng)

    return make


def _taboo(stock: Stock, rng: Random) -> Requirement:
    right = stock.wanted["taboo"]
    check: Check = {"kind": "lacks", "value": right}
    return _rule("taboo", check, right, (right,), rng, good=stock.harmless)


def _word(stock: Stock, rng: Random) -> Requirement:
    right = rng.choice(words.ADJECTIVES)
    check: Check = {"kind": "lacks", "value": right}
    return _rule("word", check, right, (right,), rng, good=others(words.ADJECTIVES, right))


def _first(stock: Stock, rng: Random) -> Requirement:
    right = stock.wanted["first"]
    pattern = rf"{BEFORE_BULLETS}[ \t]*[-*•][ \t]+\**{regex.escape(right)}\b"
    return _rule("first", {"kind": "regex", "value": pattern}, right, (stock.anchor,), rng)


def _bold(stock: Stock, rng: Random) -> Requirement:
    right = stock.wanted["bold"]
    pattern = rf"(?i)\*\*{regex.escape(right)}\*\*"
    return _rule("bold", {"kind": "regex", "value": pattern}, right, (stock.anchor,), rng)


MAKERS: tuple[Callable[[Stock, Random], Requirement], ...] = (
    _heading, _last, _amount, *(_item(slot) for slot in ITEM_SLOTS), _taboo, _word, _first, _bold,
)  # fmt: skip
