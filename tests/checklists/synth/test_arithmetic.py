"""Family `arithmetic`: right mathematics, independent parts, wordings that name their facts."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.synth_properties import (
    check_faults,
    check_items,
    check_same_bytes,
    check_styles,
    check_wordings,
    coincidence,
)

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import arithmetic_measures as measures
from rmaudit.checklists.synth import arithmetic_money as money
from rmaudit.checklists.synth import arithmetic_words as words
from rmaudit.checklists.synth.arithmetic import FAMILY, FEWEST_PARTS, MOST_PARTS, draw
from rmaudit.checklists.synth.arithmetic_errors import find_mistake
from rmaudit.checklists.synth.arithmetic_money import DISCOUNT
from rmaudit.checklists.synth.arithmetic_plans import (
    Amount,
    Puzzle,
    Slip,
    Worked,
    amount,
    edit,
    plan,
    work,
)
from rmaudit.checklists.synth.arithmetic_scenes import SCENES
from rmaudit.checklists.synth.build import make_items
from rmaudit.judge_check.no_read_baselines import surface_accuracy

SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return make_items([FAMILY], n=600, seed=11)


def discount() -> dict[str, Amount]:
    return {"n": amount(12), "p": amount(7, "$"), "d": amount(15, "%")}


def test_discount_by_hand() -> None:
    # 12 x 7 = 84; 15% of 84 = 12.60; 84 - 12.60 = 71.40
    worked = work(DISCOUNT.plan, discount(), {"money": "$"})
    assert [str(step) for step in worked.steps] == [
        "12 × $7.00 = $84.00",
        "15% of $84.00 = $12.60",
        "$84.00 − $12.60 = $71.40",
    ]
    assert str(worked.answer) == "$71.40"
    assert worked.clean


@pytest.mark.parametrize(
    ("puzzle", "values", "answer"),
    [
        # 30 h at 14 = 420; overtime rate 21; 5 h at 21 = 105; together 525
        (money.WAGES, {"h": 30, "w": 14, "o": 5}, "€525.00"),
        # (500 - 200) / 25
        (money.SAVINGS, {"target": 500, "start": 200, "weekly": 25}, "12 weeks"),
        # 3% of 1000 = 30; 4 x 30 = 120
        (money.INTEREST, {"deposit": 1000, "rate": 3, "years": 4}, "€1,120.00"),
        # 90 / (2 + 3) = 18; 2 x 18
        (money.SHARE, {"total": 90, "a": 2, "b": 3}, "€36.00"),
        # 300 km at 6 l per 100 km = 18 l; 18 x 1.5
        (money.FUEL, {"distance": 150, "use": 6, "price": 1.5}, "€27.00"),
        # 20 x (9 - 5) = 80; 80 - 30
        (money.PROFIT, {"n": 20, "p": 9, "c": 5, "f": 30}, "€50.00"),
        # 180 / 80 = 2.25 h = 135 min; 135 + 15
        (measures.TRIP, {"distance": 180, "speed": 80, "stop": 15}, "150 minutes"),
        # 200 / 4 = 50; 50 x 10
        (measures.SCALE, {"g": 200, "m": 4, "k": 10}, "500 g"),
        # 12 x 3 + 5 = 41; 41 / 10 = 4.1
        (measures.PACK, {"n": 12, "k": 3, "r": 5, "c": 10}, "5 packs"),
        # 600 / (18 - 3)
        (measures.TANK, {"volume": 600, "flow": 18, "leak": 3}, "40 minutes"),
        # 5 x 2.4 - 2 = 10; 2 coats = 20; 20 / 8
        (measures.PAINT, {"l": 5, "h": 2.4, "window": 2, "coats": 2, "k": 8}, "2.5 litres"),
        # 2 x (10 + 6) - 1.5
        (measures.FENCE, {"l": 10, "w": 6, "gate": 1.5}, "30.5 m"),
        # (10 + 20 + 30 + 44) / 4
        (measures.AVERAGE, {"a": 10, "b": 20, "c": 30, "d": 44}, "26 each"),
    ],
)
def test_puzzles_by_hand(puzzle: Puzzle, values: dict[str, float], answer: str) -> None:
    amounts = {name: Amount(Decimal(str(value))) for name, value in values.items()}
    assert str(work(puzzle.plan, amounts, {"money": "€"}).answer) == answer


def test_a_slip_is_carried_on() -> None:
    # 84 miscalculated as 94: 15% of 94 = 14.10; 94 - 14.10 = 79.90
    worked = work(DISCOUNT.plan, discount(), {"money": "$"}, Slip(0, Decimal(10)))
    assert [str(step.result) for step in worked.steps] == ["$94.00", "$14.10", "$79.90"]


def test_rounding_and_unclean_results() -> None:
    packs = plan("exact = all ÷ c : quotient : ", "packs = exact up : packs : boxes")
    # 82 / 8 = 10.25, rounded up 11, rounded down 10; 80 / 8 needs no rounding; 82 / 9 has no end
    worked = work(packs, {"all": amount(82), "c": amount(8)}, {})
    assert (str(worked.answer), worked.clean) == ("11 boxes", True)
    assert str(worked.steps[1]) == "10.25 ≈ 11 boxes, rounded up"
    down = work(edit(packs, packs="exact down"), {"all": amount(82), "c": amount(8)}, {})
    assert str(down.answer) == "10 boxes"
    assert not work(packs, {"all": amount(80), "c": amount(8)}, {}).clean
    assert not work(packs, {"all": amount(82), "c": amount(9)}, {}).clean
    assert not work(packs, {"all": amount(82), "c": amount(0)}, {}).clean


@pytest.mark.parametrize(
    ("shown", "value", "unit"),
    [
        ("1,292 g", "1292", "g"),
        ("2.5", "2.50", ""),
        ("15%", "15", "%"),
        ("£1,040.50", "1040.5", "£"),
    ],
)
def test_amounts(shown: str, value: str, unit: str) -> None:
    assert str(Amount(Decimal(value), unit)) == shown


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_faults_alone_and_in_pairs(seed: int) -> None:
    rng = Random(seed)
    check_faults(draw(rng), rng)


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_wordings_name_side_and_facts(seed: int) -> None:
    rng = Random(seed)
    for fault in draw(rng).faults(rng):
        check_wordings(fault)
        for wording in fault.wordings:
            assert all(fact in wording for fact in fault.facts), (wording, fault.facts)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_styles_change_no_check(seed: int) -> None:
    rng = Random(seed)
    check_styles(draw(rng), rng)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_prompt_states_every_number(seed: int) -> None:
    task = draw(Random(seed))
    assert FEWEST_PARTS <= len(task.problems) <= MOST_PARTS
    assert task.name in task.prompt
    assert task.time in task.prompt
    for problem in task.problems:
        assert all(str(value) in problem.question for value in problem.right.values.values())
        assert problem.question in task.prompt
    assert sum("rule" in problem.checks for problem in task.problems) == 1


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_every_line_of_a_clean_solution_is_right(seed: int) -> None:
    """Recomputes what is printed, with other code than that which computed it."""
    task = draw(Random(seed))
    text = task.render((), seed)
    for problem in task.problems:
        for step in problem.right.steps:
            assert str(step) in text
            if step.rounding:
                assert step.rounding == "up"
                assert 0 < number(str(step.result)) - number(step.expression) < 1
            else:
                assert evaluated(step.expression) == number(str(step.result)), step
        assert str(problem.right.steps[-1].result) == str(problem.right.answer)


def number(text: str) -> Fraction:
    return Fraction(re.sub(r"[^0-9.]", "", text))


def evaluated(expression: str) -> Fraction:
    sign = next(sign for sign in (" + ", " − ", " × ", " ÷ ", " of ") if sign in expression)
    first, *rest = map(number, expression.split(sign))
    if sign == " + ":
        return first + sum(rest)
    (second,) = rest
    if sign == " − ":
        return first - second
    if sign == " ÷ ":
        return first / second
    return first * second / (100 if sign == " of " else 1)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_a_mistake_looks_like_a_solution(seed: int) -> None:
    rng = Random(seed)
    for problem in draw(rng).problems:
        right = problem.right
        wrong = find_mistake(problem.part.puzzle, right, problem.units, rng)
        assert isinstance(wrong.worked, Worked)
        assert wrong.worked.clean
        assert wrong.worked.answer != right.answer
        assert wrong.worked.answer.unit == right.answer.unit
        avoided = find_mistake(problem.part.puzzle, right, problem.units, rng, avoid=wrong.kind)
        if wrong.kind not in ("wrong_operand", "arithmetic_slip", "wrong_final"):
            assert avoided.kind != wrong.kind


def test_scenes_have_enough_parts() -> None:
    assert len(SCENES) >= 7
    assert all(len(scene.parts) >= MOST_PARTS for scene in SCENES)


def test_rules_do_not_contain_each_other() -> None:
    rules = {part.puzzle.rule for scene in SCENES for part in scene.parts}
    for rule in rules:
        others = [other.right for other in rules if other is not rule] + [rule.wrong]
        assert not any(rule.right in other for other in others)


@pytest.mark.slow
def test_items_are_proved(items: list[Item]) -> None:
    check_items(items[:200])


@pytest.mark.slow
def test_all_kinds_appear_and_none_in_most_items(items: list[Item]) -> None:
    found = [kind for item in items for kind in set(item.meta["kinds"].values())]
    assert set(found) == set(words.KINDS)
    assert all(found.count(kind) < 0.7 * len(items) for kind in set(found))


@pytest.mark.slow
def test_no_clue_outside_of_the_faults(items: list[Item]) -> None:
    accuracy = surface_accuracy(items, seed=1)
    assert accuracy is not None
    assert accuracy <= 0.60
    assert coincidence(items) < 0.04


@pytest.mark.slow
def test_same_seed_same_bytes() -> None:
    check_same_bytes(FAMILY, "rmaudit.checklists.synth.arithmetic")
