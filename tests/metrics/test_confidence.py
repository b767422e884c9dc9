"""What confidence is worth: hand-worked areas, planted calibration, and where it does not apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from support.metrics_rows import Item, item, no_answer, row, table

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.scores import RowKey
from rmaudit.metrics.table import Table
from rmaudit.records import Metric, Verdict

CALIBRATION = ("calibration.ece", "calibration.floor", "calibration.brier")


def one(data: Table, name: str) -> Metric:
    return compute_metrics(data, resamples=200, names=[name])[name]


def strengths(*verdicts: tuple[Verdict, int]) -> Table:
    """Items labelled a with one verdict each, and how strong it is."""
    items = [item(f"i{k}", row(verdict)) for k, (verdict, _) in enumerate(verdicts)]
    facts: dict[RowKey, RowFacts] = {
        (f"i{k}", "ab", 0): RowFacts(strength=strength) for k, (_, strength) in enumerate(verdicts)
    }
    return table(*items, facts=facts)


def margins(*rights: tuple[bool, float]) -> Table:
    """Items labelled a with one verdict each, and the distance of its scores."""
    items = [item(f"i{k}", row("a" if right else "b")) for k, (right, _) in enumerate(rights)]
    facts: dict[RowKey, RowFacts] = {
        (f"i{k}", "ab", 0): RowFacts(margin=margin) for k, (_, margin) in enumerate(rights)
    }
    return table(*items, facts=facts)


# ------------------------------------------------------------------------ risk and coverage


def test_confidence_that_sorts_by_hand() -> None:
    """Two strong verdicts, right; two weak ones, wrong.

    No risk up to coverage 1/2. From there the risk at u of 4 is (u - 2) / u, and its integral from
    2 to 4 is 2 - 2 ln 2, over 4.
    """
    found = one(strengths(("a", 2), ("a", 2), ("b", 1), ("b", 1)), "risk_coverage")
    assert found.value == pytest.approx((2 - 2 * np.log(2)) / 4)
    assert (found.n, found.n_excluded) == (4, 0)
    assert found.worst == found.best == pytest.approx(found.value)


def test_confidence_that_misleads_by_hand() -> None:
    """The strong ones wrong: risk 1 up to 1/2, then 2 / u: (2 + 2 ln 2) / 4."""
    found = one(strengths(("b", 2), ("b", 2), ("a", 1), ("a", 1)), "risk_coverage")
    assert found.value == pytest.approx((2 + 2 * np.log(2)) / 4)


def test_confidence_that_says_nothing_gives_the_error_rate() -> None:
    data = strengths(*[("a", 1)] * 3, ("b", 1), *[("a", 2)] * 3, ("b", 2))
    assert one(data, "risk_coverage").value == pytest.approx(1 / 4)


def test_what_has_no_verdict_or_no_answer() -> None:
    """A tie has no side and is left out; an answer that is lost may be sure, and wrong or right.

    Two used items. Lost and wrong at the top: 1 + (1 - 0) ln 2 for the right strong one, then the
    wrong weak one: 1 + (1 - 2) ln(3 / 2). Lost and right: 0, 0, 1 + (0 - 2) ln(3 / 2).
    """
    items = [item("i0", row("a")), item("i1", row("b")), item("i2", row("tie"))]
    facts: dict[RowKey, RowFacts] = {
        ("i0", "ab", 0): RowFacts(strength=2),
        ("i1", "ab", 0): RowFacts(strength=1),
        ("i2", "ab", 0): RowFacts(strength=0),
    }
    found = one(table(*items, item("i3", no_answer()), facts=facts), "risk_coverage")
    assert found.value == pytest.approx((1 - np.log(2)) / 2)
    assert (found.n, found.n_excluded) == (2, 1)
    wrong = (1 + np.log(2) + 1 - np.log(3 / 2)) / 3
    assert (found.worst, found.best) == pytest.approx((wrong, (1 - 2 * np.log(3 / 2)) / 3))


def test_agreement_of_samples_is_confidence() -> None:
    """i0 says a three times: sure and right. i1 says a, b, b: less sure, and 2/3 wrong.

    The lone a of i1 is least sure: risk 0 up to 1, (u - 1) / u up to 5/3, then 2/3 / u.
    """
    three: Sequence[Verdict] = ("a", "b", "b")
    data = table(
        item("i0", *(row("a", sample=k) for k in range(3))),
        item("i1", *(row(verdict, sample=k) for k, verdict in enumerate(three))),
    )
    area = (2 / 3 - np.log(5 / 3)) + 2 / 3 * np.log(2 / (5 / 3))
    assert one(data, "risk_coverage").value == pytest.approx(area / 2)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=12))
def test_area_is_the_mean_over_random_orders_of_ties(verdicts: list[tuple[bool, int]]) -> None:
    """A tied level has the same error rate throughout; held against a sum on a fine grid."""
    found = one(margins(*[(right, float(m)) for right, m in verdicts]), "risk_coverage")
    if len({m for _, m in verdicts}) < 2:
        assert found.value is None
        return
    total = len(verdicts)
    grid = (np.arange(20_000) + 0.5) / 20_000 * total
    errors, begun = np.zeros_like(grid), 0
    for level in sorted({m for _, m in verdicts}, reverse=True):
        members = [right for right, m in verdicts if m == level]
        inside = np.clip(grid - begun, 0, len(members))
        errors += inside * members.count(False) / len(members)
        begun += len(members)
    assert found.value == pytest.approx(float((errors / grid).mean()), abs=1e-3)


def test_equal_confidence() -> None:
    found = one(strengths(("a", 1), ("b", 1)), "risk_coverage")
    assert (found.value, found.why) == (None, "verdicts do not differ in how sure they are")
    tied = one(table(item("i0", row("a"), label="tie")), "risk_coverage")
    assert tied.why == "no item is labelled a or b"


# ------------------------------------------------------------------------ calibration


def test_calibration_by_hand() -> None:
    """Margins 1 and 2, both right in 80 % of 600 items each.

    The slope b balances (0.8 - s(b)) + 2 (0.8 - s(2b)) = 0: b = 0.862, so that confidence says
    70.3 % and 84.9 %. The error is (9.7 + 4.9) / 2 = 7.3 %.
    """
    data = margins(*[(k % 5 != 0, 1.0 + k % 2) for k in range(1200)])
    said = {1: 0.7030, 2: 0.8485}
    found = compute_metrics(data, resamples=2000, names=CALIBRATION)
    ece, floor, brier = (found[name] for name in CALIBRATION)
    assert ece.value == pytest.approx(sum(abs(0.8 - p) for p in said.values()) / 2, abs=0.003)
    assert brier.value == pytest.approx(
        sum(0.8 * (1 - p) ** 2 + 0.2 * p**2 for p in said.values()) / 2, abs=0.001
    )
    # Of each bin 600 residuals of variance about 0.16: 2 sqrt(2 / pi * 600 * 0.16) / 1200.
    assert floor.value == pytest.approx(2 * np.sqrt(2 / np.pi * 600 * 0.165) / 1200, rel=0.05)
    assert ece.low < ece.value < ece.high  # type: ignore[operator]
    # The bins err by .097 and .049, each with noise of sd .4 / sqrt(600) = .0163, halved in their
    # mean: noise may have made .0287 of it (|z| + |z'| is below 3.53 in 97.5 %), or hidden .0226.
    assert ece.low == pytest.approx(ece.value - 0.0287, abs=0.002)  # type: ignore[operator]
    assert ece.high == pytest.approx(ece.value + 0.0226, abs=0.002)  # type: ignore[operator]
    assert (ece.n, ece.n_excluded, ece.worst, ece.best) == (1200, 0, ece.value, ece.value)


def planted(n: int, seed: int, *, honest: bool) -> Table:
    """Margins from 0 to 3; right with log odds 1.5 x margin, or in 70 % whatever the margin."""
    rng = np.random.default_rng(seed)
    margin = rng.uniform(0, 3, size=n)
    chance = expit(1.5 * margin) if honest else np.full(n, 0.7)
    return margins(*zip((rng.random(n) < chance).tolist(), margin.tolist(), strict=True))


@pytest.mark.slow
def test_honest_confidence_stays_at_the_floor_and_dishonest_does_not() -> None:
    honest = compute_metrics(planted(2000, 0, honest=True), resamples=200, names=CALIBRATION)
    idle = compute_metrics(planted(2000, 0, honest=False), resamples=200, names=CALIBRATION)
    ece, floor, brier = CALIBRATION
    assert honest[ece].value < 1.6 * honest[floor].value  # type: ignore[operator]
    assert idle[ece].value > 2 * idle[floor].value  # type: ignore[operator]
    assert idle[ece].low > 0  # type: ignore[operator]
    assert honest[brier].value < 0.15 < 0.2 < idle[brier].value  # type: ignore[operator]


@pytest.mark.slow
def test_honest_confidence_is_not_refuted() -> None:
    """The error is 0 and its estimate never is: the interval reaches down to 0, nearly always."""
    for n, seeds in ((600, 12), (2000, 4)):
        found = [
            compute_metrics(planted(n, 40 + seed, honest=True), resamples=400, names=CALIBRATION)
            for seed in range(seeds)
        ]
        for one in found:
            floor = one["calibration.floor"].value
            assert one["calibration.ece"].value > 0.3 * floor  # type: ignore[operator]
        intervals = [one["calibration.ece"] for one in found]
        assert sum(one.low > 0 for one in intervals) <= 1  # type: ignore[operator, misc]
        assert intervals[0].why.startswith("noise alone makes it positive")


def test_calibration_needs_items() -> None:
    for name in CALIBRATION:
        found = one(planted(499, 1, honest=True), name)
        assert found.why == "needs 500 items with a decisive verdict; there are 499"


def test_lost_rows_bound_the_error() -> None:
    rng = np.random.default_rng(3)
    margin = rng.uniform(0, 3, size=600)
    items: list[Item] = []
    facts: dict[RowKey, RowFacts] = {}
    for k, m in enumerate(margin):
        second = no_answer(order="ba") if k < 30 else row("a", order="ba")
        items.append(item(f"i{k}", row("a" if rng.random() < expit(m) else "b"), second))
        for order in ("ab", "ba"):
            facts[(f"i{k}", order, 0)] = RowFacts(margin=float(m))  # type: ignore[index]
    found = one(table(*items, facts=facts), "calibration.ece")
    assert found.n_excluded == 30
    assert found.worst == pytest.approx(found.value + 30 / 600)  # type: ignore[operator]
    assert found.best == pytest.approx(max(0, found.value - 30 / 600))  # type: ignore[operator]


def test_the_order_of_items_does_not_matter() -> None:
    data = planted(700, 5, honest=True)
    keep = np.random.default_rng(0).permutation(700)
    shuffled = replace(
        data,
        rows=type(data.rows)._make(column[keep] for column in data.rows),
        facts=type(data.facts)._make(column[keep] for column in data.facts),
        features=type(data.features)._make(column[keep] for column in data.features),
    )
    for name in (*CALIBRATION, "risk_coverage"):
        assert one(shuffled, name).value == pytest.approx(one(data, name).value), name


@pytest.mark.slow
def test_the_interval_of_the_calibration_error_holds_zero() -> None:
    """150 runs whose confidence is right, with the slope fitted as a scan does: 97.5% or so."""
    found = [
        compute_metrics(planted(600, seed, honest=True), resamples=400, names=["calibration.ece"])
        for seed in range(150)
    ]
    missed = sum(one["calibration.ece"].low > 0 for one in found) / 150  # type: ignore[operator, misc]
    assert missed <= 0.06  # nominal .025, its standard error .013
