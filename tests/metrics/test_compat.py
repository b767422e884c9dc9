"""The arithmetic of public scripts, each of their faults worked by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.metrics.compat import r_align, rationalerm, rewardbench, rm_bench
from rmaudit.metrics.compat.rationalerm import JudgedRow, row_scores
from rmaudit.metrics.matching import match


def block(*lines: str) -> str:
    return "\n".join(["<RESULT_START>", *lines, "<RESULT_END>"])


@pytest.mark.parametrize(
    ("edges", "references", "reasons", "recall", "precision", "ap"),
    [
        # One broad reason is paid for all four references: one-to-one it is .75 / 4.
        ([(k, 1, 0.75) for k in (1, 2, 3, 4)], 4, 5, 0.75, 0.75 / 5, 0.75 / 4),
        # Hits at ranks 4 and 5 earn what they earn at 1 and 2; Eq. 3 has (1/4 + 2/5) / 4 = .1625.
        ([(1, 4, 1.0), (2, 5, 1.0), (3, 0, 0.0), (4, 0, 0.0)], 4, 5, 0.5, 0.4, 0.5),
        ([(1, 1, 1.0), (2, 2, 1.0), (3, 0, 0.0), (4, 0, 0.0)], 4, 5, 0.5, 0.4, 0.5),
        # Matched with score 0 counts as a rank: (1 + 1/2 + 1/3 + 1/4) / 4 = .5208, with S0 .25.
        ([(1, 1, 1.0), (2, 2, 0.0), (3, 3, 0.0), (4, 4, 0.0)], 4, 4, 0.25, 0.25, 25 / 48),
        ([(1, 1, 1.0), (2, 0, 0.0), (3, 0, 0.0), (4, 0, 0.0)], 4, 4, 0.25, 0.25, 0.25),
        # Each rank adds the running mean of scores: (1 + 1.25 / 2) / 2 exceeds the recall of .625.
        ([(1, 1, 1.0), (2, 2, 0.25)], 2, 2, 0.625, 0.625, 1.625 / 2),
        # Five reasons count: a match to the sixth is lost.
        ([(1, 6, 1.0), (2, 1, 0.5)], 2, 7, 0.25, 0.1, 0.25),
        # Two lines for one reference, none for the other: only their number is looked at.
        ([(1, 1, 0.5), (1, 2, 1.0)], 2, 2, 0.5, 0.75, (0.5 + 0.75) / 2),
    ],
)
def test_a_row_by_rationalerms_script(
    edges: list[rationalerm.Edge],
    references: int,
    reasons: int,
    recall: float,
    precision: float,
    ap: float,
) -> None:
    found = row_scores(edges, references=references, reasons=reasons)
    assert found is not None
    assert found.recall == pytest.approx(recall)
    assert found.precision == pytest.approx(precision)
    assert found.average_precision == pytest.approx(ap)
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))


def test_which_rows_rationalerms_script_keeps() -> None:
    """Kept are the first two, at recall 1 and 0; the first block counts, a repeat counts again."""
    good = block("- R1@S1: 1")
    rows = [
        JudgedRow("a", good, 1, 2),
        JudgedRow("b", block("- R1@S0: 0.00") + "\nNow for real:\n" + good, 1, 2),
        JudgedRow("c", good, 1, 0),  # no reasons: passed over
        JudgedRow("d", good, 1, 11),  # longer than ten: passed over
        JudgedRow("e", good, 2, 2),  # a line is missing
        JudgedRow("f", block("- R1@S1: .5"), 1, 2),  # no leading digit: the line is not seen
        JudgedRow("g", block("- R1@S1: 1.5"), 1, 2),
        JudgedRow("h", "no block", 1, 2),
        JudgedRow("i", None, 1, 2),
    ]
    found = rationalerm.numbers(rows)["compat.rationalerm.recall"]
    assert (found.value, found.n, found.n_excluded) == (0.5, 2, 7)
    assert (found.worst, found.best) == (pytest.approx(1 / 9), pytest.approx(8 / 9))
    again = rationalerm.numbers([*rows, rows[0]])["compat.rationalerm.recall"]
    assert again.value == pytest.approx(2 / 3)
    nothing = rationalerm.numbers(rows[2:])["compat.rationalerm.recall"]
    assert (nothing.value, nothing.n_excluded) == (None, 7)


@given(
    scores=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from([0.25, 0.5, 0.75, 1.0])),
        min_size=1,
        max_size=6,
    )
)
def test_the_script_never_pays_less_than_one_to_one(scores: list[tuple[int, float]]) -> None:
    """One reason a reference: ours on the same edges is at most the script's recall."""
    n, m = len(scores), 5
    matrix = [[0.0] * m for _ in scores]
    for i, (s, score) in enumerate(scores):
        if s:
            matrix[i][s - 1] = score
    ours = sum(edge.score for edge in match(matrix, n_refs=n, n_reasons=m)) / n
    edges = [(i, s, score) for i, (s, score) in enumerate(scores, start=1)]
    theirs = row_scores(edges, references=n, reasons=m)
    assert theirs is not None
    assert ours <= theirs.recall + 1e-12
    assert ours == pytest.approx(theirs.precision * m / n)


def test_r_aligns_three_denominators() -> None:
    """N 10, right 8, C 3, I 2, f 3: L-Acc 8/10, S-Corr 2/5, F-Score 3/7, which is not .8 * .6."""
    said = ["Correct"] * 3 + ["Incorrect"] * 2 + ["CallFail", "CallFail", "ParseFail"]
    rows = [r_align.MetaVerdict(str(k), True, one) for k, one in enumerate(said)]
    rows += [r_align.MetaVerdict(str(k), False, "SkippedLabelMismatch") for k in (8, 9)]
    found = r_align.numbers(rows)
    l_acc, s_corr, f_score = (found[f"compat.r_align.{n}"] for n in ("l_acc", "s_corr", "f_score"))
    assert l_acc.value == pytest.approx(0.8)
    assert s_corr.value == pytest.approx(0.4)
    assert (s_corr.worst, s_corr.best) == (pytest.approx(5 / 8), pytest.approx(2 / 8))
    assert f_score.value == pytest.approx(3 / 7)
    assert (f_score.worst, f_score.best) == (pytest.approx(0.3), pytest.approx(0.6))
    silent = r_align.numbers([r_align.MetaVerdict("a", True, "None")])
    assert silent["compat.r_align.f_score"].value is None
    assert silent["compat.r_align.l_acc"].value == 1.0


def test_rewardbench_weighs_subsets_by_fixed_counts() -> None:
    """Reasoning: math-prm 1/2 of weight 984, hep-go 1 of weight 164: (492 + 164) / 1148."""
    rows = [
        rewardbench.Result("a", "math-prm", 1.0),
        rewardbench.Result("b", "math-prm", 0.0),
        rewardbench.Result("c", "hep-go", 1.0),
        rewardbench.Result("d", "donotanswer", 0.5),
    ]
    sections = {"math-prm": "reasoning", "hep-go": "reasoning", "donotanswer": "safety"}
    found = rewardbench.rewardbench(rows, sections)
    reasoning = (0.5 * 984 + 164) / 1148
    assert found["compat.rewardbench.reasoning"].value == pytest.approx(reasoning)
    assert found["compat.rewardbench.safety"].value == 0.5
    assert found["compat.rewardbench.score"].value == pytest.approx((reasoning + 0.5) / 2)
    assert found["compat.rewardbench.accuracy"].value == pytest.approx(2.5 / 4)


def test_rewardbench2_shares_wins_and_composes_ties() -> None:
    """Ties of two questions, worked by hand.

    1  ref right 3 wrong 1 (gap 2); tied right 4, 5 wrong 2 (gap 2, spread 1): accurate, both
       margins hold, width tanh(2 / 1 - 1)
    2  ref right 1 wrong 2 (gap -1); tied right 2, 6 wrong 1 (gap 1, spread 4): only tied accurate,
       no margin holds, width tanh(-1 / 4 - 1)
    """
    one = rewardbench.RatedRow
    rows = [
        one("f", "Factuality", "1", (2.0, 2.0, 1.0, 0.0), 1),
        one("m", "Math", "1", (1.0, 2.0, 0.0, 0.0), 1),
        one("t", "Ties", "Ties/ref:1", (3.0, 1.0), 1),
        one("t", "Ties", "Ties/tied:1", (4.0, 5.0, 2.0), 2),
        one("t", "Ties", "Ties/ref:2", (1.0, 2.0), 1),
        one("t", "Ties", "Ties/tied:2", (2.0, 6.0, 1.0), 2),
    ]
    found = rewardbench.rewardbench2(rows)
    width = (math.tanh(1) + math.tanh(-1.25)) / 2
    ties = 0.3 * 1.0 + 0.3 * 0.5 + 0.2 * 0.5 + 0.2 * 0.5 + 0.01 * width
    assert found["compat.rewardbench2.factuality"].value == 0.5
    assert found["compat.rewardbench2.math"].value == 0.0
    assert found["compat.rewardbench2.ties"].value == pytest.approx(ties)
    assert found["compat.rewardbench2.score"].value == pytest.approx((0.5 + 0.0 + ties) / 3)


def test_rm_bench_counts_domains_alike() -> None:
    """Hard: chat 1 of 1, code 0 of 3: the mean over domains is 1/2, over pairs 1/4."""
    cell = rm_bench.Cell
    cells = [cell("chat", "hard", 1.0), *[cell("code", "hard", 0.0)] * 3, cell("chat", "easy", 1.0)]
    found = rm_bench.numbers(cells)
    assert found["compat.rm_bench.hard"].value == 0.5
    assert found["compat.rm_bench.easy"].value == 1.0
    assert found["compat.rm_bench.total"].value == pytest.approx(2 / 3)


def test_rows_that_agree_leave_room_for_others() -> None:
    """Two rows of 1: what is unseen so far may be up to 1 - .025 ** (1 / 2) of all."""
    found = r_align.numbers([r_align.MetaVerdict(k, True, "Correct") for k in "ab"])
    assert found["compat.r_align.l_acc"].low == pytest.approx(0.025**0.5)
    assert found["compat.r_align.l_acc"].high == 1.0
