"""Sizes against hand-worked numbers and simulation; spreads of runs; the command."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from support.command_line import Done
from support.report_runs import faithful, run_set, vague

from rmaudit.metrics.power import (
    Goal,
    Spread,
    cluster_sd,
    correlation,
    design_effect,
    detectable_bar,
    detectable_change,
    half_width,
    needed_bar,
    needed_change,
)
from rmaudit.metrics.stats import ratio

Cli = Callable[..., Done]
RC = Spread(0.3, 0.5)


@pytest.mark.parametrize(
    ("delta", "rho", "n"),
    [
        # ((1.95996 + .84162) * .3 * sqrt(2 * .7) / .05)^2 = (2.80158 * .35496 / .05)^2 = 395.6
        (0.05, 0.3, 396),
        (0.05, 0.5, 283),
        (0.05, 0.7, 170),
        (0.03, 0.3, 1099),
        (0.03, 0.5, 785),
        (0.02, 0.7, 1060),
    ],
)
def test_needed_for_a_change_by_hand(delta: float, rho: float, n: int) -> None:
    assert needed_change(Spread(0.3, rho), delta) == n


@pytest.mark.parametrize(
    ("n", "width", "change", "bar"),
    [(100, 0.059, 0.084, 0.075), (207, 0.041, 0.058, 0.052), (1000, 0.019, 0.027, 0.024)],
)
def test_detectable_by_hand(n: int, width: float, change: float, bar: float) -> None:
    # At 207: 1.96 * .3 / 14.387 = .0409; 2.8016 * .3 / 14.387 = .0584; 2.4865 * .3 / 14.387 = .0518
    assert half_width(RC, n) == pytest.approx(width, abs=6e-4)
    assert detectable_change(RC, n) == pytest.approx(change, abs=6e-4)
    assert detectable_bar(RC, n) == pytest.approx(bar, abs=6e-4)


def test_clusters_cost_their_design_effect() -> None:
    assert design_effect(5, 0.3) == pytest.approx(2.2)
    assert design_effect(1, 0.9) == 1.0
    alone, together = needed_change(RC, 0.05), needed_change(RC._replace(effect=2.2), 0.05)
    assert together == pytest.approx(2.2 * alone, abs=2)


@given(st.floats(0.01, 1), st.floats(-0.9, 0.95), st.floats(0.005, 0.5), st.floats(0.5, 0.99))
def test_needed_and_detectable_are_inverse(
    sd: float, rho: float, delta: float, power: float
) -> None:
    spread, goal = Spread(sd, rho), Goal(power=power)
    for needed, detectable in (
        (needed_change, detectable_change),
        (needed_bar, detectable_bar),
    ):
        n = needed(spread, delta, goal)
        assert detectable(spread, n, goal) <= delta + 1e-9
        if n > 1:
            assert detectable(spread, n - 1, goal) > delta - 1e-9


def test_the_power_is_what_a_simulation_finds() -> None:
    """Two correlated runs with a true change, on as many items as asked for: 80% are shown."""
    n = needed_change(RC, 0.05)
    rng = np.random.default_rng(2)
    cov = 0.09 * np.array([[1, 0.5], [0.5, 1]])
    runs = rng.multivariate_normal([0.3, 0.35], cov, size=(4000, n))
    difference = runs[..., 1] - runs[..., 0]
    z = difference.mean(axis=1) / (difference.std(axis=1) / math.sqrt(n))
    shown = (2 * ndtr(-np.abs(z)) < 0.05).mean()
    assert shown == pytest.approx(0.8, abs=0.025)


def test_spread_of_clusters_by_hand() -> None:
    # One item a cluster: the sample's own standard deviation.
    values = np.array([0.0, 0.25, 0.5, 1.0])
    sums = np.column_stack([values, np.ones(4)])
    assert cluster_sd(sums, ratio) == pytest.approx(values.std(ddof=1))
    assert cluster_sd(np.vstack([sums, np.zeros((3, 2))]), ratio) == pytest.approx(
        values.std(ddof=1)
    )
    # Two equal items in each cluster: no less spread.
    assert cluster_sd(2 * sums, ratio) == pytest.approx(values.std(ddof=1))
    assert np.isnan(cluster_sd(sums[:1], ratio))


def test_correlation_from_three_spreads() -> None:
    # Equal spreads: var(difference) = 2 sd^2 (1 - rho).
    assert correlation(0.3, 0.3, 0.3) == pytest.approx(0.5)
    assert correlation(0.3, 0.3, 0.0) == 1.0
    # One run without spread: sd(difference) is the other's, and 2 sd^2 (1 - rho) gives it back.
    assert correlation(0.0, 0.3, 0.3) == 0.0
    assert np.isnan(correlation(0.0, 0.0, 0.0))


# -------------------------------------------------------------------------- the command


def test_without_a_run_it_says_what_it_assumes(cli: Cli) -> None:
    done = cli("power", "--delta", "0.05", "--n", "207")
    assert done.code == 0
    assert "assumption" in done.out
    found = json.loads(cli("power", "--delta", "0.05", "--n", "207", "--json").out)
    by_name = {one["metric"]: one for one in found["metrics"]}
    rc = by_name["rc"]
    assert (rc["sd"], rc["rho"], rc["sd_source"]) == (0.3, 0.5, "assumption")
    assert rc["needed_change"] == {"0.05": 283}
    assert rc["detectable_change"]["207"] == pytest.approx(0.0584, abs=1e-4)
    # Accuracy .75 with a fifth of the items judged otherwise: 2.8016 sqrt(.2) / 14.387 = .0871
    assert by_name["accuracy"]["detectable_change"]["207"] == pytest.approx(0.0871, abs=1e-4)
    # A flaw rate of .05, 5 reasons an item: 1.645 sqrt(.05 * .95 * 2.2 / (5 * 207)) = .0165 above.
    flaw = by_name["flaw rate"]
    assert 1.645 * flaw["sd"] / math.sqrt(207) == pytest.approx(0.0165, abs=1e-4)


def test_clusters_of_items(cli: Cli) -> None:
    words = ("power", "--metric", "rc", "--delta", "0.05", "--json")
    found = json.loads(cli(*words, "--cluster-size", "3", "--icc", "0.5").out)["metrics"][0]
    assert found["design_effect"] == 2.0
    assert found["needed_change"] == {"0.05": 566}


def test_spread_and_correlation_of_runs(cli: Cli) -> None:
    run_set(faithful, "good")
    run_set(lambda i, o: (faithful if ord(i.id[-1]) % 2 else vague)(i, o), "mixed")
    one = json.loads(cli("power", "run-mixed", "--metric", "rc", "--json").out)["metrics"][0]
    assert one["sd_source"] == "run-mixed"
    assert one["rho_source"] == "assumption"
    two = json.loads(cli("power", "run-good", "run-mixed", "--json").out)
    by_name = {one["metric"]: one for one in two["metrics"]}
    # rc of the first run does not vary, so the correlation is 0.
    assert by_name["rc"]["sd"] == pytest.approx(one["sd"] / math.sqrt(2))
    assert by_name["rc"]["rho"] == pytest.approx(0)
    assert by_name["rc"]["rho_source"] == "run-good and run-mixed"
    assert by_name["accuracy"]["sd"] is None
    assert by_name["accuracy"]["why"].startswith("no spread in 12 groups")
    # All 12 right: .95^59 = .0485, so that 59 groups which all say so pass a bar at 95 %.
    assert by_name["accuracy"]["needed_bar"]["0.05"] == 59
    shown = cli("power", "run-good", "run-mixed").out
    assert "12 groups" in shown
    assert "to pass a bar 5 pt away: 59 groups that say so" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--delta", "0"], "error: --delta is 0"),
        (["--delta", "5"], "error: --delta is 5, and accuracy is a share: from 0 to 1"),
        (["--delta", "150pt"], "error: --delta is 150pt, and accuracy is a share"),
        (["--delta", "five"], "error: --delta is five"),
        (["--delta", "nan"], "error: --delta is nan"),
        (
            ["--delta", "5pt", "--metric", "style.bold", "--sd", "1", "--rho", "0"],
            "error: --delta is 5pt, and style.bold is in log odds",
        ),
        (["--metric", "flair"], "error: no metric 'flair'"),
        (["--metric", "ap"], "error: nothing is known of ap"),
        (["--power", "1"], "error: --power is 1"),
        (["--n", "1"], "error: --n is 1"),
        (["nowhere"], "error: no run at nowhere"),
    ],
)
def test_errors(cli: Cli, words: list[str], told: str) -> None:
    done = cli("power", *words)
    assert done.code == 2
    assert done.err.startswith(told)
    assert "\nhint: " in done.err


def test_points_and_shares_are_told_apart(cli: Cli) -> None:
    words = ("power", "--metric", "rc", "--json")
    share, points = (json.loads(cli(*words, "--delta", d).out) for d in ("0.05", "5pt"))
    assert share == points
    assert share["metrics"][0]["needed_change"] == {"0.05": 283}
    hint = cli("power", "--delta", "5").err
    assert "5 points are --delta 0.05 or --delta 5pt" in hint


def test_log_odds_are_no_points(cli: Cli) -> None:
    """sd 1, rho .5: ((1.95996 + .84162) * 1 / .25)^2 = 125.6; at 100 items .280 is shown."""
    words = ("power", "--metric", "style.bold", "--sd", "1", "--rho", "0.5")
    out = cli(*words, "--delta", "0.25", "--delta", "1.5", "--n", "100").out
    assert "needed for a difference, in log odds" in out
    assert "      126        4" in out
    assert "0.280" in out
    assert "pt" not in out
    mixed = cli("power", "--metric", "rc", *words[1:], "--delta", "0.25").out
    assert "in points" in mixed
    assert "in log odds" in mixed
    assert max(map(len, mixed.splitlines())) <= 80
