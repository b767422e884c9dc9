"""Shares of flaws and categories, and the metrics of gold judgments, against numbers by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.metrics_rows import item, no_answer, row

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.labels import RowLabels
from rmaudit.metrics.table import Table, build_table
from rmaudit.records import Flaw, Gold, LabelSet, Metric, ReasonLabel, Tested, Verdict
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES, TESTED

BUILTIN: tuple[Tested, ...] = ("category", "F1", "F2", "F3", "F4")
FAILED = LabelSet((), failure="cut")


def labels(
    *reasons: str, gold: Gold | None = None, tested: tuple[Tested, ...] = TESTED
) -> LabelSet:
    """Labels written as "EG", "GS F1 F4"."""
    found = []
    for reason in reasons:
        category, *flaws = reason.split()
        found.append(ReasonLabel(category, tuple(flaws)))  # type: ignore[arg-type]
    return LabelSet(tuple(found), tested, gold)


@dataclass(frozen=True)
class Answer:
    """An answer of one order; `found` None: nobody labelled it. `silent`: the target failed."""

    found: LabelSet | None
    verdict: Verdict = "a"
    silent: bool = False


def table_of(
    answers: Sequence[Sequence[Answer]],
    *,
    gold: bool = True,
    asked: bool = True,
    label: Literal["a", "b", "tie"] = "a",
    labeler: str = "builtin",
    max_reasons: int = 5,
) -> Table:
    """Items i0, i1, ... with one answer an order."""
    items, given_labels = [], {}
    for number, both in enumerate(answers):
        rows = []
        for order, answer in zip(("ab", "ba"), both, strict=False):
            count = len(answer.found.labels) if answer.found else 1
            rows.append(
                no_answer(order=order)
                if answer.silent
                else row(answer.verdict, order=order, rc=0.0, ap=0.0, m=count)  # type: ignore[arg-type]
            )
            key = (f"i{number}", order, 0)
            given_labels[key] = RowLabels(answer.found, asked, gold)
        items.append(item(f"i{number}", *rows, label=label).result)
    return build_table(
        items,
        max_reasons=max_reasons,
        row_labels=given_labels,  # type: ignore[arg-type]
        labeler=labeler,
    )


def measured(table: Table, *names: str) -> list[Metric]:
    found = compute_metrics(table, resamples=50, names=names)
    return [found[name] for name in names]


def test_shares_of_reasons() -> None:
    """Item 0: 4 reasons, F4 in 1 and in 2 of them with F1; item 1: 2 reasons, no flaw.

    F4: 2 of 6. F1: 1 of 6. Categories: EG 3, CG 1, GS 2 of 6. An item with a flaw: 1 of 2.
    """
    table = table_of(
        [
            [Answer(labels("EG", "GS F4", "GS F1 F4", "CG"))],
            [Answer(labels("EG", "EG"))],
        ]
    )
    found = measured(table, "flaw.F4", "flaw.F1", "flaw.F7", "flaw.any")
    assert [one.value for one in found] == pytest.approx([2 / 6, 1 / 6, 0.0, 1 / 2])
    assert [one.n for one in found] == [2, 2, 2, 2]
    shares = measured(table, *(f"category.{name}" for name in CATEGORY_NAMES))
    assert [one.value for one in shares] == pytest.approx([3 / 6, 1 / 6, 2 / 6])


def test_every_reason_counts_once() -> None:
    """Item 0 in two orders: 1 of 2 and 1 of 4 flagged; item 1 in one order: 3 of 3.

    Flagged reasons over all reasons: (1 + 1 + 3) / (2 + 4 + 3) = 5/9, evidence 4/9. The means over
    orders of each item would give (1 + 3) / (3 + 3) = 2/3 and 1/3. Two items are counted.
    """
    table = table_of(
        [
            [Answer(labels("GS F2", "EG")), Answer(labels("GS F2", "EG", "EG", "EG"))],
            [Answer(labels("GS F2", "GS F2", "GS F2"))],
        ]
    )
    found, evidence = measured(table, "flaw.F2", "category.EG")
    assert (found.value, evidence.value) == pytest.approx((5 / 9, 4 / 9))
    assert (found.n, evidence.n) == (2, 2)


def test_samples_of_an_item_count_by_their_reasons() -> None:
    """Item 0: 1 of 1 in one order, failed in the other; item 1: 0 of 3 in both. 1 of 7."""
    table = table_of(
        [
            [Answer(labels("GS F4")), Answer(FAILED)],
            [Answer(labels("EG", "EG", "EG")), Answer(labels("EG", "EG", "EG"))],
        ],
        max_reasons=3,
    )
    (found,) = measured(table, "flaw.F4")
    assert found.value == pytest.approx(1 / 7)
    # The failed answer may have had 3 reasons, all flagged or none: (1 + 3) / 10, 1 / 10.
    assert (found.worst, found.best) == pytest.approx((4 / 10, 1 / 10))
    assert (found.n, found.n_excluded) == (2, 1)


def test_an_answer_without_reasons_is_flawed_and_has_no_share() -> None:
    """Of two items one has no reasons: flaw.any 1/2, the shares are those of the other."""
    table = table_of([[Answer(labels())], [Answer(labels("EG", "EG"))]])
    any_flaw, four, evidence = measured(table, "flaw.any", "flaw.F4", "category.EG")
    assert any_flaw.value == 1 / 2
    assert (four.value, evidence.value) == (0.0, 1.0)
    assert (four.n, any_flaw.n) == (1, 2)
    (none,) = measured(table_of([[Answer(labels())]]), "flaw.F4")
    assert none.value is None
    assert none.why == "no answer has a reason"


def test_failed_labels_are_left_out_and_bounded() -> None:
    """Items: 1 of 2 flagged; labels failed; the target silent. Lists hold 3 reasons at most.

    F4: value 1/2. Worst: (1 + 3 + 3) / (2 + 3 + 3) = 7/8; best: 1 / (2 + 3 + 3) = 1/8.
    any: value 1, worst 3/3, best 1/3. Labelled: 1 of the 2 rows that have reasons.
    """
    table = table_of(
        [
            [Answer(labels("EG", "GS F4"))],
            [Answer(FAILED)],
            [Answer(None, silent=True)],
        ],
        max_reasons=3,
    )
    four, any_flaw, labelled = measured(table, "flaw.F4", "flaw.any", "coverage.labelled")
    assert (four.value, four.worst, four.best) == (1 / 2, 7 / 8, 1 / 8)
    assert (four.n, four.n_excluded) == (1, 2)
    assert (any_flaw.value, any_flaw.worst) == (1.0, 1.0)
    assert any_flaw.best == pytest.approx(1 / 3)
    # The failed set has no labels, so the row counts no reasons; its answer has one.
    assert labelled.n_excluded == 0


def test_the_share_of_labelled_answers() -> None:
    """Four answers: labelled; none; without reasons, so not asked about; silent. 1 of 2."""
    table = table_of(
        [
            [Answer(labels("EG"))],
            [Answer(None)],
            [Answer(labels())],
            [Answer(None, silent=True)],
        ]
    )
    (found,) = measured(table, "coverage.labelled")
    assert (found.value, found.n) == (1 / 2, 2)


def test_what_a_labeller_does_not_test_has_no_value() -> None:
    table = table_of([[Answer(labels("GS F4", tested=BUILTIN))]])
    four, five, gold = measured(table, "flaw.F4", "flaw.F5", "f_score")
    assert four.value == 1.0
    assert five.value is None
    assert five.why == gold.why == "the builtin labeller cannot test it"


def test_runs_without_labels_and_models_without_reasons() -> None:
    for names in (("flaw.F4", "flaw.any", "category.EG", "coverage.labelled", "s_corr"),):
        for one in measured(table_of([[Answer(None)]], asked=False), *names):
            assert one.value is None
            assert one.why == "the reasons were not labelled"
    silent = build_table([item("i", row("a", n=0, m=0)).result])
    for one in measured(silent, "flaw.F4", "coverage.labelled"):
        assert one.why == "the model gives no reasons"


def test_gold_judgments() -> None:
    """Six items labelled a: C twice, I once, f once, two wrong.

    l_acc 4/6, f_score 2/6 (with f: up to 3/6), s_corr 1/3 (1/4 to 2/4), mass 1/6 (to 2/6).
    """
    table = table_of(
        [
            [Answer(labels("EG", gold="correct"))],
            [Answer(labels("EG", gold="correct"))],
            [Answer(labels("GS", gold="incorrect"))],
            [Answer(FAILED)],
            [Answer(labels("EG", gold="correct"), verdict="b")],
            [Answer(FAILED, verdict=None)],
        ]
    )
    l_acc, f_score, s_corr, mass = measured(table, "l_acc", "f_score", "s_corr", "spurious_mass")
    assert l_acc.value == pytest.approx(4 / 6)
    assert (l_acc.n, l_acc.n_excluded) == (6, 0)
    assert f_score.value == pytest.approx(2 / 6)
    assert (f_score.worst, f_score.best) == pytest.approx((2 / 6, 3 / 6))
    assert (f_score.n, f_score.n_excluded) == (6, 1)
    assert s_corr.value == pytest.approx(1 / 3)
    assert (s_corr.best, s_corr.worst) == pytest.approx((1 / 4, 2 / 4))
    assert (s_corr.n, s_corr.n_excluded) == (3, 1)
    assert mass.value == pytest.approx(1 / 6)
    assert (mass.best, mass.worst) == pytest.approx((1 / 6, 2 / 6))


def test_gold_judgments_where_the_target_is_silent() -> None:
    """C, I and a silent one: f_score 1/2 of the answered, 1/3 to 2/3 of all; s_corr 1/2, and

    with the silent one right 1/3 to 2/3.
    """
    table = table_of(
        [
            [Answer(labels("EG", gold="correct"))],
            [Answer(labels("EG", gold="incorrect"))],
            [Answer(None, silent=True)],
        ]
    )
    l_acc, f_score, s_corr = measured(table, "l_acc", "f_score", "s_corr")
    assert (l_acc.value, l_acc.worst, l_acc.best) == pytest.approx((1.0, 2 / 3, 1.0))
    assert (f_score.value, f_score.worst, f_score.best) == pytest.approx((1 / 2, 1 / 3, 2 / 3))
    assert (s_corr.value, s_corr.best, s_corr.worst) == pytest.approx((1 / 2, 1 / 3, 2 / 3))


def test_gold_judgments_do_not_apply_without_them() -> None:
    for one in measured(
        table_of([[Answer(labels("EG"))]], gold=False), "l_acc", "f_score", "s_corr"
    ):
        assert one.value is None
        assert one.why == "no item labelled a or b has a gold judgment"
    tie = table_of([[Answer(labels("EG", gold="correct"), verdict="tie")]], label="tie")
    assert measured(tie, "l_acc")[0].value is None
    wrong = table_of([[Answer(labels("EG", gold="correct"), verdict="b")]])
    (s_corr,) = measured(wrong, "s_corr")
    assert (s_corr.value, s_corr.why) == (None, "no right verdict among them")


def some_answer(rng: Random) -> Answer:
    """Silent, failed, or with up to 5 reasons of any kind."""
    verdict: Verdict = rng.choice(["a", "b", "tie", None])  # type: ignore[assignment]
    kind = rng.random()
    if kind < 0.2:
        return Answer(None, silent=True) if kind < 0.1 else Answer(FAILED, verdict)
    found = tuple(
        ReasonLabel(
            rng.choice(CATEGORY_NAMES), tuple(flaw for flaw in FLAW_NAMES if rng.random() < 0.2)
        )
        for _ in range(rng.randrange(6))
    )
    gold: Gold = rng.choice(["correct", "incorrect"]) if found else "incorrect"  # type: ignore[assignment]
    return Answer(LabelSet(found, TESTED, gold), verdict)


@given(st.integers(min_value=0))
def test_bounds_hold_and_categories_sum_to_one(seed: int) -> None:
    rng = Random(seed)
    answers = [
        [some_answer(rng) for _ in range(rng.randint(1, 2))] for _ in range(rng.randint(1, 8))
    ]
    table = table_of(answers, labeler="vllm")
    flaws: list[Flaw] = list(FLAW_NAMES)
    names = (
        *("l_acc", "f_score", "s_corr", "spurious_mass", "flaw.any"),
        *(f"flaw.{flaw}" for flaw in flaws),
        *(f"category.{category}" for category in CATEGORY_NAMES),
    )
    found = compute_metrics(table, resamples=20, names=names)
    for one in found.values():
        if one.value is not None and one.worst is not None and one.best is not None:
            low, high = sorted((one.worst, one.best))
            assert low - 1e-9 <= one.value <= high + 1e-9
    shares = [found[f"category.{category}"].value for category in CATEGORY_NAMES]
    if shares[0] is not None:
        assert sum(share or 0.0 for share in shares) == pytest.approx(1.0)
    if not any(a.found is FAILED or a.silent for both in answers for a in both):
        l_acc, f_score, mass = (found[n].value for n in ("l_acc", "f_score", "spurious_mass"))
        assert l_acc == pytest.approx((f_score or 0.0) + (mass or 0.0))
