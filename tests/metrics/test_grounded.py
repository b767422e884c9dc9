"""Shares of grounded reasons, by hand, and through a whole scan."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.answers import answer, write_replay
from support.command_line import Done
from support.metrics_rows import item, no_answer, row, table

from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.scores import RowKey

NAMES = ("grounded", "grounded.unchecked")


def test_shares_by_hand() -> None:
    """i0  ab: 2 grounded, 1 not, 1 unchecked; ba: 0, 1, 0
    i1  2 grounded, 0 not, 2 unchecked;  i2  nothing said;  i3  not answered

    Per item, halved where there are two orders: grounded (2/2 + 2) of (4/2 + 2) checked; unchecked
    (1/2 + 2) of (5/2 + 4). The lost answer has up to five reasons: 3 / 9 and 8 / 9.
    """
    facts: dict[RowKey, RowFacts] = {
        ("i0", "ab", 0): RowFacts(grounded=2, ungrounded=1, unchecked=1),
        ("i0", "ba", 0): RowFacts(grounded=0, ungrounded=1, unchecked=0),
        ("i1", "ab", 0): RowFacts(grounded=2, ungrounded=0, unchecked=2),
        ("i2", "ab", 0): RowFacts(grounded=0, ungrounded=0, unchecked=0),
        ("i3", "ab", 0): RowFacts(grounded=0, ungrounded=0, unchecked=0),
    }
    data = table(
        item("i0", row("a"), row("b", order="ba")),
        item("i1", row("a")),
        item("i2", row("a")),
        item("i3", no_answer()),
        facts=facts,
    )
    found = compute_metrics(data, resamples=100, names=NAMES)
    share, unchecked = found["grounded"], found["grounded.unchecked"]
    assert share.value == pytest.approx(3 / 4)
    assert (share.n, share.n_excluded) == (2, 1)
    assert (share.worst, share.best) == pytest.approx((3 / 9, 8 / 9))
    assert unchecked.value == pytest.approx(2.5 / 6.5)


def test_where_it_does_not_apply() -> None:
    empty: dict[RowKey, RowFacts] = {
        ("i0", "ab", 0): RowFacts(grounded=0, ungrounded=0, unchecked=0)
    }
    silent = compute_metrics(table(item("i0", row("a")), facts=empty), names=["grounded"])
    assert silent["grounded"].why == "no reason quotes anything or names a number"
    assert compute_metrics(table(item("i0", row("a"))), names=["grounded"])["grounded"].why
    scored = compute_metrics(table(item("i0", row("a", m=0))), names=["grounded"])["grounded"]
    assert scored.why == "the model gives no reasons"


def test_through_a_scan_in_both_orders(cli: Callable[..., Done], tmp_path: Path) -> None:
    """ab  a quote of A and a wrong price of B; a reason without a quote or number counts nowhere
    ba  the price of A, shown second; B, shown first, has 21 characters
    """
    pair = {
        "id": "1",
        "prompt": [{"role": "user", "content": "Sell a lamp."}],
        "response_a": "A lamp for 20 euros, made in Ghent.",
        "response_b": "Buy it now: 25 euros.",
        "label": "a",
    }
    Path("set.jsonl").write_text(json.dumps(pair) + "\n", encoding="utf-8")
    ab = answer(['Response A says "made in Ghent".', "Response B asks for 30 euros.", "A."], "A>B")
    ba = answer(["Response B asks for 20 euro.", "Response A has 21 characters."], "B>A")
    write_replay(
        tmp_path / "answers.jsonl",
        [{"item": "1", "order": "ab", "text": ab}, {"item": "1", "order": "ba", "text": ba}],
    )
    done = cli("scan", "replay:answers.jsonl", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    found = json.loads(Path("run/metrics.json").read_text())["metrics"]
    assert found["grounded"]["n"] == 1
    assert found["grounded"]["value"] == pytest.approx(3 / 4)
