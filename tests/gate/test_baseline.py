"""Relative rules: a run against another one, on the items that both have."""

from __future__ import annotations

from typing import Any

import pytest
from support.gate_runs import Cli, decided, edit, make, only, policy, rule
from support.report_runs import boxed, faithful, vague

from rmaudit.checklists.schema import Item


def wordier(item: Item, order: str) -> str:
    """As good as `faithful`, in other words."""
    return f"I compare both responses.\n{faithful(item, order)}"


def test_relative(cli: Cli) -> None:
    """Models that differ on no item: an unseen loss is 1 - 0.05^(1/40) = 0.072 at most."""
    good, bad = make(), make(vague, "vague")
    other = make(wordier, "other")
    rules = policy(rule("rc", 0.08, kind="relative"))
    found = decided(cli, good, rules)
    assert (found["verdict"], only(found)["status"]) == ("INCONCLUSIVE", "INCONCLUSIVE")
    found = only(decided(cli, good, rules, "--baseline", other.path))
    assert (found["status"], found["difference"]) == ("PASS", 0.0)
    assert found["low"] == pytest.approx(0.05 ** (1 / 40) - 1)
    tight = policy(rule("rc", 0.05, kind="relative"))
    found = only(decided(cli, good, tight, "--baseline", other.path))
    assert (found["status"], found["n"]) == ("INCONCLUSIVE", 40)
    found = decided(cli, bad, rules, "--baseline", good.path)
    assert (found["verdict"], only(found)["baseline"]) == ("FAIL", 1.0)
    assert only(found)["difference"] == pytest.approx(only(found)["value"] - 1)
    found = decided(cli, good, rules, "--baseline", bad.path)
    assert found["verdict"] == "PASS"  # better is no loss


@pytest.mark.slow
def test_a_negative_margin_requires_a_gain(cli: Cli) -> None:
    good, bad = make(), make(vague, "vague")
    rules = policy(rule("rc", -0.05, kind="relative"))
    found = only(decided(cli, good, rules, "--baseline", bad.path))
    assert (found["status"], found["limit"]) == ("PASS", 0.05)
    assert found["low"] > 0.05
    # Nothing lost is not enough: such a run differs by 0, at most 0.072 (see above).
    found = decided(cli, good, rules, "--baseline", make(wordier, "other").path)
    assert (found["verdict"], only(found)["difference"]) == ("INCONCLUSIVE", 0.0)
    assert "required: gains at least 5.0 pt" in only(found)["sentence"]
    found = only(decided(cli, bad, rules, "--baseline", good.path))
    assert found["status"] == "FAIL"
    fewer = policy(rule("s_rc@0+", -0.1, kind="relative"))
    found = only(decided(cli, good, fewer, "--baseline", bad.path))
    assert (found["status"], found["limit"]) == ("PASS", -0.1)
    assert "required: loses at least 10.0 pt" in found["sentence"]


def test_relative_ratio_and_higher_is_worse(cli: Cli) -> None:
    good, bad = make(), make(vague, "vague")
    rules = policy(rule("s_rc@0+", 0.1, kind="relative"))
    assert decided(cli, bad, rules, "--baseline", good.path)["verdict"] == "FAIL"
    assert decided(cli, good, rules, "--baseline", bad.path)["verdict"] == "PASS"


def test_distance_from_zero_is_what_may_not_grow(cli: Cli) -> None:
    def first_slot(item: Item, order: str) -> str:
        return boxed(item, order, [], right=item.label == ("a" if order == "ab" else "b"))

    fair, leaning = make(), make(first_slot, "leaning")
    rules = policy(rule("first_position_bias", 0.1, kind="relative"))
    found = only(decided(cli, leaning, rules, "--baseline", fair.path))
    assert (found["status"], found["difference"]) == ("FAIL", 0.5)
    assert only(decided(cli, fair, rules, "--baseline", leaning.path))["status"] == "PASS"


@pytest.mark.slow
def test_only_common_items_are_compared(cli: Cli) -> None:
    """The baseline lacks ten items; on those the run is wrong, on the others both are right."""

    def wrong_at_first(item: Item, order: str) -> str:
        return boxed(item, order, [], right=int(item.id[-4:]) >= 10)

    run = make(wrong_at_first)
    other = make(
        lambda item, order: None if int(item.id[-4:]) < 10 else faithful(item, order), "other"
    )
    rules = policy(rule("accuracy", 0.1, kind="relative"))
    found = only(decided(cli, run, rules, "--baseline", other.path))
    assert found["value"] == 0.75
    assert (found["difference"], found["n"], found["status"]) == (0.0, 30, "PASS")


SMALL = "synth:5:8:slogan"


@pytest.mark.parametrize(
    ("options", "differs"),
    [
        ({"max_reasons": 3}, "max reasons"),
        ({"orders": "ab"}, "orders"),
        ({"spec": "synth:6:8:slogan"}, "set"),
        ({"judge_view": "lists"}, "judge view"),
    ],
)
def test_baseline_of_another_setup(cli: Cli, options: dict[str, Any], differs: str) -> None:
    run, other = make(spec=SMALL), make(name="other", **{"spec": SMALL} | options)
    rules = policy(rule("accuracy", 0.1, kind="relative"))
    found = decided(cli, run, rules, "--baseline", other.path)
    assert found["exit_code"] == 5
    assert f"differ in more than the model: {differs}" in only(found)["sentence"]


def test_changed_baseline_is_no_evidence(cli: Cli) -> None:
    run, other = make(), make(name="other")
    edit(other.path / "verdicts.jsonl", '"verdict": "a"', '"verdict": "b"')
    rules = policy(rule("accuracy", 0.1, kind="relative"))
    found = decided(cli, run, rules, "--baseline", other.path)
    assert (found["verdict"], only(found)["status"]) == ("INVALID", "INVALID")
    assert "baseline: verdicts.jsonl was changed" in only(found)["sentence"]


def test_what_is_above_lists_is_compared_on_the_same_items_only(cli: Cli) -> None:
    """Another part of one set: consistency is compared on what both have, this is not."""
    one, two = make(faithful, "one"), make(wordier, "two", limit=30)
    rules = policy(rule("rc", 0.3, kind="relative"), rule("rc.above_null", 0.3, kind="relative"))
    rc, above = decided(cli, one, rules, "--baseline", two.path)["rules"]
    assert rc["status"] == "PASS"
    assert (above["status"], above["sentence"]) == (
        "INVALID",
        "run and baseline differ in more than the model: items",
    )
