"""What R-Align's released scripts make of a file (arXiv 2602.06763): three denominators.

L-Acc counts all rows, S-Corr those that the meta-judge answered, F-Score all but the f rows on
which it failed, so that F-Score is not L-Acc times what S-Corr leaves. A verdict of the meta-judge
counts as correct only if it is that one word; with a full stop or in bold it counts as incorrect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from rmaudit.metrics.compat.own import ratio
from rmaudit.records import Metric

FAILED = ("CallFail", "ParseFail")


class MetaVerdict(NamedTuple):
    """One row: is its label right, and what the meta-judge said (`metarm_verdict`)."""

    item: str
    right: bool
    said: str


def numbers(rows: Iterable[MetaVerdict]) -> dict[str, Metric]:
    """L-Acc, S-Corr and F-Score; the latter two only where a meta-judge spoke."""
    rows = list(rows)
    correct = [float(row.said == "Correct") for row in rows]
    incorrect = [float(row.said == "Incorrect") for row in rows]
    judged = [c + i for c, i in zip(correct, incorrect, strict=True)]
    failed = [row.said in FAILED for row in rows]
    silent = "no meta-judge spoke in this file"
    s_corr = ratio(incorrect, judged, excluded=sum(failed), why=silent)
    s_corr = replace(s_corr, worst=s_corr.best, best=s_corr.worst)  # a lower one is better
    f_score = ratio(correct, [float(not one) for one in failed], excluded=sum(failed), why=silent)
    return {
        "compat.r_align.l_acc": ratio(
            [float(row.right) for row in rows], [1.0] * len(rows), why="no rows"
        ),
        "compat.r_align.s_corr": s_corr,
        "compat.r_align.f_score": f_score
        if sum(judged)
        else ratio([], [], excluded=sum(failed), why=silent),
    }
