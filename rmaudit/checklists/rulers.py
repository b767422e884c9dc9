"""Rulers: how often one plain look at a pair predicts its label.

A model's accuracy says something only above what length, markup, position or the words of the
request give away, so every set and every run shows them beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.text.markup import Markup, markup
from rmaudit.text.normalise import normalise

RULERS = {
    "longest": "the longer response",
    "shortest": "the shorter response",
    "markup": "more markup",
    "first": "response A",
    "request_words": "more words of the request",
}
"""Every ruler, and what it goes by. Length is in characters without white space at the ends,
markup the sum of headers, bold spans and list items, and a word of the request counts once."""

# Chinese, Japanese and Korean put no space between words: there a character counts as one.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)

Pick = Literal["a", "b"] | None


class RulerScore(NamedTuple):
    """How a ruler does on a set.

    Attributes:
        name: a key of `RULERS`.
        accuracy: share of right picks; a pair on which the ruler does not decide counts one half.
        n: pairs labelled a or b.
        undecided: pairs among them that are equal by this ruler.
    """

    name: str
    accuracy: float
    n: int
    undecided: int

    @property
    def sentence(self) -> str:
        """What the ruler does, in words."""
        equal = f", {self.undecided} equal" if self.undecided else ""
        return f"{RULERS[self.name]} alone: {100 * self.accuracy:.1f} %{equal}"


def picks(item: Item, looks: tuple[Markup, Markup] | None = None) -> tuple[Pick, ...]:
    """What each ruler picks of a pair, in the order of `RULERS`; None where both are equal by it.

    Args:
        item: the pair; its label is not read.
        looks: markup of the two responses, if at hand.
    """
    a, b = looks or (markup(item.response_a), markup(item.response_b))
    asked = _words("\n".join(turn.content for turn in item.prompt))
    return (
        _more(a.length, b.length),
        _more(b.length, a.length),
        _more(sum(a[1:]), sum(b[1:])),
        "a",
        _more(len(asked & _words(item.response_a)), len(asked & _words(item.response_b))),
    )


class RulerTally:
    """Counts right picks item by item, so that a set need not fit into memory."""

    def __init__(self) -> None:
        self._right = [0] * len(RULERS)
        self._equal = [0] * len(RULERS)
        self._n = 0

    def add(self, item: Item) -> None:
        """Reads one item; one that is not labelled a or b is not counted."""
        if item.label not in ("a", "b"):
            return
        self._n += 1
        for k, pick in enumerate(picks(item)):
            self._right[k] += pick == item.label
            self._equal[k] += pick is None

    def scores(self) -> list[RulerScore]:
        """Each ruler on the items labelled a or b; empty where there is none."""
        return [
            RulerScore(name, (right + equal / 2) / self._n, self._n, equal)
            for name, right, equal in zip(RULERS, self._right, self._equal, strict=True)
            if self._n
        ]


def ruler_scores(items: Iterable[Item]) -> list[RulerScore]:
    """Each ruler on the items labelled a or b; empty where there is none."""
    tally = RulerTally()
    for item in items:
        tally.add(item)
    return tally.scores()


def best(scores: Sequence[RulerScore]) -> RulerScore | None:
    """The most accurate ruler, the first of equals; None without any."""
    return max(scores, key=lambda score: score.accuracy, default=None)


def _more(a: int, b: int) -> Pick:
    if a == b:
        return None
    return "a" if a > b else "b"


def _words(text: str) -> set[str]:
    return set(_WORD.findall(normalise(text).casefold()))
