"""The verdict that a gold judgment states, held against the label."""

from __future__ import annotations

import re

from rmaudit.checklists.references.finding import ReferenceFinding
from rmaudit.checklists.schema import Item
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import DEFAULT_NAMES
from rmaudit.parsing.verdict_grammar import read_label
from rmaudit.records import Verdict
from rmaudit.text.masking import fold
from rmaudit.text.sentences import sentences

_SIDE_WORDS = {"a": "for response a", "b": "for response b", "tie": "for a tie"}
# What may stand around a plain verdict: `Overall, Response A is better because ...`.
_LEAD = re.compile(r"(?:overall|in summary|in conclusion|so|thus|hence|therefore),?\s", re.I)
_REST = re.compile(r"\s(?:than|because|since)\s", re.I)


def gold_finding(item: Item, verdict: Verdict) -> ReferenceFinding | None:
    """The finding where a gold judgment that states `verdict` stands against the label."""
    if verdict is None or item.label is None or verdict == item.label:
        return None
    said = f"decides {_SIDE_WORDS[verdict]}, the label {_SIDE_WORDS[item.label]}"
    return ReferenceFinding("gold", item.id, "gold_judgment.text", said)


def gold_verdict(text: str) -> Verdict:
    """The verdict of a judgment in prose; None where it states none that can be read.

    A verdict in a form of its own counts as in a model's answer. Without one, the first or the
    last sentence may state it (`Response B is better.`); where those two differ, neither counts.
    """
    judgment = parse_pairwise(text, finish_reason="stop", max_reasons=0)
    if judgment.verdict is not None:
        return None if "conflict" in judgment.flags else judgment.verdict
    spoken = [sentence for line in text.splitlines() for sentence in sentences(line)]
    stated = {verdict for end in (spoken[:1], spoken[-1:]) if (verdict := _stated(end))}
    return stated.pop() if len(stated) == 1 else None


def _stated(end: list[str]) -> Verdict:
    if not end:
        return None
    plain = _LEAD.sub("", fold(end[0]).text, count=1) if _LEAD.match(end[0]) else fold(end[0]).text
    label = read_label(_REST.split(plain, maxsplit=1)[0], names=DEFAULT_NAMES)
    return label.verdict if label else None
