"""What can be said of a policy before a run: rules that no result of it can let pass."""

from __future__ import annotations

from collections.abc import Iterator

from rmaudit.gate.evidence import (
    approximate_reader,
    named_reader,
    other_prompt,
    unqualified_judge,
    unseen_weights,
)
from rmaudit.gate.policy import Policy
from rmaudit.run.manifest import RunManifest


def foresee(policy: Policy, manifest: RunManifest, *, has_baseline: bool) -> Iterator[str]:
    """Why the verdict on a run can be no pass, a sentence a cause.

    Args:
        policy: that the run will be held against.
        manifest: of the run, as planned.
        has_baseline: whether there is a run to compare with.
    """
    errors = [rule for rule in policy.rules if rule.level == "error"]
    readers = {
        reader
        for rule in errors
        if (reader := approximate_reader(rule.metric, manifest)) is not None
    }
    if readers and not policy.allow_builtin_judge:
        names = " and ".join(sorted(named_reader(reader, manifest) for reader in readers))
        yield (
            f"the policy {policy.name} does not allow the {names}: its verdict will be "
            "INVALID; name a model with --judge SPEC"
        )
    told = {unqualified_judge(rule.metric, manifest) for rule in errors} - {""}
    if told and not policy.allow_builtin_judge:
        yield (
            f"the judge is {told.pop()}, and the policy {policy.name} does not allow it: its "
            "verdict will be INVALID; name another model with --judge SPEC"
        )
    unfit = {manifest.unfit(rule.metric) for rule in errors} - {""}
    if unfit:
        yield (
            f"{'; '.join(sorted(unfit))}, and the policy {policy.name} has a rule on it: its "
            "verdict will be INVALID; name another model with --labeler SPEC"
        )
    if policy.require_complete_weights and (weights := unseen_weights(manifest)):
        yield (
            f"{weights}, and the policy {policy.name} requires complete weights: its verdict will "
            "be INVALID"
        )
    if policy.require_trained_prompt and (prompt := other_prompt(manifest)):
        yield (
            f"{prompt}, and the policy {policy.name} requires the one that it was trained on: its "
            "verdict will be INVALID; rmaudit profile fetch gets the published one, "
            "--prompt FILE takes it from a file"
        )
    waiting = [rule for rule in errors if rule.kind == "relative"]
    if waiting and not has_baseline:
        rules = "1 rule compares" if len(waiting) == 1 else f"{len(waiting)} rules compare"
        yield (
            f"{rules} with a baseline, and none is given: the verdict can be no PASS; "
            "name one with --baseline RUN"
        )
