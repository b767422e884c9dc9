"""The results as files: a table in Markdown and CSV, all numbers as JSON, curves as SVG."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from deceptive_alignment.arms import ARMS, Recipe
from deceptive_alignment.plot import Point, curves
from deceptive_alignment.results import CURVES, METRICS, SETS, Over, Told, over_seeds

SET_NAMES = {"fresh": "other slogans", "held-out": "held-out family"}


def write(told: Sequence[Told], recipe: Recipe, out: Path) -> None:
    """Writes results.json, results.csv, table.md and curves.svg."""
    found = summary(told)
    payload = {
        "recipe": recipe._asdict(),
        "arms": [one._asdict() for one in told],
        "summary": found,
    }
    (out / "results.json").write_text(json.dumps(payload, indent=1) + "\n", encoding="utf-8")
    with (out / "results.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("set", "metric", "arm", "seed", "before", "after"))
        for one in told:
            for name, after in one.after.items():
                for metric in METRICS:
                    before = one.before[name].get(metric)
                    rows.writerow((name, metric, one.arm, one.seed, before, after.get(metric)))
    (out / "table.md").write_text(table(found), encoding="utf-8")
    last = max(one.step for one in told)
    (out / "curves.svg").write_text(curves(panels(told), last=last), encoding="utf-8")


Summary = list[dict[str, object]]


def summary(told: Sequence[Told]) -> Summary:
    """One entry a set and metric: the base's value, and each arm's mean and interval over seeds."""
    rows: Summary = []
    for name in SETS:
        for metric, words in METRICS.items():
            row: dict[str, object] = {"set": name, "metric": metric, "name": words}
            seen = [one for one in told if metric in one.before.get(name, {})]
            row["base"] = seen[0].before[name][metric] if seen else None
            for arm in ARMS:
                values = [
                    one.after[name][metric]
                    for one in told
                    if one.arm == arm and metric in one.after.get(name, {})
                ]
                row[arm] = over_seeds(values)._asdict() if values else None
            row["difference"] = _difference(told, name, metric)
            if seen:
                rows.append(row)
    return rows


def _difference(told: Sequence[Told], name: str, metric: str) -> dict[str, float | None] | None:
    """Hybrid minus outcome, seed by seed."""
    found = {
        (one.arm, one.seed): one.after[name][metric]
        for one in told
        if metric in one.after.get(name, {})
    }
    pairs = [
        value - found["outcome", seed]
        for (arm, seed), value in found.items()
        if arm == "hybrid" and ("outcome", seed) in found
    ]
    return over_seeds(pairs)._asdict() if pairs else None


def table(rows: Summary) -> str:
    """The summary in Markdown."""
    heads = ["base", *(f"{arm} reward" for arm in ARMS), "hybrid minus outcome, points"]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for row in rows:
        cells = [f"{SET_NAMES[str(row['set'])]}: {row['name']}", _percent(row["base"])]
        for arm in ARMS:
            found = row[arm]
            cells.append(_shown(Over(**found)) if isinstance(found, dict) else "none")
        apart = row["difference"]
        cells.append(_shown(Over(**apart), apart=True) if isinstance(apart, dict) else "none")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _percent(value: object) -> str:
    return f"{100 * value:.1f}%" if isinstance(value, float | int) else "none"


def _shown(over: Over, *, apart: bool = False) -> str:
    """A share in percent, or a difference in points; a share's interval ends at 0 and 100."""
    form, unit, floor = ("{:+.1f}", "", -1.0) if apart else ("{:.1f}", "%", 0.0)
    mean = form.format(100 * over.mean) + unit
    if over.low is None or over.high is None:
        return mean
    low, high = max(over.low, floor), min(over.high, 1.0)
    return f"{mean} ({form.format(100 * low)} to {form.format(100 * high)})"


def panels(told: Sequence[Told]) -> dict[str, dict[str, list[Point]]]:
    """Each curve by arm: the mean over seeds of each rollout in which all have a value."""
    found: dict[str, dict[str, list[Point]]] = {}
    for name, title in CURVES.items():
        found[title] = {}
        for arm in ARMS:
            columns = zip(*(one.curves[name] for one in told if one.arm == arm), strict=False)
            found[title][arm] = [
                _point(2 * number, [value for value in column if value is not None])
                for number, column in enumerate(columns)
                if None not in column
            ]
    return found


def _point(step: int, values: Sequence[float]) -> Point:
    over = over_seeds(values)
    low = over.mean if over.low is None else over.low
    high = over.mean if over.high is None else over.high
    return Point(step, over.mean, low, high)
