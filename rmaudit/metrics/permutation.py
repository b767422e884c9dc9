"""Tests of no difference between two runs: what would exchanging them within clusters give?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.resampling import CHUNK_CELLS
from rmaudit.metrics.stats import EPSILON


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p-value of McNemar's test from the two discordant counts."""
    if only_first + only_second == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(only_first, only_first + only_second).pvalue)


def sign_flips(n_groups: int, *, permutations: int, seed: int) -> tuple[Iterator[FloatArray], bool]:
    """Draw exchanges of the two runs within clusters, as signs.

    Args:
        n_groups: G.
        permutations: P, how many to draw.
        seed: of the draws.

    Returns:
        Signs [p, G] in chunks, and whether they are all that there are: 2^G is no more than P + 1.
    """
    if n_groups < 63 and 2**n_groups <= permutations + 1:
        bits = np.arange(2**n_groups)[:, None] >> np.arange(n_groups) & 1
        return iter([_signs(bits)]), True

    def chunks() -> Iterator[FloatArray]:
        rng = np.random.default_rng([seed, 1])  # not the stream of the bootstrap
        step = max(1, CHUNK_CELLS // n_groups)
        for start in range(0, permutations, step):
            shape = min(step, permutations - start), n_groups
            yield _signs(rng.integers(0, 2, size=shape, dtype=np.int8))

    return chunks(), False


def flip_p_value(observed: float, others: FloatArray, *, exact: bool) -> float:
    """Two-sided p-value: the share of exchanges with a difference at least as large.

    The observed one counts among them, which keeps the level (Phipson and Smyth 2010).

    Args:
        observed: the difference.
        others: [P] differences after exchanges; an undefined one counts as large.
        exact: `others` holds every exchange, the observed one too.
    """
    large = int((~(np.abs(others) < abs(observed) - EPSILON)).sum())
    return large / len(others) if exact else (large + 1) / (len(others) + 1)


def _signs(bits: NDArray[np.int64] | NDArray[np.int8]) -> FloatArray:
    signs: FloatArray = 1.0 - 2.0 * bits.astype(np.float64)
    return signs
