"""Differences as they are typed and shown: a share (0.05), points (5pt), or in a metric's own unit.

Of a share, 5 is no difference that there can be, and 5 points are 0.05; so a number from 1 on is
refused rather than taken for one of the two.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from rmaudit.errors import InputError
from rmaudit.metrics.formats import format_of

Unit = Literal["points", "plain", "log odds"]
_TYPED = re.compile(r"\s*([0-9.eE+-]+)\s*(pt|%)?\s*")


class Delta(NamedTuple):
    """A difference as typed, with its value in the metric's own unit; points as a share."""

    value: float
    text: str
    in_points: bool


class Named(Protocol):
    """Anything that is about a metric."""

    @property
    def metric(self) -> str:
        """Its key."""
        ...


def as_delta(text: str) -> Delta:
    """A difference from what was typed.

    Raises:
        InputError: it is no number above 0.
    """
    found = _TYPED.fullmatch(text)
    try:
        number = float(found[1]) if found else math.nan
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise InputError(
            f"--delta is {text}", "give a number above 0: a share like 0.05, or points like 5pt"
        )
    in_points = found is not None and found[2] is not None
    return Delta(number / 100 if in_points else number, text, in_points)


def check_deltas(deltas: Iterable[Delta], metrics: Sequence[Named]) -> None:
    """Refuses differences that a metric cannot have.

    Raises:
        InputError: a share of 1 or more, or points of a metric that has none.
    """
    for delta in deltas:
        for metric in (one.metric for one in metrics):
            unit = unit_of(metric)
            if unit == "log odds":
                if delta.in_points:
                    raise InputError(
                        f"--delta is {delta.text}, and {metric} is in log odds",
                        "give a number without a unit, e.g. --delta 0.25",
                    )
            elif delta.value >= 1:
                raise InputError(
                    f"--delta is {delta.text}, and {metric} is a share: from 0 to 1",
                    f"{delta.value:g} points are --delta {delta.value / 100:g} or "
                    f"--delta {delta.value:g}pt"
                    if not delta.in_points
                    else "give less than 100pt",
                )


def unit_of(metric: str) -> Unit:
    """In what differences of a metric are told; of one that is not known, in points."""
    known = format_of(metric)
    return "log odds" if known == "log_odds" else "plain" if known == "plain" else "points"


def shown(value: float, unit: Unit, *, with_unit: bool = False) -> str:
    """A difference in a unit."""
    if unit == "points":
        return f"{100 * value:g} pt" if with_unit else f"{100 * value:.1f}"
    return f"{value:g}" if with_unit else f"{value:.3f}"
