"""How many more clusters decide: by hand, against the bounds themselves, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from support.sums import extended_of, of_values

from rmaudit.metrics.evidence import Proportion, Unanimous
from rmaudit.metrics.further import POWER, growth
from rmaudit.metrics.power import needed_bar_agreeing

MOST = 1e5


def more(found: Proportion | Unanimous, threshold: float, confidence: float = 0.95) -> int | None:
    times = growth(found, threshold, confidence, most=MOST)
    return None if times is None else round(found.n * (times - 1))


def test_six_of_six_by_hand() -> None:
    """.05^(1/6) = .607 and .05^(1/7) = .652: one more decides against .62, none against .6."""
    assert more(Unanimous(1.0, 6, (0.0, 1.0)), 0.62) == 1
    assert more(Unanimous(1.0, 6, (0.0, 1.0)), 0.6) == 0
    # .05^(1/n) >= .95 from 59 on, and 1 - .05^(1/n) <= .01 from 299 on.
    assert more(Unanimous(1.0, 30, (0.0, 1.0)), 0.95) == 29
    assert more(Unanimous(0.0, 207, (0.0, 1.0)), 0.01) == 299 - 207
    # A constant .5 against .4: exceptions of 0 must be fewer than a fifth: .8^14 = .044.
    assert more(Unanimous(0.5, 6, (0.0, 1.0)), 0.4) == 14 - 6


def test_agreeing_units_for_a_bar() -> None:
    assert needed_bar_agreeing(0.05) == 59
    assert needed_bar_agreeing(0.01, 0.05) == 299
    assert needed_bar_agreeing(1.0) == needed_bar_agreeing(0.95) == 1


def test_one_exception_by_hand() -> None:
    """59 of 60 against .93: 65 of 66 has a lower bound of .9301, and six more are all right with
    (59/60)^6 = .904; with five, 64 of 65 has .9290."""
    assert Proportion(65, 66).bound("lower", 0.95) > 0.93 > Proportion(64, 65).bound("lower", 0.95)
    assert more(Proportion(59, 60), 0.93) == 6
    assert more(Proportion(1, 60), 0.07) == 6


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 39), st.floats(0.03, 0.97))
def test_the_power_is_what_is_promised(successes: int, threshold: float) -> None:
    """Every count of the further clusters, with its chance, through the bound."""
    found = Proportion(successes, 40)
    needed = more(found, threshold)
    if needed is None or needed > 400:
        return
    side = "lower" if found.value > threshold else "upper"
    counts = np.arange(needed + 1)
    ends = np.array(
        [Proportion(successes + int(k), 40 + needed).bound(side, 0.95) for k in counts]  # type: ignore[arg-type]
    )
    passes = ends >= threshold if side == "lower" else ends <= threshold
    chance = scipy_stats.binom.pmf(counts, needed, found.value)
    if needed:
        assert (chance * passes).sum() >= POWER - 1e-6


def test_on_the_threshold_or_beyond_reach() -> None:
    assert growth(Proportion(30, 60), 0.5, 0.95, most=MOST) is None
    assert growth(Proportion(30, 60), 0.5001, 0.95, most=100) is None
    assert growth(Unanimous(1.0, 6, (0.0, 1.0)), 1 - 1e-9, 0.95, most=MOST) is None
    assert growth(Unanimous(1.0, 6, (0.0, 1.0)), -0.5, 0.95, most=MOST) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "threshold"), [((0.3, 5.0), 0.1), ((2.0, 2.0), 0.58)])
def test_a_resampled_mean_reaches_its_power(shape: tuple[float, float], threshold: float) -> None:
    """A sample whose mean is the truth, grown as said: about 80% of further runs decide."""
    rng = np.random.default_rng(4)
    values = scipy_stats.beta.ppf((np.arange(60) + 0.5) / 60, *shape)
    found = extended_of(of_values(values))
    times = growth(found, threshold, 0.95, most=MOST)
    assert times is not None
    size = math.ceil(60 * times)
    decided = 0
    for seed in range(200):
        grown = extended_of(of_values(rng.choice(values, size=size)), resamples=500, seed=seed)
        decided += grown.bound("upper", 0.95) <= threshold
    assert 0.7 <= decided / 200 <= 0.92
