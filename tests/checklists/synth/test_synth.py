"""Program-made items: same seed same bytes, proved reasons, balance, and what no reading earns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from support.command_line import Done

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.prove import prove
from rmaudit.checklists.save import save
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.checklists.synth.base import moved, worded
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES, choose
from rmaudit.checklists.synth.write import CORE, make_set
from rmaudit.judge_check.no_read_baselines import BARS, measure, shotgun_rc, surface_accuracy

EACH = pytest.mark.parametrize("name", list(FAMILIES))


@cache
def items_of(name: str) -> list[Item]:
    return make_items([FAMILIES[name]], n=60, seed=4)


@pytest.mark.slow
@EACH
def test_same_seed_same_bytes_and_another_seed_fresh_items(name: str) -> None:
    first, again, other = (
        "".join(dump_item(item) for item in make_items([FAMILIES[name]], n=10, seed=seed))
        for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other
    longer = "".join(dump_item(item) for item in make_items([FAMILIES[name]], n=12, seed=7))
    assert longer.startswith(first)


@EACH
def test_items_hold_what_they_promise(name: str) -> None:
    for item in items_of(name):
        assert 3 <= len(item.reasons) <= 7
        sides = {"a": "Response A", "b": "Response B"}
        fixed = [fixed for repair in item.repairs or () for fixed in repair.fixes]
        for reason in item.reasons:
            assert reason.about in ("a", "b")
            assert reason.check
            assert sides[reason.about] in reason.text
            assert any(
                fact.lower() in reason.text.lower() for fact in item.meta["facts"][reason.id]
            )
            assert reason.id in fixed
        for side in ("a", "b"):
            assert sum(control.response == side for control in item.controls or ()) >= 2
        weight = {
            side: sum(r.weight or 0 for r in item.reasons if r.about == side) for side in "ab"
        }
        assert item.label == ("a" if weight["a"] < weight["b"] else "b")
        assert item.gold_judgment
        assert all(reason.text in item.gold_judgment.text for reason in item.reasons)
        weights = [reason.weight or 0 for reason in item.reasons]
        assert weights == sorted(weights, reverse=True)


@EACH
def test_every_reason_is_proved(name: str) -> None:
    proof = prove(items_of(name)[:8])
    assert proof.failures == ()
    assert proof.without_check == 0
    assert proof.proved >= 24


@EACH
def test_wordings_vary(name: str) -> None:
    items = items_of(name)
    openings = {
        (item.meta["kinds"][reason.id], " ".join(reason.text.split()[:3]))
        for item in items
        for reason in item.reasons
    }
    kinds = {kind for item in items for kind in item.meta["kinds"].values()}
    assert len(openings) >= 2 * len(kinds)


@pytest.mark.slow
@EACH
def test_no_read_baselines_are_within_their_bars(name: str) -> None:
    found = measure(make_items([FAMILIES[name]], n=1000, seed=0), seed=0)
    assert found.shotgun_rc is not None
    assert found.shotgun_rc <= BARS["shotgun_rc"]
    assert found.surface_accuracy is not None
    assert found.surface_accuracy <= BARS["surface_accuracy"]
    low, high = BARS["label_a_share"]
    assert low <= found.label_a_share <= high


def test_a_near_order_moves_a_few_entries() -> None:
    orders = [moved(range(12), Random(seed)) for seed in range(100)]
    assert len(set(map(tuple, orders))) > 20
    steps = [later - sooner for order in orders for sooner, later in pairwise(order)]
    assert all(sorted(order) == list(range(12)) for order in orders)
    assert 0.6 < sum(step == 1 for step in steps) / len(steps) < 0.9
    assert moved([], Random(1)) == []
    assert moved(["one"], Random(1)) == ["one"]


def test_heads_and_tails_by_hand() -> None:
    assert worded("{n} dollars", ("It costs", "Pay"), ("now", "here")) == (
        "It costs {n} dollars now.", "It costs {n} dollars here.",
        "Pay {n} dollars now.", "Pay {n} dollars here.",
    )  # fmt: skip


def test_baselines_can_fail() -> None:
    """A set that looks give away: the better response is always the longer one."""
    items = make_items([FAMILIES["slogan"]], n=200, seed=1)
    told = [_lengthen(item) for item in items]
    accuracy = surface_accuracy(told, seed=0)
    assert accuracy is not None
    assert accuracy > 0.95
    same = [items[0].model_copy(update={"id": f"i{k}", "group": f"i{k}"}) for k in range(50)]
    repeated = shotgun_rc(same, seed=0)
    assert repeated is not None
    assert repeated > 0.7


def _lengthen(item: Item) -> Item:
    side = f"response_{item.label}"
    return item.model_copy(update={side: getattr(item, side) + 9 * " And more."})


def test_baselines_of_sets_that_allow_none() -> None:
    items = make_items([FAMILIES["slogan"]], n=10, seed=1)
    assert surface_accuracy(items, seed=0) is None
    assert shotgun_rc([item.model_copy(update={"meta": {}}) for item in items], seed=0) is None


def test_saved_bytes_and_label_balance(cli: Callable[..., Done]) -> None:
    from pathlib import Path

    families = choose(())
    for out in ("one", "two"):
        save(make_set(families, n=11, seed=9), Path(out))
    for file in ("items.jsonl", "card.toml"):
        assert Path("one", file).read_bytes() == Path("two", file).read_bytes()
    assert cli("checklist", "validate", "one").code == 0
    labels = [item.label for item in make_items(families, n=40, seed=3)]
    assert labels.count("a") == 20


@pytest.mark.slow
def test_shipped_starter_set(cli: Callable[..., Done]) -> None:
    done = cli("checklist", "validate", "starter", "--run-checks")
    assert done.code == 0, done.err
    assert "reasons proved" in done.out
    assert "without a check" not in done.out
    card = cli("checklist", "show", "starter").out
    found = re.search(r"differences between the two responses of an item: ([\d.]+)", card)
    assert found
    assert float(found[1]) >= 13
    for name in FAMILIES:
        assert name in card


@pytest.mark.slow
def test_core_has_as_many_items_of_each_domain(cli: Callable[..., Done]) -> None:
    core = load_set("core")
    assert Counter(item.domain for item in core.items) == dict.fromkeys(
        ("creative", "general", "stem", "code", "multilingual"), CORE
    )
    assert "slogan" not in {item.family for item in core.items}
    assert len({item.id for item in core.items}) == len(core.items) == 5 * CORE
    other = load_set("core:3")
    assert {item.id for item in other.items}.isdisjoint(item.id for item in core.items)
    labels = Counter(item.label for item in core.items)
    assert labels["a"] == labels["b"]


def test_core_takes_no_number_of_items(cli: Callable[..., Done]) -> None:
    assert "how many items?" in cli("checklist", "synth", "--seed", "1", "--out", "x").err
    both = cli("checklist", "synth", "--core", "--n", "5", "--seed", "1", "--out", "x")
    assert both.code == 2
    assert "--core says how many items" in both.err
