"""From rows to item results: what an answer without reasons is worth when the judge failed."""

from __future__ import annotations

import pytest

from rmaudit.checklists.sets import load_set
from rmaudit.metrics import build_table, compute_metrics
from rmaudit.records import Judgment, Key, MatchSet, ModelReason
from rmaudit.run.results import item_results
from rmaudit.run.rows import MatchRow, VerdictRow

ITEMS = load_set("synth:3:12:slogan").items[:3]
REASON = ModelReason("Response A is long.", "a")
FAILED = MatchSet((), (), failure="cut")


def perfect(n_refs: int) -> MatchSet:
    return MatchSet(((1.0,),) + ((0.0,),) * (n_refs - 1), ())


def test_no_reasons_is_zero_though_the_judge_failed() -> None:
    """Three items: one reason matched of n; no reasons and no matching; reasons, no matching.

    rc is (1 / n + 0) / 2 over the two items that are known, and the third is lost.
    """
    keys = [Key(item.id, order="ab") for item in ITEMS]
    first, *_ = (len(item.reasons) for item in ITEMS)
    said: list[tuple[ModelReason, ...]] = [(REASON,), (), (REASON,)]
    verdicts = [
        VerdictRow(key, Judgment(item.label, "ok", reasons))
        for key, item, reasons in zip(keys, ITEMS, said, strict=True)
    ]
    matches = [
        MatchRow(keys[0], perfect(first)),
        MatchRow(keys[1], FAILED, chance_item=ITEMS[0].id, chance_failure="cut"),
        MatchRow(keys[2], FAILED),
    ]
    results, scores = item_results(ITEMS, verdicts, matches, chance_drawn={ITEMS[1].id})
    failures = [result.rows[0].failure for result in results]
    assert failures == [None, None, "judge: cut"]
    table = build_table(results, scores, max_reasons=5)
    found = compute_metrics(table, names=["rc", "rc.chance"], resamples=50)
    assert found["rc"].value == pytest.approx((1 / first + 0) / 2)
    assert (found["rc"].n, found["rc"].n_excluded) == (2, 1)
    assert (found["rc.chance"].value, found["rc.chance"].n_excluded) == (0.0, 0)


def test_a_target_that_failed_is_still_lost() -> None:
    key = Key(ITEMS[0].id, order="ab")
    results, _ = item_results(
        ITEMS[:1],
        [VerdictRow(key, Judgment(None, "error"))],
        [MatchRow(key, FAILED)],
        chance_drawn=frozenset(),
    )
    assert results[0].rows[0].failure == "target: error"
