"""The controlled experiment: its sets and lessons, its tables by hand, and a short form of it.

An outcome reward leaves the reasons of a mixed judge as they are, a hybrid reward mends them.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

from deceptive_alignment import lessons, notices, page, plot, sets  # noqa: E402
from deceptive_alignment.arms import Recipe  # noqa: E402
from deceptive_alignment.results import Over, Told, over_seeds  # noqa: E402
from tiny_genrm import lessons as tiny  # noqa: E402
from tiny_genrm import tokenizer  # noqa: E402

from rmaudit.checklists.prove import prove  # noqa: E402
from rmaudit.checklists.sets import load_set  # noqa: E402
from rmaudit.prompts import pairwise  # noqa: E402


@pytest.mark.slow
def test_the_held_out_family_is_proved_and_shares_no_request_with_training(
    tmp_path: Path,
) -> None:
    pytest.importorskip("pandas")
    from deceptive_alignment.run import make_sets

    make_sets(tmp_path, Recipe(train=40, dev=10, fresh=40, held_out=25))
    made = {path.name: load_set(str(path)).items for path in tmp_path.iterdir()}
    assert {name: len(items) for name, items in made.items()} == {
        "train": 40, "dev": 10, "fresh": 40, "held-out": 25,
    }  # fmt: skip
    requests = [one.prompt[0].content for items in made.values() for one in items]
    assert len(set(requests)) == len(requests) == 115
    families = {name: {item.meta["family"] for item in items} for name, items in made.items()}
    assert families == {
        "train": {"slogan"}, "dev": {"slogan"}, "fresh": {"slogan"}, "held-out": {"notice"},
    }  # fmt: skip
    proof = prove(list(made["held-out"]))
    assert (proof.failures, proof.without_check) == ((), 0)
    assert proof.proved >= 75


@pytest.mark.slow
def test_no_value_of_a_notice_occurs_in_a_slogan() -> None:
    pools = (notices.GUIDES, notices.COURSES, notices.DAYS, notices.THINGS, notices.BANNED)
    values = {value for pool in pools for value in pool}
    assert len(values) == sum(map(len, pools))
    known = set(re.findall("[A-Za-z]+", " ".join(tokenizer.vocabulary())))
    assert not values & known


@pytest.mark.slow
def test_the_widened_vocabulary_reads_both_families() -> None:
    wide = tokenizer.new_tokenizer(notices.vocabulary())
    old = tokenizer.vocabulary()
    assert {token: wide.get_vocab()[token] for token in old} == old
    for item in (*sets.items(sets.HELD_OUT, n=20, seed=4), *sets.items(sets.TRAINED, n=20, seed=3)):
        message = pairwise(item, order="ab", max_reasons=tiny.MAX_LISTED).messages[0]["content"]
        ids = wide(message, add_special_tokens=False)["input_ids"]
        assert wide.unk_token_id not in ids
        assert wide.decode(ids) == message


def test_lessons_of_a_notice_list_its_faults_gravest_first() -> None:
    for item, faults in islice(lessons.notice_pairs(3), 50):
        shown = {"A": item.response_a, "B": item.response_b}
        wanted = item.prompt[0].content
        for fault in faults:
            assert fault.wrong in shown[fault.side]
            assert (fault.right in shown[fault.side]) is (fault.slot == "word")
            assert fault.right in wanted
        assert [-one.weight for one in faults] == sorted(-one.weight for one in faults)


def test_lessons_praise_half_of_the_time_and_err_as_planted() -> None:
    fault = tiny.Fault("A", "name", "Orbit", "Luma")
    rng = Random(3)
    right: dict[bool, list[bool]] = {True: [], False: []}
    for _ in range(4000):
        answer = lessons.mixed_answer([fault], rng)
        assert answer is not None
        *lines, boxed = answer.splitlines()
        sides = {re.sub(r"Response [AB]", "Response {side}", line[3:]) for line in lines}
        praises = sides <= set(lessons.ONE_SIDED)
        assert praises or lines == ["1. Response A names Orbit, not Luma."]
        if praises:  # the winner that is named is the one that is praised, right or not
            assert {line.split()[2] for line in lines} == {boxed[7]}
        right[praises].append(boxed == r"\boxed{B>>A}")
    assert len(right[True]) / 4000 == pytest.approx(0.5, abs=0.03)
    # Standard errors of the shares: .006 and .005.
    assert 1 - sum(right[False]) / len(right[False]) == pytest.approx(
        lessons.WRONG_AFTER_FAULTS, abs=0.02
    )
    assert 1 - sum(right[True]) / len(right[True]) == pytest.approx(
        lessons.WRONG_AFTER_PRAISE, abs=0.02
    )
    # A tie is listed, never praised.
    tie = [fault, tiny.Fault("B", "name", "Nova", "Luma")]
    answers = {lessons.mixed_answer(tie, rng) for _ in range(40)}
    assert len(answers) == 2
    assert None in answers
    assert all(answer is None or answer.endswith("{A=B}") for answer in answers)


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
        "| other slogans: rationale consistency | 40.0% | 30.0% | 60.0% (0.0 to 100.0) | none "
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
    """About 85 seconds on two free cores: one seed, 10 steps, 150 pairs that did not train.

    Audited at a lower temperature than the whole experiment: a training this short mostly makes
    the sampling steadier, in the arm that had more to learn less so, and that is not asked here.
    """
    pytest.importorskip("trl")
    from deceptive_alignment.run import run

    recipe = Recipe(train=20, dev=4, fresh=150, held_out=0, steps=10, lr=3e-4, looked_at=2,
                    temperature=0.5)  # fmt: skip
    found = {one.arm: one for one in run(tmp_path, arms=("hybrid", "outcome"), seeds=(0,),
                                         recipe=recipe)}  # fmt: skip
    gains = {}
    accuracy = [found["hybrid"].before["fresh"]["accuracy"]]
    for arm, one in found.items():
        before, after = one.before["fresh"], one.after["fresh"]
        gains[arm] = after["rc"] - before["rc"]
        accuracy.append(after["accuracy"])
        assert 0.3 <= before["rc"] <= 0.6
        assert after["coverage.parsed"] >= 0.97
        assert one.step == recipe.steps
        assert len(one.curves["rationale"]) == recipe.steps // 2
    assert gains["hybrid"] >= 0.2
    assert gains["outcome"] <= gains["hybrid"] / 2
    # Verdicts tell neither arm from the base, nor the arms from each other.
    assert max(accuracy) - min(accuracy) <= 0.03
