"""The reward of a completion, worked by hand case by case."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import answer, ideal_answer, swap_names
from support.fix_items import item

from rmaudit.checklists.schema import Item
from rmaudit.fix.reward.reward import Arm, ReadAnswer, Reward, read_answer, reward, wants_judge
from rmaudit.metrics.matching import average_precision, match
from rmaudit.records import ModelReason

ITEM = item(["Response B says 5.", "Response B is late."])
ARMS: tuple[Arm, ...] = ("hybrid", "outcome", "rationale", "r-align")
R1, R2 = (reason.text for reason in ITEM.reasons)


def read(text: str, *, of: Item = ITEM, order: Any = "ab", finish: Any = "stop") -> ReadAnswer:
    return read_answer(text, of, order=order, finish_reason=finish, max_reasons=5)


def same(told: ReadAnswer, of: Item = ITEM) -> tuple[tuple[float, ...], ...]:
    """The matrix of a judge that compares letter by letter."""
    return tuple(
        tuple(float(one.text == reason.text) for one in told.reasons) for reason in of.reasons
    )


def rewarded(text: str, arm: Arm = "hybrid", **options: Any) -> Reward:
    told = read(text, **options)
    return reward(told, arm, same(told), n_refs=2)


def test_all_reasons_and_the_right_verdict_earn_one() -> None:
    found = rewarded(answer([R1, R2], "A>B"))
    # Both hit at ranks 1 and 2: AP = (1/1 + 2/2) / 2; precision = 2 / 2.
    assert found == Reward(1.0, 1.0, True, 2, ap=1.0, precision=1.0, needed=True)


def test_the_wrong_verdict_earns_nothing_whatever_its_reasons() -> None:
    assert rewarded(answer([R1, R2], "B>A")).value == 0.0
    assert not wants_judge(read(answer([R1, R2], "B>A")), "hybrid")


def test_the_second_order_reads_in_item_coordinates() -> None:
    told = read(ideal_answer(ITEM, "ba"), order="ba")
    assert [one.text for one in told.reasons] == [R1, R2]
    assert told.outcome == 1.0
    assert read(answer([swap_names(R1)], "A>B"), order="ba").outcome == 0.0


def test_one_of_two_reasons_earns_half() -> None:
    assert rewarded(answer([R1], "A>>B")).value == pytest.approx(1 / 2)


def test_a_copy_of_a_reason_adds_nothing() -> None:
    # Ranks 1 and 2 say the same: one-to-one, so only rank 1 is a hit. AP = 1 / 2.
    found = rewarded(answer([R1, R1], "A>B"))
    assert found.value == pytest.approx(1 / 2)
    assert found.precision == pytest.approx(1 / 2)


def test_a_compound_reason_is_paid_once() -> None:
    told = read(answer(["Response B says 5 and is late."], "A>B"))
    # It half meets both references: 0.5 each, but one reason may serve one reference only.
    found = reward(told, "hybrid", ((0.5,), (0.5,)), n_refs=2)
    assert found.value == pytest.approx(1 / 2)  # one hit at rank 1 of two references
    assert found.precision == pytest.approx(0.5)


def test_junk_before_hits_costs_and_junk_after_them_is_free() -> None:
    before = [f"Response A is fine in way {n}." for n in range(3)]
    # Hits at ranks 4 and 5: AP = (1/4 + 2/5) / 2 = 0.325.
    assert rewarded(answer([*before, R1, R2], "A>B")).value == pytest.approx(0.325)
    after = rewarded(answer([R1, R2, *before], "A>B"))
    assert after.value == 1.0
    assert after.precision == pytest.approx(2 / 5)


def test_a_vague_or_half_copied_reason_is_no_hit() -> None:
    told = read(answer([R1, R2], "A>B"))
    matrix = ((0.25, 0.0), (0.0, 0.5))
    assert reward(told, "hybrid", matrix, n_refs=2).value == pytest.approx(1 / 4)  # rank 2 of 2
    assert reward(told, "hybrid", matrix, n_refs=2, hit=0.25).value == 1.0


def test_reasons_past_the_limit_do_not_count_but_are_counted() -> None:
    junk = [f"Response A is fine in way {n}." for n in range(5)]
    found = rewarded(answer([*junk, R1, R2], "A>B"))
    assert (found.value, found.n_reasons) == (0.0, 7)


def test_no_reason_is_no_rationale_and_costs_no_call() -> None:
    told = read(r"\boxed{A>B}")
    assert told == ReadAnswer(True, 1.0, (), 0)
    assert not wants_judge(told, "hybrid")
    values = [reward(told, arm, None, n_refs=2).value for arm in ARMS]
    assert values == [0.0, 1.0, 0.0, 0.0]


def test_the_empty_completion_earns_nothing() -> None:
    for arm in ARMS:
        assert reward(read(""), arm, None, n_refs=2).value == 0.0


@pytest.mark.parametrize(
    "text",
    [
        answer([R1, R2], "A>B") + "\n" + r"\boxed{A>B}",  # two verdicts, though they agree
        r"\boxed{A>B}" + "\n" + answer([R1, R2], "B>A"),
        answer([R1, R2], "A>B") + "\nAnd furthermore, Response A is polite.",  # runs on
        answer([R1, R2], "A>B") + "\n1. Response B says 5.",
        r"\boxed{A>B} or \boxed{B>A}",
        f"1. {R1}\n2. {R2}\n",  # no verdict
    ],
)
def test_what_lacks_the_strict_form_earns_nothing(text: str) -> None:
    told = read(text)
    assert not told.clean
    assert rewarded(text).value == 0.0
    assert not wants_judge(told, "hybrid")


def test_a_cut_answer_earns_nothing() -> None:
    whole = answer([R1, R2], "A>B")
    assert rewarded(whole, finish="length").value == 0.0
    assert rewarded(whole[:-2], finish="length").value == 0.0


def test_a_full_stop_or_a_blank_after_the_verdict_is_no_offence() -> None:
    for end in ("", ".", "\n", " \n\n"):
        assert rewarded(answer([R1, R2], "A>B") + end).value == 1.0


def test_a_gold_tie_wants_the_tie() -> None:
    tie = item([R1, R2], label="tie")
    assert rewarded(answer([R1, R2], "A=B"), of=tie).value == 1.0
    assert rewarded(answer([R1, R2], "A>B"), of=tie).value == 0.0
    assert rewarded(answer([R1, R2], "A=B")).value == 0.0


def test_a_failed_judge_is_no_reward_only_where_it_was_needed() -> None:
    right, wrong = read(answer([R1], "A>B")), read(answer([R1], "B>A"))
    failed = reward(right, "hybrid", None, n_refs=2)
    assert (failed.value, failed.judge_failed, failed.ap) == (None, True, None)
    assert reward(wrong, "hybrid", None, n_refs=2).value == 0.0
    assert reward(right, "outcome", None, n_refs=2).value == 1.0
    assert reward(wrong, "rationale", None, n_refs=2).value is None


def test_the_arms_are_the_factors_and_their_product() -> None:
    text = answer([R1], "B>A")  # AP 1/2, wrong
    assert [rewarded(text, arm).value for arm in ("hybrid", "outcome", "rationale")] == [0, 0, 0.5]
    text = answer([R1], "A>B")  # AP 1/2, right
    assert [rewarded(text, arm).value for arm in ("hybrid", "outcome", "rationale")] == [
        0.5,
        1,
        0.5,
    ]


def test_r_align_is_the_meta_judgment_of_a_right_verdict() -> None:
    right, wrong = read(answer([R1], "A>B")), read(answer([R1], "B>A"))
    values = [
        reward(told, "r-align", None, n_refs=2, meta=judged).value
        for told in (right, wrong)
        for judged in (True, False, None)
    ]
    assert values == [1.0, 0.0, None, 0.0, 0.0, 0.0]


def test_monitored_samples_show_their_rationale_and_are_not_rewarded_for_it() -> None:
    found = rewarded(answer([R1, R2], "A>B"), "outcome")
    assert (found.value, found.ap) == (1.0, 1.0)
    assert rewarded(answer([R1, R2], "B>A"), "outcome").value == 0.0


GRID = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


@st.composite
def judged(draw: st.DrawFn) -> tuple[ReadAnswer, tuple[tuple[float, ...], ...]]:
    n, m = draw(st.integers(1, 4)), draw(st.integers(0, 5))
    reasons = tuple(ModelReason(f"reason {k}") for k in range(m))
    outcome = draw(st.sampled_from([0.0, 1.0]))
    told = ReadAnswer(draw(st.booleans()), outcome, reasons, m)
    return told, tuple(tuple(draw(GRID) for _ in range(m)) for _ in range(n))


@given(judged(), st.sampled_from(["hybrid", "outcome", "rationale"]))
def test_a_reward_is_the_product_of_what_the_audit_measures(
    case: tuple[ReadAnswer, tuple[tuple[float, ...], ...]], arm: Arm
) -> None:
    told, matrix = case
    n, m = len(matrix), len(told.reasons)
    edges = match(matrix, n_refs=n, n_reasons=m, tau=0.5)
    ap = average_precision(edges, n_refs=n, tau=0.5)
    found = reward(told, arm, matrix, n_refs=n)
    factors = {"hybrid": told.outcome * ap, "outcome": told.outcome, "rationale": ap}
    assert found.value == (factors[arm] if told.clean else 0.0)
    assert 0.0 <= (found.value or 0.0) <= 1.0
    # Where no call is made, no judge's answer would have changed the reward.
    if not wants_judge(told, arm):
        assert reward(told, arm, None, n_refs=n).value == found.value


@given(judged(), st.integers(0, 3))
def test_junk_never_raises_the_reward(
    case: tuple[ReadAnswer, tuple[tuple[float, ...], ...]], place: int
) -> None:
    told, matrix = case
    place = min(place, len(told.reasons))
    reasons = (*told.reasons[:place], ModelReason("junk"), *told.reasons[place:])
    padded = tuple((*row[:place], 0.0, *row[place:]) for row in matrix)
    more = ReadAnswer(told.clean, told.outcome, reasons, len(reasons))
    n = len(matrix)
    before = reward(told, "hybrid", matrix, n_refs=n).value
    assert reward(more, "hybrid", padded, n_refs=n).value <= before + 1e-12  # type: ignore[operator]
