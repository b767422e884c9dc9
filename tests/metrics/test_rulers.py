"""Rulers beside accuracy: the same items, hand-worked."""

from __future__ import annotations

import pytest
from support.metrics_rows import item, no_answer, pair, row, table

from rmaudit.checklists.rulers import RULERS
from rmaudit.metrics.audit import compute_metrics

KEYS = tuple(f"ruler.{name}" for name in RULERS)


def test_on_the_items_of_accuracy() -> None:
    """i0 b is longer and right; i1 a longer, b right; i2 equal; i3 not answered; i4 a tie.

    The longer: (1 + 0 + 1/2) / 3; the shorter (0 + 1 + 1/2) / 3; response A: one of three.
    """
    items = [
        item("i0", row("a"), row("b", order="ba"), label="b"),
        item("i1", row("a"), label="b"),
        item("i2", row(None), label="a"),
        item("i3", no_answer(), label="a"),
        item("i4", row("a"), label="tie"),
    ]
    shapes = {"i0": (3, 9), "i1": (9, 5), "i2": (4, 4), "i3": (9, 5), "i4": (9, 5)}
    texts = [pair(name, "x" * a, "y" * b) for name, (a, b) in shapes.items()]
    found = compute_metrics(table(*items, texts=texts), names=("accuracy", *KEYS), resamples=50)
    values = {name: found[name].value for name in KEYS}
    assert values == pytest.approx(
        {
            "ruler.longest": 1.5 / 3,
            "ruler.shortest": 1.5 / 3,
            "ruler.markup": 0.5,
            "ruler.first": 1 / 3,
            "ruler.request_words": 0.5,
        }
    )
    assert {found[name].n for name in ("accuracy", *KEYS)} == {3}
    assert found["ruler.longest"].n_excluded == 0  # the texts say it, whoever answers


def test_not_applicable() -> None:
    assert (
        "items are not at hand"
        in compute_metrics(table(item("i0", row())), names=KEYS)["ruler.first"].why
    )
    tie = table(item("i0", row(), label="tie"), texts=[pair("i0", "x", "yy")])
    assert compute_metrics(tie, names=KEYS)["ruler.first"].value is None
