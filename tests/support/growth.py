"""How the CPU time of reading a text grows with the length of the text."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import process_time

TIMES = 4
MOST = 8.0
"""Four times the text: linear work takes 4 times as long, quadratic work 16 times."""
ROUNDS = 6


def check_linear(read: Callable[[str], object], unit: str, size: int = 5_000) -> None:
    """`read` takes at most `MOST` times as long on `TIMES` times the characters.

    The best of several measurements counts, since other processes can only add to a time. Every
    round reads texts of other lengths, so that no cache of results answers.
    """
    read(unit)  # what is compiled at the first call
    best = {size: inf, TIMES * size: inf}
    for number in range(ROUNDS):
        for length in best:
            text = (unit * (length // len(unit) + number + 1))[: length + number]
            started = process_time()
            read(text)
            best[length] = min(best[length], process_time() - started)
        if number and best[TIMES * size] <= MOST * best[size]:
            return
    short, long = best.values()
    raise AssertionError(
        f"{unit[:20]!r}: {short:.4f} s for {size:,} characters, {long:.4f} s for {TIMES} times "
        f"as many: {long / short:.1f} times as long, more than {MOST}"
    )
