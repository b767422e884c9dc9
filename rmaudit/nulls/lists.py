"""The same-item nulls of an item, and the cut of a null to the length that a model may give.

Neutral ones say what differs. Sided ones lay it to the losing response as a fault: a null has the
right verdict. Of a tie there is no loser, and a sided null lays its reasons to either in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from random import Random
from typing import TypeVar

import regex

from rmaudit.checklists.controls import losing_side
from rmaudit.checklists.schema import Item
from rmaudit.parsing.sides import reason_about
from rmaudit.records import ModelReason, Side
from rmaudit.text.differences import all_sentences, own_sentences, word_runs

MOST_SHOWN = 300
"""So many characters of a passage are quoted; a longer one ends with an ellipsis."""
FEWEST_IN_CLAUSE = 3

_NAMES: dict[Side, str] = {"a": "Response A", "b": "Response B"}
_OTHER: dict[Side, Side] = {"a": "b", "b": "a"}
_CLAUSE_END = regex.compile(r"(?<!\d)[,;](?=\s)|[，；、]")
_CLOSING = " \t.。!！?？,，;；:："

NullList = list[ModelReason]
Thing = TypeVar("Thing")


def diff_words(item: Item) -> NullList:
    """Every run of words in which the responses differ, without a word on which is right."""
    return _reasons(
        f"{_NAMES['a']} says {_shown(run.first)} where {_NAMES['b']} says {_shown(run.second)}."
        for run in word_runs(item.response_a, item.response_b)
    )


def diff_words_sided(item: Item) -> NullList:
    """Every run of words in which the responses differ, as a fault of the loser."""
    return _reasons(
        _run_as_fault(loser, *(run if loser == "a" else (run.second, run.first)))
        for loser, run in _laid(item, word_runs(item.response_a, item.response_b))
    )


def diff_sentences(item: Item) -> NullList:
    """Every sentence that only one of the responses has."""
    return _reasons(
        f"{_NAMES[side]} says {_shown(sentence)}, and {_NAMES[_OTHER[side]]} does not."
        for side, sentence in _sentences_of_one(item)
    )


def diff_sentences_sided(item: Item) -> NullList:
    """Every sentence that only one of the responses has, as wrong of the loser or missing there."""
    return _reasons(
        f"{_NAMES[loser]} wrongly says {_shown(sentence)}."
        if side == loser
        else f"{_NAMES[loser]} wrongly leaves out {_shown(sentence)}."
        for loser, (side, sentence) in _laid(item, _sentences_of_one(item))
    )


def constraints(item: Item) -> NullList:
    """Every demand of the request, as one that the loser does not meet."""
    return _reasons(
        f"{_NAMES[loser]} does not meet this demand: {_cut(demand)}."
        for loser, demand in _laid(item, demands(item))
    )


def restated(item: Item) -> NullList:
    """Every demand of the request as it is; no reason names a side."""
    return _reasons(f"The request says {_shown(demand)}." for demand in demands(item))


NULLS: dict[str, Callable[[Item], NullList]] = {
    null.__name__: null
    for null in (
        diff_words,
        diff_words_sided,
        diff_sentences,
        diff_sentences_sided,
        constraints,
        restated,
    )
}
"""Every null by its name; each gives the whole list, in item coordinates, uncut."""

SIDED = frozenset({"diff_words_sided", "diff_sentences_sided", "constraints"})
"""The nulls that lay what they say to the losing response."""


def cut(reasons: Sequence[ModelReason], *, max_reasons: int, seed: int, item: str) -> NullList:
    """At most so many of the reasons of a null, in an order drawn for this item.

    The seed and the item's id decide the order.
    """
    drawn = list(reasons)
    Random(f"null/{seed}/{item}").shuffle(drawn)
    return drawn[:max_reasons]


def demands(item: Item) -> list[str]:
    """What the users and the system ask for: sentences and their longer clauses, each once."""
    turns = [turn.content for turn in item.prompt if turn.role in ("user", "system")]
    clauses = (
        clause.strip(_CLOSING)
        for text in turns
        for sentence in all_sentences(text)
        for clause in _clauses(sentence)
    )
    return list(dict.fromkeys(clause for clause in clauses if clause))


def _clauses(sentence: str) -> Iterator[str]:
    """The sentence at its commas, where every part is long enough to say something."""
    parts = _CLAUSE_END.split(sentence)
    if all(len(part.split()) >= FEWEST_IN_CLAUSE for part in parts):
        yield from parts
    else:
        yield sentence


def _sentences_of_one(item: Item) -> list[tuple[Side, str]]:
    texts: dict[Side, str] = {"a": item.response_a, "b": item.response_b}
    return [
        (side, sentence)
        for side, text in texts.items()
        for sentence in own_sentences(text, texts[_OTHER[side]])
    ]


def _laid(item: Item, things: Iterable[Thing]) -> Iterator[tuple[Side, Thing]]:
    """Each thing with the response that it is laid to."""
    loser = losing_side(item)
    sides: Sequence[Side] = ("a", "b") if loser is None else (loser,)
    return zip(cycle(sides), things, strict=False)


def _run_as_fault(loser: Side, own: str, other: str) -> str:
    if not own:
        return f"{_NAMES[loser]} wrongly leaves out {_shown(other)}."
    if not other:
        return f"{_NAMES[loser]} wrongly adds {_shown(own)}."
    return f"{_NAMES[loser]} wrongly says {_shown(own)} instead of {_shown(other)}."


def _shown(passage: str) -> str:
    """The passage in quotation marks, which do not occur inside; "nothing" where there is none."""
    if not passage:
        return "nothing"
    return '"' + _cut(passage).replace('"', "'") + '"'


def _cut(passage: str) -> str:
    return passage if len(passage) <= MOST_SHOWN else passage[:MOST_SHOWN].rstrip() + " …"


def _reasons(texts: Iterable[str]) -> NullList:
    """What the texts say as reasons, each about the side that a reader of answers finds in it."""
    return [ModelReason(text, *reason_about(text)) for text in texts]
