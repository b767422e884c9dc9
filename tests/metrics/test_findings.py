"""Findings: hand-worked p-values, the two conditions of naming, and what cannot be tested."""

from __future__ import annotations

import pytest
from support.metrics_rows import Item, item, row, table

from rmaudit.metrics.findings import Finding, Findings, find
from rmaudit.metrics.harms import CLAIMS
from rmaudit.metrics.registry import REGISTRY


def items(n: int, *, silent: int = 0, first: int = 0) -> list[Item]:
    """`n` items shown once, all right with rc 1; the first `silent` of them without a reason."""
    healthy = [row("a", rc=1.0, ap=1.0, reuse=1.0) for _ in range(n - silent)]
    empty = [row("a", rc=0.0, ap=0.0, m=0, flags=("no_reasons",)) for _ in range(silent)]
    return [item(f"i{first + k}", one) for k, one in enumerate([*empty, *healthy])]


def one(found: Findings, key: str) -> Finding:
    return next(finding for finding in found.tested if finding.key == key)


def test_ten_silent_answers_by_hand() -> None:
    found = find(table(*items(10, silent=10)))
    # Each of 10 items has no reasons; against at most 0.10: 0.10 ** 10.
    silent = one(found, "no-reasons")
    assert silent.p == pytest.approx(1e-10)
    assert silent.value == 1.0
    # At least: 1 - q with (1 - q) ** 10 = 0.05.
    assert silent.bound == pytest.approx(0.05**0.1)
    # Accuracy 1.0 above 0.60: 0.6 ** 10; no credit on all items above 0.25: 0.25 ** 10, less.
    assert one(found, "spurious").p == pytest.approx(0.6**10)
    # Tested: spurious, compound, copies, no-reasons, unparsed. One order: no position, no order. No
    # answer has a reason, so rc.precision has no value.
    assert len(found.tested) == 5
    assert {"position", "order", "shotgun"} <= {one.key for one in found.untested}
    # Holm: the least of 5 times 5, the second times 4.
    assert silent.p_holm == pytest.approx(5e-10)
    assert one(found, "spurious").p_holm == pytest.approx(4 * 0.6**10)
    assert [finding.key for finding in found.named] == ["no-reasons", "spurious"]


def test_a_defect_below_its_bar_is_not_named() -> None:
    found = find(table(*items(200, silent=20)))
    silent = one(found, "no-reasons")
    assert silent.value == 0.1
    assert not found.named


def test_beyond_the_bar_but_within_chance_is_not_named() -> None:
    # 3 of 10: P(X >= 3 | 10, 0.1) = 1 - (0.9^10 + 10 0.1 0.9^9 + 45 0.01 0.9^8) = 0.0702.
    silent = one(find(table(*items(10, silent=3))), "no-reasons")
    assert silent.value == pytest.approx(0.3)
    assert silent.p == pytest.approx(0.0702, abs=1e-4)
    assert not silent.named


def test_significant_alone_but_not_after_holm() -> None:
    # 4 of 10: P(X >= 4 | 10, 0.1) = 0.0702 - 120 0.001 0.9^7 = 0.0128; five claims: 0.0640.
    found = find(table(*items(10, silent=4)))
    silent = one(found, "no-reasons")
    assert silent.p == pytest.approx(0.0128, abs=1e-4)
    tested = len(found.tested)
    assert silent.p_holm == pytest.approx(tested * silent.p)
    assert silent.p_holm > 0.05
    assert not found.named


def test_the_place_decides() -> None:
    both = [
        item(f"i{k}", row("a", rc=1.0, reuse=1.0), row("b", order="ba", rc=1.0, reuse=1.0))
        for k in range(20)
    ]
    found = find(table(*both))
    assert {finding.key for finding in found.named} == {"position", "order"}
    # +0.5 in all 20 items, limits -0.5 and 0.5: against 0.10, (0.6 / 1.0) ** 20, two-sided.
    assert one(found, "position").p == pytest.approx(2 * 0.6**20)
    assert "+50%" in one(found, "position").sentence


def test_the_second_place_decides() -> None:
    both = [item(f"i{k}", row("b", rc=1.0), row("a", order="ba", rc=1.0)) for k in range(20)]
    position = one(find(table(*both)), "position")
    assert position.named
    assert position.value == -0.5
    assert -0.5 < position.bound < -0.1


def test_a_coin_without_reasons_is_not_called_right_for_wrong_reasons() -> None:
    coin = [item(f"i{k}", row("ab"[k % 2], rc=0.0, m=3)) for k in range(200)]  # type: ignore[arg-type]
    spurious = one(find(table(*coin)), "spurious")
    assert spurious.value == 0.5
    assert not spurious.named


def test_nothing_is_tested_without_rows() -> None:
    found = find(table())
    assert not found.tested
    assert len(found.untested) == len(CLAIMS)


def test_every_claim_is_data_that_can_be_read() -> None:
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert claim.bar_from.endswith(".")
        assert claim.tests
        for test in claim.tests:
            assert test.metric in REGISTRY
