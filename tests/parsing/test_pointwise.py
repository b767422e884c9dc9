"""Two responses judged alone and compared: hand-worked pairs, and rules for every pair."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.parsing.grammar import Criteria, Grammar, Scale
from rmaudit.parsing.parse import Parsed, parse_with_form
from rmaudit.parsing.pointwise import compare
from rmaudit.records import Judgment, ModelReason, Outcome

SCALE = Scale(1, 10, "rating", 0.0)
BOX = Grammar("g", ("box",), scale=SCALE)


def rated(text: str, *, cut: bool = False) -> Parsed:
    finish = "length" if cut else "stop"
    return parse_with_form(text, finish_reason=finish, max_reasons=9, grammar=BOX)  # type: ignore[arg-type]


def test_a_rating_is_read_and_no_verdict_of_a_pair_is() -> None:
    assert rated("1. It omits the price.\n\\boxed{7}").rating == 7
    assert rated("\\boxed{7.5}").rating == 7.5
    for text in ("\\boxed{A>B}", "A>B", "\\boxed{11}", "\\boxed{0}", "\\boxed{7, 4}", "7", "[[7]]"):
        found = rated(text)
        assert (found.rating, found.judgment.outcome) == (None, "unparsed"), text
    conflict = rated("\\boxed{7}\nThen again:\n\\boxed{4}")
    assert (conflict.rating, "conflict" in conflict.judgment.flags) == (None, True)
    assert rated("\\boxed{7}\nAs said:\n\\boxed{7}").rating == 7
    assert rated("1. It omits the pri", cut=True).judgment.outcome == "truncated"


@pytest.mark.parametrize(
    ("a", "b", "margin", "expected"),
    [
        (9, 4, 0.0, ("a", "ok", 2)),  # 5 of a range of 9, more than half of it
        (4, 6, 0.0, ("b", "ok", 1)),
        (6, 6, 0.0, ("tie", "tie", 0)),
        (6, 7, 1.0, ("tie", "tie", 0)),
        (6, 7.5, 1.0, ("b", "ok", 1)),
        (6, 6, None, (None, "unparsed", None)),
    ],
)
def test_the_tie_rule_is_data(a: float, b: float, margin: float | None, expected: object) -> None:
    scale = SCALE._replace(margin=margin)
    found = compare(rated(f"\\boxed{{{a}}}"), rated(f"\\boxed{{{b}}}"), scale, max_reasons=5)
    assert (found.verdict, found.outcome, found.strength) == expected


def test_the_reasons_of_each_answer_are_about_its_response() -> None:
    a = rated("1. Response B is not mentioned.\n2. It omits the price.\n\\boxed{3}")
    b = rated("1. The year is wrong.\n\\boxed{8}")
    found = compare(a, b, SCALE, max_reasons=5)
    assert [reason.about for reason in found.reasons] == ["a", "a", "b"]
    assert found.reasons[2].text == "The year is wrong."


def half(outcome: Outcome, rating: float | None, reasons: int) -> Parsed:
    listed = tuple(ModelReason(f"reason {number}") for number in range(reasons))
    verdict = "a" if rating is not None else None
    return Parsed(Judgment(verdict, outcome, listed), False, None, False, rating)


halves = st.one_of(
    st.builds(half, st.just("ok"), st.integers(1, 10).map(float), st.integers(0, 6)),
    st.builds(
        half,
        st.sampled_from(["unparsed", "truncated", "refused", "error", "too_long", "filtered"]),
        st.none(),
        st.integers(0, 6),
    ),
)


@given(halves, halves, st.integers(1, 8))
def test_for_every_pair(a: Parsed, b: Parsed, room: int) -> None:
    found = compare(a, b, SCALE, max_reasons=room)
    swapped = compare(b, a, SCALE, max_reasons=room)
    other = {"a": "b", "b": "a", "tie": "tie", None: None}
    assert swapped.verdict == other[found.verdict]
    assert swapped.outcome == found.outcome
    both = a.rating is not None and b.rating is not None
    assert (found.verdict is not None) == both  # one failed half is no verdict
    assert (found.outcome in ("ok", "tie")) == both
    assert len(found.reasons) <= room
    if both:
        total = len(a.judgment.reasons) + len(b.judgment.reasons)
        assert len(found.reasons) == min(total, room)
        assert ("over_max_reasons" in found.flags) == (total > room)


def test_the_mean_of_criteria_is_the_score_of_a_response() -> None:
    rule = Criteria("list", score="score", weight="kind", weights=(("core", 3.0),), other=1.0)
    grammar = Grammar("g", ("json",), scale=SCALE, criteria=rule, reasons="keys",
                      reasons_in=("list.*.why",))  # fmt: skip
    text = (
        '{"list": [{"score": 8, "kind": "core", "why": "Right year. Good."}, '
        '{"score": "4", "why": "No price."}]}'
    )
    found = parse_with_form(text, finish_reason="stop", max_reasons=9, grammar=grammar)
    assert found.rating == 7  # (3 * 8 + 4) / 4
    assert [reason.text for reason in found.judgment.reasons] == ["Right year. Good.", "No price."]
    for broken in ('{"list": []}', '{"list": [{"why": "x"}]}', '{"list": [{"score": true}]}', "{}"):
        read = parse_with_form(broken, finish_reason="stop", max_reasons=9, grammar=grammar)
        assert read.rating is None, broken


def test_no_input_of_a_million_characters_takes_long() -> None:
    rule = Criteria("list", verdict="side", ties=("S",))
    grammar = Grammar("g", ("json",), criteria=rule)
    many = '{"list": [' + ", ".join(['{"side": "A"}'] * 70_000) + "]}"
    for text in (many, "\\boxed{7}" * 110_000, '{"list": ' * 110_000):
        for one in (grammar, BOX):
            started = time.process_time()
            parse_with_form(text, finish_reason="stop", max_reasons=9, grammar=one)
            assert time.process_time() - started < 1
