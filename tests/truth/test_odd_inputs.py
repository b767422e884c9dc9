"""Texts that could break a reader of text: nothing raises, nothing takes long, scores are valid."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import pytest

from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.records import ModelReason
from rmaudit.truth.reader import Verdict
from rmaudit.truth.score import MOST_READ, decide

PARTS = [
    '"', "'", "a' ", "`", "``a`", "1,", "1.", "9:1/", "Response A and ", "both of the ",
    "it is true that ", "( ", "[", "{", "\\", "\u0301", "\u200b", "\u202e", "\ud800", "\0", "\n",
    "Aa-Aa ", "a, Bb ", "$1,000.00 ", "1e400 ", "回答A", '"a" ', "— ", "*_",
    "Response A ('Response B') ",
]  # fmt: skip
SECONDS = 2.0


class Agreeable:
    """States everything: what is paid then is up to values alone."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """The same of each pair."""
        return ["states"] * len(pairs)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_any_text_is_decided_soon(family: str) -> None:
    item = make_items([FAMILIES[family]], n=1, seed=77)[0]
    facts = [str(fact) for many in item.meta["facts"].values() for fact in many]
    for part in [*PARTS, *(f"{fact} " for fact in facts), ""]:
        longest = (part * MOST_READ)[:MOST_READ]
        told = [
            ModelReason(text, about)
            for text in (part, longest, f"Response A {longest}"[:MOST_READ])
            for about in ("a", None)
        ]
        begun = process_time()
        found = decide(item, told, Agreeable())
        assert process_time() - begun < SECONDS * len(told), part
        assert {cell for row in found.matrix for cell in row} <= {0, 0.5, 1}, part
        assert len(found.claims) == len(told)


@pytest.mark.parametrize("family", FAMILIES)
def test_many_reasons_and_huge_ones(family: str) -> None:
    item = make_items([FAMILIES[family]], n=1, seed=78)[0]
    told = [ModelReason("x" * 1_000_000, "a")] * 50
    told += [ModelReason(f"Response A says {number}.", "a") for number in range(200)]
    found = decide(item, told, Agreeable())
    assert found.claims[:50] == (None,) * 50
    assert decide(item, []).claims == ()
