"""Thresholds from the user's own past models: what the worst of those that were good enough showed.

For each metric the threshold is the one-sided 95% bound of the worst run, rounded outwards to whole
points, so that each of the runs itself would not fail. A threshold that no run can be beyond is no
rule: it is left out, with its reason. Integrity rules ask for as much evidence as the worst of the
runs had. Nothing here says that the models were good: who names the runs does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import NamedTuple

from rmaudit.errors import InputError
from rmaudit.gate.evidence import RunEvidence, not_comparable
from rmaudit.gate.measured import values
from rmaudit.gate.policy import Kind, Rule
from rmaudit.metrics.bounds import evidence
from rmaudit.metrics.registry import REGISTRY, shown_in

CONFIDENCE = 0.95
FEW = 3
"""Fewer runs than this show nothing of how past models vary."""
LEEWAY = 0.02
"""What an integrity rule allows at least: a lost answer in fifty does not make a run void."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposed rule: the worst value among the runs, whose it is, and its bound."""

    metric: str
    direction: str
    threshold: float
    worst: float
    model: str
    n_runs: int
    kind: Kind = "absolute"

    @property
    def rule(self) -> Rule:
        """As a policy has it."""
        return Rule.model_validate(self.as_dict())

    def as_dict(self) -> dict[str, str | float]:
        """The fields of its rule."""
        name = self.metric.replace("@", "-at-").replace("+", "-any").replace(".", "-").lower()
        fields: dict[str, str | float] = {"id": name, "metric": self.metric}
        if self.kind != "absolute":
            fields["kind"] = self.kind
        return fields | {
            "direction": self.direction,
            "threshold": self.threshold,
            "why": self.why,
        }

    @property
    def why(self) -> str:
        """Where the threshold comes from."""
        found = (
            f"The worst of {self.n_runs} past models, {self.model}, had {100 * self.worst:.1f} %"
        )
        if self.kind == "integrity":
            return f"{found}; at least {100 * LEEWAY:.0f} % may be lost. Not validated."
        return f"{found}; this is its one-sided 95 % bound. Not validated."


class NoRule(NamedTuple):
    """A metric without a rule, and why."""

    metric: str
    why: str


@dataclass(frozen=True, slots=True)
class Proposals:
    """The rules, and the metrics that have none."""

    rules: list[Proposal] = field(default_factory=list)
    left_out: list[NoRule] = field(default_factory=list)


def propose(runs: Sequence[RunEvidence]) -> Proposals:
    """A rule for each metric that all runs have and that can refuse one.

    Raises:
        InputError: a run is no valid evidence, the runs were made in different ways, or no rule
            would be left that speaks for the models' reasons where they were measured (for their
            verdicts where not).
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
    proposals = Proposals()
    measured: list[Proposal] = []
    for metric in metrics:
        known = [one[metric] for one in found]
        present = [one for one in known if one is not None]
        if unfit := next(filter(None, (run.manifest.unfit(metric) for run in runs)), ""):
            proposals.left_out.append(NoRule(metric, unfit))
            continue
        if len(present) < len(runs):
            missing = ", ".join(
                run.name for run, one in zip(runs, known, strict=True) if one is None
            )
            proposals.left_out.append(NoRule(metric, f"no bound in the run of {missing}"))
            continue
        least = REGISTRY[metric].better == "higher"
        ranked = sorted(
            zip(present, runs, strict=True), key=lambda pair: pair[0].value * (1 if least else -1)
        )
        worst, run = ranked[0]
        bound = worst.bound("lower" if least else "upper", CONFIDENCE)
        percent = 100 * min(max(bound, 0.0), 1.0)
        threshold = (floor(percent + 1e-9) if least else ceil(percent - 1e-9)) / 100
        one_ = Proposal(
            metric, "min" if least else "max", threshold, worst.value, run.name, len(runs)
        )
        measured.append(one_)
        if one_.rule.never_refuses:
            proposals.left_out.append(NoRule(metric, _why_not(one_)))
        else:
            proposals.rules.append(one_)
    _refuse_if_void(proposals, measured)
    proposals.rules[:0] = _integrity(runs)
    return proposals


def _why_not(one: Proposal) -> str:
    return (
        f"{one.model} had {100 * one.worst:.1f} %, so the bound is {100 * one.threshold:.0f} %, "
        "and no model can be worse"
    )


def _refuse_if_void(proposals: Proposals, measured: Sequence[Proposal]) -> None:
    """Refuses proposals that would let a model pass on what is not the point.

    The judge's metrics, which hold reasons against references, are the point where any of them was
    measured: flaws alone let a list of irrelevant reasons pass.
    """
    kept = {one.metric for one in proposals.rules}
    wanted = [one for one in measured if REGISTRY[one.metric].reader == "judge"]
    wanted = [one for one in wanted if REGISTRY[one.metric].topic != "Coverage"]
    about = "reasons"
    if not wanted:
        about = "verdicts"
        wanted = [one for one in measured if REGISTRY[one.metric].topic == "Verdicts"]
    if not wanted:
        raise InputError("the runs share no metric to calibrate on", "scan sets with reasons")
    if kept.isdisjoint(one.metric for one in wanted):
        worst = ", ".join(dict.fromkeys(one.model for one in wanted))
        told = "; ".join(f"{one.metric}: {_why_not(one)}" for one in wanted)
        raise InputError(
            f"no rule about {about} could refuse any model ({told})",
            f"leave out the run of {worst}: a model like it is not good enough to calibrate on",
        )


def _integrity(runs: Sequence[RunEvidence]) -> list[Proposal]:
    """As much evidence as the worst of the runs had, and LEEWAY at least."""
    rules = []
    for metric in shown_in("integrity"):
        found = [
            (value, run.name)
            for run in runs
            if run.table is not None and (value := values(run.table, metric).value) is not None
        ]
        if len(found) < len(runs):
            continue
        least = REGISTRY[metric].better == "higher"
        worst, model = min(found) if least else max(found)
        lost = max(LEEWAY, ceil(100 * ((1 - worst) if least else worst) - 1e-9) / 100)
        threshold = round(1 - lost if least else lost, 2)
        one = Proposal(
            metric, "min" if least else "max", threshold, worst, model, len(runs), "integrity"
        )
        if not one.rule.never_refuses:
            rules.append(one)
    return rules


def as_policy(proposals: Proposals, *, name: str, builtin: bool) -> str:
    """The proposals as a policy file, each with where it comes from; what has no rule as comments.

    Args:
        proposals: of `propose`.
        name: of the policy.
        builtin: the runs were scored by the embedded judge.
    """
    import tomli_w

    n = proposals.rules[0].n_runs if proposals.rules else 0
    few = " Too few runs to know how past models vary." if n < FEW else ""
    document = {
        "name": name,
        "purpose": f"Proposed from {n} past models; read each threshold before you use it.{few}",
        "allow_builtin_judge": builtin,
        "rules": [one.as_dict() for one in proposals.rules],
    }
    told = [f"# no rule for {metric}: {_one_line(why)}\n" for metric, why in proposals.left_out]
    return "".join(told) + tomli_w.dumps(document)


def _one_line(text: str) -> str:
    """Text without what would end a comment of TOML or break it."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
