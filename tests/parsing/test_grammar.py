r"""With a grammar only its form, its labels and its place are a verdict."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.models.profiles import generic_grammar
from rmaudit.parsing.grammar import FORMS, Grammar, Scale, numbers_in
from rmaudit.parsing.parse import parse_pairwise, parse_with_form
from rmaudit.parsing.sides import Names
from rmaudit.parsing.verdict_grammar import Label
from rmaudit.records import Judgment

REASONS = "1. Response A gives 1969 as the year.\n2. Response B omits the price.\n"
SIDES = frozenset({Label("a", 1, False), Label("b", 1, False)})
PAIR = Scale(1, 10, "pair")


def parse(text: str, grammar: Grammar, names: Names | None = None) -> Judgment:
    return parse_pairwise(
        text, finish_reason="stop", max_reasons=9, grammar=grammar, names=names or Names()
    )


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (REASONS + "\\boxed{A>B}", "a"),
        (REASONS + "**Verdict:** $\\boxed{B>>A}$", "b"),
        (REASONS + "\\boxed{A=B}", "tie"),
        (REASONS + "`\\boxed{A>B}`", "a"),
        # A bare side only where it closes an answer that argues about the responses.
        (REASONS + "\\boxed{A}", "a"),
        ("2+2 is 4, so:\n\n\\boxed{B}", None),
        (REASONS + "so the answer is \\boxed{B}. Response A picks B.", None),
        ("\\boxed{B}\n" + REASONS, None),
        # Other forms are none, and contradict nothing.
        (REASONS + "[[A]]", None),
        (REASONS + "Verdict: A>B", None),
        (REASONS + "A>B", None),
        (REASONS + "<answer>A</answer>", None),
        (REASONS + '{"winner": "A"}', None),
        (REASONS + "[[B]]\n\\boxed{A>B}\n<answer>B</answer>", "a"),
        (REASONS + "\\boxed{A>B}\n\n\\boxed{B>A}", None),
    ],
)
def test_the_generic_prompt_asks_for_a_box(text: str, verdict: str | None) -> None:
    assert parse(text, generic_grammar()).verdict == verdict


def test_what_counts_in_another_form_is_told() -> None:
    parsed = parse_with_form(
        REASONS + "[[B]]\n\\boxed{A>B}",
        finish_reason="stop",
        max_reasons=5,
        grammar=generic_grammar(),
    )
    assert (parsed.form, parsed.passed, parsed.strict) == ("box", True, False)


FIRST_LINE = Grammar("first", forms=("line",), at="first", scale=PAIR)
SCORES = Grammar("scores", forms=("box",), captions=("Scores:",), scale=PAIR)
RANK = Grammar("rank", forms=("json",), keys=("overall.ranking",), scale=Scale(1, 6, "low_is_a"))
BOTH_KEYS = Grammar("keys", forms=("json",), keys=("score_1", "score_2"), scale=Scale(1, 5, "pair"))
GRADED = Grammar(
    "graded", forms=("tag",), tags=("answer",), scale=Scale(-3, 3, "low_is_a", None), at="last"
)
RESULT = Grammar("result", forms=("caption",), captions=("[RESULT]",), labels=SIDES)
SINGLE = Grammar("single", forms=("bracket",), labels=SIDES)


@pytest.mark.parametrize(
    ("grammar", "text", "verdict", "strength"),
    [
        (FIRST_LINE, "8 6\nAssistant 1 is right. [[B]] 2 9", "a", 1),
        (FIRST_LINE, "2, 9.5\nSo.", "b", 2),
        (FIRST_LINE, "7 7", "tie", 0),
        (FIRST_LINE, "Scores:\n8 6", None, None),
        (FIRST_LINE, "80 60", None, None),
        (FIRST_LINE, "8\n6", None, None),
        (SCORES, "Both add up. Scores: \\boxed{7, 4}", "a", 1),
        (SCORES, "So x is \\boxed{7, 4}", None, None),
        (SCORES, "Scores: \\boxed{7, 4}\n\nScores: \\boxed{4, 7}", None, None),
        (RANK, '{"overall": {"ranking": 1}, "style": {"ranking": 6}}', "a", 2),
        (RANK, '{"overall": {"ranking": 4}}', "b", 1),
        (RANK, '{"ranking": 1}', None, None),
        (RANK, '{"overall": {"ranking": 7}}', None, None),
        (BOTH_KEYS, '{"score_1": 4, "score_2": 2, "ranking": 6}', "a", 1),
        (BOTH_KEYS, '{"score_1": 4}', None, None),
        (BOTH_KEYS, '{"score_1": true, "score_2": 2}', None, None),
        (GRADED, "<think>x</think><answer>-3</answer>", "a", 2),
        (GRADED, "<think><answer>3</answer>", None, None),
        (GRADED, "<answer>0</answer>", None, None),
        (RESULT, "A is right about the year. [RESULT] A", "a", 1),
        (RESULT, "[RESULT] A or B", None, None),
        (RESULT, "[RESULT] A\n[RESULT] B", None, None),
        (SINGLE, "The first is right.\n[A]", "a", 1),
        (SINGLE, "The first is right [1].", None, None),
    ],
)
def test_each_form_with_its_scale_and_place(
    grammar: Grammar, text: str, verdict: str | None, strength: int | None
) -> None:
    found = parse(text, grammar)
    assert (found.verdict, found.strength) == (verdict, strength)


def test_where_the_reasons_are() -> None:
    text = "<think>Response A errs.</think>\nResponse B is short.\n[[A]]"
    for place, named, expected in (
        ("answer", (), "Response B is short."),
        ("thinking", (), "Response A errs."),
        ("none", (), None),
    ):
        grammar = Grammar("x", forms=("brackets",), reasons=place, reasons_in=named)  # type: ignore[arg-type]
        reasons = parse(text, grammar).reasons
        assert [reason.text for reason in reasons] == ([expected] if expected else [])
    tagged = "<eval>Response A errs.</eval>\n<solution>Response B?</solution>\n[[B]]"
    grammar = Grammar("x", forms=("brackets",), reasons="tags", reasons_in=("eval",))
    assert [reason.text for reason in parse(tagged, grammar).reasons] == ["Response A errs."]
    keyed = '{"explanation": "Response A errs.", "notes": "Response B?", "score": "Response B"}'
    grammar = Grammar(
        "x", forms=("json",), keys=("score",), reasons="keys", reasons_in=("explanation",)
    )
    found = parse(keyed, grammar)
    assert (found.verdict, [reason.text for reason in found.reasons]) == ("b", ["Response A errs."])


@pytest.mark.parametrize(
    ("scale", "numbers", "label"),
    [
        (PAIR, (8, 6), ("a", 1)),
        (PAIR, (10, 1), ("a", 2)),
        (PAIR, (5, 5), ("tie", 0)),
        (Scale(1, 10, "pair", 1.0), (6, 5), ("tie", 0)),
        (Scale(1, 10, "pair", None), (5, 5), None),
        (Scale(1, 6, "low_is_a"), (1,), ("a", 2)),
        (Scale(1, 6, "low_is_a"), (3,), ("a", 1)),
        (Scale(1, 6, "low_is_a"), (6,), ("b", 2)),
        (Scale(0, 1, "high_is_a"), (0.9,), ("a", 2)),
        (PAIR, (0, 5), None),
        (PAIR, (5,), None),
    ],
)
def test_scales(scale: Scale, numbers: tuple[float, ...], label: tuple[str, int] | None) -> None:
    found = scale.label(numbers)
    assert (found and found[:2]) == label


@settings(max_examples=200, deadline=None)
@given(
    st.floats(1, 10, allow_nan=False).map(lambda x: round(x, 2)),
    st.floats(1, 10, allow_nan=False).map(lambda x: round(x, 2)),
    st.sampled_from([", ", " ", "; ", "/"]),
)
def test_two_scores_decide_by_size_whatever_stands_between(a: float, b: float, gap: str) -> None:
    assert numbers_in(f"{a}{gap}{b}") == (a, b)
    verdict = parse(f"{a}{gap}{b}\nBecause.", FIRST_LINE).verdict
    assert verdict == ("tie" if a == b else "a" if a > b else "b")


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet='AB[]{}<>=\\boxedansw/"`: \n19,', max_size=80),
    st.sampled_from(FORMS),
    st.sampled_from([None, PAIR, Scale(1, 6, "low_is_a")]),
    st.sampled_from(["last", "first"]),
)
def test_one_form_never_reads_another(text: str, form: str, scale: Scale | None, at: str) -> None:
    """Whatever is read with one form allowed has that form; nothing raises."""
    grammar = Grammar("x", forms=(form,), scale=scale, at=at)  # type: ignore[arg-type]
    parsed = parse_with_form(text, finish_reason="stop", max_reasons=5, grammar=grammar)
    assert parsed.form in (None, form)
    assert (parsed.form is None) == (parsed.judgment.verdict is None)


UNITS = (
    *("[", "[[", "[]", "{", '{"a":', '{"a":[', '{"', "[[A]]\n", "\\boxed{A>B} ", "<answer>"),
    *("</think>", "\n<think>", '{"winner":"A"} ', "- x\n", "x:\n", "`a` ", "A>B\n", "。", "Ａ"),
    *("Style: [[B]]\n", "My verdict was [[B]]. ", "8 6\n", '"', "**x**\n", "[RESULT] A "),
)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_takes_less_than_a_second(unit: str) -> None:
    text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
    for grammar in (Grammar(), generic_grammar()):
        started = process_time()
        parse(text, grammar)
        assert process_time() - started < 1


def test_an_answer_without_end_is_read_as_if_it_were_cut() -> None:
    text = REASONS + "\\boxed{A>B}\n" + "and so on " * 20_000
    found = parse(text, generic_grammar())
    assert (found.verdict, found.flags) == ("a", ("ran_on",))
    found = parse("and so on " * 20_000 + REASONS + "\\boxed{A>B}\n", generic_grammar())
    assert (found.verdict, found.outcome) == (None, "truncated")
