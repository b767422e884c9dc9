"""Guidelines from the faults that a model overlooked: groups of faults, wording, leaks; pure.

A guideline is general: it names a kind of fault and what to look at. Facts of the items that it
came from would be learned by heart, so a guideline that holds any is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rmaudit.checklists.schema import Item, Reason
from rmaudit.embedded import words_a_fault
from rmaudit.prompts import flatten
from rmaudit.run.rows import MatchRow

MOST = 12
WORDS = 40
RUN = 6
"""So many words in a row of an item are a quotation."""

_OF_CHECK = {
    "max_chars": "count",
    "min_chars": "count",
    "max_words": "count",
    "min_words": "count",
    "bullet_count": "count",
    "line_count": "count",
    "json_length": "count",
    "lacks": "forbidden",
    "together": "value",
    "json_lacks_key": "forbidden",
    "starts_with": "frame",
    "ends_with": "frame",
    "json_valid": "structure",
    "json_equals": "structure",
    "json_type": "structure",
    "json_has_key": "structure",
    "number_equals": "calculation",
    "python_tests": "code",
    "sql_rows": "code",
}
WORDING = {
    "value": "Compare every name, number, date, price and place in each response with the request, "
    "and state both what the response says and what the request says.",
    "missing": "Go through the request demand by demand and name each one that a response leaves "
    "out, in the words of the request.",
    "forbidden": "Look in both responses for everything that the request rules out, and quote what "
    "should not be there.",
    "count": "Where the request sets a limit or a number of words, characters, lines or entries, "
    "count them in both responses and give the count beside the limit.",
    "frame": "Hold the first and the last line of each response against what the request "
    "prescribes for them, and quote the line that differs.",
    "structure": "Where a fixed format is asked for, check the name, type, form and value of every "
    "field, and name the field that is wrong.",
    "calculation": "Redo every calculation from the figures of the request and name the first step "
    "that goes wrong, with the figure used and the right one.",
    "code": "Run code in your head on ordinary, empty and boundary inputs, and give an input for "
    "which it returns something wrong, with the returned and the right result.",
    "other": "State concrete faults of a single response, each with the words or the place in the "
    "response that show it, before any general impression.",
}
"""One guideline a group of faults, in our own words."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CAPITALS = frozenset({"Response", "A", "B", "I", "JSON", "Responses"})
_QUOTED = re.compile(r"[\"“”„«»`]|(?<!\w)['‘][^'’]+['’](?!\w)")


class Missed(NamedTuple):
    """A reference that no reason of an answer matched."""

    item: Item
    reason: Reason


def missed(
    items: Mapping[str, Item], rows: Iterable[MatchRow], *, hit: float
) -> tuple[list[Missed], int]:
    """References that were overlooked, each once, and how many were looked for.

    Args:
        items: by id.
        rows: of matches.jsonl; those that the judge failed on say nothing.
        hit: from this score on a matched reason is a hit.
    """
    found: dict[tuple[str, str], Missed] = {}
    looked = 0
    for row in rows:
        if row.matches.failure is not None or row.key.variant != "base":
            continue
        item = items[row.key.item]
        hits = {edge.ref for edge in row.matches.edges if edge.score >= hit}
        looked += len(item.reasons)
        for number, reason in enumerate(item.reasons):
            if number not in hits:
                found[item.id, reason.id] = Missed(item, reason)
    return list(found.values()), looked


def group_of(one: Missed) -> str:
    """The kind of fault: by the reason's check, else by how the reason words it."""
    kind = (one.reason.check or {}).get("kind")
    if kind in _OF_CHECK:
        return _OF_CHECK[kind]
    if one.item.domain == "math" or one.item.meta.get("family") == "arithmetic":
        return "calculation"
    text = one.reason.text.casefold()
    for claim, name in (("extra", "forbidden"), ("wrong", "value"), ("missing", "missing")):
        if words_a_fault(claim, text):
            return name
    return "value" if kind is not None or re.search(r"\d|[\"“`]", text) else "other"


def grouped(found: Sequence[Missed]) -> dict[str, list[Missed]]:
    """By kind of fault, the most frequent first."""
    counts = Counter(map(group_of, found))
    groups: dict[str, list[Missed]] = {name: [] for name, _ in counts.most_common()}
    for one in found:
        groups[group_of(one)].append(one)
    return groups


def worded(found: Sequence[Missed]) -> list[str]:
    """A guideline for each group, the most frequent first, without any model."""
    return [WORDING[name] for name in grouped(found)][:MOST]


def examples(found: Sequence[Missed], *, most: int) -> list[Missed]:
    """At most so many, from all groups in turn."""
    groups = [list(group) for group in grouped(found).values()]
    chosen: list[Missed] = []
    while len(chosen) < most and any(groups):
        for group in groups:
            if group and len(chosen) < most:
                chosen.append(group.pop(0))
    return chosen


class Leaks:
    """Finds details of items in a text; made once for the items that were read."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._names: set[str] = set()
        self._facts: set[str] = set()
        self._runs: set[tuple[str, ...]] = set()
        for item in items:
            texts = [flatten(item.prompt), item.response_a, item.response_b]
            texts += [reason.text for reason in item.reasons]
            for text in texts:
                words = _WORD.findall(text)
                self._names |= {word for word in words if word[0].isupper()}
                lower = [word.casefold() for word in words]
                self._runs |= set(zip(*(lower[k:] for k in range(RUN)), strict=False))
            for facts in (item.meta.get("facts") or {}).values():
                self._facts |= {fact.casefold() for fact in facts if _WORD.fullmatch(fact)}

    def why(self, text: str) -> str:
        """What in a guideline comes from the items; empty where nothing does."""
        words = _WORD.findall(text)
        if re.search(r"\d", text):
            return "it holds a number"
        if _QUOTED.search(text):
            return "it holds a quotation"
        names = [
            word
            for before, word in zip([".", *words], words, strict=False)
            if before != "." and word[0].isupper() and word in self._names - _CAPITALS
        ]
        if names:
            return f"it names {names[0]}"
        lower = [word.casefold() for word in words]
        told = next((word for word in lower if word in self._facts), None)
        if told is not None:
            return f"it tells the fact {told}"
        if self._runs & set(zip(*(lower[k:] for k in range(RUN)), strict=False)):
            return "it repeats a sentence of an item"
        return ""
