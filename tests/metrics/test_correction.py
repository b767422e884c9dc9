"""Holm's correction by hand and by its properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.metrics.correction import holm


def test_by_hand() -> None:
    # Ranked .01 .02 .03 .04: times 4, 3, 2, 1 = .04 .06 .06 .04, the last raised to .06.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, 0.4]) == pytest.approx([0.8, 0.8])
    assert holm([0.9, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_between_none_and_bonferroni(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p, a in zip(p_values, adjusted, strict=True):
        assert p <= a <= 1
        assert a <= min(1.0, len(p_values) * max(p_values))
    assert min(adjusted) == pytest.approx(min(1.0, len(p_values) * min(p_values)))
    ranked = sorted(zip(p_values, adjusted, strict=True))
    assert [a for _, a in ranked] == sorted(adjusted)
