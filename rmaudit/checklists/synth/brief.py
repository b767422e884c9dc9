"""Families whose items are a brief and two texts that follow it: one table of data each.

A brief has a rule for each slot: a value to state, to begin or end with, or to leave out. A text
has a sentence for each slot, worded and placed by its style. `briefs/*.toml` holds the sentences
and the values; this module knows how they become a task.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth.base import Family, Fault, near_order, pick_style, worded
from rmaudit.checklists.synth.cues import GENERAL, Phrases
from rmaudit.checklists.synth.rules import (
    Break,
    FaultKind,
    Requirement,
    good_values,
    with_faults,
)

FOLDER = Path(__file__).with_name("briefs")
WRONG = 6
"""Wrong values that a rule can be broken with."""
Texts = Annotated[tuple[str, ...], Field(min_length=1)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Range(_Table):
    """Whole numbers, both ends included."""

    first: int
    last: int
    step: int = 1

    @property
    def texts(self) -> tuple[str, ...]:
        """As they are written."""
        return tuple(map(str, range(self.first, self.last + 1, self.step)))


class SlotTable(_Table):
    """One rule of a brief, with what a text and a reason say about it.

    kind, weight: of its fault. rule: what has to be done with a value. values, or form with its
    parts: where values come from; two values of a form share a part, so that a wrong one is near.
    wrong_form: where wrong values come from if not from there; also_wrong: one more wrong value.
    plain: what stands there instead of a value to leave out. subjects: the slot is made once for
    each of `many` of them, with values of its own. asks, lines, wordings: with `{right}`, `{value}`
    and `{wrong}`; lines may be given as `heads` and `tails` around a `core`.
    """

    name: str
    kind: str
    weight: Annotated[int, Field(ge=1, le=3)]
    rule: Literal["state", "begin", "end", "avoid"] = "state"
    always: bool = False
    values: tuple[str, ...] = ()
    form: str = ""
    wrong_form: str = ""
    also_wrong: tuple[str, ...] = ()
    parts: dict[str, tuple[str, ...] | Range] = {}
    plain: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    many: int = 1
    asks: Texts
    core: str = "{value}"
    heads: tuple[str, ...] = ()
    tails: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    wordings: Annotated[tuple[str, ...], Field(min_length=3)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if bool(self.values) == bool(self.form) or (self.wrong_form and not self.values):
            raise ValueError(f"{self.name}: it has values, or a form with parts")
        if (self.rule == "avoid") != bool(self.plain):
            raise ValueError(f"{self.name}: plain goes with the rule 'avoid'")
        return self

    @property
    def sentences(self) -> tuple[str, ...]:
        """How a text can say it."""
        return self.lines or worded(self.core, self.heads, self.tails)

    def draw(self, rng: Random) -> tuple[str, list[str]]:
        """A value, and wrong ones near it."""
        pools = {
            name: part.texts if isinstance(part, Range) else part
            for name, part in self.parts.items()
        }
        chosen = {name: rng.choice(pool) for name, pool in pools.items()}
        form = self.form or self.wrong_form
        right = rng.choice(self.values) if self.values else form.format(**chosen)
        near = {
            form.format(**{**chosen, name: other})
            for name, pool in pools.items()
            for other in rng.sample(pool, min(len(pool), WRONG))
        }
        wrong = sorted((near or {*self.values}) - {right})
        return right, [*rng.sample(wrong, min(len(wrong), WRONG)), *self.also_wrong]


class BriefTable(_Table):
    """One family: see `SlotTable` for its slots.

    fewest, most: how many rules a brief has. opening: sentences a text begins with. filler: what
    claims nothing. header: the request lists its rules as rows of a table below it, else as
    sentences or bullets below `lead`. joined: texts are prose, or one sentence a line.
    """

    name: str
    domain: str
    fewest: int
    most: int
    prompts: Texts
    topics: tuple[str, ...] = ()
    lead: str = ""
    header: str = ""
    closing: str = ""
    opening: tuple[str, ...] = ()
    fillers: Texts
    few_fillers: int = 2
    many_fillers: int = 4
    joined: Literal["prose", "lines"] = "prose"
    slot: Annotated[tuple[SlotTable, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if sum(one.many for one in self.slot) < self.most:
            raise ValueError(f"{self.name}: fewer slots than rules")
        return self


@dataclass(frozen=True, slots=True)
class BriefRule:
    """A requirement with its sentences; subject: what its values belong to, '' where nothing is."""

    requirement: Requirement
    place: Literal["head", "body", "tail"]
    sentences: tuple[str, ...]
    subject: str = ""

    def fault(self, rng: Random) -> Fault:
        """One way to break it; its facts begin with the subject."""
        fault = self.requirement.fault(rng)
        return replace(fault, facts=(self.subject, *fault.facts)) if self.subject else fault


@dataclass(frozen=True, slots=True)
class BriefTask:
    """A brief: its rules and its request."""

    table: BriefTable
    rules: tuple[BriefRule, ...]
    prompt: str

    @property
    def requirements(self) -> Sequence[Check]:
        """One a rule."""
        return tuple(rule.requirement.check for rule in self.rules)

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a rule, each broken in a way of its own."""
        return tuple(rule.fault(rng) for rule in self.rules)

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """The text: what it begins with, a sentence a slot and filler in a near order, its end."""
        rng = pick_style(style, self.table.name)
        requirements = [rule.requirement for rule in self.rules]
        values = with_faults(good_values(requirements, rng), faults)
        said: dict[str, list[str]] = {"head": [], "body": [], "tail": []}
        for rule in self.rules:
            line = rng.choice(rule.sentences)
            value = values[rule.requirement.slot]
            said[rule.place].append(line.format(value=value, subject=rule.subject))
        opening = [rng.choice(self.table.opening)] if self.table.opening else []
        count = rng.randint(self.table.few_fillers, self.table.many_fillers)
        fillers = rng.sample(self.table.fillers, min(count, len(self.table.fillers)))
        keys = list(zip(near_order(len(said["body"]), rng), said["body"], strict=True))
        keys += [(rng.uniform(0, len(said["body"])), text) for text in fillers]
        body = [text for _, text in sorted(keys)]
        if self.table.joined == "lines":
            return "\n".join([*said["head"], *opening, *body, *said["tail"]])
        blocks = [
            " ".join(block) for block in (said["head"], [*opening, *body], said["tail"]) if block
        ]
        return rng.choice((" ", "\n", "\n")).join(blocks)


def draw(table: BriefTable, rng: Random) -> BriefTask:
    """A brief with some of the rules of its family."""
    topic = rng.choice(table.topics) if table.topics else ""
    every = [made for slot in table.slot for made in _made(slot, rng)]
    fixed = [rule for slot, rule in every if slot.always]
    free = [rule for slot, rule in every if not slot.always]
    count = rng.randint(table.fewest, table.most) - len(fixed)
    rules = [*fixed, *rng.sample(free, count)]
    rng.shuffle(rules)
    asks = [rule.requirement.ask for rule in rules]
    opening = rng.choice(table.prompts).format(topic=topic)
    if table.header:
        rows = "\n".join([table.header, *asks])
        prompt = f"{opening}\n\n{rows}"
    elif rng.random() < 0.5:
        prompt = f"{opening} {table.lead}\n" + "\n".join(f"- {ask}" for ask in asks)
    else:
        prompt = " ".join([opening, *asks])
    return BriefTask(
        table, tuple(rules), f"{prompt}\n\n{table.closing}" if table.closing else prompt
    )


def _made(slot: SlotTable, rng: Random) -> Iterator[tuple[SlotTable, BriefRule]]:
    subjects: Sequence[str] = ("",)
    if slot.subjects:
        subjects = rng.sample(slot.subjects, slot.many)
    taken: set[str] = set()
    for number, subject in enumerate(subjects):
        right, wrong = slot.draw(rng)
        while taken & ({right, *wrong} - {*slot.values, *slot.also_wrong}):
            right, wrong = slot.draw(rng)
        if subject:
            taken |= {right, *wrong}
        yield slot, _rule(slot, f"{slot.name}{number}", subject, right, wrong, rng)


def _rule(
    slot: SlotTable, name: str, subject: str, right: str, wrong: Sequence[str], rng: Random
) -> BriefRule:
    kind = FaultKind(slot.kind, slot.weight, slot.wordings)
    good: tuple[str, ...] = (right,)
    breaks = [Break(kind, value, value) for value in wrong]
    if slot.rule == "avoid":
        good, breaks = slot.plain, [Break(kind, right, right)]
    requirement = Requirement(
        slot=name,
        check=_check(slot, subject, right),
        ask=rng.choice(slot.asks).format(right=right, subject=subject),
        right=right,
        good=good,
        breaks=breaks,
        names={"subject": subject},
    )
    place: Literal["head", "body", "tail"] = (
        "head" if slot.rule == "begin" else "tail" if slot.rule == "end" else "body"
    )
    return BriefRule(requirement, place, slot.sentences, subject)


def _check(slot: SlotTable, subject: str, right: str) -> Check:
    if slot.rule == "begin":
        return {"kind": "starts_with", "value": right}
    if slot.rule == "end":
        return {"kind": "ends_with", "value": right}
    if slot.rule == "avoid":
        return {"kind": "lacks", "value": right}
    if not subject and right[:1].isalnum():
        return {"kind": "contains", "value": right}
    return {"kind": "together", "values": [subject, right] if subject else [right]}


@cache
def table_of(name: str) -> BriefTable:
    """The data of a family, read once."""
    path = FOLDER / f"{name}.toml"
    return BriefTable.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def family(name: str, domain: str, phrases: Phrases = GENERAL) -> Family:
    """A family whose table is read when its first item is drawn."""
    return Family(name, domain, lambda rng: draw(table_of(name), rng), phrases=phrases)
