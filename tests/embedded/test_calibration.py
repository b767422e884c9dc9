"""What a level of the rules is worth, by the share of the facts that is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.embedded.calibration import calibrated
from rmaudit.metrics.matching import GRID

SHARES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("level", "share", "score"),
    [
        (1.0, 1.0, 1.0),  # .49 + .57 + .07 = 1.13
        (1.0, 0.5, 0.75),  # .49 + .285 + .07 = .845
        (0.75, 0.3, 0.5),  # .3675 + .171 + .07 = .6085
        (0.5, 0.8, 0.75),  # .245 + .456 + .07 = .771
        (0.5, 0.5, 0.5),  # .245 + .285 + .07 = .6
        (0.5, 0.0, 0.25),  # .245 + .07 = .315
        (0.25, 1.0, 0.25),
        (0.0, 0.19, 0.0),
        (0.0, 0.3, 0.25),
        (0.0, 0.9, 0.5),
    ],
)
def test_by_hand(level: float, share: float, score: float) -> None:
    assert calibrated(level, share, blames=True) == score


@given(SHARES)
def test_what_blames_nobody_stays_at_nothing(share: float) -> None:
    assert calibrated(0.0, share, blames=False) == 0.0


@given(st.sampled_from(GRID), SHARES, SHARES, st.booleans())
def test_more_of_the_facts_is_never_worth_less(
    level: float, one: float, two: float, blames: bool
) -> None:
    low, high = (calibrated(level, share, blames=blames) for share in sorted((one, two)))
    assert low in GRID
    assert low <= high
