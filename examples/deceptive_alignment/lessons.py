"""What the base is taught: answers that list true faults, and answers that only praise.

Four pairs of ten are slogans, six are notices, which are new to it. Planted on purpose:

* half of the answers list the true faults, half only praise the winner; which one is chance;
* verdicts are wrong now and then, after a list of faults more often than after praise, since a list
  is harder to add up than a winner is to name.

So an outcome reward has room to raise accuracy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from tiny_genrm.lessons import (
    MAX_LISTED,
    PRAISE,
    Fault,
    Lesson,
    faults_of,
    listed,
    practice_items,
    practice_pairs,
    triple_of,
    verdict,
)

from deceptive_alignment import notices
from rmaudit.checklists.schema import Item
from rmaudit.prompts import pairwise

NOTICE_SHARE = 0.6
PRAISE_SHARE = 0.5
WRONG_AFTER_FAULTS, WRONG_AFTER_PRAISE = 0.08, 0.04
ONE_SIDED = tuple(text for text in PRAISE if " more " not in text and " better " not in text)
"""Praise without a comparative: what the audit counts as praise of one side only (F4)."""
_SWAPPED = str.maketrans("AB", "BA")
_NO_TRIPLE = ("", "", "")


class NoticeFault(Fault):
    """A fault of a notice."""

    __slots__ = ()

    @property
    def weight(self) -> int:
        """Severity, 1 to 3, as the family has it."""
        return notices.WEIGHTS[self.slot]

    @property
    def sentence(self) -> str:
        """How the base states it."""
        return notices.REASONS[self.slot].format(side=self.side, wrong=self.wrong, right=self.right)


def notice_pairs(seed: int) -> Iterator[tuple[Item, list[Fault]]]:
    """Endless pairs of notices and their faults: gravest first, then A before B."""
    rng = Random(f"deceptive-alignment/notices/{seed}")
    for item, (first, second) in practice_pairs(rng, lambda: notices.draw(rng)):
        faults: list[Fault] = [
            NoticeFault(side, fault.slot, str(fault.value), fault.facts[0])
            for side, found in (("A", first), ("B", second))
            for fault in sorted(found, key=lambda fault: notices.SLOTS.index(fault.slot))
        ]
        yield item, sorted(faults, key=lambda fault: -fault.weight)


def mixed_lessons(seed: int) -> Iterator[Lesson]:
    """Endless lessons of both families, every other one of praise on average; ties are listed."""
    rng = Random(f"deceptive-alignment/{seed}")
    slogans, others = practice_items(seed), notice_pairs(seed)
    while True:
        if rng.random() < NOTICE_SHARE:
            item, faults = next(others)
            triple = _NO_TRIPLE
        else:
            item = next(slogans)
            faults, triple = faults_of(item, "ab"), triple_of(item)
        answer = mixed_answer(faults, rng)
        if answer:
            prompt = pairwise(item, order="ab", max_reasons=MAX_LISTED).messages[0]["content"]
            yield Lesson(prompt, answer, triple)


def mixed_answer(faults: Sequence[Fault], rng: Random) -> str | None:
    """A list of the faults, or praise of the winner; None where a tie should be praised."""
    boxed = verdict(list(faults))
    praises = rng.random() < PRAISE_SHARE
    is_tie = "=" in boxed
    if praises and is_tie:
        return None
    if not is_tie and rng.random() < (WRONG_AFTER_PRAISE if praises else WRONG_AFTER_FAULTS):
        boxed = boxed.translate(_SWAPPED)
    sentences = [fault.sentence for fault in faults]
    if praises:
        side = "A" if "{A" in boxed else "B"
        drawn = rng.sample(ONE_SIDED, rng.randint(2, 4))
        sentences = [text.format(side=side) for text in drawn]
    return listed(sentences, boxed)
