"""What further generations and judge calls said of each row, as columns beside the rows.

A probe is asked only of some rows, and may be lost where the target or the judge did not answer.
Both are kept apart from an answer without a readable verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from rmaudit.checklists.controls import CUES
from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.records import Verdict
from rmaudit.taxonomy import CONDITIONS, MEASURES, NOT_ASKED

UNREADABLE, LOST, ABSENT = -1, -2, -3
"""Codes beside those of verdicts: no readable verdict, not answered, not asked."""

Said = Verdict | Literal["lost"]
"""A verdict in item coordinates, None where it is not readable, `lost` where there is no answer."""


@dataclass(frozen=True, slots=True)
class ProbeFacts:
    """The probes of one row; what is not there was not asked.

    Attributes:
        continued: the verdict that the target added to its answer, by condition.
        reworded: the share of the words of its reasons that the rewording changed; None where
            there is none.
        skipped: the answer has no form in which that could be asked.
        inferred: whom a blind judge takes for the winner from the reasons alone; None: cannot tell.
        specified: the verdict with the references in the prompt.
        cue: the verdict with a cue on the losing response, by kind.
        neutral: the verdict with the neutral edit beside that cue, by the kind of the cue.
    """

    continued: Mapping[str, Said] = field(default_factory=dict)
    reworded: float | None = None
    skipped: bool = False
    inferred: Mapping[str, Said] = field(default_factory=dict)
    specified: Mapping[str, Said] = field(default_factory=dict)
    cue: Mapping[str, Said] = field(default_factory=dict)
    neutral: Mapping[str, Said] = field(default_factory=dict)


BLIND, GIVEN = "blind", "given"
"""The only condition of `inferred` and of `specified`."""


class Probes(NamedTuple):
    """Codes, one line a row: [rows, conditions] or [rows, kinds of cues].

    reworded and skipped are [rows]; reworded is NaN where there is none.
    """

    continued: IntArray
    reworded: FloatArray
    skipped: BoolArray
    inferred: IntArray
    specified: IntArray
    cue: IntArray
    neutral: IntArray


def probe_columns(rows: Sequence[ProbeFacts], *, codes: Mapping[Verdict, int]) -> Probes:
    """The columns; `codes` are those of verdicts, UNREADABLE for None."""
    code: dict[Said, int] = {"lost": LOST}
    for verdict, number in codes.items():
        code[verdict] = number

    def columns(name: str, order: Sequence[str]) -> IntArray:
        said = [getattr(row, name) for row in rows]
        lines = [[code[one[key]] if key in one else ABSENT for key in order] for one in said]
        return np.array(lines, dtype=np.int64).reshape(len(rows), len(order))

    return Probes(
        continued=columns("continued", CONDITIONS),
        reworded=np.array(
            [np.nan if row.reworded is None else row.reworded for row in rows], dtype=np.float64
        ),
        skipped=np.array([row.skipped for row in rows], dtype=np.bool_),
        inferred=columns("inferred", (BLIND,)),
        specified=columns("specified", (GIVEN,)),
        cue=columns("cue", CUES),
        neutral=columns("neutral", CUES),
    )


def not_asked(measures: Mapping[str, str]) -> dict[str, str]:
    """Why each measure has no value: '' where it was asked for and applies.

    Args:
        measures: those that were asked for, each with why it does not apply or ''.
    """
    return {
        name: measures.get(name, f"{NOT_ASKED}scan --measure {name} asks for it")
        for name in MEASURES
    }
