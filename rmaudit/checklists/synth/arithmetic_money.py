"""Puzzles about money: discount, wages, savings, interest, sharing, fuel, profit."""

from __future__ import annotations

from decimal import Decimal
from math import gcd
from random import Random

from rmaudit.checklists.synth.arithmetic_plans import (
    Amount,
    Blunder,
    Puzzle,
    PuzzleRule,
    amount,
    edit,
    halves,
    plan,
)


def _draw_discount(rng: Random) -> dict[str, Amount]:
    return {
        "n": amount(rng.randint(6, 36)),
        "p": amount(halves(rng, 4, 48), "money"),
        "d": amount(rng.choice((5, 10, 15, 20, 25, 30, 35, 40)), "%"),
    }


_DISCOUNT = plan(
    "full = n × p : price before the discount : money",
    "off = d of full : discount : money",
    "pay = full − off : price after the discount : money",
)
DISCOUNT = Puzzle(
    draw=_draw_discount,
    plan=_DISCOUNT,
    blunders=(
        Blunder("wrong_operation", edit(_DISCOUNT, pay="full + off")),
        Blunder(
            "skipped_condition", plan("pay = n × p : price to pay : money"), "the {d} discount"
        ),
        Blunder(
            "applied_twice",
            _DISCOUNT
            + plan("more = d of pay : discount on that : money")
            + plan("less = pay − more : price to pay : money"),
            "the {d} discount",
        ),
        Blunder("other_question", edit(_DISCOUNT, "pay"), "the discount itself"),
    ),
    copied=("n", "p", "d"),
    rule=PuzzleRule(
        "the price to pay",
        "the full price minus the discount",
        "the full price plus the discount",
    ),
)


def _draw_wages(rng: Random) -> dict[str, Amount]:
    return {
        "h": amount(rng.randint(18, 40), "hours"),
        "w": amount(halves(rng, 12, 24), "money"),
        "o": amount(rng.randint(3, 9), "hours"),
    }


_WAGES = plan(
    "basic = h × w : basic pay : money",
    "rate = w × 1.5 : overtime rate : money",
    "extra = o × rate : overtime pay : money",
    "pay = basic + extra : total amount : money",
)
WAGES = Puzzle(
    draw=_draw_wages,
    plan=_WAGES,
    blunders=(
        Blunder("wrong_operation", edit(_WAGES, pay="basic − extra")),
        Blunder("wrong_operation", edit(_WAGES, rate="w + 1.5")),
        Blunder(
            "skipped_condition",
            edit(_WAGES, "rate", extra="o × w"),
            "the higher rate for the {o} of overtime",
        ),
        Blunder(
            "applied_twice",
            _WAGES[:2]
            + plan("high = rate × 1.5 : rate for the extra hours : money")
            + edit(_WAGES[2:], extra="o × high"),
            "the factor 1.5 for the {o} of overtime",
        ),
        Blunder("other_question", edit(_WAGES, "pay"), "the overtime pay"),
    ),
    copied=("h", "w", "o"),
    rule=PuzzleRule(
        "the overtime pay",
        "the overtime hours times 1.5 times the hourly rate",
        "the overtime hours times 0.5 times the hourly rate",
    ),
)


def _draw_savings(rng: Random) -> dict[str, Amount]:
    weekly, weeks = rng.randint(9, 48), rng.randint(6, 40)
    start = weekly * rng.randint(2, 9)
    return {
        "start": amount(start, "money"),
        "target": amount(start + weekly * weeks, "money"),
        "weekly": amount(weekly, "money"),
    }


_SAVINGS = plan(
    "rest = target − start : amount still to save : money",
    "weeks = rest ÷ weekly : number of weeks : weeks",
)
SAVINGS = Puzzle(
    draw=_draw_savings,
    plan=_SAVINGS,
    blunders=(
        Blunder("wrong_operation", edit(_SAVINGS, rest="target + start")),
        Blunder(
            "skipped_condition",
            edit(_SAVINGS, "rest", weeks="target ÷ weekly"),
            "the {start} already saved",
        ),
        Blunder(
            "applied_twice",
            _SAVINGS[:1]
            + plan("less = rest − start : amount left : money")
            + edit(_SAVINGS[1:], weeks="less ÷ weekly"),
            "the {start} already saved",
        ),
    ),
    copied=("start", "target", "weekly"),
    rule=PuzzleRule(
        "the number of weeks",
        "the amount still to save divided by the weekly amount",
        "the target divided by the weekly amount",
    ),
    wrong_units=("days", "months"),
)


def _draw_interest(rng: Random) -> dict[str, Amount]:
    return {
        "deposit": amount(50 * rng.randint(8, 190), "money"),
        "rate": amount(halves(rng, 1, 5), "%"),
        "years": amount(rng.randint(2, 7)),
    }


_INTEREST = plan(
    "yearly = rate of deposit : interest for one year : money",
    "interest = yearly × years : interest over the whole term : money",
    "balance = deposit + interest : amount after the term : money",
)
INTEREST = Puzzle(
    draw=_draw_interest,
    plan=_INTEREST,
    blunders=(
        Blunder("wrong_operation", edit(_INTEREST, balance="deposit − interest")),
        Blunder("wrong_operation", edit(_INTEREST, interest="yearly ÷ years")),
        Blunder(
            "skipped_condition",
            edit(_INTEREST, "interest", balance="deposit + yearly"),
            "the term of {years} years",
        ),
        Blunder(
            "applied_twice",
            _INTEREST + plan("last = balance + interest : amount in total : money"),
            "the interest for the {years} years",
        ),
        Blunder("other_question", edit(_INTEREST, "balance"), "the interest"),
    ),
    copied=("deposit", "rate", "years"),
    rule=PuzzleRule(
        "simple interest",
        "the deposit times the rate times the number of years",
        "the deposit times the rate divided by the number of years",
    ),
)


def _draw_share(rng: Random) -> dict[str, Amount]:
    mine, yours = rng.choice([(a, b) for a in range(2, 10) for b in range(2, 10) if gcd(a, b) == 1])
    return {
        "total": amount((mine + yours) * halves(rng, 9, 80), "money"),
        "a": amount(mine),
        "b": amount(yours),
    }


_SHARE = plan(
    "parts = a + b : number of parts : ",
    "one = total ÷ parts : value of one part : money",
    "share = a × one : share : money",
)
SHARE = Puzzle(
    draw=_draw_share,
    plan=_SHARE,
    blunders=(
        Blunder("wrong_operation", edit(_SHARE, parts="a × b")),
        Blunder("other_question", edit(_SHARE, share="b × one"), "the other share"),
        Blunder("other_question", edit(_SHARE, "share"), "the value of one part"),
    ),
    copied=("total", "a", "b"),
    rule=PuzzleRule(
        "one part",
        "the total divided by the sum of both ratio numbers",
        "the total divided by the larger ratio number",
    ),
)


def _draw_fuel(rng: Random) -> dict[str, Amount]:
    return {
        "distance": amount(5 * rng.randint(14, 88), "km"),
        "use": amount(halves(rng, 4, 9), "litres"),
        "price": amount(Decimal(rng.randint(14, 23)) / 10, "money"),
    }


_FUEL = plan(
    "both = 2 × distance : distance there and back : km",
    "hundreds = both ÷ 100 : number of 100 km stretches : ",
    "burnt = hundreds × use : fuel used : litres",
    "cost = burnt × price : cost of the fuel : money",
)
FUEL = Puzzle(
    draw=_draw_fuel,
    plan=_FUEL,
    blunders=(
        Blunder("wrong_operation", edit(_FUEL, cost="burnt ÷ price")),
        Blunder("wrong_conversion", edit(_FUEL, hundreds="both ÷ 10")),
        Blunder(
            "skipped_condition",
            edit(_FUEL, "both", hundreds="distance ÷ 100"),
            "the way back of {distance}",
        ),
        Blunder(
            "applied_twice",
            _FUEL + plan("round = 2 × cost : cost there and back : money"),
            "the way back of {distance}",
        ),
    ),
    copied=("distance", "use", "price"),
    rule=PuzzleRule(
        "the cost of the fuel",
        "the fuel used multiplied by the price per litre",
        "the fuel used divided by the price per litre",
    ),
)


def _draw_profit(rng: Random) -> dict[str, Amount]:
    cost = halves(rng, 2, 16)
    return {
        "n": amount(rng.randint(18, 90)),
        "p": amount(cost + halves(rng, 2, 14), "money"),
        "c": amount(cost, "money"),
        "f": amount(rng.randint(11, 60), "money"),
    }


_PROFIT = plan(
    "margin = p − c : profit on each : money",
    "gross = n × margin : profit before the fee : money",
    "net = gross − f : profit after the fee : money",
)
PROFIT = Puzzle(
    draw=_draw_profit,
    plan=_PROFIT,
    blunders=(
        Blunder("wrong_operation", edit(_PROFIT, margin="p + c")),
        Blunder("wrong_operation", edit(_PROFIT, net="gross + f")),
        Blunder("skipped_condition", edit(_PROFIT, "net"), "the fee of {f}"),
        Blunder(
            "applied_twice",
            _PROFIT + plan("left = net − f : profit left : money"),
            "the fee of {f}",
        ),
        Blunder(
            "other_question",
            plan("sales = n × p : takings : money", "left = sales − f : takings left : money"),
            "the takings less the fee",
        ),
    ),
    copied=("n", "p", "c", "f"),
    rule=PuzzleRule(
        "the profit on each",
        "the selling price minus the cost",
        "the selling price plus the cost",
    ),
)
