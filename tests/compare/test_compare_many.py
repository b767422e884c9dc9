"""Checkpoint curves and rank agreement."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from support.command_line import Done
from support.metrics_rows import item, row, table
from support.report_runs import boxed, faithful, run_set, vague

from rmaudit.checklists.schema import Item
from rmaudit.compare.curve import degeneration
from rmaudit.compare.ranks import agreement
from rmaudit.metrics.table import Table

Cli = Callable[..., Done]
NAMES = ("accuracy", "rc")


def checkpoint(share: float, *, right: float = 1.0, n: int = 100, seed: int = 0) -> Table:
    """rc about `share`, accuracy `right`."""
    rng = np.random.default_rng(seed)
    return table(
        *[
            item(
                f"i{k}",
                row(
                    "a" if k < round(right * n) else "b",
                    rc=float(np.clip(share + rng.integers(-2, 3) / 16, 0, 1)),
                ),
            )
            for k in range(n)
        ]
    )


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


# ------------------------------------------------------------------------- degeneration


def test_reasons_decay_while_verdicts_hold() -> None:
    shares = {100: 0.5, 200: 0.625, 300: 0.25}
    steps = {step: checkpoint(share, n=200) for step, share in shares.items()}
    found = degeneration(steps, NAMES)
    assert found.verdict == "degeneration"
    assert found.since == 200  # the best step, not the first
    assert found.sentence.startswith("The reasons decay while the verdicts hold: from step 200 to")
    assert found.p is not None
    assert found.p < 0.001


def test_both_fall() -> None:
    found = degeneration({1: checkpoint(0.5), 2: checkpoint(0.25, right=0.7)}, NAMES)
    assert found.verdict == "both fell"


def test_too_few_items_for_accuracy() -> None:
    # Of 100 items 3 turn wrong: p is .25, and the fall may be as large as 6 points.
    found = degeneration({1: checkpoint(0.5), 2: checkpoint(0.25, right=0.97)}, NAMES)
    assert found.verdict == "likely degeneration"
    assert "accuracy shows no fall" in found.sentence
    assert found.accuracy is not None
    low, _ = found.accuracy.interval() or (0.0, 0.0)
    assert f"a fall of up to {-100 * low:.1f} is not excluded" in found.sentence


def test_a_margin_that_accuracy_keeps() -> None:
    steps = {1: checkpoint(0.5), 2: checkpoint(0.25, right=0.97)}
    assert degeneration(steps, NAMES, margin=0.1).verdict == "degeneration"


def test_no_fall_is_shown() -> None:
    rising = degeneration({1: checkpoint(0.25), 2: checkpoint(0.5)}, NAMES)
    assert rising.verdict == "no fall shown"
    noise = degeneration({k: checkpoint(0.5, seed=k) for k in range(6)}, NAMES)
    assert noise.verdict == "no fall shown"


@pytest.mark.slow
def test_the_choice_of_the_best_step_is_paid_for() -> None:
    """Steps that differ by chance alone: a fall is claimed in at most about 5% of curves."""
    claimed = sum(
        degeneration(
            {k: checkpoint(0.5, n=30, seed=100 * curve + k) for k in range(5)},
            NAMES,
            resamples=20,
        ).verdict
        != "no fall shown"
        for curve in range(60)
    )
    assert claimed <= 7  # P(more than 7 of 60 at 5%) is .01


def test_reasons_that_are_not_compared() -> None:
    assert degeneration({1: checkpoint(0.5)}, NAMES).verdict == "not measured"
    assert degeneration({1: checkpoint(0.5), 2: checkpoint(0.2)}, ["accuracy"]).rc is None
    bare = table(*[item(f"i{k}", row("a", m=0)) for k in range(5)])
    assert "gives no reasons" in degeneration({1: bare, 2: bare}, NAMES).sentence


def test_checkpoints_are_found_by_their_names(cli: Cli) -> None:
    run_set(faithful, "checkpoint-200")
    run_set(vague, "checkpoint-1000")
    run_set(half_faithful, "checkpoint-600")
    words = ("compare", "run-checkpoint-1000", "run-checkpoint-200", "run-checkpoint-600")
    found = json.loads(cli(*words, "--json").out)
    assert found["pairs"] == []
    steps = found["curve"]["steps"]
    assert [one["step"] for one in steps] == [200, 600, 1000]
    assert [one["metrics"]["rc"]["value"] for one in steps] == [1.0, 0.5, 0.0]
    assert found["curve"]["finding"]["since"] == 200
    # Twelve items, all right in both: their accuracy may have fallen by up to 1 - .05^(1/12).
    assert found["curve"]["finding"]["verdict"] == "likely degeneration"
    out = cli(*words).out
    assert "3 checkpoints, 12 items in all of them" in out
    assert "accuracy shows no fall" in " ".join(out.split())
    assert "100.0 (74–100)" in out  # 12 of 12: the lower end is .025^(1/12) = .735
    two = cli("compare", "run-checkpoint-200", "run-checkpoint-600", "--curve", "--margin", "0.3")
    assert "The reasons decay while the verdicts hold" in " ".join(two.out.split())


def half_faithful(item: Item, order: str) -> str:
    """Good reasons in one order only."""
    return faithful(item, order) if order == "ab" else vague(item, order)


# --------------------------------------------------------------------------------- ranks


def test_rank_correlations_by_hand() -> None:
    # Ranks 1 2 3 4 5 against 2 1 3 4 5: rho = 1 - 6 * 2 / 120 = .9; one pair of ten is turned, so
    # tau = (9 - 1) / 10 = .8; of 120 orders 10 have |tau| >= .8.
    values = [0.1, 0.2, 0.3, 0.4, 0.5]
    found = agreement("rc", ("s", "t"), list("abcde"), values, [0.2, 0.1, 0.3, 0.4, 0.5])
    assert (found.spearman, found.kendall) == (pytest.approx(0.9), pytest.approx(0.8))
    assert found.p == pytest.approx(10 / 120)
    assert found.why == ""


def test_few_models_are_only_shown() -> None:
    found = agreement("rc", ("s", "t"), list("abc"), [0.1, 0.2, 0.3], [0.5, 0.6, 0.9])
    assert (found.spearman, found.kendall, found.p) == (1.0, 1.0, None)
    assert found.why == "too few models, shown only"
    equal = agreement("rc", ("s", "t"), list("abc"), [0.1, 0.2, 0.3], [0.5, 0.5, 0.5])
    assert (equal.spearman, equal.why) == (None, "all models are equal on a set")


@pytest.mark.slow
def test_rank_agreement_of_three_models_on_two_sets(cli: Cli) -> None:
    paths = []
    for spec, number in (("synth:3:12:slogan", 1), ("synth:4:10:slogan", 2)):
        for name, answers in (("good", faithful), ("middling", half_faithful), ("poor", vague)):
            run = run_set(answers, name, spec=spec, samples=1)
            paths.append(run.path.rename(f"{run.path}-{number}"))
    found = json.loads(cli("compare", *paths, "--json").out)
    ranks = {one["metric"]: one for one in found["rank_agreement"]}
    assert ranks["rc"]["models"] == ["good", "middling", "poor"]
    assert (ranks["rc"]["spearman"], ranks["rc"]["p"]) == (1.0, None)
    assert len(found["pairs"]) == 4  # of each set, two against the first
    assert "too few models, shown only" in cli("compare", *paths).out


def test_boxed_is_what_the_tests_think(cli: Cli) -> None:
    run_set(lambda item, order: boxed(item, order, ["x"], right=False), "wrong")
    run_set(faithful, "good")
    done = json.loads(cli("compare", "run-good", "run-wrong", "--json").out)
    assert done["pairs"][0]["metrics"]["accuracy"]["difference"] == -1.0
