"""What the model calls of a scan cost, asked before; and what became of them, told after."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from rmaudit.errors import InputError

if TYPE_CHECKING:
    from rmaudit.scan.plan import ScanPlan
    from rmaudit.scan.scan import Scanned

ASK_ABOVE = 1000
"""A scan with more calls of an endpoint than this is started on a terminal only after a yes."""
_CHARACTERS_A_TOKEN = 4


def at_endpoint(plan: ScanPlan) -> bool:
    """Whether target, judge or labeller answer from elsewhere, where calls may cost money."""
    others = plan.judge.traits, plan.labeler.traits
    return plan.target.engine.name == "openai" or any(one.at_endpoint for one in others)


def estimate(plan: ScanPlan) -> str:
    """Calls and tokens in words; prompts by their length, answers by their budget."""
    letters = sum(len(one["content"]) for request in plan.requests for one in request.messages)
    probes = sum(measure.calls for measure in plan.measures)
    names = " and ".join(measure.name for measure in plan.measures if measure.calls)
    more = f", up to {probes:,} more for {names}" if probes else ""
    answers = len(plan.requests) * plan.sampling.max_tokens
    answers += sum(measure.calls * measure.max_tokens for measure in plan.measures)
    # A probe shows a pair of the plan once more, with little beside it.
    prompts = letters // _CHARACTERS_A_TOKEN
    prompts += probes * prompts // max(len(plan.requests), 1)
    judged = plan.judge_calls + sum(measure.judge_calls for measure in plan.measures)
    others = (("judge", judged), ("labeller", plan.label_calls))
    also = " and ".join(f"{calls:,} of the {who}" for who, calls in others if calls)
    return (
        f"{len(plan.requests):,} calls of the target{more}"
        f"{also and f' and up to {also}'}; the target reads about "
        f"{prompts:,} tokens and writes {answers:,} at most"
    )


def consent(plan: ScanPlan) -> None:
    """Asks before many calls of an endpoint, on a terminal; elsewhere --max-calls is the limit.

    Raises:
        InputError: the answer is no.
    """
    if at_endpoint(plan):
        agree(plan.calls, estimate(plan))


def agree(calls: int, cost: str) -> None:
    """Asks whether to make `calls` calls of an endpoint, which are many; `cost` says it in words.

    Raises:
        InputError: the answer is no.
    """
    if calls <= ASK_ABOVE or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    import typer

    try:
        agreed = typer.confirm(f"{cost}. Start?", err=True)
    except typer.Abort:
        agreed = False
    if not agreed:
        raise InputError("not started", "--yes starts without asking, --limit makes it smaller")


def remarks(plan: ScanPlan, scanned: Scanned) -> list[str]:
    """What went another way than asked: failed requests, options that a server refused."""
    told = []
    failed = sum(row.outcome == "error" for result in scanned.results for row in result.rows)
    if failed and at_endpoint(plan):
        told.append(f"{failed} requests failed; --resume asks them again")
    failures = Counter(
        row.failure.removeprefix("judge: ")
        for result in scanned.results
        for row in result.rows
        if row.failure is not None and row.failure.startswith("judge: ")
    )
    if failures:
        cause, _ = failures.most_common(1)[0]
        told.append(
            f"the judge failed on {failures.total()} answers, which are left out and bounded; "
            f"most often: {cause}"
        )
    for name in plan.target.engine.describe().get("not_sent", ()):
        told.append(f"the endpoint refuses {name}: it samples with its own")
    return told
