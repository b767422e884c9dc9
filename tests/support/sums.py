"""Sums by cluster and the evidence that they give."""

from __future__ import annotations

import numpy as np

from rmaudit.metrics.arrays import FloatArray
from rmaudit.metrics.evidence import Extended, extended_evidence
from rmaudit.metrics.resampling import bootstrap_sums
from rmaudit.metrics.stats import Limits, ratio
from rmaudit.metrics.unseen import parts_of_ratio


def of_values(values: FloatArray) -> FloatArray:
    """Group sums of a mean with one value a group."""
    return np.column_stack([values, np.ones_like(values)])


def extended_of(
    sums: FloatArray, *, limits: Limits = (0.0, 1.0), resamples: int = 2000, seed: int = 0
) -> Extended:
    """The evidence of a ratio that needs resampling."""
    resampled = bootstrap_sums(sums, resamples=resamples, seed=seed)
    found = extended_evidence(
        float(ratio(sums.sum(axis=0))),
        ratio(resampled),
        parts_of_ratio(sums, resampled),
        limits=limits,
        seed=seed,
    )
    assert isinstance(found, Extended)
    return found
