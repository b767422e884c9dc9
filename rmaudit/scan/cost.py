"""What the model calls of a scan cost, known before they are made."""

from __future__ import annotations

from rmaudit.errors import InputError
from rmaudit.scan.left import calls_left
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.score_requests import prompts_of

_CHARACTERS_A_TOKEN = 4


def at_endpoint(plan: ScanPlan) -> bool:
    """Whether target, judge or labeller answer from elsewhere, where calls may cost money."""
    others = plan.judge.traits, plan.labeler.traits
    return plan.target.facts.get("kind") == "endpoint" or any(one.at_endpoint for one in others)


def estimate(plan: ScanPlan) -> str:
    """Calls and tokens in words; prompts by their length, answers by their budget."""
    if plan.target.scorer is not None:
        asked = prompts_of(plan.target, plan.items, plan.requests)
        shown = sum(len(turn["content"]) for one in asked for turn in one.messages)
        what = "pairs" if plan.target.scores_pairs else "responses"
        return (
            f"{plan.calls:,} {what} to score; the target reads about "
            f"{shown // _CHARACTERS_A_TOKEN:,} tokens and writes none"
        )
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
    lists = plan.null_calls if plan.judge.traits.calls else 0
    about = f" ({lists:,} of them about lists that read nothing)" if lists else ""
    others = (
        (f"judge{about}", judged),
        ("judge to split rationales", plan.atomise_calls),
        ("labeller", plan.label_calls),
    )
    also = " and ".join(f"{calls:,} of the {who}" for who, calls in others if calls)
    return (
        f"{len(plan.requests):,} calls of the target{more}"
        f"{also and f' and up to {also}'}; the target reads about "
        f"{prompts:,} tokens and writes {answers:,} at most"
    )


def refuse_over(plan: ScanPlan) -> None:
    """Refuses a scan with more model calls than `--max-calls` allows; what is done is not counted.

    Raises:
        InputError: it makes more.
    """
    most = plan.config.max_calls
    if most is None:
        return
    left = calls_left(plan)
    if left > most:
        makes = "still makes" if plan.config.resume else "makes"
        raise InputError(
            f"this scan {makes} {left} model calls; --max-calls is {most}",
            f"raise --max-calls, or lower --limit or --samples ({estimate(plan)})",
        )
