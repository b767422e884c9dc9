"""Whom reasons speak for, as the embedded reading tells it."""

from __future__ import annotations

from typing import Any

import pytest

from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.judging.answers import Malformed
from rmaudit.probing.blind import polarity, winner
from rmaudit.probing.blind_model import read_winner
from rmaudit.records import ModelReason, Verdict


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Response A omits the price.", -1),
        ("Response A gives 45 where the request asks for 60.", -1),
        ('Response B uses the word "cheap".', -1),
        ('Response A writes "not good" about itself.', 0),  # quotations are not read
        ("Response B is clear and engaging.", 1),
        ("Response A is better than Response B.", 1),
        ("Response B is worse.", -1),
        ("Response A is about a kettle.", 0),
    ],
)
def test_polarity(text: str, value: int) -> None:
    assert polarity(text) == value


@pytest.mark.parametrize(
    ("reasons", "side"),
    [
        ([("Response A omits the price.", "a")], "b"),
        ([("Response A is clear.", "a"), ("Response B omits it.", "b")], "a"),
        ([("Response A omits the price.", "a"), ("Response B omits it.", "b")], None),
        ([("It is unclear.", None), ("Both are wrong.", "both")], None),
        ([], None),
    ],
)
def test_winner(reasons: list[tuple[str, str | None]], side: Verdict) -> None:
    assert winner([ModelReason(text, about) for text, about in reasons]) == side  # type: ignore[arg-type]


@pytest.mark.slow
def test_on_reasons_of_all_families_and_of_the_planted_models() -> None:
    """The references of an item speak for its label; weights, which it cannot see, decide a few."""
    from tiny_genrm.lessons import PRAISE, REASONS

    right = told = 0
    for family in FAMILIES.values():
        for item in make_items([family], n=60, seed=5):
            side = winner([ModelReason(reason.text, reason.about) for reason in item.reasons])
            told += side is not None
            right += side == item.label
    assert told >= 0.85 * 300
    assert right >= 0.9 * told
    assert {polarity(text.format(side="A")) for text in PRAISE} == {1}
    wrong = {"wrong": "Otto", "right": "Juno", "side": "A"}
    assert {polarity(text.format(**wrong)) for text in REASONS.values()} == {-1}


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ('{"winner": "A"}', "a"),
        ('<think>{"winner": "A"}</think> So: {"winner": "Response B"}', "b"),
        ('```json\n{"winner": "unclear"}\n```', None),
        ('{"winner": "C"}', Malformed),
        ("A", Malformed),
        ('<think>{"winner": "A"}', Malformed),
        ('{"winner": "A"} {"winner": ', Malformed),
    ],
)
def test_answers_of_a_blind_judge(text: str, side: Any) -> None:
    if side is Malformed:
        with pytest.raises(Malformed):
            read_winner(text)
    else:
        assert read_winner(text) == side
