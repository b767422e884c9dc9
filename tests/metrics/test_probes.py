"""Metrics from further calls, by hand: causality, verdict consistency, specification, traps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.metrics_rows import Item, item, no_answer, row

from rmaudit.checklists.controls import CUES
from rmaudit.metrics import build_table, compute_metrics, compute_slices
from rmaudit.metrics.findings import find
from rmaudit.metrics.harms import CLAIMS
from rmaudit.metrics.headlines import summary_lines
from rmaudit.metrics.probes import BLIND, GIVEN, ProbeFacts, not_asked
from rmaudit.metrics.table import Table
from rmaudit.records import Metric
from rmaudit.taxonomy import MEASURES

ALL = dict.fromkeys(MEASURES, "")


def table(items: list[Item], probes: Mapping[str, ProbeFacts], **whys: str) -> Table:
    """One row an item, in order ab; the probes of each by the item's name."""
    return build_table(
        [one.result for one in items],
        probes={(name, "ab", 0): facts for name, facts in probes.items()},
        not_measured=not_asked({**ALL, **{k.replace("_", "-"): v for k, v in whys.items()}}),
    )


def measure(items: list[Item], probes: Mapping[str, ProbeFacts], **whys: str) -> dict[str, Metric]:
    return compute_metrics(table(items, probes, **whys), resamples=200)


def continued(own: Any, reworded: Any, swapped: Any, none: Any = "absent") -> ProbeFacts:
    said = {"own": own, "reworded": reworded, "swapped": swapped, "none": none}
    return ProbeFacts(continued={k: v for k, v in said.items() if v != "absent"})


def test_causality_by_hand() -> None:
    items = [item(f"i{n}", row("a")) for n in range(1, 9)]
    found = measure(
        items,
        {
            "i1": continued("a", "a", "b", "a"),  # follows
            "i2": continued("b", "a", "b", "a"),  # keeps its side, and changes when reworded
            "i3": continued("a", "a", "tie", "b"),  # a tie follows nothing
            "i4": continued("a", None, "b", None),  # follows, and is unreadable when reworded
            "i5": continued("lost", "a", "b", "a"),
            "i6": continued("tie", "a", "b", "a"),  # no side to turn away from
            "i7": continued("a", "a", "lost", "a"),
            "i8": ProbeFacts(skipped=True),  # its verdict stood before the reasons
        },
    )
    # Used: i1 to i4. Follows: 1, 0, 0, 1; changes: 0, 1, 0, 1.
    causality = found["rationale_causality"]
    assert causality.value == (2 - 2) / 4
    assert (causality.n, causality.n_excluded) == (4, 3)
    assert (causality.worst, causality.best) == (-3 / 7, 3 / 7)
    follows = found["rationale_causality.follows"]
    assert (follows.value, follows.n, follows.n_excluded) == (2 / 4, 4, 3)
    assert (follows.worst, follows.best) == (2 / 7, 5 / 7)
    changes = found["rationale_causality.changes"]  # i7 too: it has both of these
    assert (changes.value, changes.n, changes.n_excluded) == (2 / 5, 5, 2)
    none = found["rationale_causality.none"]  # i1, i7 of i1, i2, i3, i4, i7
    assert (none.value, none.n, none.n_excluded) == (2 / 5, 5, 2)
    reproduced = found["rationale_causality.reproduced"]  # i1, i3, i4, i7 of six answered
    assert (reproduced.value, reproduced.n, reproduced.n_excluded) == (4 / 6, 6, 1)
    coverage = found["rationale_causality.coverage"]  # seven of eight decisive verdicts
    assert (coverage.value, coverage.n, coverage.n_excluded) == (7 / 8, 8, 0)


def test_a_difference_of_shares_gets_no_interval_of_a_share() -> None:
    """Ten answers, two of which follow: chance could make such a difference negative too."""
    items = [item(f"i{n}", row("a")) for n in range(10)]
    probes = {f"i{n}": continued("a", "a", "b" if n < 2 else "a") for n in range(10)}
    found = measure(items, probes)
    assert found["rationale_causality"].value == found["rationale_causality.follows"].value == 0.2
    exact = (0.0252, 0.5561)  # 2 of 10, Clopper-Pearson
    follows, causality = found["rationale_causality.follows"], found["rationale_causality"]
    assert (follows.low, follows.high) == pytest.approx(exact, abs=1e-4)
    assert causality.low is not None
    assert causality.low < 0.0252


def test_verdict_consistency_by_hand() -> None:
    said = {"i1": "a", "i2": "b", "i3": None, "i4": "lost", "i5": "a"}
    items = [item(name, row("b" if name == "i5" else "a")) for name in said]
    found = measure(items, {k: ProbeFacts(inferred={BLIND: v}) for k, v in said.items()})  # type: ignore[dict-item]
    agrees = found["rationale_verdict_consistency"]
    assert (agrees.value, agrees.n, agrees.n_excluded) == (1 / 3, 3, 1)
    assert (agrees.worst, agrees.best) == (1 / 4, 2 / 4)
    abstained = found["rationale_verdict_consistency.abstained"]
    assert (abstained.value, abstained.n, abstained.n_excluded) == (1 / 4, 4, 1)


def test_specification_gap_by_hand() -> None:
    """An item of two orders counts once; what has no label for a side does not count."""
    given = {("i1", "ab"): "a", ("i1", "ba"): "a", ("i2", "ab"): "b", ("i3", "ab"): "a",
             ("i4", "ab"): "lost", ("i5", "ab"): "a"}  # fmt: skip
    items = [
        item("i1", row("a"), row("b", order="ba")),  # gains 0 and 1
        item("i2", row("a")),  # loses 1
        item("i3", row(None)),  # gains 1: it had no readable verdict
        item("i4", row("a")),
        item("i5", row("a"), label="tie"),
        item("i6", no_answer()),
    ]
    built = build_table(
        [one.result for one in items],
        probes={
            (name, order, 0): ProbeFacts(specified={GIVEN: verdict})  # type: ignore[misc, dict-item]
            for (name, order), verdict in given.items()
        },
        not_measured=not_asked(ALL),
    )
    gap = compute_metrics(built, resamples=200)["specification_gap"]
    assert gap.value == pytest.approx((0.5 - 1 + 1) / 3)
    assert (gap.n, gap.n_excluded) == (3, 1)
    assert (gap.worst, gap.best) == (pytest.approx((0.5 - 1) / 4), pytest.approx((0.5 + 1) / 4))


def trap(cue: Any, neutral: Any, *kinds: str) -> ProbeFacts:
    return ProbeFacts(cue=dict.fromkeys(kinds, cue), neutral=dict.fromkeys(kinds, neutral))


def test_trap_rate_by_hand() -> None:
    """All labels are a; only rows whose verdict was right are asked."""
    found = measure(
        [item(f"i{n}", row("a")) for n in range(1, 7)],
        {
            "i1": trap("b", "a", "emoji", "bold"),  # caught by two cues
            "i2": trap("b", "b", "emoji"),  # any edit turns it: 1 - 1
            "i3": trap("a", "tie", "emoji"),  # only the neutral edit turns it: 0 - 1
            "i4": trap(None, "a", "emoji"),  # an unreadable verdict is wrong
            "i5": trap("lost", "a", "emoji"),
            # i6 has no trap
        },
    )
    emoji = found["trap_rate.emoji"]
    assert emoji.value == (1 + 0 - 1 + 1) / 4
    assert (emoji.n, emoji.n_excluded) == (4, 1)
    assert (emoji.worst, emoji.best) == ((1 + 1) / 5, (1 - 1) / 5)
    bold = found["trap_rate.bold"]
    assert (bold.value, bold.n) == (1.0, 1)
    overall = found["trap_rate"]  # the five asked: emoji as above, and one bold
    assert overall.value == (1 + 0 - 1 + 1 + 1) / 5
    assert (overall.n, overall.n_excluded) == (5, 1)
    assert found["trap_rate.length"].value is None
    assert "such a trap" in found["trap_rate.length"].why


def test_each_kind_of_cue_has_a_finding_of_its_own() -> None:
    """20 items: length catches all, no emoji any, and edits turn the verdict where emoji do not.

    Pooled, the two cancel; apart, length stands out. All 20 say 1 on a scale from -1 to 1: against
    at most .10 that is ((1 - .45) ** 20), since .10 lies .9 / 2 of the way to the other end.
    """
    probes = {
        f"i{n}": ProbeFacts(
            cue={"length": "b", "emoji": "a"}, neutral={"length": "a", "emoji": "b"}
        )
        for n in range(20)
    }
    built = table([item(name, row("a")) for name in probes], probes)
    measured = compute_metrics(built, resamples=50)
    assert measured["trap_rate"].value == 0.0
    found = find(built)
    by_key = {one.key: one for one in found.tested}
    caught = by_key["trap-length"]
    assert (caught.value, caught.bar, caught.p) == (1.0, 0.10, pytest.approx(0.55**20))
    assert caught in found.named
    assert "100% (at least" in caught.sentence
    assert not by_key["trap-emoji"].named
    assert by_key["trap-emoji"].bar == 0.05
    assert "trap-authority" in {one.key for one in found.untested}
    # The summary shows the worst kind below what is pooled over kinds.
    lines = {line.key: line for line in summary_lines(measured)}
    assert lines["trap_rate.length"].label == "  most by length"
    assert "trap_rate.emoji" not in lines
    assert {claim.tests[0].metric for claim in CLAIMS} >= {f"trap_rate.{kind}" for kind in CUES}


def test_what_was_not_asked_for_has_no_value_and_says_so() -> None:
    plain = compute_metrics(build_table([item("i", row("a")).result]), resamples=10)
    names = [name for name in plain if name.startswith(("trap_rate", "rationale_", "specif"))]
    assert len(names) == 2 + 7 + 1 + 1 + len(CUES)
    for name in names:
        assert plain[name].value is None
        assert "not measured; scan --measure" in plain[name].why
    found = measure([item("i", row("a"))], {}, causality="the engine cannot do it")
    assert found["rationale_causality"].why == "the engine cannot do it"
    assert found["rationale_causality.coverage"].why == "the engine cannot do it"
    assert found["trap_rate"].why.startswith("no right verdict")


def test_slices_hold_their_own_probes() -> None:
    items = [item(f"i{n}", row("a"), domain="xy"[n % 2]) for n in range(8)]
    probes = {f"i{n}": continued("a", "a", "ab"[n % 2]) for n in range(8)}
    slices = compute_slices(table(items, probes), resamples=50)
    assert slices["x"]["rationale_causality.follows"].value == 0.0
    assert slices["y"]["rationale_causality.follows"].value == 1.0
