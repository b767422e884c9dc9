"""The last step of the embedded judge: what a level of its rules is worth, by the share it names.

The rules give a level, and the match the share of a fault's weight that is named. On sets of
pairs that nobody had tuned the rules on, both tell of the true score: a full level for half of
the facts was worth .65, and no level beside a good part of them .4. The numbers are a least-squares
fit on five such sets (`benchmarks/judge_worth.py` has it, and the comparison with the bare
rules, each set left out in turn).
"""

from __future__ import annotations

LEVEL, SHARE, BASE = 0.49, 0.57, 0.07
"""What the level counts, what the share, and what is added to their sum."""
NAMED, MOST = 0.2, 0.7
"""From these shares on, blame that the rules give nothing has .25, and .5."""

LEAST = 0.25
"""The lowest level stays: what is named along with it was mostly another matter."""


def calibrated(
    level: float,
    share: float,
    *,
    blames: bool,
    numbers: tuple[float, float, float] = (LEVEL, SHARE, BASE),
) -> float:
    """The score on the grid 0, .25, .5, .75, 1 for a level and a share, both from 0 to 1.

    `blames`: the reason states a fault of a response that it names; without a level it else stays
    at 0, since it may speak of the same thing only.
    """
    if not level:
        return 0.0 if not blames or share < NAMED else 0.25 if share < MOST else 0.5
    if level == LEAST:
        return LEAST
    of_level, of_share, base = numbers
    return min(max(int((of_level * level + of_share * share + base) * 4 + 0.5), 0), 4) / 4
