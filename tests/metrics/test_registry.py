"""What metrics say of themselves, and that nothing else lists them."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import rmaudit
from rmaudit.metrics.formats import (
    is_share,
    show,
    show_change,
    show_change_interval,
    show_interval,
)
from rmaudit.metrics.harms import CLAIMS
from rmaudit.metrics.headlines import headline, seen_against, summary_line
from rmaudit.metrics.registry import (
    REGISTRY,
    alike_for,
    family_of,
    label_of,
    limits,
    one_of_each_family,
    reader_of,
    shown_in,
    topic_of,
)
from rmaudit.metrics.spec import TOPICS, Place
from rmaudit.records import Metric

PACKAGE = Path(rmaudit.__file__).parent


def metric(value: float | None, why: str = "") -> Metric:
    return Metric(value, None, None, None, None, 8, 0, "share", why)


@pytest.mark.parametrize("place", get_args(Place))
def test_each_place_has_an_order_without_doubt(place: Place) -> None:
    """One rank, one row: only metrics that compete for a row may share a rank."""
    ranks: dict[int, set[str]] = {}
    for key in shown_in(place):
        spec = REGISTRY[key]
        ranks.setdefault(spec.shown[place], set()).add(spec.family or spec.instead_of or key)
    assert ranks
    assert all(len(rivals) == 1 for rivals in ranks.values()), ranks


def test_specs_name_metrics_that_exist_and_headlines_have_words() -> None:
    for spec in REGISTRY.values():
        assert all(one.key in REGISTRY for one in spec.beside)
        assert not spec.instead_of or spec.instead_of in REGISTRY
        assert spec.topic in TOPICS
        assert spec.needs
        assert all(limit.endswith(".") for limit in spec.limits)
        if {"core", "terminal", "claims"} & set(spec.shown):
            assert spec.label, spec.key
        if {"report", "report_curves"} & set(spec.shown):
            assert spec.title, spec.key
        if "training_curve" in spec.shown:
            assert spec.short, spec.key
        if spec.reader is not None:
            assert spec.alike


def test_what_is_not_known_is_taken_for_the_worst() -> None:
    """A key of another version needs a judge, and is compared only where nothing differs."""
    assert reader_of("of.tomorrow") == "judge"
    assert set(alike_for("of.tomorrow")) == {"judge", "labeler", "max_reasons", "verdicts", "items"}
    assert label_of("of.tomorrow") == "of.tomorrow"
    assert show("of.tomorrow", 0.25) == "25.0 %"
    assert (family_of("of.tomorrow"), topic_of("of.tomorrow")) == ("", "Coverage")
    assert summary_line("of.tomorrow", {"of.tomorrow": metric(0.5)}).beside == ""


def test_formats_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, format_ in (("many", "count"), ("slow", "seconds")):
        spec = replace(REGISTRY["accuracy"], key=name, format=format_)  # type: ignore[arg-type]
        monkeypatch.setitem(REGISTRY, name, spec)
    told = {
        key: (
            show(key, value),
            show_interval(key, value - 0.5, value),
            show_change(key, value),
            show_change_interval(key, -value, value),
        )
        for key, value in (
            ("accuracy", 0.8125),
            ("length_bias", 0.125),
            ("ap", 0.8126),
            ("style.bold", 0.5),
            ("many", 1234.0),
            ("slow", 12.25),
        )
    }
    assert told == {
        "accuracy": ("81.2 %", "31.2 – 81.2", "+81.2 pt", "-81.2 to +81.2"),
        "length_bias": ("+12.5 pt", "-37.5 – +12.5", "+12.5 pt", "-12.5 to +12.5"),
        "ap": ("0.813", "0.313 – 0.813", "+0.813", "-0.813 to +0.813"),
        "style.bold": ("+0.50", "+0.00 – +0.50", "+0.50", "-0.50 to +0.50"),
        "many": ("1,234", "1,234 – 1,234", "+1,234", "-1,234 to +1,234"),
        "slow": ("12.2 s", "11.8 – 12.2", "+12.2 s", "-12.2 to +12.2"),
    }
    assert show("accuracy", None) == "n/a"
    assert [key for key in told if is_share(key)] == ["accuracy", "length_bias", "ap"]


def test_of_a_family_the_worst_measured_one_is_shown() -> None:
    keys = ["accuracy", "flaw.F1", "flaw.F2", "flaw.F3", "rc"]
    first = {"flaw.F1": metric(None), "flaw.F2": metric(0.25), "flaw.F3": metric(0.25)}
    assert one_of_each_family(keys, [first]) == ["accuracy", "flaw.F2", "rc"]
    second = {**first, "flaw.F3": metric(0.5)}
    assert one_of_each_family(keys, [first, second]) == ["accuracy", "flaw.F3", "rc"]
    none = dict.fromkeys(first, metric(None))
    assert one_of_each_family(keys, [none]) == ["accuracy", "rc"]


def test_a_headline_stands_only_where_it_was_asked_for() -> None:
    run = dict.fromkeys(REGISTRY, metric(0.5))
    assert "trap_rate" in headline(run)
    without = {**run, "trap_rate": metric(None, "not measured; scan --measure traps asks for it")}
    assert "trap_rate" not in headline(without)
    assert "trap_rate" in headline(run, without)


def test_limits_are_told_once_and_the_most_important_ones_first() -> None:
    found = limits()
    assert len(set(found)) == len(found)
    assert found[0] == REGISTRY["rc"].limits[0]
    assert found.index(REGISTRY["flaw.F4"].limits[0]) < found.index(REGISTRY["rc"].limits[1])


def test_claims_of_harm_are_about_metrics_that_exist() -> None:
    assert {test.metric for claim in CLAIMS for test in claim.tests} <= set(REGISTRY)


def test_nothing_but_metrics_lists_metrics() -> None:
    """A table of keys elsewhere would be what a new metric is missing from."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name == "metrics":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            inside = getattr(node, "keys" if isinstance(node, ast.Dict) else "elts", None) or []
            keys = {one.value for one in inside if isinstance(one, ast.Constant)} & set(REGISTRY)
            if len(keys) > 2:
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {sorted(keys)}")
    assert found == []


def test_accuracy_stands_beside_the_best_ruler() -> None:
    """One ruler under the table, and one mark in a report: the highest, the first of equals."""
    rulers = {"ruler.longest": 0.61, "ruler.shortest": 0.39, "ruler.first": 0.61}
    run = {"accuracy": metric(0.7), **{key: metric(value) for key, value in rulers.items()}}
    assert list(seen_against("accuracy", run)) == [("the longer response alone", 0.61)]
    line = summary_line("accuracy", run)
    assert (line.beside, line.remark) == ("", "the longer response alone 61.0 %")
    failed = replace(run["accuracy"], n_excluded=2, worst=0.5, best=0.75)
    assert summary_line("accuracy", {**run, "accuracy": failed}).remark == (
        "the longer response alone 61.0 %; 2 failed and are left out; with them from 50.0 % to "
        "75.0 %"
    )
    unmeasured = {key: metric(None) for key in rulers}
    assert summary_line("accuracy", run | unmeasured).remark == ""
    assert summary_line("accuracy", {"accuracy": metric(0.7)}).remark == ""
