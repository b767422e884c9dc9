"""What the public numbers are called; `registry` knows them for their words alone.

Each is known by the recorded outputs that have it, and comes first there.
"""

from __future__ import annotations

from typing import NamedTuple


class OwnNumber(NamedTuple):
    """A public number: its name in a table and in a sentence of the report."""

    label: str
    gloss: str


OWN: dict[str, OwnNumber] = {
    "compat.r_align.l_acc": OwnNumber("L-Acc by R-Align's script", "of all rows"),
    "compat.r_align.s_corr": OwnNumber(
        "S-Corr by R-Align's script", "of right labels that the meta-judge answered"
    ),
    "compat.r_align.f_score": OwnNumber(
        "F-Score by R-Align's script", "of all rows but those on which the meta-judge failed"
    ),
    "compat.rationalerm.recall": OwnNumber(
        "RC (recall) by RationaleRM's script", "one reason may match many references"
    ),
    "compat.rationalerm.precision": OwnNumber(
        "precision by RationaleRM's script", "of the first five reasons"
    ),
    "compat.rationalerm.f1": OwnNumber("F1 by RationaleRM's script", "mean over rows"),
    "compat.rationalerm.average_precision": OwnNumber(
        "AP by RationaleRM's script", "ranks count matched reasons only"
    ),
}
_SUITES = {
    "compat.rewardbench2.": "RewardBench 2",
    "compat.rewardbench.": "RewardBench",
    "compat.rm_bench.": "RM-Bench",
}


def own_number(key: str) -> OwnNumber | None:
    """The words for a public number; None for any other metric."""
    if key in OWN:
        return OWN[key]
    for prefix, suite in _SUITES.items():
        if key.startswith(prefix):
            part = key.removeprefix(prefix).replace("_", " ")
            return OwnNumber(f"{suite} {part}, by its script", "by the public script")
    return None
