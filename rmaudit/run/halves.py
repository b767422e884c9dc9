"""Rows of a model that judges each response alone: two answers, then one verdict on the pair.

An answer has the slot of its response and no order; the verdict has the key of the pair in the
order `ab`, since nothing was shown first.
"""

from __future__ import annotations

from collections.abc import Iterable

from rmaudit.records import Key, Side

SIDES: tuple[Side, Side] = ("a", "b")


def half(pair: Key, side: Side) -> Key:
    """The key of the answer about one response of a pair."""
    return Key(pair.item, pair.variant, side, None, pair.sample)


def pair_of(answer: Key) -> Key:
    """The key of the verdict that an answer belongs to; its own where it judges the pair."""
    if answer.slot == "pair":
        return answer
    return Key(answer.item, answer.variant, "pair", "ab", answer.sample)


def pairs_of(answers: Iterable[Key]) -> list[Key]:
    """The keys of the verdicts that answers belong to, each once, in order."""
    return list(dict.fromkeys(map(pair_of, answers)))


def answered_pairs(answers: Iterable[Key]) -> set[Key]:
    """The keys of verdicts whose answers are all there."""
    known = set(answers)
    return {
        pair
        for pair in map(pair_of, known)
        if pair in known or all(half(pair, side) in known for side in SIDES)
    }
