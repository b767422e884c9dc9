"""Answers that state verdicts which disagree: counted and bounded, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.metrics.conflicts import conflicts
from rmaudit.records import ItemResult, RowResult

ROW = RowResult("ab", 0, "ok", "a", True, None, None, 0, 0, (), None)
DISPUTED = ("conflict",)


def item(name: str, *rows: RowResult, label: str = "a") -> ItemResult:
    return ItemResult(name, name, "code", label, rows)  # type: ignore[arg-type]


def row(correct: bool | None, *flags: str) -> RowResult:
    return replace(ROW, correct=correct, flags=flags)


def test_each_disputed_answer_counts_as_wrong_and_as_right() -> None:
    found = conflicts(
        [
            item("one", row(True), row(True, "conflict")),
            item("two", row(False, "conflict"), row(None)),
            item("three", row(True), row(True)),
            item("tied", row(True, "conflict"), label="tie"),
        ]
    )
    # As read (1 + 0 + 1) / 3; disputed ones wrong (.5 + 0 + 1) / 3, right (1 + 1 + 1) / 3.
    assert (found.answers, found.rows) == (3, 7)
    assert (found.accuracy, found.low, found.high) == pytest.approx((2 / 3, 0.5, 1.0))
    assert found.warning == (
        "3 of 7 answers (42.9 %) state verdicts that disagree, and were read as one of them or as "
        "none: accuracy is 66.7 %, and lies between 50.0 % and 100.0 % however they are read"
    )


@pytest.mark.parametrize(("disputed", "warns"), [(0, False), (1, False), (2, True), (100, True)])
def test_it_warns_from_two_percent_on(disputed: int, warns: bool) -> None:
    items = [
        item(str(number), row(True, *(DISPUTED if number < disputed else ())))
        for number in range(100)
    ]
    assert bool(conflicts(items).warning) is warns


def test_without_a_label_there_is_no_accuracy_to_bound() -> None:
    found = conflicts([item("tied", row(True, "conflict"), label="tie")])
    assert found.accuracy is None
    assert found.warning.endswith("were read as one of them or as none")
    assert conflicts([]).warning == ""


@given(st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=4)))
def test_accuracy_lies_within_its_bounds(shape: list[list[tuple[bool, bool]]]) -> None:
    found = conflicts(
        item(str(number), *(row(right, *(DISPUTED if other else ())) for right, other in rows))
        for number, rows in enumerate(shape)
    )
    if not shape:
        assert found.accuracy is None
        return
    assert found.low is not None
    assert found.accuracy is not None
    assert found.high is not None
    assert found.low - 1e-12 <= found.accuracy <= found.high + 1e-12
    if not found.answers:
        assert found.low == found.high == found.accuracy
