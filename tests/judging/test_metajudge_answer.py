"""Reading a judge's answer: full lists only, nothing invented, nothing lost in silence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.judging.answers import Malformed
from rmaudit.judging.metajudge_answer import read_matrix
from rmaudit.judging.metajudge_prompt import templates
from rmaudit.metrics.matching import GRID


def read(text: str) -> tuple[tuple[float, ...], ...]:
    return read_matrix(text, n_refs=2, n_reasons=3).matrix


ZEROS = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
ONE = ((0.0, 0.75, 0.0), (0.0, 0.0, 0.0))
PAIR = '{"r": 1, "s": 2, "score": 0.75}'
WHOLE = f'{{"pairs": [{PAIR}]}}'

READABLE = [
    (WHOLE, ONE),
    ('{"pairs": []}', ZEROS),
    (f"```json\n{WHOLE}\n```", ONE),
    (f"Here it is: {WHOLE} Done.", ONE),
    (f'<think>{{"pairs": []}} R2 S1 1</think>\n{WHOLE}', ONE),
    (f"a</think>b</think>{WHOLE}", ONE),
    (f"{WHOLE}\nTo repeat it: {WHOLE}", ONE),
    (f"<|channel|>analysis<|message|>R2 S1 1<|channel|>final<|message|>{WHOLE}", ONE),
    (f"<thought>R2 S1 1</thought>{WHOLE}", ONE),
    (f'{{"answer": {WHOLE}}}', ONE),
    (f"[{PAIR}]", ONE),
    ('{"pairs": [{"r": "R1", "s": "S2", "score": 0.75}]}', ONE),
    ('{"pairs": [{"r": 1, "s": 2, "score": 0.75, "why": "same"}]}', ONE),
    (f'{{"pairs": [{PAIR}, {{"r": 2, "s": 1, "score": 0}}]}}', ONE),
    # A pair that comes twice counts with its lower score, in either order.
    (f'{{"pairs": [{PAIR}, {{"r": 1, "s": 2, "score": 1}}]}}', ONE),
    (f'{{"pairs": [{{"r": 1, "s": 2, "score": 1}}, {PAIR}]}}', ONE),
    (f'{{"pairs": [{PAIR}, {{"r": 1, "s": 2, "score": 0}}]}}', ZEROS),
    ("R1 S2 0.75", ONE),
    ("- R1@S2: .75", ONE),
    ("The reviewer is right here.\n\n* **R1**, **S2**: 0.75\nR2 S3 = 0", ONE),
    ("| R1 | S2 | 0.75 |", ONE),
    ("R1 and S2 are about the same fault.\nR1 S2 0.75", ONE),
    ("none", ZEROS),
    ("No reason states a reference.\nNone.", ZEROS),
]
MALFORMED = [
    "",
    "   \n",
    "I cannot help with that.",
    "Nothing matches.",
    "<think>R1 S2 0.75",
    "<THINK>R1 S2 0.75",
    f"<reasoning>{WHOLE}",
    f"<|START_THINKING|>{WHOLE}",
    # A list that is quoted after the answer does not pay, and one list a reference is not guessed.
    f'{{"pairs": []}}\nReason 2 says: {WHOLE}',
    f'{WHOLE}\n{{"pairs": [{{"r": 2, "s": 1, "score": 1}}]}}',
    "[" * 300_000,
    f"<think>{WHOLE}",
    WHOLE[:-3],
    '{"pairs": [',
    '{"pairs": [}',
    '{"pairs": {"r": 1, "s": 2, "score": 1}}',
    f'{WHOLE} or rather {{"pairs": [{{"r": 1',
    '{"pairs": [{"r": 1, "s": 2}]}',
    '{"pairs": [[1, 2, 0.75]]}',
    '{"pairs": [{"r": 0, "s": 2, "score": 1}]}',
    '{"pairs": [{"r": 3, "s": 2, "score": 1}]}',
    '{"pairs": [{"r": 1, "s": 4, "score": 1}]}',
    '{"pairs": [{"r": -1, "s": 2, "score": 1}]}',
    '{"pairs": [{"r": 1.5, "s": 2, "score": 1}]}',
    '{"pairs": [{"r": true, "s": 2, "score": 1}]}',
    '{"pairs": [{"r": "S1", "s": "S2", "score": 1}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": "0.75"}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": true}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": null}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": NaN}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": 1e999}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": 75}]}',
    '{"pairs": [{"r": 1, "s": 2, "score": -0.5}]}',
    "R1 S2",
    "R1 S2 -0.75",
    "R1 S2 75",
    "R1 S2 0.5 or 0.75",
    "R1 S2: half",
    "R3 S1 1",
    "R1 S2 0.75\nR2 S1: perhaps",
    "none of this can be judged",
    "[" * 100_000,
    '{"pairs": ' * 20_000,
    '{"pairs": [{"r": 1, "s": 2, "score": ' + "1" * 10_000 + "}]}",
]


@pytest.mark.parametrize(("text", "matrix"), READABLE)
def test_readable(text: str, matrix: tuple[tuple[float, ...], ...]) -> None:
    assert read(text) == matrix


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: text[:50])
def test_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read(text)


def test_an_echo_of_the_prompt_is_no_answer() -> None:
    with pytest.raises(Malformed):
        read("".join(template.source for template in templates()))


def test_scores_off_the_grid_are_moved_and_counted() -> None:
    """0.8 goes to 0.75, 0.6 to 0.5; halfway, 0.875, to the lower 0.75; 0.25 stays."""
    pairs = [(1, 1, 0.8), (1, 2, 0.6), (1, 3, 0.875), (2, 1, 0.25)]
    text = json.dumps({"pairs": [{"r": r, "s": s, "score": score} for r, s, score in pairs]})
    found = read_matrix(text, n_refs=2, n_reasons=3)
    assert found.matrix == ((0.75, 0.5, 0.75), (0.25, 0.0, 0.0))
    assert found.snapped == 3


matrices = st.integers(1, 4).flatmap(
    lambda n: st.integers(1, 4).flatmap(
        lambda m: st.lists(
            st.lists(st.sampled_from(GRID), min_size=m, max_size=m), min_size=n, max_size=n
        )
    )
)


def listed(matrix: list[list[float]]) -> list[tuple[int, int, float]]:
    return [
        (ref, reason, score)
        for ref, row in enumerate(matrix, start=1)
        for reason, score in enumerate(row, start=1)
        if score
    ]


def as_json(matrix: list[list[float]]) -> str:
    return json.dumps({"pairs": [{"r": r, "s": s, "score": x} for r, s, x in listed(matrix)]})


@given(matrices, st.data())
@settings(max_examples=60, deadline=None)
def test_every_matrix_is_read_back(matrix: list[list[float]], data: st.DataObject) -> None:
    shape = {"n_refs": len(matrix), "n_reasons": len(matrix[0])}
    lines = "\n".join(f"R{r} S{s} {score}" for r, s, score in listed(matrix)) or "none"
    text = data.draw(st.sampled_from([as_json(matrix), lines]))
    wrapped = data.draw(st.sampled_from(["{}", "```json\n{}\n```", "<think>x</think>\n{}\n"]))
    found = read_matrix(wrapped.replace("{}", text), **shape)
    assert [list(row) for row in found.matrix] == matrix
    assert found.snapped == 0


@given(matrices, st.data())
@settings(max_examples=100, deadline=None)
def test_a_cut_answer_is_whole_or_malformed(matrix: list[list[float]], data: st.DataObject) -> None:
    """Whatever is cut off, no pair turns into a 0."""
    text = as_json(matrix)
    cut = text[: data.draw(st.integers(0, len(text)))]
    try:
        found = read_matrix(cut, n_refs=len(matrix), n_reasons=len(matrix[0]))
    except Malformed:
        return
    assert [list(row) for row in found.matrix] == matrix


PIECES = [
    "R1", "S2", "R2", "S1", "0.75", ".5", "1", "-", ":", "@", "|", "\n", " ", "{", "}", "[", "]",
    '"pairs"', '"r"', '"s"', '"score"', ",", "none", "<think>", "</think>", "```", '"R1"', "NaN",
]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
@settings(max_examples=300, deadline=None)
def test_never_raises_anything_else_and_never_invents_a_pair(text: str) -> None:
    try:
        found = read_matrix(text, n_refs=3, n_reasons=3)
    except Malformed:
        return
    for ref, row in enumerate(found.matrix, start=1):
        for reason, score in enumerate(row, start=1):
            assert score in GRID
            if score:
                assert str(ref) in text
                assert str(reason) in text
