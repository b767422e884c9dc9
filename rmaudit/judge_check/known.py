"""`judge check --known FILE`: a judge on known truth of one's own, and on nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.errors import InputError
from rmaudit.judge_check.check import ask
from rmaudit.judge_check.plan import CheckConfig, allowed, estimate
from rmaudit.judge_check.strata import measure
from rmaudit.judge_check.truth import KnownSplit, few, load_split
from rmaudit.judging.metajudge import Judge, JudgeRequest
from rmaudit.progress import Progress
from rmaudit.scan.judge import make_judge


@dataclass(frozen=True, slots=True)
class KnownPlan:
    """A check on one file, ready to start."""

    config: CheckConfig
    judge: Judge
    split: KnownSplit

    @property
    def requests(self) -> list[JudgeRequest]:
        """One for each list of reasons."""
        return [case.request() for case in self.split.cases]

    @property
    def calls(self) -> int:
        """Model calls at most, a second attempt at a bad answer left out."""
        return len(self.split.cases) if self.judge.traits.calls else 0

    @property
    def estimate(self) -> str:
        """What it costs, in words."""
        return estimate(self.requests, self.calls)


def plan_known(config: CheckConfig, path: Path, *, ask: bool = True) -> KnownPlan:
    """Reads the file, then makes the judge and counts calls; loads no model.

    Args:
        config: what is asked for.
        path: of lines of known truth.
        ask: whether many calls at an endpoint need a yes on a terminal.

    Raises:
        InputError: a line is bad, an option does not go with a file, or too many calls.
    """
    others = {
        "--set": config.set,
        "--from": config.run,
        "--second": config.second,
        "--labeler": config.labeler,
        "--repeats": config.repeats > 1,
    }
    for option, given in others.items():
        if given:
            raise InputError(
                f"{option} does not go with --known",
                "--known measures one judge on one file; ask for the rest without it",
            )
    split = few(load_split("known", path, recorded=True), limit=config.limit, seed=config.seed)
    judge = make_judge(config.as_scan(config.spec, key_env=config.key_env))
    plan = KnownPlan(config, judge, split)
    allowed(config, [judge], plan.calls, plan.estimate, ask=ask)
    return plan


class KnownFigures(NamedTuple):
    """The figures of `strata.measure`, and how many lists the judge failed on: left out of them."""

    figures: dict[str, Any]
    failed: int


def run_known(plan: KnownPlan, progress: Progress) -> KnownFigures:
    """What a judge does on the lists.

    Raises:
        RmauditError: the judge answered nothing.
    """
    try:
        answers = ask(plan.judge, plan.requests, progress, "judge")
    finally:
        plan.judge.close()
    figures = measure(plan.split.cases, answers.matrices, answers.claims, seed=plan.config.seed)
    return KnownFigures(figures, len(answers.failures))
