"""Thresholds from the user's own past models: what the worst of those that were good enough showed.

For each metric the threshold is the one-sided 95% bound of the worst run, rounded outwards to whole
points, so that each of the runs itself would not fail. Nothing here says that the models were good:
who names the runs does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from rmaudit.errors import InputError
from rmaudit.gate.evidence import RunEvidence, not_comparable
from rmaudit.metrics.bounds import evidence
from rmaudit.metrics.registry import REGISTRY, shown_in

CONFIDENCE = 0.95
FEW = 3
"""Fewer runs than this show nothing of how past models vary."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposed rule: the worst value among the runs, whose it is, and its bound."""

    metric: str
    direction: str
    threshold: float
    worst: float
    model: str
    n_runs: int


def propose(runs: Sequence[RunEvidence]) -> list[Proposal]:
    """One proposal for each metric that all runs have.

    Raises:
        InputError: a run is no valid evidence, or the runs were made in different ways.
    """
    for one in runs:
        if one.problems:
            raise InputError(f"{one.name}: {one.problems[0]}", "scan again, or leave the run out")
        if differ := not_comparable(runs[0], one):
            raise InputError(
                f"the runs differ in more than the model: {', '.join(differ)}",
                "calibrate on runs of one set, judge and prompt",
            )
    metrics = shown_in("calibrate")
    found = [evidence(one.table, metrics, seed=one.seed) for one in runs if one.table is not None]
    proposals = []
    for metric in metrics:
        known = [one[metric] for one in found]
        present = [one for one in known if one is not None]
        if len(present) < len(runs):
            continue
        least = REGISTRY[metric].better == "higher"
        ranked = sorted(
            zip(present, runs, strict=True), key=lambda pair: pair[0].value * (1 if least else -1)
        )
        worst, run = ranked[0]
        bound = worst.bound("lower" if least else "upper", CONFIDENCE)
        percent = 100 * min(max(bound, 0.0), 1.0)
        threshold = (floor(percent + 1e-9) if least else ceil(percent - 1e-9)) / 100
        proposals.append(
            Proposal(metric, "min" if least else "max", threshold, worst.value, run.name, len(runs))
        )
    return proposals


def as_policy(proposals: Sequence[Proposal], *, name: str, builtin: bool) -> str:
    """The proposals as a policy file, each with where it comes from.

    Args:
        proposals: of `propose`.
        name: of the policy.
        builtin: the runs were scored by the embedded judge.
    """
    import tomli_w

    n = proposals[0].n_runs if proposals else 0
    few = " Too few runs to know how past models vary." if n < FEW else ""
    document = {
        "name": name,
        "purpose": f"Proposed from {n} past models; read each threshold before you use it.{few}",
        "allow_builtin_judge": builtin,
        "rules": [
            {
                "id": one.metric.replace("@", "-at-")
                .replace("+", "-any")
                .replace(".", "-")
                .lower(),
                "metric": one.metric,
                "direction": one.direction,
                "threshold": one.threshold,
                "why": (
                    f"The worst of {one.n_runs} past models, {one.model}, had "
                    f"{100 * one.worst:.1f} %; this is its one-sided 95 % bound. Not validated."
                ),
            }
            for one in proposals
        ],
    }
    return tomli_w.dumps(document)
