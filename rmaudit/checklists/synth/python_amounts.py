"""Functions about amounts (gaps, shares, fees, durations) that are asked for, with their bugs."""

from __future__ import annotations

from random import Random

from rmaudit.checklists.synth.python_routines import NUMBERS, Bug, CallCase, Names, Routine


def _missing_last(rng: Random, names: Names) -> CallCase:
    last = rng.randint(4, 8)
    present = list(range(1, last))
    rng.shuffle(present)
    return CallCase((present, last), [last], [])


def _missing_two(rng: Random, names: Names) -> CallCase:
    last = rng.randint(5, 8)
    low, high = sorted(rng.sample(range(1, last), 2))
    present = [number for number in range(1, last + 1) if number not in (low, high)]
    return CallCase((present, last), [high, low], [low, high])


def _missing_one(rng: Random, names: Names) -> CallCase:
    last = rng.randint(4, 8)
    gap = rng.randint(2, last - 1)
    present = [number for number in range(1, last + 1) if number != gap]
    return CallCase((present, last), [gap], [gap + rng.choice((-1, 1))])


GAPS = Routine(
    stems=("missing_{n}", "gaps_in_{n}"),
    nouns=(
        "ids",
        "tickets",
        "pages",
        "seats",
        "lots",
        "rows",
        "lockers",
        "chapters",
        "invoices",
        "rooms",
        "steps",
        "slots",
        "shelves",
        "badges",
        "stations",
        "episodes",
    ),
    signature="$p: list[int], last: int",
    returns="list[int]",
    wrong_returns="set[int]",
    spec="Return the numbers from 1 to `last` (included) that are not in `$p`, the largest first.",
    summaries=("Return the missing numbers.", "List what is missing up to `last`."),
    bodies=(
        """
        present = set($p)
        absent = [number for number in range(1, $end) if number not in present]
        return sorted(absent, reverse=$backwards)
        """,
        """
        expected = set(range(1, $end))
        absent = expected.difference($p)
        return sorted(absent, reverse=$backwards)
        """,
    ),
    bugs=(
        Bug(
            hole="end",
            kind="off_by_one",
            weight=3,
            good=("last + 1", "last + 1"),
            bad=("last", "last"),
            active="stops before `last` itself",
            passive="`last` itself is never checked",
            case=_missing_last,
        ),
        Bug(
            hole="backwards",
            kind="wrong_sort_direction",
            weight=2,
            good=("True", "True"),
            bad=("False", "False"),
            active="puts the smallest number first",
            passive="the numbers are sorted in ascending order",
            case=_missing_two,
        ),
    ),
    example=_missing_one,
)


def _truncated(rng: Random, names: Names) -> CallCase:
    while True:
        part, whole = rng.randint(3, 60), rng.randint(61, 99)
        exact = 1000 * part / whole
        if 0.55 < exact % 1 < 0.95:
            return CallCase((part, whole), round(exact) / 10, int(exact) / 10)


def _even_share(rng: Random, names: Names) -> CallCase:
    percent = rng.choice((5, 10, 15, 20, 30, 35, 40, 60, 70, 80))
    whole = 20 * rng.randint(1, 9)
    other = percent + rng.choice((-5, 5))
    return CallCase((percent * whole // 100, whole), float(percent), float(other))


PERCENT = Routine(
    stems=("percent_of_{n}", "share_of_{n}"),
    nouns=NUMBERS,
    params=(
        "part",
        "hits",
        "done",
        "sold",
        "passed",
        "won",
        "used",
        "filled",
        "taken",
        "solved",
        "spent",
        "read",
        "paid",
        "sent",
    ),
    signature="$p: int, whole: int",
    returns="float",
    wrong_returns="int",
    spec="Return `$p` as a percentage of `whole`, rounded to one decimal, or 0.0 if `whole` is 0.",
    summaries=("Return the share in percent.", "Express a part of a whole in percent."),
    bodies=(
        """
        if $zero:
            return 0.0
        share = $p / whole
        return $rounded
        """,
        """
        if $zero:
            return 0.0
        return $rounded
        """,
    ),
    bugs=(
        Bug(
            hole="zero",
            kind="missing_zero_case",
            weight=3,
            good=("whole == 0", "not whole"),
            bad=("whole < 0", "whole is None"),
            active="divides by zero if `whole` is 0",
            passive="a `whole` of 0 is not handled",
            case=lambda rng, names: CallCase((rng.randint(1, 99), 0), 0.0, ZeroDivisionError),
        ),
        Bug(
            hole="rounded",
            kind="wrong_rounding",
            weight=2,
            good=("round(share * 100, 1)", "round(100 * $p / whole, 1)"),
            bad=("int(share * 1000) / 10", "int(1000 * $p / whole) / 10"),
            active="cuts off the second decimal instead of rounding",
            passive="the percentage is truncated and not rounded",
            case=_truncated,
        ),
    ),
    example=_even_share,
)


def _free_limit(rng: Random, names: Names) -> CallCase:
    limit = int(names["free"])
    return CallCase((limit, rng.randint(1, 4)), 0.0, float(names["fee"]))


def _heavy_limit(rng: Random, names: Names) -> CallCase:
    fee = float(names["fee"])
    return CallCase((rng.randint(5, 25), int(names["heavy"])), fee, fee + float(names["extra"]))


def _plain_parcel(rng: Random, names: Names) -> CallCase:
    fee = float(names["fee"])
    return CallCase((rng.randint(5, 25), rng.randint(1, 4)), fee, fee + float(names["extra"]))


SHIPPING = Routine(
    stems=("shipping_for_{n}", "postage_of_{n}", "delivery_fee_for_{n}"),
    nouns=(
        "books",
        "lamps",
        "plants",
        "tiles",
        "toys",
        "candles",
        "posters",
        "shoes",
        "records",
        "puzzles",
        "teas",
        "mugs",
        "bags",
        "seeds",
        "bulbs",
        "cables",
    ),
    params=(
        "subtotal",
        "order_value",
        "basket",
        "amount",
        "cart_total",
        "net_price",
        "order_sum",
        "goods_value",
        "bill",
        "sum_due",
        "item_total",
        "price",
    ),
    signature="$p: float, weight: float",
    returns="float",
    wrong_returns="int",
    spec="Return the cost of shipping: $fee, but nothing for orders (`$p`) of $free or more. "
    "A weight of more than $heavy kg always adds $extra.",
    summaries=("Return the cost of shipping.", "Work out what the delivery costs."),
    bodies=(
        """
        cost = 0.0 if $p $enough $free else $fee
        if weight $above $heavy:
            cost += $extra
        return cost
        """,
        """
        cost = $fee
        if $p $enough $free:
            cost = 0.0
        return cost + $extra if weight $above $heavy else cost
        """,
    ),
    constants=lambda rng: {
        "free": str(5 * rng.randint(6, 24)),
        "fee": str(rng.randint(3, 9) + rng.choice((0.5, 0.25, 0.75))),
        "heavy": str(rng.randint(8, 30)),
        "extra": str(rng.randint(2, 12) + rng.choice((0.5, 0.0))),
    },
    bugs=(
        Bug(
            hole="enough",
            kind="wrong_comparison",
            weight=2,
            good=(">=", ">="),
            bad=(">", ">"),
            active="charges for an order of exactly $free",
            passive="an order of exactly $free is not free of charge",
            case=_free_limit,
        ),
        Bug(
            hole="above",
            kind="wrong_comparison",
            weight=2,
            good=(">", ">"),
            bad=(">=", ">="),
            active="adds the surcharge at exactly $heavy kg",
            passive="the surcharge is due at exactly $heavy kg already",
            case=_heavy_limit,
        ),
    ),
    example=_plain_parcel,
)


def _clock(seconds: int, minutes: str = "02d", rest: str = "02d") -> str:
    return f"{seconds // 3600}:{seconds % 3600 // 60:{minutes}}:{seconds % 60:{rest}}"


def _few_minutes(rng: Random, names: Names) -> CallCase:
    seconds = 3600 * rng.randint(1, 9) + 60 * rng.randint(1, 9) + rng.randint(10, 59)
    return CallCase((seconds,), _clock(seconds), _clock(seconds, minutes="2d"))


def _few_seconds(rng: Random, names: Names) -> CallCase:
    seconds = 3600 * rng.randint(1, 9) + 60 * rng.randint(10, 59) + rng.randint(1, 9)
    return CallCase((seconds,), _clock(seconds), _clock(seconds, rest="2d"))


def _long_time(rng: Random, names: Names) -> CallCase:
    seconds = 3600 * rng.randint(1, 9) + 60 * rng.randint(11, 49) + rng.randint(11, 49)
    return CallCase((seconds,), _clock(seconds), _clock(seconds + rng.choice((-60, 60))))


def _negative_time(rng: Random, names: Names) -> CallCase:
    seconds = -rng.randint(1, 49)
    return CallCase((seconds,), ValueError, _clock(seconds))


DURATION = Routine(
    stems=("format_{n}", "{n}_as_text"),
    nouns=(
        "duration",
        "runtime",
        "playtime",
        "lap_time",
        "flight_time",
        "delay",
        "break_time",
        "shift",
        "workout",
        "call_time",
        "uptime",
        "recording",
        "lesson",
        "film_length",
    ),
    params=(
        "seconds",
        "elapsed",
        "total_seconds",
        "elapsed_s",
        "duration_s",
        "length_s",
        "time_s",
        "span_s",
        "passed_seconds",
        "run_seconds",
        "num_seconds",
        "all_seconds",
    ),
    signature="$p: int",
    returns="str",
    wrong_returns="int",
    spec="Return a number of seconds as `h:mm:ss`, with minutes and seconds always in two digits. "
    "Raise `ValueError` for a negative number.",
    summaries=("Return the seconds as h:mm:ss.", "Format a time in seconds for display."),
    bodies=(
        """
        if $negative:
            raise ValueError("negative time")
        hours, rest = divmod($p, 3600)
        minutes, secs = divmod(rest, 60)
        return f"{hours}:{minutes:$mm}:{secs:$ss}"
        """,
        """
        if $negative:
            raise ValueError("the time must not be negative")
        hours = $p // 3600
        minutes = $p % 3600 // 60
        secs = $p % 60
        return f"{hours:d}:{minutes:$mm}:{secs:$ss}"
        """,
    ),
    bugs=(
        Bug(
            hole="mm",
            kind="missing_padding",
            weight=2,
            good=("02d", "02d"),
            bad=("2d", "2d"),
            active="pads the minutes with a blank instead of a zero",
            passive="single-digit minutes get a blank in front, not a zero",
            case=_few_minutes,
        ),
        Bug(
            hole="ss",
            kind="missing_padding",
            weight=2,
            good=("02d", "02d"),
            bad=("2d", "2d"),
            active="pads the seconds with a blank instead of a zero",
            passive="single-digit seconds get a blank in front, not a zero",
            case=_few_seconds,
        ),
        Bug(
            hole="negative",
            kind="missing_validation",
            weight=2,
            good=("$p < 0", "$p <= -1"),
            bad=("$p is None", "$p is None"),
            active="accepts a negative number of seconds",
            passive="a negative number of seconds is not rejected",
            case=_negative_time,
        ),
    ),
    example=_long_time,
    complexity="O(1)",
)

ROUTINES = (GAPS, PERCENT, SHIPPING, DURATION)
