"""Functions over numbers that the `python` family asks for, with their bugs."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from rmaudit.checklists.synth.python_routines import NUMBERS, Bug, CallCase, Names, Routine, changed


def _distinct(rng: Random, count: int, low: int = 2, high: int = 90) -> list[int]:
    return rng.sample(range(low, high), count)


def _unsorted(rng: Random, count: int) -> list[int]:
    values = _distinct(rng, count)
    return values if values != sorted(values) else values[::-1]


def _even_median(rng: Random, names: Names) -> CallCase:
    low = rng.randint(10, 60)
    high = low + rng.choice((1, 3, 5, 7))
    values = [low - rng.randint(1, 8), low, high, high + rng.randint(1, 8)]
    rng.shuffle(values)
    return CallCase((values,), (low + high) / 2, (low + high) // 2)


def _sorted_in_place(rng: Random, names: Names) -> CallCase:
    values = _unsorted(rng, 3)
    return changed(values, sorted(values))


def _odd_median(rng: Random, names: Names) -> CallCase:
    values = sorted(_distinct(rng, 3))
    return CallCase((values,), values[1], values[rng.choice((0, 2))])


MEDIAN = Routine(
    stems=("median_{n}", "median_of_{n}"),
    nouns=NUMBERS,
    signature="$p: list[float]",
    returns="float",
    wrong_returns="int",
    spec="Return the median of `$p`, which is the mean of the two middle values if their number "
    "is even, and `$default` for an empty list. Leave the list that is passed in as it is.",
    summaries=("Return the median of the values.", "Find the value in the middle."),
    bodies=(
        """
        if $empty:
            return $default
        $copy
        middle = len(ordered) // 2
        if len(ordered) % 2 == 1:
            return ordered[middle]
        return (ordered[middle - 1] + ordered[middle]) $divide 2
        """,
        """
        if $empty:
            return $default
        $copy
        half, odd = divmod(len(ranked), 2)
        if odd:
            return ranked[half]
        pair = ranked[half - 1] + ranked[half]
        return pair $divide 2
        """,
    ),
    constants=lambda rng: {"default": rng.choice(("0.0", "-1.0"))},
    bugs=(
        Bug(
            hole="divide",
            kind="integer_division",
            weight=3,
            good=("/", "/"),
            bad=("//", "//"),
            active="averages the two middle values with floor division",
            passive="the two middle values are averaged with floor division",
            case=_even_median,
        ),
        Bug(
            hole="empty",
            kind="missing_empty_case",
            weight=3,
            good=("not $p", "len($p) == 0"),
            bad=("$p is None", "len($p) < 0"),
            active="does not handle an empty list",
            passive="the empty list is not handled",
            case=lambda rng, names: CallCase(([],), float(names["default"]), IndexError),
        ),
        Bug(
            hole="copy",
            kind="mutates_input",
            weight=2,
            good=("ordered = sorted($p)", "ranked = $p[:]\nranked.sort()"),
            bad=("$p.sort()\nordered = $p", "ranked = $p\nranked.sort()"),
            active="sorts the caller's list in place",
            passive="the caller's list is sorted in place",
            case=_sorted_in_place,
        ),
    ),
    example=_odd_median,
    complexity="O(n log n)",
)


def _missing_window(rng: Random, names: Names) -> CallCase:
    values = [2 * rng.randint(1, 40) for _ in range(rng.randint(3, 4))]
    means = [(a + b) / 2 for a, b in pairwise(values)]
    return CallCase((values, 2), means, means[:-1])


def _rough_window(rng: Random, names: Names) -> CallCase:
    digits = int(names["digits"])
    while True:
        values = _distinct(rng, 4)
        mean = sum(values[:3]) / 3
        if round(mean, digits) != round(mean, digits - 1):
            right, wrong = round(mean, digits), round(mean, digits - 1)
            return CallCase((values, 3), right, wrong, wrap="{call}[0]")


def _first_window(rng: Random, names: Names) -> CallCase:
    values = [2 * rng.randint(1, 40) for _ in range(3)]
    mean = (values[0] + values[1]) / 2
    return CallCase((values, 2), mean, mean + rng.choice((-1, 1)), wrap="{call}[0]")


WINDOWS = Routine(
    stems=("window_means_of_{n}", "smooth_{n}"),
    nouns=NUMBERS,
    signature="$p: list[int], size: int",
    returns="list[float]",
    wrong_returns="list[int]",
    spec="Return the mean of every `size` consecutive values of `$p`, each rounded to $digits "
    "decimals. Raise `ValueError` if `size` is less than 1.",
    summaries=("Return the mean of each window.", "Average every run of `size` values."),
    bodies=(
        """
        if $check:
            raise ValueError("size must be at least 1")
        means = []
        for start in range($end):
            window = $p[start:start + size]
            means.append(round(sum(window) / size, $places))
        return means
        """,
        """
        if $check:
            raise ValueError("a window needs at least one value")
        starts = range($end)
        sums = [sum($p[i:i + size]) for i in starts]
        return [round(total / size, $places) for total in sums]
        """,
    ),
    constants=lambda rng: rng.choice(
        ({"digits": "2", "fewer": "1"}, {"digits": "3", "fewer": "2"})
    ),
    bugs=(
        Bug(
            hole="end",
            kind="off_by_one",
            weight=3,
            good=("len($p) - size + 1", "len($p) - size + 1"),
            bad=("len($p) - size", "len($p) - size"),
            active="stops one window too early",
            passive="the last window is left out",
            case=_missing_window,
        ),
        Bug(
            hole="places",
            kind="wrong_rounding",
            weight=2,
            good=("$digits", "$digits"),
            bad=("$fewer", "$fewer"),
            active="rounds the means to $fewer instead of $digits decimals",
            passive="the means are rounded to $fewer instead of $digits decimals",
            case=_rough_window,
        ),
        Bug(
            hole="check",
            kind="missing_validation",
            weight=2,
            good=("size < 1", "size <= 0"),
            bad=("size < 0", "size <= -1"),
            active="lets a size of 0 through",
            passive="a size of 0 is not rejected",
            case=lambda rng, names: CallCase((_distinct(rng, 2), 0), ValueError, ZeroDivisionError),
        ),
    ),
    example=_first_window,
)


def _clamped_top(rng: Random, names: Names) -> CallCase:
    low, high = rng.randint(2, 9), rng.randint(12, 40)
    inside = rng.randint(low + 1, high - 2)
    return CallCase(
        ([high + rng.randint(2, 9), inside], low, high), [high, inside], [high - 1, inside]
    )


def _clamped_in_place(rng: Random, names: Names) -> CallCase:
    low, high = rng.randint(5, 9), rng.randint(12, 40)
    inside = rng.randint(low + 1, high - 2)
    return changed([rng.randint(0, 4), inside], [low, inside], low, high)


def _clamped_low(rng: Random, names: Names) -> CallCase:
    low, high = rng.randint(5, 9), rng.randint(12, 40)
    return CallCase(([rng.randint(0, 4)], low, high), [low], [low + 1])


CLAMP = Routine(
    stems=("clamp_{n}", "limit_{n}"),
    nouns=NUMBERS,
    signature="$p: list[int], low: int, high: int",
    returns="list[int]",
    wrong_returns="list[str]",
    spec="Return a new list in which every value below `low` is replaced by `low` and every value "
    "above `high` by `high`. Do not change `$p` itself.",
    summaries=("Limit every value to the range.", "Return the values within both bounds."),
    bodies=(
        """
        $copy
        for i, value in enumerate(clamped):
            clamped[i] = min(max(value, low), $top)
        return clamped
        """,
        """
        $copy
        for position in range(len(bounded)):
            if bounded[position] < low:
                bounded[position] = low
            elif bounded[position] > high:
                bounded[position] = $top
        return bounded
        """,
    ),
    bugs=(
        Bug(
            hole="top",
            kind="off_by_one",
            weight=3,
            good=("high", "high"),
            bad=("high - 1", "high - 1"),
            active="cuts large values down to `high - 1`",
            passive="large values are replaced by `high - 1`",
            case=_clamped_top,
        ),
        Bug(
            hole="copy",
            kind="mutates_input",
            weight=2,
            good=("clamped = list($p)", "bounded = $p.copy()"),
            bad=("clamped: list[int] = $p", "bounded = $p"),
            active="changes the list that it is given",
            passive="no copy of the given list is made",
            case=_clamped_in_place,
        ),
    ),
    example=_clamped_low,
    complexity="O(n)",
)


def _repeated_largest(rng: Random, names: Names) -> CallCase:
    small, large = sorted(_distinct(rng, 2))
    values = [large, small, large]
    rng.shuffle(values)
    return CallCase((values,), small, large)


def _two_values(rng: Random, names: Names) -> CallCase:
    small, large = sorted(_distinct(rng, 2))
    return CallCase(([large, small],), small, large)


SECOND = Routine(
    stems=("second_largest_of_{n}", "runner_up_in_{n}"),
    nouns=NUMBERS,
    signature="$p: list[int]",
    returns="int | None",
    wrong_returns="float | None",
    spec="Return the second largest distinct value of `$p`, or `None` if there are fewer than two "
    "distinct values.",
    summaries=("Return the second largest value.", "Find the largest value but one."),
    bodies=(
        """
        ranked = $unique
        if $few:
            return None
        return ranked[-2]
        """,
        """
        candidates = $unique
        candidates.sort(reverse=True)
        return None if $few else candidates[1]
        """,
    ),
    bugs=(
        Bug(
            hole="unique",
            kind="duplicates_kept",
            weight=3,
            good=("sorted(set($p))", "list(set($p))"),
            bad=("sorted(list($p))", "list($p)"),
            active="counts a repeated maximum twice",
            passive="repeated values are not removed",
            case=_repeated_largest,
        ),
        Bug(
            hole="few",
            kind="off_by_one",
            weight=3,
            good=("len(ranked) < 2", "len(candidates) < 2"),
            bad=("len(ranked) < 1", "len(candidates) < 1"),
            active="takes a single value for enough",
            passive="a single value is taken for enough",
            case=lambda rng, names: CallCase((_distinct(rng, 1),), None, IndexError),
        ),
    ),
    example=_two_values,
    complexity="O(n log n)",
)

ROUTINES = (MEDIAN, WINDOWS, CLAMP, SECOND)
