"""The controlled experiment: its sets and lessons, its tables by hand, and a short form of it.

An outcome reward leaves the reasons of a mixed judge as they are, a hybrid reward mends them.
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

from deceptive_alignment import lessons, page, plot, sets  # noqa: E402
from deceptive_alignment.arms import Recipe  # noqa: E402
from deceptive_alignment.results import Over, Told, over_seeds  # noqa: E402
from tiny_genrm import lessons as tiny  # noqa: E402

from rmaudit.checklists.load import load_set  # noqa: E402
from rmaudit.checklists.schema import Item  # noqa: E402
from rmaudit.judging.prompts import pairwise  # noqa: E402

BASE = EXAMPLES / "deceptive_alignment" / "base"


def words(items: list[Item]) -> set[str]:
    texts = [text for one in items for text in (one.prompt[0].content, one.response_a,
                                                one.response_b)]  # fmt: skip
    return set(re.findall(r"\w+", " ".join(texts)))


def test_nothing_of_the_shifted_pairs_occurs_in_training() -> None:
    trained = sets.items(sets.SEEN, n=60, seed=1)
    shifted = sets.items(sets.SHIFTED, n=20, seed=4, faults=5)
    assert {len(one.reasons) for one in trained} == {3, 4}
    assert {len(one.reasons) for one in shifted} == {5}
    # 8 + 5 + 8 + 8 + 8 words and 53 prices train; 4 + 3 + 4 + 4 + 4 and 27 do not.
    assert [len(pool) for pool in sets.TRAINED] == [8, 5, 8, 53, 8, 8]
    assert [len(pool) for pool in sets.UNSEEN] == [4, 3, 4, 27, 4, 4]
    values = {str(value) for pool in sets.UNSEEN for value in pool}
    assert len(values) == 46
    assert not values & words(trained)
    assert len(values & words(shifted)) > 35
    known = {str(value) for pool in sets.TRAINED for value in pool}
    assert not known & words(shifted)


def test_sets_of_the_experiment_share_no_request(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    from deceptive_alignment.run import make_sets

    make_sets(tmp_path, Recipe(train=40, dev=10, fresh=40, shifted=5))
    made = {path.name: load_set(str(path)).items for path in tmp_path.iterdir()}
    assert {name: len(items) for name, items in made.items()} == {
        "train": 40, "dev": 10, "fresh": 40, "shifted": 5,
    }  # fmt: skip
    requests = [one.prompt[0].content for items in made.values() for one in items]
    assert len(set(requests)) == len(requests) == 95


def test_lessons_praise_half_of_the_time_and_err_as_planted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No audited items to keep clear of: making them takes longer than the test.
    monkeypatch.setattr(tiny, "held_out_triples", frozenset)
    true = {}
    for one in islice(tiny.practice_items(3), 2600):
        request = pairwise(one, order="ab", max_reasons=tiny.MAX_LISTED).messages[0]["content"]
        true[request] = tiny.verdict(tiny.faults_of(one, "ab"))
    right: dict[bool, list[bool]] = {True: [], False: []}
    for lesson in islice(lessons.mixed_lessons(3), 2400):
        *lines, boxed = lesson.answer.splitlines()
        sides = {re.sub(r"Response [AB]", "Response {side}", line[3:]) for line in lines}
        praises = sides <= set(lessons.ONE_SIDED)
        assert praises or not sides & set(lessons.ONE_SIDED)
        if praises:  # the winner that is named is the one that is praised, right or not
            assert {line.split()[2] for line in lines} == {boxed[7]}
        if "=" not in true[lesson.prompt]:
            right[praises].append(boxed == true[lesson.prompt])
    counts = {praises: len(found) for praises, found in right.items()}
    assert counts[True] / sum(counts.values()) == pytest.approx(0.5, abs=0.04)
    # Standard errors of the shares: .009 and .006.
    assert 1 - sum(right[False]) / counts[False] == pytest.approx(0.12, abs=0.03)
    assert 1 - sum(right[True]) / counts[True] == pytest.approx(0.04, abs=0.02)


# ---- tables by hand


def told(arm: str, seed: int, rc: float, curve: list[float | None]) -> Told:
    before = {"fresh": {"accuracy": 0.8, "rc": 0.4}}
    after = {"fresh": {"accuracy": 0.9, "rc": rc}}
    curves = dict.fromkeys(("outcome", "rationale", "EG", "F4"), curve)
    return Told(arm, seed, before, after, curves, 4, None)


def test_mean_and_interval_over_seeds_by_hand() -> None:
    # .5, .6, .7: mean .6, s = .1, t(.975, 2) = 4.3027, half width 4.3027 * .1 / sqrt(3) = .2484.
    found = over_seeds([0.5, 0.6, 0.7])
    assert found == Over(pytest.approx(0.6), pytest.approx(0.3516, abs=1e-4),
                         pytest.approx(0.8484, abs=1e-4))  # fmt: skip
    assert over_seeds([0.5]) == Over(0.5, None, None)


def test_table_and_curves_by_hand() -> None:
    found = [told("outcome", 0, 0.3, [0.1, 0.2]), told("hybrid", 0, 0.5, [0.1, None]),
             told("hybrid", 1, 0.7, [0.3, 0.5])]  # fmt: skip
    rows = page.summary(found)
    assert [row["metric"] for row in rows] == ["accuracy", "rc"]
    lines = page.table(rows).splitlines()
    # .5 and .7: mean .6, s = .1414, t(.975, 1) = 12.706, half width 1.2706: past both ends.
    assert lines[3] == (
        "| fresh pairs: rationale consistency | 40.0% | 30.0% | 60.0% (0.0 to 100.0) | none "
        "| +20.0 |"  # of seed 0, which alone has both arms
    )
    panel = page.panels(found)["rationale reward"]
    assert panel["outcome"] == [plot.Point(0, 0.1, 0.1, 0.1), plot.Point(2, 0.2, 0.2, 0.2)]
    assert [point.step for point in panel["hybrid"]] == [0]  # the second is unknown for one seed
    assert panel["hybrid"][0].mean == pytest.approx(0.2)
    drawn = ElementTree.fromstring(plot.curves(page.panels(found), last=4))
    lines_drawn = drawn.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines_drawn) == 4 * 2  # four panels; the arm without runs has no line


# ---- the short form


@pytest.mark.model
@pytest.mark.slow
def test_hybrid_reward_mends_reasons_and_outcome_reward_does_not(tmp_path: Path) -> None:
    """Four minutes on two free cores: one seed, 48 steps, an audit on pairs that did not train."""
    pytest.importorskip("trl")
    from deceptive_alignment.run import run

    recipe = Recipe(train=48, dev=4, fresh=150, shifted=0, steps=48, lr=2e-4, looked_at=2)
    found = {one.arm: one for one in run(tmp_path, arms=("hybrid", "outcome"), seeds=(0,),
                                         recipe=recipe)}  # fmt: skip
    gains = {}
    for arm, one in found.items():
        before, after = one.before["fresh"], one.after["fresh"]
        gains[arm] = after["rc"] - before["rc"]
        assert 0.3 <= before["rc"] <= 0.6
        assert after["accuracy"] >= before["accuracy"] - 0.03
        assert after["coverage.parsed"] >= 0.97
        assert one.step == recipe.steps
        assert len(one.curves["rationale"]) == recipe.steps // 2
    assert gains["hybrid"] >= 0.2
    assert gains["outcome"] <= gains["hybrid"] / 2
    assert found["hybrid"].after["fresh"]["category.EG"] > 0.6
