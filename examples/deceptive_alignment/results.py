"""What the arms found: metrics after training, and what was rewarded and said on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.embedded import Context, label_reasons
from rmaudit.fix.plan import MAX_REASONS
from rmaudit.fix.training.dev_audit import verdict_of
from rmaudit.prompts import flatten
from rmaudit.records import Generation, Key, ReasonLabel

METRICS = {
    "accuracy": "right verdicts",
    "rc": "rationale consistency",
    "s_rc@0+": "right without one true reason, of the right",
    "category.EG": "reasons with evidence",
    "flaw.F4": "reasons that praise one side only (F4)",
    "coverage.parsed": "readable answers",
}
SETS = {"fresh": (), "held-out": ("also", "1")}
CURVES = {
    "outcome": "verdicts right",
    "rationale": "rationale reward",
    "EG": "reasons with evidence",
    "F4": "praise of one side (F4)",
}
Values = dict[str, float]


class Told(NamedTuple):
    """What one trained arm found.

    before, after: set -> metric -> value. curves: name -> one value a rollout; a rollout in which
    nothing is known has None. step: the last. stopped: why it ended early, if it did.
    """

    arm: str
    seed: int
    before: dict[str, Values]
    after: dict[str, Values]
    curves: dict[str, list[float | None]]
    step: int
    stopped: str | None


class Over(NamedTuple):
    """A mean over seeds with its 95% interval (Student's t), None with one seed."""

    mean: float
    low: float | None
    high: float | None


def read_arm(folder: Path, *, arm: str, seed: int, train: Mapping[str, Item]) -> Told:
    """Reads the folder of a finished repair."""
    fixed = json.loads((folder / "fix.json").read_text(encoding="utf-8"))
    training = fixed["training"]
    places = {name: within for name, within in SETS.items() if folder.joinpath(*within).is_dir()}
    runs = {
        time: {name: _metrics(folder.joinpath(*within, time)) for name, within in places.items()}
        for time in ("before", "after")
    }
    return Told(
        arm=arm,
        seed=seed,
        **runs,
        curves=_curves(folder / "training", training, train),
        step=training["step"],
        stopped=training["stopped"],
    )


def items_of(folder: Path) -> dict[str, Item]:
    """The items of a set by their id."""
    return {item.id: item for item in load_set(str(folder)).items}


def _metrics(run: Path) -> Values:
    found = json.loads((run / "metrics.json").read_text(encoding="utf-8"))["metrics"]
    return {name: found[name]["value"] for name in METRICS if found[name]["value"] is not None}


def _curves(
    training: Path, told: Mapping[str, Any], train: Mapping[str, Item]
) -> dict[str, list[float | None]]:
    """One value a rollout of each curve: rewards as logged, labels of what was written."""
    logs = [log for log in told["logs"] if "completions/mean_length" in log]
    labels = [_labels(training, log["step"], train) for log in logs]
    return {
        "outcome": [log.get("fix/outcome") for log in logs],
        "rationale": [log.get("fix/rationale_ap") for log in logs],
        "EG": [_share(one.category == "EG" for one in found) for found in labels],
        "F4": [_share("F4" in one.flaws for one in found) for found in labels],
    }


def _labels(training: Path, step: int, train: Mapping[str, Item]) -> list[ReasonLabel]:
    """Labels of all reasons that were written in the rollout before this step."""
    import pandas

    table = pandas.read_parquet(training / "completions" / f"completions_{step:05d}.parquet")
    found: list[ReasonLabel] = []
    for name, text in zip(table["prompt"], table["completion"], strict=True):
        item_id, order = name.rsplit(" ", 1)
        item = train[item_id]
        written = Generation(Key(item_id, order=order), text, "stop")
        judgment = verdict_of(written, item, max_reasons=MAX_REASONS).judgment
        context = Context.of(flatten(item.prompt), item.response_a, item.response_b)
        found += label_reasons(judgment.reasons, context, verdict=judgment.verdict).labels
    return found


def _share(found: Iterable[bool]) -> float | None:
    flags = list(found)
    return fmean(flags) if flags else None


def over_seeds(values: Sequence[float]) -> Over:
    """Mean and interval over seeds."""
    from scipy.stats import t

    mean = fmean(values)
    if len(values) < 2:
        return Over(mean, None, None)
    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / sqrt(len(values))
    return Over(mean, mean - half, mean + half)
