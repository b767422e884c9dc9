"""What a reference says is wrong, as values that can be looked for in a text.

A slot knows the wrong value (the response says it), the right one (the response lacks it) and what
identifies the place. Which is which is decided by looking: a fact that stands in the response more
often than in its repair is the wrong one, a fact that the repair gains is the right one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rmaudit.checklists.schema import Item, Reason
from rmaudit.records import Side
from rmaudit.truth.values import canonical

Part = Literal["wrong", "right", "context"]
_AMOUNT = re.compile(r"^([$€£]?)(\d[\d,]*(?:\.\d+)?)(%?)((?: [a-z][a-z/]*[23]?(?: [a-z]+){0,2})?)$")


@dataclass(frozen=True, slots=True)
class Slot:
    """What a reference is about.

    text: the reference. facts: what it states, each with its part. wrong, right: values that stand
    for the wrong or the right one. place, places: name the part, key or function that it is about,
    and others like it; placed: it is about no other even where none is named. own: the response.
    """

    about: Side
    text: str
    facts: tuple[tuple[str, Part], ...]
    wrong: frozenset[str]
    right: frozenset[str]
    place: re.Pattern[str] | None = None
    places: re.Pattern[str] | None = None
    placed: bool = False
    literals: tuple[str, ...] = ()
    cased: bool = False
    own: str = ""

    def part_of(self, value: str) -> Part | None:
        """Which part of the fault a value is."""
        form = normal(value, cased=self.cased)
        parts: tuple[tuple[Part, Iterable[str]], ...] = (
            ("wrong", self.wrong),
            ("right", self.right),
            ("context", [normal(fact, cased=self.cased) for fact, _ in self.facts]),
        )
        exact = [part for part, forms in parts if form in forms]
        return next(iter([*exact, *(part for part, forms in parts if _bare_in(form, forms))]), None)

    def values(self) -> Iterable[str]:
        """All values of the slot, as they are written."""
        return (*self.literals, *(fact for fact, _ in self.facts))


def normal(value: str, *, cased: bool = False) -> str:
    """A value without case, marks around it, thousands separators and currency."""
    text = canonical(value)
    text = text.strip(" `\"'*.,;:") or text
    amount = _AMOUNT.match(text)
    text = amount[2].replace(",", "") + amount[3] + amount[4] if amount else text
    return text if cased else text.casefold()


def same(value: str, fact: str, *, cased: bool = False) -> bool:
    """Whether a value is this fact; a number may stand without its unit."""
    form, wanted = normal(value, cased=cased), normal(fact, cased=cased)
    return form == wanted or _bare_in(form, [wanted])


def _bare_in(form: str, forms: Iterable[str]) -> bool:
    """Whether a number without unit is the number of one of the amounts."""
    return form.replace(".", "", 1).isdigit() and any(
        form == one.partition(" ")[0] for one in forms if _AMOUNT.match(one)
    )


def finder(values: Iterable[str], *, cased: bool = False) -> re.Pattern[str]:
    """An expression that finds any of the values, the longest first."""
    forms: set[str] = set()
    for value in values:
        text = canonical(value).strip("` ")
        forms.add(text)
        amount = _AMOUNT.match(text)
        if amount:
            plain = amount[2].replace(",", "")
            forms |= {amount[2] + amount[3], plain + amount[3], amount[1] + amount[2] + amount[3]}
    ordered = sorted(filter(None, forms), key=lambda form: (-len(form), form))
    whole = "|".join(
        (r"(?<![\w.])[$€£]?" if form[0].isdigit() else r"(?<!\w)" if form[0].isalnum() else "")
        + re.escape(form).replace(r"\ ", r"\s+")
        + (r"(?![\w%]|[.,:]\d)" if form[-1].isdigit() else r"(?!\w)" if form[-1].isalnum() else "")
        for form in ordered
    )
    return re.compile(whole or r"(?!)", 0 if cased else re.IGNORECASE)


def repaired(item: Item, reason: Reason) -> str:
    """The response with just this fault corrected; '' where the item has none."""
    for repair in item.repairs or ():
        if repair.fixes == [reason.id]:
            return repair.text
    return ""


def parts(item: Item, reason: Reason, facts: Sequence[str]) -> dict[str, Part]:
    """Which facts are the wrong value, the right one, or neither: by looking into the texts.

    Without a repair, what stands in the response is wrong, and what does not is right.
    """
    assert reason.about in ("a", "b")
    known, repair = finder(facts), repaired(item, reason)
    before, after = (
        Counter(normal(found[0]) for found in known.finditer(canonical(text)))
        for text in (item.response(reason.about), repair)
    )
    found: dict[str, Part] = {}
    for fact in facts:
        change = before[normal(fact)] - after[normal(fact)]
        if not repair:
            change = 1 if before[normal(fact)] else -1
        found[fact] = "wrong" if change > 0 else "right" if change < 0 else "context"
    return found


def made(
    reason: Reason,
    roles: Mapping[str, Part],
    *,
    also_wrong: Iterable[object] = (),
    also_right: Iterable[object] = (),
    **more: Any,
) -> Slot:
    """A slot.

    Args:
        reason: the reference.
        roles: its facts with their parts.
        also_wrong: further values that stand for the wrong one.
        also_right: the same for the right one.
        more: other fields of the slot.
    """
    assert reason.about in ("a", "b")
    cased = bool(more.get("cased"))
    values: dict[Part, set[str]] = {"wrong": set(), "right": set(), "context": set()}
    literals: list[str] = []
    also: tuple[tuple[Part, Iterable[object]], ...] = (("wrong", also_wrong), ("right", also_right))
    for part, others in also:
        literals += map(str, others)
        values[part] |= {normal(str(one), cased=cased) for one in others}
    for fact, part in roles.items():
        values[part].add(normal(fact, cased=cased))
    stated = canonical(reason.text)
    needed = [(fact, part) for fact, part in roles.items() if canonical(fact).strip("`") in stated]
    return Slot(
        about=reason.about,
        text=reason.text,
        facts=tuple(needed or roles.items()),
        wrong=frozenset(values["wrong"] - values["right"]),
        right=frozenset(values["right"] - values["wrong"]),
        literals=tuple(literals),
        **more,
    )
