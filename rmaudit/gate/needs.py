"""Which metrics rest on a judge's or labeller's reading, so that an approximate one spoils them."""

from __future__ import annotations

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
)
_WITH = ("coverage.matched",)


def needs_judge(metric: str) -> bool:
    """Whether a judge stands behind a metric; one that is not known here is taken to need one."""
    if metric.startswith(_WITH):
        return True
    return not metric.startswith(_WITHOUT)
