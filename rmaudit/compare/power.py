"""`rmaudit power`: what a number of items can show, from the spread of runs or from assumptions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rmaudit.compare.deltas import shown as shown_in_unit
from rmaudit.compare.deltas import unit_of
from rmaudit.compare.pair import headline, tables_on_shared
from rmaudit.compare.read import CompareRun
from rmaudit.errors import InputError
from rmaudit.metrics.power import (
    Goal,
    Spread,
    cluster_sd,
    correlation,
    detectable_bar,
    detectable_change,
    half_width,
    needed_bar,
    needed_bar_agreeing,
    needed_change,
)
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.table import Table

ASSUMED = "assumption"
FLAW_RATE = "flaw rate"
ASSUMED_RHO = 0.5
DISCORDANT = 0.2
DEFAULTS = {
    # Accuracy .75; two models differ on a fifth of the items: 2 var (1 - rho) = .2.
    "accuracy": Spread(math.sqrt(0.75 * 0.25), 1 - DISCORDANT / (2 * 0.75 * 0.25)),
    "rc": Spread(0.30, ASSUMED_RHO),
    # 5% of the reasons, 5 reasons an item that go together (design effect 2.2).
    FLAW_RATE: Spread(math.sqrt(0.05 * 0.95 * 2.2 / 5), ASSUMED_RHO),
}
"""Spreads of items without a run: round numbers to plan with, measured on nothing."""


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """What is known of one metric, and what follows; `spread` is None with a `why`.

    `room`: where all groups say the same, how far the metric can lie on its worse side of that.
    """

    metric: str
    spread: Spread | None
    sd_source: str
    rho_source: str
    groups: int | None
    items_per_group: float | None
    why: str = ""
    room: float | None = None


def plans(
    runs: Sequence[CompareRun],
    *,
    metrics: Sequence[str] = (),
    sd: float | None = None,
    rho: float | None = None,
    effect: float = 1.0,
) -> list[PowerPlan]:
    """The spread of each metric: given, else observed in the runs, else assumed.

    Args:
        runs: none, one (its spread), or two (their correlation on shared items too).
        metrics: keys; default accuracy, rc and a flaw rate, or the claims that a run has.
        sd: given instead.
        rho: given instead.
        effect: design effect of clusters; observed spreads are those of clusters already.

    Raises:
        InputError: a metric is not known, or its spread is neither given, observed nor assumed.
    """
    for name in metrics:
        if name not in REGISTRY and name not in DEFAULTS:
            raise InputError(f"no metric '{name}'", f"metrics: {', '.join(REGISTRY)}")
    if not runs:
        return [_assumed(name, sd, rho, effect) for name in metrics or DEFAULTS]
    ids, tables = tables_on_shared(list(runs))
    if not ids:
        raise InputError("no item is the same in the runs", "give runs of one checklist set")
    names = [name for name in metrics if name in REGISTRY] or headline(REGISTRY)
    found = [_observed(name, runs, tables, len(ids), sd=sd, rho=rho) for name in names]
    return found if metrics else [plan for plan in found if plan.why != NO_VALUE]


NO_VALUE = "no value in these runs"


def _assumed(name: str, sd: float | None, rho: float | None, effect: float) -> PowerPlan:
    known = DEFAULTS.get(name)
    if known is None and sd is None:
        raise InputError(
            f"nothing is known of {name} without a run", "give a RUN, or --sd and --rho"
        )
    known = known or Spread(0.0, ASSUMED_RHO)
    spread = Spread(known.sd if sd is None else sd, known.rho if rho is None else rho, effect)
    return PowerPlan(name, spread, _source(sd), _source(rho), None, None)


def _source(given: float | None, otherwise: str = ASSUMED) -> str:
    return otherwise if given is None else "given"


def _observed(
    name: str,
    runs: Sequence[CompareRun],
    tables: Sequence[Table],
    items: int,
    *,
    sd: float | None,
    rho: float | None,
) -> PowerPlan:
    estimands = [REGISTRY[name].estimand(table) for table in tables]
    groups = tables[0].n_groups
    sums = [e.group_sums(t.n_groups) for e, t in zip(estimands, tables, strict=True)]
    spreads = [cluster_sd(s, e.statistic) for s, e in zip(sums, estimands, strict=True)]
    source = " and ".join(str(run.path) for run in runs)
    seen = float(np.sqrt(np.mean(np.square(spreads)))) if sd is None else sd
    why, room = "", None
    if any(np.isnan(e.value) for e in estimands):
        why = NO_VALUE
    elif not seen > 0:
        why = (
            f"no spread in {groups} groups: all say the same; at most "
            f"{100 * (1 - 0.05 ** (1 / groups)):.1f} % of groups are otherwise, at 95 %"
        )
        room = _room(name, estimands[0].value)
    if why:
        return PowerPlan(name, None, source, source, groups, items / max(groups, 1), why, room)
    rho_source, between = _source(rho), ASSUMED_RHO if rho is None else rho
    if rho is None and len(runs) == 2:
        cut = sums[0].shape[1]
        first, second = (e.statistic for e in estimands)
        both = cluster_sd(np.hstack(sums), lambda s: second(s[..., cut:]) - first(s[..., :cut]))
        observed = correlation(spreads[0], spreads[1], both)
        if not np.isnan(observed):
            rho_source, between = source, observed
    return PowerPlan(
        name, Spread(seen, between), _source(sd, source), rho_source, groups, items / groups
    )


def _room(name: str, value: float) -> float:
    """How far the metric can lie from `value` on its worse side; either, where none is worse."""
    low, high = REGISTRY[name].bounds
    better = REGISTRY[name].better
    below, above = value - low, high - value
    return below if better == "higher" else above if better == "lower" else max(below, above)


def _agreeing(plan: PowerPlan, deltas: Sequence[float], goal: Goal) -> dict[float, int]:
    """Groups that all say the same for a bar at each distance, where the metric can lie there."""
    room = plan.room or 0.0
    return {d: needed_bar_agreeing(d / room, goal.alpha) for d in deltas if d <= room}


def as_json(
    found: Sequence[PowerPlan], deltas: Sequence[float], sizes: Sequence[int], goal: Goal
) -> dict[str, Any]:
    """Everything, for --json; sizes count items, or groups where a run has groups of items."""
    return {
        "schema_version": 1,
        "power": goal.power,
        "alpha": goal.alpha,
        "metrics": [_json_row(plan, deltas, sizes, goal) for plan in found],
    }


def _json_row(
    plan: PowerPlan, deltas: Sequence[float], sizes: Sequence[int], goal: Goal
) -> dict[str, Any]:
    spread = plan.spread
    row: dict[str, Any] = {
        "metric": plan.metric,
        "sd": None if spread is None else spread.sd,
        "sd_source": plan.sd_source,
        "rho": None if spread is None else spread.rho,
        "rho_source": plan.rho_source,
        "design_effect": None if spread is None else spread.effect,
        "groups": plan.groups,
        "items_per_group": plan.items_per_group,
        "why": plan.why,
    }
    if spread is None:
        found = _agreeing(plan, deltas, goal)
        return row | ({"needed_bar": {f"{d:g}": n for d, n in found.items()}} if found else {})
    return row | {
        "needed_change": {f"{d:g}": needed_change(spread, d, goal) for d in deltas},
        "needed_bar": {f"{d:g}": needed_bar(spread, d, goal) for d in deltas},
        "detectable_change": {str(n): detectable_change(spread, n, goal) for n in sizes},
        "detectable_bar": {str(n): detectable_bar(spread, n, goal) for n in sizes},
        "half_width": {str(n): half_width(spread, n) for n in sizes},
    }


def lines(
    found: Sequence[PowerPlan], deltas: Sequence[float], sizes: Sequence[int], goal: Goal
) -> list[str]:
    """The same for a terminal of 80 columns."""
    unit = "groups" if any(plan.groups is not None for plan in found) else "items"
    shown = [f"power {goal.power:.0%}, level {goal.alpha:g}", ""]
    told = [plan for plan in found if plan.spread is not None]
    shown += [_row("", ["SD", "corr."], "from")]
    for plan in told:
        assert plan.spread is not None
        shown.append(
            _row(plan.metric, [f"{plan.spread.sd:.3f}", f"{plan.spread.rho:.2f}"], _from(plan))
        )
    tables = (
        ("two runs on the same items", needed_change, detectable_change),
        ("one run against a bar (one-sided)", needed_bar, detectable_bar),
    )
    for title, needed, detectable in tables:
        for measure in dict.fromkeys(unit_of(plan.metric) for plan in told):
            own = [(p.metric, p.spread) for p in told if unit_of(p.metric) == measure and p.spread]
            of = f", in {measure}" if measure != "points" else ""
            shown += ["", f"{title}: {unit} needed for a difference{of}"]
            shown.append(_row("", [shown_in_unit(d, measure, with_unit=True) for d in deltas]))
            for name, spread in own:
                shown.append(_row(name, [f"{needed(spread, d, goal):,}" for d in deltas]))
            text = "in points" if measure == "points" else f"in {measure}"
            shown += ["", f"{title}: shown by so many {unit}, {text}"]
            shown.append(_row("", [f"{n:,}" for n in sizes]))
            for name, spread in own:
                cells = [shown_in_unit(detectable(spread, n, goal), measure) for n in sizes]
                shown.append(_row(name, cells))
    for plan in found:
        if plan.why:
            shown += ["", f"{plan.metric}: {plan.why}"]
        for delta, needed_groups in _agreeing(plan, deltas, goal).items():
            shown.append(
                f"  to pass a bar {shown_in_unit(delta, unit_of(plan.metric), with_unit=True)} "
                f"away: {needed_groups:,} groups that say so"
            )
    if unit == "groups":
        per = next(plan.items_per_group for plan in found if plan.items_per_group is not None)
        shown += ["", f"a group is what is resampled; here it holds {per:.3g} items"]
    return shown


def _row(name: str, cells: Sequence[str], last: str = "") -> str:
    return f"{name:<22}{''.join(f'{cell:>9}' for cell in cells)}  {last}".rstrip()


def _from(plan: PowerPlan) -> str:
    where = plan.sd_source if plan.sd_source != ASSUMED else "an assumption, measured on nothing"
    if plan.rho_source == plan.sd_source:
        return where
    return f"{where}; correlation: {plan.rho_source}"
