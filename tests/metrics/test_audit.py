"""The registry and its loop: completeness, degenerate runs, slices, invariances."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.metrics_rows import Item, Row, item, no_answer, one_row_items, row, table

from rmaudit.checklists.controls import CUES
from rmaudit.metrics import REGISTRY, build_table, compute_metrics, compute_slices
from rmaudit.metrics.features import STYLES
from rmaudit.records import Metric, Order, Verdict

COVERAGE = (
    "parsed truncated refused too_long filtered error conflict matched labelled no_reasons "
    "no_references over_max_reasons ambiguous_side copied"
).split()
ORDERS: tuple[Order, ...] = ("ab", "ba")
VERDICTS: tuple[Verdict, ...] = ("a", "b", "tie", None)
LABELS: tuple[Literal["a", "b", "tie"], ...] = ("a", "b", "tie")
KEYS = {
    *("accuracy", "accuracy.half", "accuracy.drop", "accuracy.gold_tie"),
    *("accuracy_both_orders", "accuracy_net_votes"),
    *(f"ruler.{name}" for name in ("longest", "shortest", "markup", "first", "request_words")),
    *("rc", "rc.chance", "rc.above_chance", "rc.precision", "rc.survivors", "rc.corrected"),
    *("calibration.ece", "calibration.floor", "calibration.brier", "risk_coverage"),
    *("grounded", "grounded.unchecked"),
    *("rc.human_ceiling", "rc.human_ceiling.model", "claims.false", "claims.checked"),
    *("reason_sensitivity", "reason_sensitivity.saturated", "sensitivity.monotone"),
    *("reward_spread", "reward_spread.accuracy", "reward_spread.dead", "reward_spread.ties"),
    *("reward_spread.sd", "reward_spread.length", "reward_spread.markup"),
    *("rc.null", "rc.null_precision", "rc.above_null", "rc.above_null_precision"),
    *("rc.right", "rc.wrong", "self_consistency", "cycle_rate", "cross_mode_consistency"),
    *("rc.length_ceiling", "rc.reuse_gap", "rc.order_delta", "ap", "ap@0.5", "ap@0.75"),
    *(f"{form}@{t}" for form in ("f_rc", "s_rc", "spurious_rc") for t in ("0+", "0.25", "0.5")),
    *("order_consistency", "first_position_bias", "length_bias"),
    *(f"style.{name}" for name in ("length", "headers", "bold", "lists", "accuracy_controlled")),
    *(f"rm_bench.{name}" for name in ("easy", "normal", "hard", "total")),
    *(f"rm_bench.{one}.{two}" for one in STYLES for two in STYLES),
    *("accuracy.macro", "accuracy.ties", "score_margin"),
    *("best_of_n", "best_of_n.chance", "rewardbench2.ties"),
    *("l_acc", "f_score", "s_corr", "spurious_mass", "flaw.any"),
    *(f"flaw.F{number}" for number in range(1, 8)),
    *(f"category.{name}" for name in ("EG", "CG", "GS")),
    *("rationale_causality", "rationale_verdict_consistency", "specification_gap", "trap_rate"),
    *(
        f"rationale_causality.{part}"
        for part in ("follows", "changes", "reworded", "none", "reproduced", "coverage")
    ),
    *("rationale_verdict_consistency.abstained", *(f"trap_rate.{kind}" for kind in CUES)),
    *(f"coverage.{name}" for name in COVERAGE),
}


def metrics(*items: Item, **options: int) -> dict[str, Metric]:
    return compute_metrics(table(*items), **{"resamples": 200, **options})  # type: ignore[arg-type]


def judged_row(rng: np.random.Generator, verdict: Verdict, order: Order, *, n: int, m: int) -> Row:
    """A row that was answered and judged, with numbers that a matrix could give."""
    if not n:
        return row(verdict, order=order, n=0, m=m)
    rc = float(rng.integers(0, 4 * min(n, m) + 1)) / (4 * n)
    scores = {"ap_50": rc / 2, "ap_75": 0.0, "reuse": (rc + 1) / 2 if m else 0.0, "chance": rc / 4}
    flags = () if m else ("no_reasons",)
    return row(verdict, order=order, rc=rc, ap=rc, n=n, m=m, flags=flags, **scores)


def random_items(seed: int, count: int) -> list[Item]:
    """Items of three domains, some in shared groups, with every kind of row."""
    rng = np.random.default_rng(seed)
    items = []
    for k in range(count):
        n, rows = int(rng.integers(0, 5)), []
        for order in ORDERS:
            m = int(rng.integers(0, 6))
            verdict = VERDICTS[rng.integers(4)]
            kind = rng.random()
            if kind < 0.1:
                rows.append(no_answer(order=order, n=n))
            elif kind < 0.2 and n and m:
                rows.append(row(verdict, order=order, judge_failed=True, n=n, m=m))
            else:
                rows.append(judged_row(rng, verdict, order, n=n, m=m))
        label = LABELS[int(rng.choice(3, p=[0.45, 0.45, 0.1]))]
        items.append(
            item(f"i{k}", *rows, label=label, group=f"g{k - k % 3 // 2}", domain="xyz"[k % 3])
        )
    return items


def test_registry_is_complete_and_documented() -> None:
    assert set(REGISTRY) == KEYS
    for key, spec in REGISTRY.items():
        assert spec.key == key
        assert spec.unit in ("share", "score")
        assert spec.definition.endswith(".")


def test_coverage_by_hand() -> None:
    found = metrics(
        *one_row_items(
            row("a", rc=0.5),
            row("tie", rc=0.5, flags=("over_max_reasons", "ambiguous_side")),
            row(None, rc=0.0, m=0, flags=("no_reasons", "conflict")),
            row(None, outcome="truncated", rc=0.5, flags=("copied",)),
            row(None, outcome="refused", judge_failed=True),
            row(None, outcome="too_long"),
            row(None, outcome="filtered"),
            no_answer(),
            row("b", n=0),
        )
    )
    for name in COVERAGE:
        if name in ("matched", "labelled"):
            continue
        count = 3 if name == "parsed" else 1
        metric = found[f"coverage.{name}"]
        assert (metric.value, metric.n, metric.n_excluded) == (count / 9, 9, 0)
        assert metric.worst == metric.best == metric.value
    # Put to the judge: rows 1, 2, 4, 5 (answered, with references and reasons); 5 failed.
    assert (found["coverage.matched"].value, found["coverage.matched"].n) == (3 / 4, 4)


def test_when_everything_failed() -> None:
    found = metrics(
        item("i1", no_answer(), no_answer(order="ba")),
        item("i2", no_answer(), no_answer(order="ba"), label="tie"),
    )
    for name in ("accuracy", "accuracy_both_orders", "rc", "ap@0.5", "f_rc@0.25"):
        metric = found[name]
        assert (metric.value, metric.low, metric.high, metric.n) == (None, None, None, 0)
        assert (metric.worst, metric.best) == (0.0, 1.0)
        assert metric.why.endswith("observations failed")
    assert found["accuracy"].n_excluded == 2  # rows of the item labelled a or b
    assert found["rc"].n_excluded == 4
    assert found["order_consistency"].n_excluded == 2  # pairs
    for name in ("s_rc@0.25", "rc.reuse_gap"):
        assert (found[name].worst, found[name].best) == (1.0, 0.0)
    bias = found["first_position_bias"]
    assert (abs(bias.worst or 0), bias.best) == (0.5, 0.0)
    assert found["coverage.error"].value == 1.0


def test_no_items() -> None:
    for name, metric in metrics().items():
        assert metric.value is metric.low is metric.high is metric.worst is metric.best is None, (
            name
        )
        assert (metric.n, metric.n_excluded, metric.why) == (0, 0, "no items")
    assert compute_slices(table()) == {}


def test_one_item_has_a_nearly_vacuous_interval() -> None:
    metric = metrics(item("i1", row("a", rc=0.5)))["accuracy"]
    assert (metric.value, metric.high) == (1.0, 1.0)
    assert metric.low == pytest.approx(0.025)
    assert "every group" in metric.why


def test_ten_of_ten_is_not_certainty() -> None:
    metric = metrics(*one_row_items(*[row("a", rc=1.0)] * 10))["accuracy"]
    assert metric.low == pytest.approx(1 - 0.3085, abs=1e-4)  # Clopper-Pearson, 10 of 10


def test_single_orders_get_clopper_and_pearson() -> None:
    metric = metrics(*one_row_items(*[row("a")] * 8, *[row("b")] * 2))["accuracy"]
    assert (metric.low, metric.high) == pytest.approx((0.4439, 0.9748), abs=1e-4)


def test_a_wider_interval_at_higher_confidence() -> None:
    data = table(*random_items(1, 60))
    narrow = compute_metrics(data, confidence=0.9, names=["rc"])["rc"]
    wide = compute_metrics(data, confidence=0.99, names=["rc"])["rc"]
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high  # type: ignore[operator]


def test_slices_equal_runs_on_the_domain_alone() -> None:
    items = random_items(2, 45)
    slices = compute_slices(table(*items), resamples=200)
    assert list(slices) == ["x", "y", "z"]
    for domain, found in slices.items():
        assert found == metrics(*(i for i in items if i.result.domain == domain))


def test_one_domain_equals_the_whole() -> None:
    items = random_items(3, 20)
    same = [replace(i, result=replace(i.result, domain="only")) for i in items]
    assert compute_slices(table(*same), resamples=200) == {"only": metrics(*same)}


def test_a_metric_does_not_depend_on_its_company() -> None:
    items = random_items(4, 40)
    whole = metrics(*items)
    names = ["rc", "order_consistency"]
    alone = compute_metrics(table(*items), resamples=200, names=names)
    for name in names:  # to rounding: the sums of all metrics are one matrix product
        assert asdict(alone[name]) == pytest.approx(asdict(whole[name]))
    assert metrics(*items) == whole  # deterministic
    assert metrics(*items, seed=1) != whole


def test_unknown_name() -> None:
    with pytest.raises(KeyError, match="flair"):
        compute_metrics(table(), names=["flair"])


def test_duplicates_are_refused() -> None:
    results = [i.result for i in one_row_items(row("a"))]
    with pytest.raises(ValueError, match="twice"):
        build_table(results + results)
    twice = replace(results[0], rows=results[0].rows * 2)
    with pytest.raises(ValueError, match="twice"):
        build_table([twice])


def test_matrix_numbers_do_not_apply_where_no_matrix_is_at_hand() -> None:
    data = build_table([i.result for i in one_row_items(row("a", rc=0.5, ap=0.5))])
    found = compute_metrics(data, resamples=50)
    assert found["ap"].value == 0.5
    for name in ("ap@0.5", "rc.reuse_gap"):
        assert (found[name].value, found[name].n_excluded) == (None, 0)
        assert found[name].why == "the match matrices are not at hand"


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 14), shuffle=st.randoms())
def test_laws_on_random_runs(seed: int, count: int, shuffle: object) -> None:
    items = random_items(seed, count)
    found = metrics(*items, resamples=60)
    json.dumps({name: asdict(metric) for name, metric in found.items()}, allow_nan=False)
    for name, metric in found.items():
        least, greatest = REGISTRY[name].bounds
        if metric.value is None:
            assert metric.why
            assert metric.n == 0
            assert metric.low is metric.high is None
            continue
        assert metric.n > 0
        assert least <= metric.value <= greatest
        assert metric.low is not None
        assert metric.high is not None
        assert least - 1e-9 <= metric.low <= metric.high <= greatest + 1e-9, name
        if REGISTRY[name].better != "zero" and metric.worst is not None and metric.best is not None:
            ends = sorted((metric.worst, metric.best))
            assert ends[0] - 1e-9 <= metric.value <= ends[1] + 1e-9, name
        if not metric.n_excluded and REGISTRY[name].better != "zero":
            assert metric.worst == metric.best == pytest.approx(metric.value)
    shuffle.shuffle(items)  # type: ignore[attr-defined]
    for name, metric in metrics(*items, resamples=60).items():
        assert metric.value == pytest.approx(found[name].value), name
        assert (metric.n, metric.n_excluded) == (found[name].n, found[name].n_excluded)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_bounds_hold_whatever_the_lost_rows_would_have_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    items = random_items(seed, 8)
    complete = []
    for i in items:
        rows = [
            judged_row(
                rng,
                VERDICTS[rng.integers(4)] if r.result.outcome == "error" else r.result.verdict,
                r.result.order,
                n=r.result.n_refs,
                m=r.result.n_reasons or 1,
            )
            if r.result.failure is not None
            else r
            for r in i.rows
        ]
        complete.append(
            replace(
                i, result=replace(i.result, rows=tuple(r.result for r in rows)), rows=tuple(rows)
            )
        )
    truth = metrics(*complete, resamples=20)
    for name, metric in metrics(*items, resamples=20).items():
        # Coverage counts the failures themselves, and no chance was drawn for the lost rows.
        if name.startswith(("coverage.", "rc.chance", "rc.above_chance")):
            continue
        value = truth[name].value
        if value is None or metric.worst is None or metric.best is None:
            continue
        if REGISTRY[name].better == "zero":
            assert abs(value) <= abs(metric.worst) + 1e-9, name
        else:
            low, high = sorted((metric.worst, metric.best))
            assert low - 1e-9 <= value <= high + 1e-9, name
