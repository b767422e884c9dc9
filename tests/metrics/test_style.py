"""Looks and verdicts: hand-worked numbers, planted preferences, symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from support.metrics_rows import Item, item, no_answer, pair, row, table

from rmaudit.checklists.schema import Item as ChecklistItem
from rmaudit.metrics.audit import compute_metrics
from rmaudit.records import Metric, Verdict

STYLE = ("style.length", "style.headers", "style.bold", "style.lists")


def metrics(
    items: list[Item], texts: list[ChecklistItem], *names: str, resamples: int = 200
) -> dict[str, Metric]:
    return compute_metrics(table(*items, texts=texts), resamples=resamples, names=names)


def test_length_bias_by_hand() -> None:
    """i0  a longer, label a, picks a, b: picks the longer 1/2, label 1: -1/2
    i1  a longer, label b, picks a, a: 1 - 0
    i2  b longer, label a, picks tie, b: of the one decisive verdict 1 - 0
    i3  equal lengths; i4 labelled a tie: do not count
    i5  a longer, label a, not answered in both orders: lost

    (-1/2 + 1 + 1) / 3; with i5 at -1 or 1: 0.5 / 4 and 2.5 / 4, of which 0.125 is nearer to zero.
    """
    items = [
        item("i0", row("a"), row("b", order="ba"), label="a"),
        item("i1", row("a"), row("a", order="ba"), label="b"),
        item("i2", row("tie"), row("b", order="ba"), label="a"),
        item("i3", row("a"), row("a", order="ba"), label="a"),
        item("i4", row("a"), row("a", order="ba"), label="tie"),
        item("i5", no_answer(), no_answer(order="ba"), label="a"),
    ]
    shapes = {"i0": (9, 5), "i1": (9, 5), "i2": (5, 6), "i3": (4, 4), "i4": (9, 5), "i5": (9, 5)}
    texts = [pair(name, "x" * a, "y" * b) for name, (a, b) in shapes.items()]
    found = metrics(items, texts, "length_bias")["length_bias"]
    assert found.value == pytest.approx(0.5)
    assert (found.n, found.n_excluded) == (3, 2)
    assert (found.worst, found.best) == pytest.approx((2.5 / 4, 0.5 / 4))


@pytest.mark.parametrize("longer", [0, 1, 19, 20])
def test_length_bias_where_the_labels_lean_one_way(longer: int) -> None:
    """Of 20 pairs the label prefers the longer in so many: with none or all, no bias can be told.

    The model is right on all but 5 pairs whose label prefers the shorter response (a); there it
    picks the longer (b). With one longer pair the value is 5 / 20, though all of it is errors.
    """
    texts = [pair(f"i{k}", "x" * 5, "y" * 9) for k in range(20)]
    items = [item(f"i{k}", row("b"), row("b", order="ba"), label="b") for k in range(longer)]
    for k in range(longer, 20):
        items.append(item(f"i{k}", row("b" if k < longer + 5 else "a"), label="a"))
    found = metrics(items, texts, "length_bias")["length_bias"]
    if longer in (1, 19):
        assert found.value == pytest.approx(min(5, 20 - longer) / 20)
        return
    which = "longer" if longer else "shorter"
    assert found.value is None
    assert found.low is found.high is None
    assert found.why == (
        f"not identifiable: the label prefers the {which} response in 20 of 20 pairs"
    )


def test_without_the_items_nothing_is_said_of_looks() -> None:
    for name in ("length_bias", "style.length", "style.accuracy_controlled", "rm_bench.hard"):
        found = metrics([item("i0", row("a"))], [], name)[name]
        assert found.value is None
        assert found.why


def by_hand(n_each: int, right: int) -> tuple[list[Item], list[ChecklistItem]]:
    """`right` of `n_each` items labelled a are judged right, and of those labelled b."""
    items, texts = [], []
    for label, other in (("a", "b"), ("b", "a")):
        for k in range(n_each):
            verdict: Verdict = label if k < right else other  # type: ignore[assignment]
            items.append(item(f"{label}{k}", row(verdict), label=label))  # type: ignore[arg-type]
            texts.append(pair(f"{label}{k}", "same", "size"))
    return items, texts


def test_accuracy_at_equal_looks_by_hand() -> None:
    """No look differs, so that half a count more on each side is all that the fit adds.

    38 right of 50 under either label: 38.5 / 51.
    """
    items, texts = by_hand(50, 38)
    found = metrics(items, texts, "style.accuracy_controlled", *STYLE)
    assert found["style.accuracy_controlled"].value == pytest.approx(38.5 / 51)
    assert found["style.accuracy_controlled"].n == 100
    for name in STYLE:
        assert found[name].value is None
        assert found[name].why == f"fewer than 10 pairs differ in {name.removeprefix('style.')}"


def test_too_little_to_fit() -> None:
    few = metrics(*by_hand(20, 10), "style.accuracy_controlled")["style.accuracy_controlled"]
    assert few.why == "needs decisive verdicts on 50 items; there are 40"
    good = metrics(*by_hand(50, 43), "style.accuracy_controlled")["style.accuracy_controlled"]
    assert good.why == "needs 20 items with a verdict against the label; there are 14"
    bad = metrics(*by_hand(50, 7), "style.accuracy_controlled")["style.accuracy_controlled"]
    assert bad.why == "needs 20 items with a verdict for the label; there are 14"


def planted(
    n: int, seed: int, *, length: float, bold: float, gold: float
) -> tuple[list[Item], list[ChecklistItem]]:
    """Verdicts with known log odds per unit of (a - b) / (a + b), and of the label."""
    rng = np.random.default_rng(seed)
    items, texts = [], []
    for k in range(n):
        a, b = rng.integers(20, 200, size=2)
        bold_a, bold_b = rng.integers(0, 4, size=2)
        label = "a" if rng.random() < 0.5 else "b"
        total = max(bold_a + bold_b, 1)
        text_a, text_b = "x" * a + "**x**" * bold_a, "y" * b + "**y**" * bold_b
        difference = (len(text_a) - len(text_b)) / (len(text_a) + len(text_b))
        odds = (
            gold * (1 if label == "a" else -1)
            + length * difference
            + bold * (bold_a - bold_b) / total
        )
        rows = [
            row("a" if rng.random() < 1 / (1 + np.exp(-odds)) else "b", order=order)
            for order in ("ab", "ba")
        ]
        items.append(item(f"i{k}", *rows, label=label))  # type: ignore[arg-type]
        texts.append(pair(f"i{k}", text_a, text_b))
    return items, texts


def test_planted_preferences_are_found_and_told_apart() -> None:
    """A model that likes length and not bold, beside what the label says."""
    items, texts = planted(600, 0, length=2.0, bold=0.0, gold=1.0)
    names = (*STYLE, "style.accuracy_controlled", "length_bias")
    found = metrics(items, texts, *names, resamples=2000)
    data = table(*items, texts=texts)
    size = data.features.length[::2]
    spread = float(((size[:, 0] - size[:, 1]) / size.sum(axis=1)).std())
    length, bold = found["style.length"], found["style.bold"]
    assert length.low is not None
    assert length.low < 2.0 * spread < length.high  # type: ignore[operator]
    assert length.low > 0
    assert bold.low < 0 < bold.high  # type: ignore[operator]
    controlled = found["style.accuracy_controlled"]
    assert controlled.low < 1 / (1 + np.exp(-1.0)) < controlled.high  # type: ignore[operator]
    assert found["length_bias"].low > 0  # type: ignore[operator]
    assert found["style.headers"].value is None


def test_a_model_that_reads_only_the_length() -> None:
    """The looks separate its verdicts; all stays finite, and nothing is left at equal looks."""
    items, texts = planted(200, 3, length=500.0, bold=0.0, gold=0.0)
    found = metrics(items, texts, "style.length", "style.accuracy_controlled")
    assert 2 < found["style.length"].value < 100  # type: ignore[operator]
    assert found["style.accuracy_controlled"].value == pytest.approx(0.5, abs=0.25)


def test_the_names_of_the_sides_do_not_matter() -> None:
    items, texts = planted(120, 5, length=1.0, bold=1.0, gold=0.8)
    other = {"a": "b", "b": "a", "tie": "tie", None: None}
    swapped = [
        item(
            i.result.item,
            *(row(other[r.result.verdict], order=r.result.order) for r in i.rows),
            label=other[i.result.label],  # type: ignore[arg-type]
        )
        for i in items
    ]
    turned = [pair(t.id, t.response_b, t.response_a) for t in texts]
    names = (*STYLE, "style.accuracy_controlled", "length_bias")
    there, back = metrics(items, texts, *names), metrics(swapped, turned, *names)
    for name in names:
        assert back[name].value == pytest.approx(there[name].value), name
        assert (back[name].low, back[name].high) == pytest.approx(
            (there[name].low, there[name].high)
        ), name


def test_lost_rows_bound_the_regression() -> None:
    items, texts = planted(120, 7, length=1.0, bold=0.0, gold=0.8)
    lost = [
        item(i.result.item, i.rows[0], no_answer(order="ba"), label=i.result.label)
        if k % 10 == 0
        else i
        for k, i in enumerate(items)
    ]
    names = ("style.length", "style.accuracy_controlled")
    found, truth = metrics(lost, texts, *names), metrics(items, texts, *names)
    for name in names:
        assert found[name].n_excluded == 12
        low, high = sorted((found[name].worst, found[name].best))  # type: ignore[type-var]
        assert low < truth[name].value < high  # type: ignore[operator]
        assert low < found[name].value < high  # type: ignore[operator]
        assert (truth[name].worst, truth[name].best) == pytest.approx((truth[name].value,) * 2)


def test_the_style_matrix_by_hand() -> None:
    """A model that picks the showier response, and the first where both are alike.

    Nine pairs, better response in a: it is right in the three easy cells and in the three alike,
    wrong in the three hard ones.
    """
    styles = ("concise", "detailed", "markdown")
    items, texts = [], []
    for i, better in enumerate(styles):
        for j, worse in enumerate(styles):
            items.append(item(f"c{i}{j}", row("a" if i >= j else "b"), group="one"))
            texts.append(pair(f"c{i}{j}", "x", "y", style_a=better, style_b=worse))
    items.append(item("other", row("b")))
    texts.append(pair("other", "x", "y", style_a="shouting", style_b="concise"))
    found = metrics(items, texts, "rm_bench.easy", "rm_bench.normal", "rm_bench.hard")
    assert [(m.value, m.n) for m in found.values()] == [(1.0, 3), (1.0, 3), (0.0, 3)]


def test_the_style_matrix_with_the_better_response_in_b() -> None:
    """Better is b and plainer: hard. A tie is wrong, an unreadable answer too."""
    rows = [row("b"), row("tie"), row(None), row("a")]
    items = [item(f"i{k}", r, label="b") for k, r in enumerate(rows)]
    texts = [pair(i.result.item, "x", "y", style_a="markdown", style_b="detailed") for i in items]
    found = metrics(items, texts, "rm_bench.easy", "rm_bench.hard")
    assert (found["rm_bench.hard"].value, found["rm_bench.hard"].n) == (0.25, 4)
    assert found["rm_bench.easy"].why == "no such pair of styles"
