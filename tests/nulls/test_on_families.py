"""On program-made items most of what differs is no fault, so a list of differences earns little."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import cache
from statistics import fmean

import pytest

from rmaudit.checklists.differences import mean_differences
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.judging.metajudge import JudgeRequest
from rmaudit.judging.truth_judge import TruthJudge
from rmaudit.metrics.matching import match
from rmaudit.nulls.lists import NULLS, SIDED, cut
from rmaudit.records import Key

# `slogan` still shows its faults (benchmarks/README.md): the planted models do not yet read more.
EACH = pytest.mark.parametrize("name", [name for name in FAMILIES if name != "slogan"])
FEWEST = 13


@EACH
def test_the_responses_of_an_item_differ_in_many_places(name: str) -> None:
    items = make_items([FAMILIES[name]], n=60, seed=8)
    assert (mean_differences(items) or 0) >= FEWEST
    # Words as they stand between blanks, aligned without a limit: another ruler, the same answer.
    blocks = (
        SequenceMatcher(None, item.response_a.split(), item.response_b.split(), autojunk=False)
        for item in items
    )
    assert fmean(sum(op[0] != "equal" for op in one.get_opcodes()) for one in blocks) >= FEWEST - 1


@EACH
def test_the_loser_does_not_hold_all_faults(name: str) -> None:
    """A list that faults the loser for anything is wrong wherever the fault is the winner's."""
    items = make_items([FAMILIES[name]], n=100, seed=9)
    lost = fmean(fmean(reason.about != item.label for reason in item.reasons) for item in items)
    assert lost < 0.8


@cache
def items_of(name: str) -> list[Item]:
    return make_items([FAMILIES[name]], n=200, seed=31)


@pytest.mark.slow
@EACH
@pytest.mark.parametrize("null", list(NULLS))
def test_what_a_null_earns(name: str, null: str) -> None:
    """Drawn by chance as in a scan, and the first or last five: no place has the faults."""
    items = items_of(name)
    whole = [NULLS[null](item) for item in items]
    drawn = [
        cut(one, max_reasons=5, seed=31, item=item.id)
        for one, item in zip(whole, items, strict=True)
    ]
    for lists in (drawn, [one[:5] for one in whole], [one[-5:] for one in whole]):
        requests = [
            JudgeRequest(Key(item.id), item, item, tuple(reasons))
            for item, reasons in zip(items, lists, strict=True)
        ]
        rc, precision = [], []
        for answer, item, reasons in zip(TruthJudge().judge(requests), items, lists, strict=True):
            assert answer.failure is None
            edges = match(answer.matrix, n_refs=len(item.reasons), n_reasons=len(reasons))
            total = sum(edge.score for edge in edges)
            rc.append(total / len(item.reasons))
            precision.append(total / len(reasons))
        assert fmean(rc) <= (0.30 if null in SIDED else 0.20)
        assert fmean(precision) <= 0.40
