"""Functions that walk over numbers one after the other, with their bugs."""

from __future__ import annotations

from random import Random

from rmaudit.checklists.synth.python_routines import NUMBERS, Ban, Bug, CallCase, Names, Routine


def _jumps(rng: Random, *jumps: int) -> list[int]:
    """Numbers that differ by these jumps."""
    values = [rng.randint(30, 60)]
    for jump in jumps:
        values.append(values[-1] + jump)
    return values


def _last_jump(rng: Random, names: Names) -> CallCase:
    small, large = rng.randint(2, 9), rng.randint(11, 25)
    return CallCase((_jumps(rng, small, small - 1, large),), large, small)


def _downward_jump(rng: Random, names: Names) -> CallCase:
    small, large = rng.randint(3, 9), rng.randint(11, 25)
    return CallCase((_jumps(rng, small, -large, small - 1),), large, small)


def _first_jump(rng: Random, names: Names) -> CallCase:
    large = rng.randint(11, 25)
    return CallCase((_jumps(rng, large, 1),), large, large + rng.choice((-1, 1)))


JUMP = Routine(
    stems=("largest_jump_in_{n}", "biggest_step_of_{n}"),
    nouns=NUMBERS,
    signature="$p: list[int]",
    returns="int",
    wrong_returns="str",
    spec="Return the largest absolute difference between neighbouring values of `$p`, or 0 if "
    "there are fewer than two. Compare the differences yourself, without calling `max`.",
    summaries=("Return the largest jump between neighbours.", "Find the biggest difference."),
    bodies=(
        """
        largest = 0
        for left, right in zip($p, $p[$rest]):
            jump = $size
            $keep
        return largest
        """,
        """
        largest = 0
        for i in range(1, $rest):
            left, right = $p[i - 1], $p[i]
            jump = $size
            $keep
        return largest
        """,
    ),
    bugs=(
        Bug(
            hole="rest",
            kind="off_by_one",
            weight=3,
            good=("1:", "len($p)"),
            bad=("1:-1", "len($p) - 1"),
            active="never looks at the last pair of values",
            passive="the last pair of values is skipped",
            case=_last_jump,
        ),
        Bug(
            hole="size",
            kind="sign_ignored",
            weight=3,
            good=("abs(right - left)", "abs(left - right)"),
            bad=("(right - left)", "(right - left)"),
            active="ignores jumps downwards",
            passive="the absolute value is forgotten",
            case=_downward_jump,
        ),
    ),
    ban=Ban(
        hole="keep",
        builtin="max",
        required=False,
        good=(
            "if jump > largest:\n    largest = jump",
            "if jump > largest:\n    largest = jump",
        ),
        bad=("largest = max(largest, jump)", "largest = max(largest, jump)"),
    ),
    example=_first_jump,
    complexity="O(n)",
)


def _all_negative(rng: Random, names: Names) -> CallCase:
    values = [-value for value in rng.sample(range(2, 60), 3)]
    position = rng.choice((1, 2))
    values.sort()
    values[position], values[2] = values[2], values[position]
    return CallCase((values,), position, 0)


def _two_peaks(rng: Random, names: Names) -> CallCase:
    low, high = sorted(rng.sample(range(2, 60), 2))
    return CallCase(([low, high, high],), 1, 2)


def _one_peak(rng: Random, names: Names) -> CallCase:
    low, high = sorted(rng.sample(range(2, 60), 2))
    return CallCase(([low, high, low],), 1, rng.choice((0, 2)))


PEAK = Routine(
    stems=("position_of_peak_in_{n}", "peak_index_of_{n}"),
    nouns=NUMBERS,
    signature="$p: list[int]",
    returns="int",
    wrong_returns="str",
    spec="Return the index of the largest value of `$p`, and the first one if several are equal. "
    "Values may be negative; the list is never empty.",
    summaries=("Return the index of the largest value.", "Find where the peak is."),
    bodies=(
        """
        best, position = $start, 0
        for i, value in enumerate($p):
            if value $beats best:
                best, position = value, i
        return position
        """,
        """
        best = $start
        where = 0
        for i in range(len($p)):
            if $p[i] $beats best:
                best = $p[i]
                where = i
        return where
        """,
    ),
    bugs=(
        Bug(
            hole="start",
            kind="wrong_initial_value",
            weight=3,
            good=("$p[0]", "$p[0]"),
            bad=("0", "0"),
            active="starts its comparison from 0, which fails for negative values",
            passive="the search starts from 0 and not from the first value",
            case=_all_negative,
        ),
        Bug(
            hole="beats",
            kind="wrong_on_ties",
            weight=2,
            good=(">", ">"),
            bad=(">=", ">="),
            active="picks the last of several equal maxima",
            passive="equal values replace the first maximum",
            case=_two_peaks,
        ),
    ),
    example=_one_peak,
    complexity="O(n)",
)


def _at_low(rng: Random, names: Names) -> CallCase:
    low, high = rng.randint(3, 20), rng.randint(40, 60)
    middle = rng.randint(low + 2, high - 2)
    return CallCase(([low, middle], low, high), low + middle, middle)


def _at_high(rng: Random, names: Names) -> CallCase:
    low, high = rng.randint(3, 20), rng.randint(40, 60)
    middle = rng.randint(low + 2, high - 2)
    return CallCase(([middle, high], low, high), middle + high, middle)


def _between(rng: Random, names: Names) -> CallCase:
    low, high = rng.randint(3, 20), rng.randint(40, 60)
    a, b = rng.sample(range(low + 1, high), 2)
    return CallCase(([a, b, high + 7], low, high), a + b, a + b + rng.choice((-1, 1)))


BETWEEN = Routine(
    stems=("sum_{n}_between", "total_{n}_within"),
    nouns=NUMBERS,
    signature="$p: list[int], low: int, high: int",
    returns="int",
    wrong_returns="str",
    spec="Return the sum of all values of `$p` from `low` to `high`, both included. Let the "
    "builtin `sum` do the addition.",
    summaries=("Add up the values in the range.", "Return the sum of the values within bounds."),
    bodies=(
        """
        kept = [value for value in $p if low $lower value $upper high]
        $total
        """,
        """
        kept = []
        for value in $p:
            if low $lower value $upper high:
                kept.append(value)
        $total
        """,
    ),
    bugs=(
        Bug(
            hole="lower",
            kind="wrong_comparison",
            weight=2,
            good=("<=", "<="),
            bad=("<", "<"),
            active="excludes the lower bound itself",
            passive="values equal to `low` are left out",
            case=_at_low,
        ),
        Bug(
            hole="upper",
            kind="wrong_comparison",
            weight=2,
            good=("<=", "<="),
            bad=("<", "<"),
            active="excludes the upper bound itself",
            passive="values equal to `high` are left out",
            case=_at_high,
        ),
    ),
    ban=Ban(
        hole="total",
        builtin="sum",
        required=True,
        good=("return sum(kept)", "return sum(kept)"),
        bad=("total = 0\nfor value in kept:\n    total += value\nreturn total",) * 2,
    ),
    example=_between,
    complexity="O(n)",
)


def _with_zero(rng: Random, names: Names) -> CallCase:
    value = 2 * rng.randint(3, 40)
    values = [0, value]
    rng.shuffle(values)
    return CallCase(([*values, None],), value / 2, float(value))


def _none_only(rng: Random, names: Names) -> CallCase:
    count = rng.randint(0, 3)
    return CallCase(([None] * count,), float(names["default"]), ZeroDivisionError)


def _without_none(rng: Random, names: Names) -> CallCase:
    low = rng.randint(3, 40)
    high = low + 2 * rng.randint(1, 9)
    return CallCase(([low, None, high],), (low + high) / 2, (low + high) / 2 + rng.choice((-1, 1)))


MEAN = Routine(
    stems=("mean_of_{n}", "average_{n}"),
    nouns=NUMBERS,
    signature="$p: list[float | None]",
    returns="float",
    wrong_returns="int",
    spec="Return the mean of the entries of `$p` that are not `None`; a 0 counts like any other "
    "number. If nothing is left, return `$default`.",
    summaries=("Return the mean of the known values.", "Average all entries but `None`."),
    bodies=(
        """
        known = [value for value in $p if $known]
        if $nothing:
            return $default
        return sum(known) / len(known)
        """,
        """
        total, count = 0.0, 0
        for value in $p:
            if $known:
                total += value
                count += 1
        if $nothing:
            return $default
        return total / count
        """,
    ),
    constants=lambda rng: {"default": rng.choice(("0.0", "-1.0"))},
    bugs=(
        Bug(
            hole="known",
            kind="falsy_zero",
            weight=3,
            good=("value is not None", "value is not None"),
            bad=("value", "value"),
            active="drops zeros together with `None`",
            passive="zeros are treated like `None`",
            case=_with_zero,
        ),
        Bug(
            hole="nothing",
            kind="missing_empty_case",
            weight=3,
            good=("not known", "count == 0"),
            bad=("known is None", "count is None"),
            active="does not cover the case that no number is left",
            passive="the case without any number is not covered",
            case=_none_only,
        ),
    ),
    example=_without_none,
    complexity="O(n)",
)

ROUTINES = (JUMP, PEAK, BETWEEN, MEAN)
