"""Which metrics rest on a judge's or labeller's reading, so that an approximate one spoils them."""

from __future__ import annotations

from typing import Literal

Reader = Literal["judge", "labeler"]

_WITHOUT = (
    "accuracy",
    "order_consistency",
    "first_position_bias",
    "length_bias",
    "style.",
    "rm_bench.",
    "self_consistency",
    "calibration.",
    "risk_coverage",
    "cycle_rate",
    "cross_mode_consistency",
    "trap_rate",
    "reason_sensitivity",
    "sensitivity.",
    "specification_gap",
    "rationale_causality",
    "rc.length_ceiling",
    "coverage.",
    "l_acc",
    "grounded",
)
_WITH = ("coverage.matched",)
_LABELLED = ("flaw.", "category.", "f_score", "s_corr", "spurious_mass", "compat.r_align.")


def reader_of(metric: str) -> Reader | None:
    """Who stands behind a metric; one that is not known here is taken to need the judge."""
    if metric.startswith(_LABELLED):
        return "labeler"
    if metric.startswith(_WITHOUT) and not metric.startswith(_WITH):
        return None
    return "judge"
