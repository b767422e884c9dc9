"""Puzzles about measures: travel time, scaling, packing, filling, painting, fencing, averages."""

from __future__ import annotations

from decimal import Decimal
from math import lcm
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


def _draw_trip(rng: Random) -> dict[str, Amount]:
    speed = rng.choice((28, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100))
    quarters = rng.choice((5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18))
    return {
        "distance": amount(speed * quarters // 4, "km"),
        "speed": amount(speed, "km/h"),
        "stop": amount(rng.randint(12, 48), "minutes"),
    }


_TRIP = plan(
    "hours = distance ÷ speed : driving time in hours : hours",
    "driving = hours × 60 : driving time in minutes : minutes",
    "whole = driving + stop : whole duration : minutes",
)
TRIP = Puzzle(
    draw=_draw_trip,
    plan=_TRIP,
    blunders=(
        Blunder("wrong_operation", edit(_TRIP, whole="driving − stop")),
        Blunder("wrong_conversion", edit(_TRIP, driving="hours × 100")),
        Blunder("skipped_condition", edit(_TRIP, "whole"), "the {stop} on top of the driving time"),
        Blunder(
            "applied_twice",
            _TRIP + plan("more = whole + stop : duration in total : minutes"),
            "the {stop} on top of the driving time",
        ),
    ),
    copied=("distance", "speed", "stop"),
    rule=PuzzleRule(
        "the driving time",
        "the distance divided by the speed",
        "the speed divided by the distance",
    ),
    wrong_units=("hours", "seconds"),
)


def _draw_scale(rng: Random) -> dict[str, Amount]:
    made = rng.choice((4, 5, 6, 8, 10, 12, 15, 16, 20))
    return {
        "m": amount(made),
        "k": amount(rng.choice([wanted for wanted in range(9, 61) if wanted % made])),
        "g": amount(made * rng.randint(6, 60), "g"),
    }


_SCALE = plan(
    "each = g ÷ m : amount for one : g",
    "need = each × k : amount needed : g",
)
SCALE = Puzzle(
    draw=_draw_scale,
    plan=_SCALE,
    blunders=(
        Blunder("wrong_operation", edit(_SCALE, need="each + k")),
        Blunder(
            "wrong_operation",
            plan("more = k − m : difference : ", "need = g + more : amount needed : g"),
        ),
        Blunder("other_question", edit(_SCALE, "need"), "the amount for a single one"),
        Blunder(
            "other_question",
            _SCALE + plan("more = need − g : further amount : g"),
            "what is needed beyond the {g}",
        ),
    ),
    copied=("m", "k", "g"),
    rule=PuzzleRule(
        "the amount needed",
        "the amount for one times the number wanted",
        "the amount for one plus the number wanted",
    ),
    wrong_units=("kg", "mg"),
)


def _draw_pack(rng: Random) -> dict[str, Amount]:
    return {
        "n": amount(rng.randint(14, 48)),
        "k": amount(rng.randint(2, 6)),
        "r": amount(rng.randint(5, 24)),
        "c": amount(rng.choice((4, 5, 8, 10, 16, 20, 25))),
    }


_PACK = plan(
    "base = n × k : number without the extras : ",
    "all = base + r : number with the extras : ",
    "exact = all ÷ c : exact quotient : ",
    "packs = exact up : number needed : packs",
)
PACK = Puzzle(
    draw=_draw_pack,
    plan=_PACK,
    blunders=(
        Blunder("wrong_operation", edit(_PACK, all="base − r")),
        Blunder("wrong_rounding", edit(_PACK, packs="exact down")),
        Blunder("skipped_condition", edit(_PACK, "all", exact="base ÷ c"), "the {r} extras"),
        Blunder(
            "applied_twice",
            _PACK[:2]
            + plan("more = all + r : number to pack : ")
            + edit(_PACK[2:], exact="more ÷ c"),
            "the {r} extras",
        ),
    ),
    copied=("n", "k", "r", "c"),
    rule=PuzzleRule(
        "the number needed",
        "the quotient rounded up to a whole number",
        "the quotient rounded down to a whole number",
    ),
)


def _draw_tank(rng: Random) -> dict[str, Amount]:
    leak, net = rng.randint(2, 6), rng.choice((6, 8, 9, 10, 12, 14, 15, 16, 18, 20))
    base = lcm(net, net + leak)
    return {
        "volume": amount(base * rng.randint(max(1, 200 // base), 1 + 1600 // base), "litres"),
        "flow": amount(net + leak, "l/min"),
        "leak": amount(leak, "l/min"),
    }


_TANK = plan(
    "net = flow − leak : net rate : l/min",
    "time = volume ÷ net : filling time : minutes",
)
TANK = Puzzle(
    draw=_draw_tank,
    plan=_TANK,
    blunders=(
        Blunder("wrong_operation", edit(_TANK, net="flow + leak")),
        Blunder(
            "skipped_condition", edit(_TANK, "net", time="volume ÷ flow"), "the loss of {leak}"
        ),
        Blunder(
            "applied_twice",
            _TANK[:1]
            + plan("less = net − leak : rate left : l/min")
            + edit(_TANK[1:], time="volume ÷ less"),
            "the loss of {leak}",
        ),
    ),
    copied=("volume", "flow", "leak"),
    rule=PuzzleRule(
        "the filling time",
        "the volume divided by the net rate",
        "the net rate divided by the volume",
    ),
    wrong_units=("hours", "seconds"),
)


def _draw_paint(rng: Random) -> dict[str, Amount]:
    return {
        "l": amount(halves(rng, 4, 14), "m"),
        "h": amount(rng.choice((Decimal("2.4"), Decimal("2.5"), Decimal("2.6"), 3)), "m"),
        "window": amount(halves(rng, 2, 6), "m²"),
        "coats": amount(rng.choice((2, 3))),
        "k": amount(rng.choice((4, 5, 6, 8, 9, 10)), "m²"),
    }


_PAINT = plan(
    "wall = l × h : area of the wall : m²",
    "area = wall − window : area to cover : m²",
    "painted = area × coats : area over all coats : m²",
    "paint = painted ÷ k : paint needed : litres",
)
PAINT = Puzzle(
    draw=_draw_paint,
    plan=_PAINT,
    blunders=(
        Blunder("wrong_operation", edit(_PAINT, area="wall + window")),
        Blunder("wrong_operation", edit(_PAINT, painted="area ÷ coats")),
        Blunder(
            "skipped_condition",
            edit(_PAINT, "area", painted="wall × coats"),
            "the {window} that stay unpainted",
        ),
        Blunder(
            "skipped_condition", edit(_PAINT, "painted", paint="area ÷ k"), "the {coats} coats"
        ),
        Blunder(
            "applied_twice",
            _PAINT[:2]
            + plan("less = area − window : remaining area : m²")
            + edit(_PAINT[2:], painted="less × coats"),
            "the {window} that stay unpainted",
        ),
        Blunder(
            "applied_twice",
            _PAINT + plan("more = paint × coats : paint for all coats : litres"),
            "the factor of {coats} for the coats",
        ),
    ),
    copied=("l", "h", "window", "k"),
    rule=PuzzleRule(
        "the paint needed",
        "the area over all coats divided by the area per litre",
        "the area over all coats times the area per litre",
    ),
    wrong_units=("m²", "millilitres"),
)


def _draw_fence(rng: Random) -> dict[str, Amount]:
    return {
        "l": amount(halves(rng, 9, 40), "m"),
        "w": amount(halves(rng, 5, 30), "m"),
        "gate": amount(halves(rng, 1, 4), "m"),
    }


_FENCE = plan(
    "half = l + w : length plus width : m",
    "around = 2 × half : perimeter : m",
    "fence = around − gate : length without the opening : m",
)
FENCE = Puzzle(
    draw=_draw_fence,
    plan=_FENCE,
    blunders=(
        Blunder("wrong_operation", edit(_FENCE, half="l × w")),
        Blunder("wrong_operation", edit(_FENCE, fence="around + gate")),
        Blunder("skipped_condition", edit(_FENCE, "fence"), "the opening of {gate}"),
        Blunder(
            "applied_twice",
            _FENCE + plan("left = fence − gate : length to buy : m"),
            "the opening of {gate}",
        ),
    ),
    copied=("l", "w", "gate"),
    rule=PuzzleRule(
        "the perimeter",
        "twice the sum of length and width",
        "the sum of length and width",
    ),
    wrong_units=("m²", "cm", "km"),
)


def _draw_average(rng: Random) -> dict[str, Amount]:
    low = rng.randint(12, 160)
    return {name: amount(low + rng.randint(0, 40)) for name in "abcd"}


_AVERAGE = plan(
    "sum = a + b + c + d : total : each",
    "mean = sum ÷ 4 : average : each",
)
AVERAGE = Puzzle(
    draw=_draw_average,
    plan=_AVERAGE,
    blunders=(
        Blunder("wrong_operation", edit(_AVERAGE, mean="sum ÷ 3")),
        Blunder("wrong_operation", edit(_AVERAGE, mean="sum ÷ 5")),
        Blunder(
            "skipped_condition",
            edit(_AVERAGE, sum="a + b + c", mean="sum ÷ 3"),
            "the fourth figure, {d},",
        ),
        Blunder("other_question", edit(_AVERAGE, "mean"), "the total"),
    ),
    copied=("a", "b", "c", "d"),
    rule=PuzzleRule(
        "the average",
        "the total divided by the number of figures",
        "the total multiplied by the number of figures",
    ),
)
