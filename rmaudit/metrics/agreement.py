"""How far two judges agree: on pairs of a reference and a reason, and on the rc of items.

One of the two may be the truth, a person or another judge; `judged - truth` is its error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.matching import GRID

SAME = 0.5
"""From this score on, a reason counts as stating the reference."""


class PairAgreement(NamedTuple):
    """Agreement on pairs; None where it is undefined.

    Attributes:
        n: pairs.
        same: pairs that the truth scores 0.5 or more.
        precision: of the pairs that the judge scores 0.5 or more, the share that the truth does.
        recall: of the pairs that the truth scores 0.5 or more, the share that the judge does.
        kappa: Cohen's kappa on the five levels, with quadratic weights.
    """

    n: int
    same: int
    precision: float | None
    recall: float | None
    kappa: float | None


class ItemAgreement(NamedTuple):
    """Agreement on a number of each item; None where it is undefined.

    Attributes:
        n: items.
        r: Pearson's correlation.
        bias: mean of judged - truth.
        rmse: root of the mean squared difference.
        r2: 1 - squared differences / squared deviations of the truth from its mean.
    """

    n: int
    r: float | None
    bias: float | None
    rmse: float | None
    r2: float | None


def pair_agreement(truth: Sequence[float], judged: Sequence[float]) -> PairAgreement:
    """Agreement of the judge's scores with the truth, pair by pair.

    Raises:
        ValueError: the lengths differ, or a score is not on the grid 0, .25, .5, .75, 1.
    """
    real, said = _columns(truth, judged)
    if not np.isin(np.concatenate([real, said]), GRID).all():
        raise ValueError("a score is not on the grid 0, 0.25, 0.5, 0.75, 1")
    positive, claimed = real >= SAME, said >= SAME
    both = int((positive & claimed).sum())
    return PairAgreement(
        n=len(real),
        same=int(positive.sum()),
        precision=_share(both, int(claimed.sum())),
        recall=_share(both, int(positive.sum())),
        kappa=weighted_kappa(truth, judged),
    )


def item_agreement(truth: Sequence[float], judged: Sequence[float]) -> ItemAgreement:
    """Agreement of one number an item.

    Raises:
        ValueError: the lengths differ.
    """
    real, said = _columns(truth, judged)
    if not len(real):
        return ItemAgreement(0, None, None, None, None)
    error = said - real
    spread = float(((real - real.mean()) ** 2).sum())
    return ItemAgreement(
        n=len(real),
        r=_correlation(real, said),
        bias=float(error.mean()),
        rmse=float(np.sqrt((error**2).mean())),
        r2=1 - float((error**2).sum()) / spread if spread > 0 else None,
    )


def weighted_kappa(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Cohen's kappa with weights (x - y)^2 (Cohen 1968): 1 - mean (x - y)^2 / its mean by chance.

    The chance mean pairs every score of the first with every score of the second. None where it
    is 0: both give one and the same score throughout.
    """
    x, y = _columns(first, second)
    if not len(x):
        return None
    by_chance = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    return 1 - float(((x - y) ** 2).mean() / by_chance) if by_chance > 0 else None


def _correlation(x: FloatArray, y: FloatArray) -> float | None:
    dx, dy = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((dx**2).sum() * (dy**2).sum()))
    return float((dx * dy).sum()) / scale if scale > 1e-12 else None


def _columns(first: Sequence[float], second: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape:
        raise ValueError(f"{len(x)} scores against {len(y)}")
    return x, y


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
