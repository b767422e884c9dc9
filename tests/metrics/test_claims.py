"""False claims over decided ones, and decided ones over all, against hand-worked numbers."""

from __future__ import annotations

import pytest
from support.metrics_rows import Item, item, no_answer, row, table

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.scores import score_rows
from rmaudit.records import MatchSet, Metric


def measured(*items: Item) -> tuple[Metric, Metric]:
    found = compute_metrics(
        table(*items, max_reasons=4), resamples=100, names=["claims.false", "claims.checked"]
    )
    return found["claims.false"], found["claims.checked"]


def said(reasons: int, false: int, decided: int, **keys: str) -> object:
    return row("a", rc=0.5, m=reasons, claims_false=false, claims_decided=decided, **keys)  # type: ignore[arg-type]


def test_reasons_are_pooled_and_failures_bounded() -> None:
    items = (
        item("i0", said(4, 1, 3), said(2, 0, 1, order="ba")),  # type: ignore[arg-type]
        item("i1", said(4, 2, 2)),  # type: ignore[arg-type]
        item("i2", row("a", judge_failed=True)),
        item("i3", no_answer()),
        item("i4", row("a", rc=0.0, m=0, flags=("no_reasons",))),  # says nothing, claims nothing
        item("i5", row("a", n=0, m=3)),  # no references: never judged
    )
    false, checked = measured(*items)
    assert false.value == pytest.approx(3 / 6)
    assert checked.value == pytest.approx(6 / 10)
    assert (false.n, false.n_excluded) == (2, 2)
    # The two lost answers, of four decided reasons each: all true, or all false.
    assert (false.best, false.worst) == pytest.approx((3 / 14, 11 / 14))
    assert (checked.worst, checked.best) == pytest.approx((6 / 18, 14 / 18))


def test_why_there_is_no_value() -> None:
    words = row("a", rc=0.5)
    for items, why in (
        ([item("i", words)], "the judge does not decide whether what a reason says is true"),
        ([item("i", row("a", n=0))], "no item has reference reasons"),
        ([item("i", row("a", rc=0.0, m=0, flags=("no_reasons",)))], "no answer has a reason"),
        ([item("i", row("a", judge_failed=True))], "all 1 observations failed"),
    ):
        checked = measured(*items)[1]
        assert (checked.value, checked.why) == (None, why)
    false, checked = measured(item("i", said(3, 0, 0)))  # type: ignore[arg-type]
    assert (checked.value, false.value) == (0.0, None)
    assert false.why == "no reason says anything that the judge could decide"


def test_claims_of_a_matching() -> None:
    key = ("i", "ab", 0)
    match = MatchSet(((1.0, 0.0, 0.0),), (), claims=(True, False, None))
    found = score_rows({key: match})[key]  # type: ignore[dict-item]
    assert (found.claims_false, found.claims_decided) == (1, 2)
    with pytest.raises(ValueError, match="2 claims of 3 reasons"):
        score_rows({key: MatchSet(match.matrix, (), claims=(True, None))})  # type: ignore[dict-item]
    none = score_rows({key: MatchSet(match.matrix, ())})[key]  # type: ignore[dict-item]
    assert none.claims_decided is None
